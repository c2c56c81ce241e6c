"""Files that people name: only regular ones of a stated size are read, so that none is waited for and none fills the memory."""

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.files.object_store import ALLOWED, Location, ObjectPath, object_path

KINDS = {
    stat.S_IFREG: "a file",
    stat.S_IFDIR: "a folder",
    stat.S_IFLNK: "a link",
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}
OF_THE_DISK = {
    *(errno.EIO, errno.ESTALE, errno.ETIMEDOUT, errno.ENOTCONN, errno.ENODEV, errno.EHOSTDOWN),
    *(errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS),
}
"""Why reading fails that may succeed another time, and no matter of what was asked for."""
MOST_TEXT = 1_000_000  # bytes of a spec, or of anything else that a person writes
MOST_FIGURE = 10**8  # bytes


ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:/")


def place(written: str | Location) -> Location:
    """The place for tables and figures that a text names: a path as `local` has it, file:///PATH, or one in an object store.

    Raises InputError where it is another address, or has more in it than a place, such as credentials, which are not repeated.
    """
    if isinstance(written, ObjectPath):
        return written
    address = str(written)
    if not ADDRESS.match(address):
        return local(written)
    parts = urlsplit(address)
    if parts.scheme == "file" and address.startswith("file:///") and not parts.query and not parts.fragment:
        return local(unquote(parts.path))
    remote = object_path(address)
    if remote is None:
        raise InputError(f"{_bare(address)} is no place that tables can be; allowed: a path, file:///PATH, {ALLOWED}")
    return remote


def _bare(address: str) -> str:
    """An address without what may be secret in it."""
    return re.sub(r"[?#].*", "?…", re.sub(r"(:/+)[^/]*@", r"\1…@", address))


def local(place: str | Path) -> Path:
    """The path that a text names, `~` being home. Raises InputError where it is an address, leads nowhere, or is empty."""
    written = str(place)
    if not written.strip():
        raise InputError("'' is no place; allowed: a path, such as . for this folder")
    if ADDRESS.match(written):
        raise InputError(f"{_bare(written)} is an address; allowed: a path on this machine")
    try:
        path = Path(written).expanduser()
        path.stat()
    except RuntimeError:  # nobody is called so
        raise InputError(
            f"{written.partition('/')[0]} is nobody's home; allowed: another path, or ./{written} for a folder"
        ) from None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise InputError(f"{written} is a link that leads back to itself; allowed: another path") from None
        if error.errno == errno.ENAMETOOLONG:
            raise InputError(f"{written:.40}… is longer than a path may be; allowed: a shorter one") from None
    except ValueError as error:
        raise InputError(f"{written!r} is no place: {error}; allowed: another path") from None
    return path


def kind(path: Location | str, folder: int | None = None) -> str | None:
    """The kind of what is at a path, as `a file`, no link followed; None where there is nothing.
    folder: a descriptor, where the path begins there.
    """
    if isinstance(path, ObjectPath):
        return path.kind()
    try:
        status = os.stat(path, dir_fd=folder, follow_symlinks=False)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return KINDS.get(stat.S_IFMT(status.st_mode), "something else")


def read_regular(path: Location, most: int, what: str = "file") -> bytes:
    """The bytes of a regular file, or of one that a link leads to. most: how many.

    Raises InputError, naming the file, when there is none, when it cannot be read, when it is a folder, pipe or device, and
    when it is longer; of these only the first `most` bytes are ever read; CannotRunError where the disk fails. what: as it is
    called when there is none.
    """
    with telling(path, what):
        if isinstance(path, ObjectPath):
            return path.read_bytes(most)
        with open(regular_descriptor(path, most, what), "rb") as file:
            size = os.fstat(file.fileno()).st_size
            content = file.read(size + 1)
            if len(content) > size:  # it grows, or says that it is empty, as in /proc
                content += file.read(most + 1)
    _fits(len(content), most, path)
    return content


def regular_descriptor(path: Path, most: int, what: str = "file") -> int:
    """A descriptor of a regular file, open for reading. Raises as `read_regular` does."""
    with telling(path, what):
        _regular(os.stat(path), path)  # some devices do something as soon as they are opened
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        try:
            status = os.fstat(descriptor)
            _regular(status, path)  # it may be another by now
            _fits(status.st_size, most, path)
        except BaseException:
            os.close(descriptor)
            raise
    return descriptor


@contextmanager
def telling(path: Location, what: str) -> Iterator[None]:
    """Context manager that turns an OSError into an InputError or a CannotRunError on `path`. what: a word for what is read."""
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"no such {what}", path) from None
    except OSError as error:
        raise unread(error, path) from None


def unread(error: OSError, path: Location) -> InputError | CannotRunError:
    """The error to raise of a file or folder that cannot be read."""
    if error.errno in OF_THE_DISK and not os.path.realpath(str(path)).startswith("/proc/"):  # where some answer so as they are
        return CannotRunError(f"{path} cannot be read: {error.strerror}")
    return InputError(f"cannot be read: {error.strerror}", path)


def read_text(path: Path, most: int = MOST_TEXT) -> str:
    """The text of a file in UTF-8, whatever its lines end with. Raises InputError."""
    try:
        text = read_regular(path, most).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"not a text file in UTF-8: {error.reason} at byte {error.start}", path) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _regular(status: os.stat_result, path: Path) -> None:
    """Return where it is a regular file."""
    if stat.S_ISDIR(status.st_mode):
        raise InputError("cannot be read: Is a directory", path)
    if not stat.S_ISREG(status.st_mode):
        kind = KINDS.get(stat.S_IFMT(status.st_mode), "something else")
        raise InputError(f"{kind}, which may have no end; allowed: a regular file", path)


def _fits(size: int, most: int, path: Path) -> None:
    """Return where a file of this size may be read."""
    if size > most:
        raise InputError(f"longer than is read; allowed: at most {most:,} bytes", path)
