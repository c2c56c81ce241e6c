"""A place for a Ray of our own: a folder that nobody else sees, and a reaper that leaves nothing of it behind."""

import fcntl
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from harness.sources import served
from harness.sweep.ray import reaper

LONGEST = 18  # of the folder's parent: the sockets within have paths of at most 107 bytes, and on other systems 103
VITAL = {"gcs_server": "control store", "raylet": "scheduler"}


class RayFolder:
    """A new folder for a local Ray, with a reaper.
    What was begun within `marked` is gone with the folder, seconds after this process.
    """

    def __init__(self) -> None:
        self._folder, held = _new_folder()
        self._reaper = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", served()[reaper.__name__].text, self._folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[held],
            cwd="/",
            start_new_session=True,
        )
        self.inside = str(self._folder / reaper.INSIDE)

    @contextmanager
    def marked(self) -> Iterator[None]:
        """Processes that are begun now belong here."""
        os.environ[reaper.MARK] = str(self._folder)
        try:
            yield
        finally:
            del os.environ[reaper.MARK]

    def close(self) -> None:
        """End all that is left here, and remove the folder."""
        with suppress(subprocess.TimeoutExpired):
            self._reaper.communicate(timeout=reaper.SECONDS)


def what_died() -> str | None:
    """A text on a process that the local Ray cannot do without and that has ended, and how; None where all of these run."""
    from ray._private import worker  # Ray tells nobody that its own processes are gone

    node: Any = worker._global_node
    for kind, process in node.dead_processes() if node is not None else ():
        if kind in VITAL:
            code = process.returncode
            how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
            return f"its {VITAL[kind]} ({kind}, process {process.pid}) {how}"
    return None


def _new_folder() -> tuple[Path, int]:
    """A folder, and the descriptor that has it locked as long as this process or a child with the descriptor lives."""
    parents = [Path(each).absolute() for each in (os.environ.get("RAY_TMPDIR"), tempfile.gettempdir(), "/tmp") if each]
    parent = next(each for each in parents if len(os.fsencode(each)) <= LONGEST)
    while True:
        folder = Path(mkdtemp(prefix=reaper.PREFIX, dir=parent))
        with suppress(FileNotFoundError):  # swept away before it was locked
            held = os.open(folder, os.O_RDONLY)
            fcntl.flock(held, fcntl.LOCK_EX)
            if folder.exists():
                return folder, held
            os.close(held)
