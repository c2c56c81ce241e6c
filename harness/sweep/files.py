"""Files that people name: only regular ones of a stated size are read, so that none is waited for and none fills the memory."""

import errno
import os
import re
import stat
from pathlib import Path

from harness.sweep.errors import InputError

KINDS = {
    stat.S_IFREG: "a file",
    stat.S_IFDIR: "a folder",
    stat.S_IFLNK: "a link",
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}
MOST_TEXT = 1_000_000  # bytes of a spec, or of anything else that a person writes


def local(place: str | Path) -> Path:
    """The path that is meant, `~` being home. Raises InputError where it is an address, leads nowhere, or is nothing at all."""
    said = str(place)
    if not said.strip():
        raise InputError("'' is no place; allowed: a path, such as . for this folder")
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:/", said):
        raise InputError(f"{said} is an address, and nothing is read from or written to one; allowed: a path on this machine")
    try:
        path = Path(said).expanduser()
        path.stat()
    except RuntimeError:  # nobody is called so
        raise InputError(
            f"{said.partition('/')[0]} is nobody's home; allowed: another path, or ./{said} for a folder"
        ) from None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise InputError(f"{said} is a link that leads back to itself; allowed: another path") from None
    except ValueError as error:
        raise InputError(f"{said!r} is no place: {error}; allowed: another path") from None
    return path


def kind(path: Path | str, folder: int | None = None) -> str | None:
    """What is at a path, no link followed; None where there is nothing. folder: a descriptor, where the path begins there."""
    try:
        found = os.stat(path, dir_fd=folder, follow_symlinks=False)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return KINDS.get(stat.S_IFMT(found.st_mode), "something else")


def read_regular(path: Path, most: int, what: str = "file") -> bytes:
    """What a regular file holds, or one that a link leads to. most: bytes.

    Raises InputError, naming the file, when there is none, when it cannot be read, when it is a folder, pipe or device, and
    when it is longer; of these only the first `most` bytes are ever read. what: as it is called when there is none.
    """
    try:
        _regular(os.stat(path), path)  # some devices do something as soon as they are opened
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            found = os.fstat(descriptor)
            _regular(found, path)  # it may be another by now
            _fits(found.st_size, most, path)
            content = file.read(found.st_size + 1)
            if len(content) > found.st_size:  # it grows, or says that it is empty, as in /proc
                content += file.read(most + 1)
    except FileNotFoundError:
        raise InputError(f"no such {what}", path) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path) from None
    _fits(len(content), most, path)
    return content


def read_text(path: Path, most: int = MOST_TEXT) -> str:
    """The same of a text in UTF-8, whatever its lines end with. Raises InputError."""
    try:
        text = read_regular(path, most).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"not a text file in UTF-8: {error.reason} at byte {error.start}", path) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _regular(found: os.stat_result, path: Path) -> None:
    """Return where it is a regular file."""
    if stat.S_ISDIR(found.st_mode):
        raise InputError("cannot be read: Is a directory", path)
    if not stat.S_ISREG(found.st_mode):
        kind = KINDS.get(stat.S_IFMT(found.st_mode), "something else")
        raise InputError(f"{kind}, which may have no end; allowed: a regular file", path)


def _fits(size: int, most: int, path: Path) -> None:
    """Return where a file of this size may be read."""
    if size > most:
        raise InputError(f"longer than is read; allowed: at most {most:,} bytes", path)
