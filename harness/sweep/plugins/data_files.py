"""What plugins read, files and environment variables: it has a say in rows, so a table says that it was made with it.

A plugin's text is read when it is loaded, and so must be its data: these are told by what they held then. What it reads later
could be other data at every trial, and is refused. Of files is seen what is opened through Python, by the plugin or by a
library that it calls, and compiled code that is loaded by ctypes; not what a library opens by itself, as Arrow and HDF5 do.
"""

import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import file_digest
from importlib.util import source_from_cache
from pathlib import Path
from threading import local
from types import FrameType
from typing import Any
from urllib.parse import unquote, urlsplit

from harness.sources import Source, served
from harness.sweep.errors import InputError
from harness.sweep.plugins import environment, forbidden_calls

OPENING_DATABASE, OPENING_CODE = "sqlite3.connect", "ctypes.dlopen"
OPENING = {"open", OPENING_DATABASE, OPENING_CODE}
OF_THE_SYSTEM = ("/dev/", "/proc/", "/sys/")
OF_MACHINES = (f"{sys.prefix}/", f"{sys.base_prefix}/", "/usr/", "/lib", "/opt/")
"""Where machines have compiled code, which libraries look for by themselves."""

_homes: dict[str, str] = {}  # of each text of a plugin: the plugin's name
_held: dict[str, dict[str, str]] = {}  # by plugin and path: 16 hex digits over what was there when it was loaded
_told: dict[str, dict[str, str]] = {}  # by plugin and variable: 16 hex digits over what it said then
_late: dict[str, str] = {}  # by path or variable: the line that read it
_made = set[str]()  # what plugins wrote themselves
_loading: str | None = None
_here = local()  # whether this thread is at it already


@contextmanager
def recorded(plugin: str, modules: Mapping[str, Source], is_library: Callable[[str], bool]) -> Iterator[None]:
    """Within it a plugin is loaded: what its modules read is recorded as its data.
    is_library: whether a path is a library's own.
    """
    global _loading
    if not _homes:
        sys.addaudithook(partial(_hear, is_library))
        environment.watch(_asked)
    _homes.update((source.path, plugin) for source in modules.values())
    _held[plugin], _told[plugin], before, _loading = {}, {}, _loading, plugin
    try:
        yield
    finally:
        _loading = before


def forget(plugin: str) -> None:
    """Drops the record of what a plugin read, which is no longer loaded."""
    _held.pop(plugin, None)
    _told.pop(plugin, None)
    _late.clear()
    for path in [path for path, whose in _homes.items() if whose == plugin]:
        _homes[path] = ""


def held(plugin: str) -> dict[str, str]:
    """The digest, 16 hex digits, of each file that a plugin read when it was loaded, by the path from the plugin's own."""
    home = next((Path(path).parent for path, whose in _homes.items() if whose == plugin), Path())
    return {os.path.relpath(path, home): digest for path, digest in sorted(_held.get(plugin, {}).items())}


def variables(plugin: str) -> dict[str, str]:
    """The digest, 16 hex digits or `not set`, of each environment variable that a plugin asked for when it was loaded."""
    return dict(sorted(_told.get(plugin, {}).items()))


def digests() -> list[str]:
    """The digests of all files and variables that plugins read when they were loaded."""
    files = [digest for those in _held.values() for digest in those.values()]
    return sorted(files + [f"{name}: {digest}" for those in _told.values() for name, digest in those.items()])


def refuse_late() -> None:
    """Raises InputError where a plugin has read a file or a variable since it was loaded."""
    for what, line in _late.items():
        raise InputError(
            f"{line} reads {what} after the plugin was loaded, so rows would depend on what no table records; "
            "allowed: to read it when it is loaded, at the top of the plugin's file"
        )


@contextmanager
def no_matter() -> Iterator[None]:
    """Within it, what this thread reads is not recorded: it only draws, and has no say in rows."""
    before, _here.busy = getattr(_here, "busy", False), True
    try:
        yield
    finally:
        _here.busy = before


def _hear(is_library: Callable[[str], bool], event: str, arguments: tuple[Any, ...]) -> None:
    """Python tells of every file that is opened, before it is, and of what is started."""
    if getattr(_here, "busy", False):
        return
    if forbidden_calls.is_one(event, arguments):
        forbidden_calls.refuse(event, sys._getframe(1), {path for path, plugin in _homes.items() if plugin})
    if event not in OPENING or not isinstance(arguments[0], str | bytes | os.PathLike):
        return
    path = _path(event, os.fsdecode(arguments[0]))
    compiled = event == OPENING_CODE and path.startswith(OF_MACHINES)
    line = None if compiled or path.startswith(OF_THE_SYSTEM) or is_library(path) else _whose(path, sys._getframe(1))
    if line is not None and path not in {source.path for source in served().values()}:
        with no_matter():
            _note(path, line, arguments[2] if event == "open" else os.O_RDONLY)


def _path(event: str, name: str) -> str:
    """Where a file is that is opened by a name: a database may have an address, and a compiled text stands for its text."""
    is_address = event == OPENING_DATABASE and name.startswith("file:")
    path = os.path.abspath(unquote(urlsplit(name).path) if is_address else name)
    with suppress(ValueError):  # elsewhere than where Python puts it
        return source_from_cache(path) if path.endswith(".pyc") else path
    return path


def _note(path: str, line: str, flags: int) -> None:
    if flags & os.O_ACCMODE == os.O_WRONLY or flags & (os.O_TRUNC | os.O_EXCL):
        _made.add(path)
        return
    with suppress(OSError):  # it is not there, or cannot be read: who opens it is told
        if path in _made or not stat.S_ISREG(os.stat(path).st_mode):
            return
        if _loading is None:
            _late.setdefault(path, line)
            return
        with open(path, "rb") as file:
            _held[_loading][path] = file_digest(file, "sha256").hexdigest()[:16]


def _asked(name: str, value: str | None, frame: FrameType, is_set: bool) -> None:
    """A variable is asked for, or set: by a plugin's own lines? Of one that is set after it was asked for, that counts.

    So it does in a worker, which has it from here.
    """
    if getattr(_here, "busy", False) or not _homes.get(frame.f_code.co_filename):
        return
    if _loading is None and not is_set:
        _late.setdefault(f"the environment variable {name}", f"{frame.f_code.co_filename}:{frame.f_lineno}")
    elif _loading is not None and is_set == (name in _told[_loading]):
        _told[_loading][name] = environment.digest(name, value)


def _whose(path: str, frame: FrameType | None) -> str | None:
    """The line of a plugin that a file is opened for; None where there is none, and of modules that are imported."""
    imported = frame is not None and frame.f_code.co_filename.startswith("<frozen importlib")
    while frame is not None and not _homes.get(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None or (imported and _is_module(path)):  # whether these can be followed is asked elsewhere
        return None
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def _is_module(path: str) -> bool:
    """Whether it is the text of a module that is there or being imported."""
    return any(path == getattr(getattr(module, "__spec__", None), "origin", None) for module in [*sys.modules.values()])
