"""A small process that outlives its driver by a moment: it ends what is left of the driver's local Ray, and removes its folder.

It is run as a program, with a folder of a driver's as its argument, and with a standard input that ends when the driver does,
however that happens. Every process of that Ray has the folder's path in its environment, and the folder is locked while the
driver or its reaper live; a folder that is not locked belongs to nobody, and the next reaper on the machine removes it.
"""

import fcntl
import os
import re
import signal
import sys
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from time import monotonic, sleep

MARK = "HARNESS_LOCAL_RAY"
PREFIX = "harness-ray-"
INSIDE = "r"  # what Ray gets of the folder: it opens to all what it gets
SECONDS = 10.0


def reap(folder: Path) -> None:
    """Waits for the driver's end, then ends what is left of the driver's local Ray and removes its folder."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    for other in folder.parent.glob(f"{PREFIX}*"):
        _sweep(other)
    sys.stdin.buffer.read()
    _remove(folder)


def _remove(folder: Path) -> None:
    """Kill all processes of the Ray in the folder until there are none, then remove the folder."""
    begun, calm = monotonic(), 0
    while calm < 2 and monotonic() - begun < SECONDS:
        calm = 0 if _kill(folder) else calm + 1
        sleep(0.05)
    rmtree(folder, ignore_errors=True)


def _kill(folder: Path) -> int:
    """Kill the processes with the folder in their environment; how many there were."""
    mark = f"{MARK}={folder}".encode()
    killed = 0
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # another's, or it has just ended
            process = os.pidfd_open(int(entry.name))
            try:
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    signal.pidfd_send_signal(process, signal.SIGKILL)
                    killed += 1
            finally:
                os.close(process)
    return killed


def _sweep(folder: Path) -> None:
    """Remove a folder whose driver and reaper are dead. Locked meanwhile; left if there is more in it than they make."""
    if not re.fullmatch(rf"{PREFIX}\w{{8}}", folder.name):
        return
    with suppress(OSError):  # it is no folder, another user's, in use, or has just gone
        held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(held).st_uid == os.getuid() and set(os.listdir(held)) <= {INSIDE}:
                _remove(folder)
        finally:
            os.close(held)


if __name__ == "__main__":
    reap(Path(sys.argv[1]))
