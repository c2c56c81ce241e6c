"""Tests in a process of their own, which is forked from one that has the libraries loaded, and may run a mutant.

The package is imported anew in each, from its texts, one of which may be another: constants, decorated functions and what other
modules took of them by name are those of the mutant.
"""

import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from math import ceil
from pathlib import Path
from types import CodeType
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.mutation.rooms import ROOT

MEMORY = 8 * 2**30
IDLE = 10
"""Times the seconds of a core that a process may take by the clock: it may wait for others, or for what never comes."""
LOADED = ("-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning")
PROFILE = "mutation"
"""Of hypothesis: the examples of every run, but none of them is made smaller."""
_end_now = os._exit  # before a test that loads a plugin has another in its place


def prepare() -> None:
    """What every fork is to have: libraries, compiled texts, one thread."""
    os.chdir(ROOT)
    for kind in ("OMP", "OPENBLAS", "MKL"):
        os.environ[f"{kind}_NUM_THREADS"] = "1"
    settings.register_profile(
        PROFILE,
        derandomize=True,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
        phases=(Phase.explicit, Phase.generate),
    )
    for name in forked(_libraries)[1].split():
        try:
            import_module(name)
        except ImportError:  # of another that stands first
            continue
    from harness import sources

    loader: Any = sources._TextLoader
    compiled: Callable[[bytes, str], CodeType] = cache(lambda text, path: compile(text, path, "exec", dont_inherit=True))
    loader.get_code = lambda self, fullname: compiled(self.get_data(self.path), self.path)
    for module in sources.served().values():
        compiled(module.text, module.path)


def _libraries() -> None:
    """Names what the package loads and is not of it."""
    import harness.cli  # noqa: F401

    ours = ("harness", "tests", "ray", "__main__")
    print(*(name for name in sys.modules if name.partition(".")[0] not in ours), file=sys.__stdout__)


def forked(work: Callable[[], int | None], seconds: float = 600) -> tuple[int | None, str]:
    """Do this in a process of its own; its exit code, None where it took too long, and what it printed.

    seconds: of a core, so that a loaded machine makes no difference; of the clock IDLE times as many.
    """
    with tempfile.TemporaryFile("w+") as said:
        child = os.fork()
        if child == 0:
            code = 99
            try:
                os.setsid()
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
                resource.setrlimit(resource.RLIMIT_CPU, (ceil(seconds), ceil(seconds) + 1))
                for stream in (1, 2):
                    os.dup2(said.fileno(), stream)
                code = work() or 0
            except BaseException as error:
                print(repr(error), file=sys.__stderr__)
            finally:
                print(end="", flush=True, file=sys.__stdout__)
                _end_now(code)
        ended = _waited(child, seconds)
        said.seek(0)
        return ended, said.read()


def _waited(child: int, seconds: float) -> int | None:
    until = time.monotonic() + IDLE * seconds
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            ended = os.waitstatus_to_exitcode(status)
            return None if ended == -signal.SIGXCPU else ended
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


class Chosen:
    """For pytest: runs these tests and no others, in this order, and says which one failed first."""

    def __init__(self, tests: Iterable[str]) -> None:
        self.turns = {test: turn for turn, test in enumerate(tests)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted((item for item in items if item.nodeid in self.turns), key=lambda item: self.turns[item.nodeid])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            print(f"\nkilled by {report.nodeid}", file=sys.__stdout__)


def run(arguments: Sequence[str], plugins: Sequence[object], changed: Mapping[str, str]) -> int:
    """pytest, with the texts of some files changed."""
    from harness import sources

    texts = {
        file: name for name, source in sources.served().items() for file in [Path(source.path).relative_to(ROOT).as_posix()]
    }
    for file, text in changed.items():
        name = texts[file]
        sources.serve({name: sources.served()[name]._replace(text=text.encode())})
    with tempfile.TemporaryDirectory() as folder:
        quiet = ["-p", "no:cacheprovider", "-p", "no:xdist", "--tb=no", *LOADED, f"--basetemp={folder}/tests"]
        return pytest.main([*quiet, f"--hypothesis-profile={PROFILE}", *arguments], plugins=list(plugins))


def killed(changed: Mapping[str, str], tests: Sequence[str], seconds: float) -> str | None:
    """Which of these tests fails, or what happens instead; None if all pass."""
    files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
    code, said = forked(lambda: run(["-x", *files], [Chosen(tests)], changed), seconds)
    if code == 0:
        return None
    by = _named(said)
    if code == 5 or (code == 99 and not by):
        raise RuntimeError(f"no tests ran: {said[-2000:]}")
    return by[0] if by else "time" if code is None else "import"


def failing(changed: Mapping[str, str], tests: Sequence[str], seconds: float) -> list[str]:
    """All of these tests that fail; none where the package cannot even be imported, which every run sees."""
    files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
    return _named(forked(lambda: run(files, [Chosen(tests)], changed), seconds)[1])


def _named(said: str) -> list[str]:
    return [line.removeprefix("killed by ") for line in said.splitlines() if line.startswith("killed by ")]
