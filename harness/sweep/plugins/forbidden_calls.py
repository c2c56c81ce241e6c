"""What plugins may not start: processes, which would outlive a run, and ports, on which others could have a say in rows.

Python tells of both before they happen, and they do not. Seen is what a plugin's own lines ask for, by themselves or through
Python's library. What an installed library starts for itself is its own, and threads are free: no run waits for one to end.
"""

from collections.abc import Container
from types import FrameType

from harness.sweep.errors import InputError

STARTING = {
    **dict.fromkeys(("os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.exec", "os.system"), "starts a process"),
    "subprocess.Popen": "starts a process",
    "socket.bind": "listens on a port",
}
INSTALLED = "site-packages", "dist-packages"
ALLOWED = "allowed: to compute in the process and the thread that it is called in"


def refuse(event: str, frame: FrameType | None, texts: Container[str]) -> None:
    """Raise InputError where a plugin starts something. frame: where that is asked for. texts: the paths of plugins'."""
    while frame is not None and (file := frame.f_code.co_filename) not in texts:
        if file.startswith("<frozen importlib") or any(f"/{folder}/" in file for folder in INSTALLED):
            return
        frame = frame.f_back
    if frame is not None:
        raise InputError(f"{frame.f_code.co_filename}:{frame.f_lineno} {STARTING[event]}; {ALLOWED}")
