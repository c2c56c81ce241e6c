"""What plugins read, files and environment variables: it has a say in rows, so a table says that it was made with it.

A plugin's text is read when it is loaded, and so must be its data: these are told by what they held then. What it reads later
could be other data at every trial, and is refused. Of files is seen what is opened through Python, by the plugin or by a
library that it calls, what Arrow is asked to read, databases, also attached ones, and compiled code that is loaded as such;
what other compiled code opens, as HDF5, a plugin declares. Of a folder that a plugin lists the names of its files count.
"""

import _sqlite3
import mimetypes
import os
import posix
import sqlite3
import stat
import struct
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from glob import escape
from hashlib import file_digest, sha256
from importlib.util import source_from_cache
from pathlib import Path
from threading import local
from types import FrameType
from typing import Any
from urllib.parse import unquote, urlsplit

from harness.sources import Source, served
from harness.sweep.errors import InputError
from harness.sweep.plugins import arrow_files, compiled, environment, forbidden_calls

OPENING_DATABASE, OPENING_CODE, IMPORTING = "sqlite3.connect", "ctypes.dlopen", "import"
LISTING, MAKING = {"os.listdir", "os.scandir"}, "os.mkdir"
OPENING = {"open", OPENING_DATABASE, OPENING_CODE, MAKING} | LISTING
BY_ITSELF = "site-packages", "dist-packages", "importlib"
"""Libraries that list folders for themselves, to find modules and what is installed."""
OF_THE_SYSTEM = ("/dev/", "/proc/", "/sys/")
OF_MACHINES = (f"{sys.prefix}/", f"{sys.base_prefix}/", "/usr/", "/lib", "/opt/")
"""Where machines have compiled code, which libraries look for by themselves."""
TYPES_OF_FILES = mimetypes.__file__
"""What looks at a machine's lists of them by itself, whatever address a plugin opens."""

_homes: dict[str, str] = {}  # of each text of a plugin: the plugin's name
_held: dict[str, dict[str, str]] = {}  # by plugin and path: 16 hex digits over what was there when it was loaded
_told: dict[str, dict[str, str]] = {}  # by plugin and variable: 16 hex digits over what it said then
_late: dict[str, str] = {}  # by path or variable: the line that read it
_made = set[str]()  # what plugins wrote themselves
_declared: dict[str, dict[str, os.stat_result]] = {}  # by plugin: what compiled code opens for it, as it was when it was loaded
_brought: dict[str, dict[str, str]] = {}  # by plugin: the compiled code that is loaded for it, and for which line first
_loading: str | None = None
_here = local()  # whether this thread is at it already


@contextmanager
def recorded(plugin: str, modules: Mapping[str, Source], is_library: Callable[[str], bool]) -> Iterator[None]:
    """Context manager in which a plugin is loaded: the files and variables that its modules read are recorded as its data.
    is_library: whether a path is a library's own.
    """
    global _loading
    if not _homes:
        sys.addaudithook(partial(_hear, is_library))
        environment.watch(_asked)
        arrow_files.watch(lambda path, flags: _opened(is_library, "open", path, flags, sys._getframe(2)))
        forbidden_calls.watch(lambda name, frame: forbidden_calls.refuse(name, frame, _texts()))
        _watch_databases(is_library)
        os.open = posix.open = _open_beside
        os.supports_dir_fd.add(_open_beside)
    _homes.update((source.path, plugin) for source in modules.values())
    _held[plugin], _told[plugin], before, _loading = {}, {}, _loading, plugin
    try:
        yield
    finally:
        _loading = before


def forget(plugin: str) -> None:
    """Drops the record of what a plugin read, which is no longer loaded."""
    for of_plugin in (_held, _told, _declared, _brought):
        of_plugin.pop(plugin, None)
    _late.clear()
    for path in [path for path, whose in _homes.items() if whose == plugin]:
        _homes[path] = ""


def declare(plugin: str, paths: Iterable[Path]) -> None:
    """Records the files that compiled code opens for a plugin, by its word, and those in folders that are so named.
    Raises InputError where one is not there.
    """
    _declared[plugin] = {}
    with no_matter():
        for path in map(os.path.abspath, paths):
            files = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in sorted(names)] or [path]
            for file in files:
                if not os.path.isfile(file):
                    raise InputError(
                        f"{compiled.DECLARED} names {file}, which is no file; allowed: files, and folders of files"
                    )
                _held[plugin][file] = _of_content(file)[:16]
                _declared[plugin][file] = os.stat(file)


def held(plugin: str) -> dict[str, str]:
    """The digest, 16 hex digits, of each file that a plugin read when it was loaded, by path from the plugin's folder."""
    home = next((Path(path).parent for path, whose in _homes.items() if whose == plugin), Path())
    return {os.path.relpath(path, home): digest for path, digest in sorted(_held.get(plugin, {}).items())}


