"""What plugins may not do, as it would be done to all: start processes, which would outlive a run, open ports, on which others
could have a say in rows, ask the network, whose answers no table records, or change what a process has once, as its signals.

Python tells of most of these before they happen, and they do not; functions of which it does not are replaced by some that do.
Seen is what a plugin's own lines call, by themselves or through Python's library, and what they ask through any library. What
an installed library starts for itself is its own, and threads are free: no run waits for one to end.
"""

import sys
from collections.abc import Callable, Container, Sequence
from functools import reduce, wraps
from importlib import import_module
from types import FrameType
from typing import Any

from harness.sweep.errors import InputError

IN_PLACE = "to compute in the process and the thread that it is called in"
LEFT = "to leave it as it is, for what else is at work in the process"
CALLS = {
    **dict.fromkeys(
        ("os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.exec", "os.system", "subprocess.Popen"),
        ("starts a process", IN_PLACE),
    ),
    "socket.bind": ("listens on a port", IN_PLACE),
    "os.chdir": ("changes the working folder", "paths from its own, as Path(__file__).with_name(...)"),
    **dict.fromkeys(("os.kill", "os.killpg", "signal.pthread_kill"), ("sends a signal", "to raise an error")),
    **dict.fromkeys(("resource.setrlimit", "resource.prlimit"), ("changes the limits of the process", LEFT)),
}
"""By audit event what a plugin does, and what it may do instead."""

NETWORK = dict.fromkeys(
    ("socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"),
    ("asks the network", "to read a file that was fetched before, at the top of the plugin's file"),
)
UNTOLD = {
    **dict.fromkeys(
        (f"signal.{name}" for name in ("signal", "alarm", "setitimer", "siginterrupt", "set_wakeup_fd", "pthread_sigmask")),
        ("changes what a signal does", LEFT),
    ),
    "signal.raise_signal": CALLS["os.kill"],
    **dict.fromkeys(
        ("faulthandler.register", "faulthandler.dump_traceback_later"), ("has the process told of, or ended, later", LEFT)
    ),
    "socket.socket.listen": CALLS["socket.bind"],
    **dict.fromkeys(
        (f"atexit.{name}" for name in ("register", "_clear", "_run_exitfuncs")),
        ("changes what is done when the program ends", LEFT),
    ),
    **dict.fromkeys(
        (f"gc.{name}" for name in ("disable", "enable", "freeze", "set_debug", "set_threshold")),
        ("changes when objects are collected", LEFT),
    ),
    "sys.addaudithook": ("hears of what others do", LEFT),
    "os.umask": ("changes who may read new files", LEFT),
    "locale.setlocale": ("changes the locale", LEFT),
    "sys.setrecursionlimit": ("changes how deep calls may be", LEFT),
    **dict.fromkeys(("numpy.seterr", "numpy.seterrcall"), ("changes what numpy does on errors", "with numpy.errstate(...)")),
}
"""By function what a plugin does that Python does not tell of."""

OWN = {"atexit.register"}
"""What Python's library does for itself too, as for a folder of a moment: refused where a plugin's own lines do it."""

INSTALLED = "site-packages", "dist-packages"


def is_one(event: str, arguments: Sequence[Any]) -> bool:
    """Whether an audit event of Python tells of a call that plugins may not make, as starting a process or listening on a port.
    To connect to what stays on this machine is none.
    """
    within = event in ("socket.connect", "socket.sendto", "socket.sendmsg") and not isinstance(arguments[1], tuple)
    return event in CALLS or (event in NETWORK and not within)


def watch(hear: Callable[[str, FrameType], None]) -> None:
    """Replaces the functions that Python does not tell of: before they do anything, they call `hear` with name and caller."""
    for name in UNTOLD:
        module, *within, last = name.split(".")
        home = reduce(getattr, within, import_module(module))
        setattr(home, last, _telling(name, getattr(home, last), hear))


def _telling(name: str, function: Callable[..., Any], hear: Callable[[str, FrameType], None]) -> Callable[..., Any]:
    @wraps(function)
    def telling(*arguments: Any, **options: Any) -> Any:
        hear(name, sys._getframe(1))
        return function(*arguments, **options)

    return telling


def refuse(call: str, frame: FrameType | None, texts: Container[str]) -> None:
    """Raises InputError where a plugin makes a forbidden call, an audit event or a function. frame: where that is done.
    texts: the paths of plugins' files.
    """
    while frame is not None and (file := frame.f_code.co_filename) not in texts:
        installed = call not in NETWORK and any(f"/{folder}/" in file for folder in INSTALLED)
        if file.startswith("<frozen importlib") or installed or call in OWN:
            return
        frame = frame.f_back
    if frame is not None:
        does, instead = (CALLS | NETWORK | UNTOLD)[call]
        raise InputError(f"{frame.f_code.co_filename}:{frame.f_lineno} {does}; allowed: {instead}")
