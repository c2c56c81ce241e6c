"""What plugins may not start: processes, which would outlive a run, and ports, on which others could have a say in rows; nor
may they ask the network, whose answers no table records.

Python tells of these before they happen, and they do not. Seen is what a plugin's own lines start, by themselves or through
Python's library, and what they ask through any library. What an installed library starts for itself is its own, and threads are
free: no run waits for one to end.
"""

from collections.abc import Container, Sequence
from types import FrameType
from typing import Any

from harness.sweep.errors import InputError

STARTING = {
    **dict.fromkeys(("os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.exec", "os.system"), "starts a process"),
    "subprocess.Popen": "starts a process",
    "socket.bind": "listens on a port",
}
ASKING = dict.fromkeys(("socket.connect", "socket.sendto", "socket.sendmsg"), "asks the network")
INSTALLED = "site-packages", "dist-packages"
ALLOWED = {
    **dict.fromkeys(STARTING, "allowed: to compute in the process and the thread that it is called in"),
    **dict.fromkeys(ASKING, "allowed: to read a file that was fetched before, at the top of the plugin's file"),
}


def is_one(event: str, arguments: Sequence[Any]) -> bool:
    """Whether an audit event of Python tells of a call that plugins may not make.
    That is to start a process, to listen on a port, or to connect but for what stays on this machine.
    """
    return event in STARTING or (event in ASKING and isinstance(arguments[1], tuple))


def refuse(event: str, frame: FrameType | None, texts: Container[str]) -> None:
    """Raises InputError where a plugin makes a forbidden call. frame: where that is done.
    texts: the paths of plugins' files.
    """
    while frame is not None and (file := frame.f_code.co_filename) not in texts:
        installed = event in STARTING and any(f"/{folder}/" in file for folder in INSTALLED)
        if file.startswith("<frozen importlib") or installed:
            return
        frame = frame.f_back
    if frame is not None:
        raise InputError(f"{frame.f_code.co_filename}:{frame.f_lineno} {(STARTING | ASKING)[event]}; {ALLOWED[event]}")