def variables(plugin: str) -> dict[str, str]:
    """The digest, 16 hex digits or `not set`, of each environment variable that a plugin asked for when it was loaded."""
    return dict(sorted(_told.get(plugin, {}).items()))


def digests() -> list[str]:
    """The digests of all files and variables that plugins read when they were loaded."""
    files = [digest for those in _held.values() for digest in those.values()]
    return sorted(files + [f"{name}: {digest}" for those in _told.values() for name, digest in those.items()])


def look_for_compiled(plugin: str, imported: Iterable[str]) -> None:
    """Notes what a plugin's text imports that has compiled code and was loaded before. imported: the names of modules."""
    _brought[plugin] = dict.fromkeys(compiled.loaded(imported), plugin) | _brought.get(plugin, {})


def refuse_unseen() -> None:
    """Raises InputError where a plugin has brought compiled code without a word on what that opens."""
    for plugin in _brought.keys() - _declared.keys():
        for what, place in _brought[plugin].items():
            raise InputError(f"{place} loads {what}, {compiled.UNSEEN}")


def unseen(plugin: str) -> list[str]:
    """The libraries and files with compiled code that a plugin has loaded, of which nobody sees what they open."""
    return sorted(_brought.get(plugin, ()))


def refuse_late() -> None:
    """Raises InputError where a plugin has read something since it was loaded, or what it declares is other data now."""
    refuse_unseen()
    for files in _declared.values():
        for path, before in files.items():
            now = os.stat(path) if os.path.exists(path) else None
            if now is None or (now.st_mtime_ns, now.st_size, now.st_ino) != (before.st_mtime_ns, before.st_size, before.st_ino):
                raise InputError(
                    f"{path}, which {compiled.DECLARED} names, has changed since the plugin was loaded; allowed: to leave it"
                )
    for what, line in _late.items():
        raise InputError(
            f"{line} reads {what} after the plugin was loaded, so rows would depend on what no table records; "
            "allowed: to read it when it is loaded, at the top of the plugin's file"
        )


@contextmanager
def no_matter() -> Iterator[None]:
    """Context manager in which nothing that this thread reads is recorded as a plugin's data, as rows do not depend on it."""
    before, _here.busy = getattr(_here, "busy", False), True
    try:
        yield
    finally:
        _here.busy = before


def _hear(is_library: Callable[[str], bool], event: str, arguments: tuple[Any, ...]) -> None:
    """Python tells of every file that is opened, before it is, and of what is started."""
    if not _held or getattr(_here, "busy", False):  # where no plugin is loaded it is no plugin's doing
        return
    if forbidden_calls.is_one(event, arguments):
        forbidden_calls.refuse(event, sys._getframe(1), _texts())
    if event == IMPORTING and arguments[1] is not None:
        _bring(compiled.top(arguments[1]), arguments[1], sys._getframe(1))
        _opened(is_library, OPENING_CODE, arguments[1], os.O_RDONLY, sys._getframe(1))
    if event == OPENING_CODE:
        _bring(str(arguments[0] or "this program"), None, sys._getframe(1))
    if event in OPENING and isinstance(arguments[0] or (event in LISTING and "."), str | bytes | os.PathLike):
        flags = arguments[2] if event == "open" else os.O_RDONLY
        _opened(is_library, event, os.fsdecode(arguments[0] or "."), flags, sys._getframe(1))


def _opened(is_library: Callable[[str], bool], event: str, name: str, flags: int, frame: FrameType | None) -> None:
    """A file is opened by a name, or a folder listed or made: note it where that is a plugin's doing."""
    path = _path(event, name)
    of_machine = event == OPENING_CODE and path.startswith(OF_MACHINES)
    of_types = path in mimetypes.knownfiles and frame is not None and frame.f_code.co_filename == TYPES_OF_FILES
    apart = of_machine or of_types or path.startswith(OF_THE_SYSTEM) or is_library(path)
    line = None if apart else _whose(path, frame, BY_ITSELF if event in LISTING else ())
    if line is None or path in {source.path for source in served().values()}:
        return
    with no_matter():
        _note(path, line, os.O_EXCL if event == MAKING else flags)
        if event == OPENING_DATABASE:
            _note(f"{path}-wal", line, flags)


def _bring(what: str, path: str | None, frame: FrameType | None) -> None:
    """Compiled code is loaded: note it where that is a plugin's doing. See `compiled.is_brought`."""
    caller = frame
    while caller is not None and not _homes.get(caller.f_code.co_filename):
        caller = caller.f_back
    if caller is None:
        return
    with no_matter():  # which reads of what is installed
        brought = compiled.is_brought(path, frame, caller)
    if brought:
        file = caller.f_code.co_filename
        _brought.setdefault(_homes[file], {}).setdefault(what, f"{file}:{caller.f_lineno}")


def _texts() -> set[str]:
    """The paths of the texts of all plugins."""
    return {path for path, plugin in _homes.items() if plugin}


