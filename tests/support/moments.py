"""Work killed before each of its operations on files: for programs that tests run as processes of their own."""

import os
import signal
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

PROGRAM = ("-W", "ignore::DeprecationWarning", "-c")  # of forks of a process with threads
ENVIRONMENT = {"PYTHONPATH": os.pathsep.join(filter(None, (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH"))))}


def killed_at_every_moment(
    work: Callable[[], object],
    counts: Callable[[str, tuple[Any, ...]], object],
    before: Callable[[], object],
    after: Callable[[], object],
) -> int:
    """How many moments there are: the work is killed before the first operation that counts, then before the second, and so on.

    counts: whether an event of Python's audit does, with its arguments. before, after: what is to be done around each; the last
    time the work comes to its end. `after` raises where what is left is not as it should be.
    """
    for moment in count(1):
        before()
        status = in_a_process(lambda moment=moment: _dying(work, counts, moment))  # type: ignore[misc]
        assert in_a_process(after) == 0, f"killed at moment {moment}"
        if not os.WIFSIGNALED(status):
            assert status == 0
            return moment - 1
    raise AssertionError


def in_a_process(work: Callable[[], object]) -> int:
    """The status with which a process ends that does the work."""
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    return os.waitpid(child, 0)[1]


def _dying(work: Callable[[], object], counts: Callable[[str, tuple[Any, ...]], object], moment: int) -> None:
    left = moment

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal left
        if counts(event, arguments):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)
    work()