def _watch_databases(is_library: Callable[[str], bool]) -> None:
    """Replaces SQLite's connections: what a plugin's attaches is told of."""
    connect = sqlite3.connect

    class Connection(sqlite3.Connection):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            _here.denied = False
            if _whose("", sys._getframe(1)) is not None:
                self.set_authorizer(partial(_attached, is_library))

    for module in (sqlite3, sqlite3.dbapi2, _sqlite3):
        vars(module).update(Connection=Connection, connect=partial(connect, factory=Connection))


def _attached(is_library: Callable[[str], bool], action: int, name: str | None, *_: str | None) -> int:
    """A statement of a plugin's connection: what it attaches is data too. A name that is no text in it is not known here."""
    if action != sqlite3.SQLITE_ATTACH or name == "":
        return sqlite3.SQLITE_OK
    if name is None:
        _here.denied = True
        return sqlite3.SQLITE_DENY
    _opened(is_library, OPENING_DATABASE, name, os.O_RDONLY, sys._getframe(1))
    return sqlite3.SQLITE_OK


def remedy(error: BaseException | None) -> str:
    """What to do instead of what was denied a plugin, as the end of a message on this error; empty where nothing was."""
    if not isinstance(error, sqlite3.DatabaseError) or not getattr(_here, "denied", False):
        return ""
    return ", to attach a database by what is no text in the statement; allowed: its name there, or a connection of its own"


_open = os.open


def _open_beside(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
    """In place of os.open, which tells of no folder in which a path begins."""
    before, _here.folder = getattr(_here, "folder", None), dir_fd
    try:
        return _open(path, flags, mode, dir_fd=dir_fd)
    finally:
        _here.folder = before


def _path(event: str, name: str) -> str:
    """Where a file is that is opened by a name: a database may have an address, and a compiled text stands for its text."""
    is_address = event == OPENING_DATABASE and name.startswith("file:")
    folder = getattr(_here, "folder", None)
    beside = "" if folder is None else os.readlink(f"/proc/self/fd/{folder}")
    path = os.path.abspath(os.path.join(beside, unquote(urlsplit(name).path) if is_address else name))
    with suppress(ValueError):  # elsewhere than where Python puts it
        return _text_of(path) if path.endswith(".pyc") else path
    return path


def _text_of(compiled: str) -> str:
    """The text that a compiled one was made of. Its suffix may be any, and is not kept, but when it was written and its size.
    Raises ValueError elsewhere than where Python puts what it compiles.
    """
    text = source_from_cache(compiled)
    with no_matter(), suppress(OSError, struct.error):
        with open(compiled, "rb") as file:
            made_of = struct.unpack("<8xII", file.read(16))
        for path in Path(text).parent.glob(f"{escape(Path(text).stem)}.*"):
            status = path.stat()
            if (int(status.st_mtime) & 0xFFFFFFFF, status.st_size & 0xFFFFFFFF) == made_of:
                return str(path)
    return text


def _note(path: str, line: str, flags: int) -> None:
    if flags & os.O_ACCMODE == os.O_WRONLY or flags & (os.O_TRUNC | os.O_EXCL):
        _made.add(path)
        return
    if flags & os.O_PATH:  # which reads nothing
        return
    with suppress(OSError):  # it is not there, or cannot be read: who opens it is told
        kind = stat.S_IFMT(os.stat(path).st_mode)
        if path in _made or kind not in (stat.S_IFREG, stat.S_IFDIR):
            return
        if _loading is None:
            _late.setdefault(path, line)
            return
        _held[_loading][path] = (_of_names(path) if kind == stat.S_IFDIR else _of_content(path))[:16]


def _of_content(path: str) -> str:
    with open(path, "rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _of_names(folder: str) -> str:
    """Of the files in a folder that are not hidden: what else is there is told when it is listed itself."""
    with os.scandir(folder) as entries:
        names = sorted(entry.name for entry in entries if entry.is_file() and not entry.name.startswith("."))
    return sha256("\0".join(names).encode("utf-8", "surrogateescape")).hexdigest()


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


def _whose(path: str, frame: FrameType | None, by_itself: tuple[str, ...] = ()) -> str | None:
    """The line of a plugin that a file is opened for; None where there is none, of modules that are imported, and of what
    libraries open while they are, as caches of their own.

    by_itself: what does so for itself, whoever called it, by a folder of its text.
    """
    imported = frame is not None and frame.f_code.co_filename.startswith("<frozen importlib")
    while frame is not None and not _homes.get(file := frame.f_code.co_filename):
        if by_itself and (imported or not set(by_itself).isdisjoint(Path(file).parts)):
            return None
        if not imported and file.startswith("<frozen importlib"):
            return None
        frame = frame.f_back
    if frame is None or (imported and _is_module(path)):  # whether these can be followed is asked elsewhere
        return None
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def _is_module(path: str) -> bool:
    """Whether it is the text of a module that is there or being imported."""
    return any(path == getattr(getattr(module, "__spec__", None), "origin", None) for module in [*sys.modules.values()])
