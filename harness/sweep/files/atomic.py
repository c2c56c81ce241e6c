"""Files that are whole or are not there, also after a crash or on a full disk.

What is written is a temporary file beside the one whose place it takes. It is locked while its writer lives, so that what is
left of a writer that was killed can be told from what another is at.
"""

import fcntl
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import IO

from harness.sweep.errors import CannotRunError
from harness.sweep.files.object_store import Location, ObjectPath
from harness.sweep.files.ownership import refuse_foreign
from harness.sweep.files.reading import kind

SCRAP = "[a-z0-9_]{8}"  # how the name of a temporary file ends


@contextmanager
def replaced(path: Location, folder: int | None = None, what: str = "") -> Iterator[IO[bytes]]:
    """Context manager that gives a file to write, which takes the place of the one at `path` when all is written and on disk.

    An object is put together in memory, and written as `ObjectPath.write` does. folder: the descriptor of its folder, where
    that is held open: one of the program's own. what: how such files are called, by default as the path ends.

    Raises CannotRunError when it cannot be written, or when something else than a file is at `path`; InputError when a file is
    there that this program did not write. What was there is then untouched.
    """
    if isinstance(path, ObjectPath):
        refuse_foreign(path, what)
        memory = BytesIO()
        yield memory
        path.write(memory.getvalue())
        return
    temporary, where = None, None
    try:
        where = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY) if folder is None else os.dup(folder)
        _refuse_other(path, where, folder, what)
        if folder is None:
            _sweep(path.name, where)
        temporary, descriptor = _temporary(path.name, where)
        with open(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(descriptor)
            _refuse_other(path, where, folder, what)  # somebody may have put a file there meanwhile
            os.replace(temporary, path.name, src_dir_fd=where, dst_dir_fd=where)
        temporary = None
        os.fsync(where)  # makes the rename durable
    except OSError as error:
        raise CannotRunError(f"{path} cannot be written: {error.strerror or error}; what was there is untouched") from None
    finally:
        if where is not None:
            if temporary is not None:
                with suppress(OSError):
                    os.unlink(temporary, dir_fd=where)
            os.close(where)


def _refuse_other(path: Path, where: int, folder: int | None, what: str) -> None:
    """Raise where what is there now may not be replaced: as `replaced` does, but OSError for what is no file."""
    if (there := kind(path.name or ".", where)) not in (None, "a file"):
        raise OSError(f"it is {there}, not a file")
    if folder is None:
        refuse_foreign(path, what)


def moved(path: Path, place: Path) -> None:
    """Moves a file that is on disk to its place on the same disk. Raises CannotRunError when it cannot be."""
    try:
        path.replace(place)
        where = os.open(place.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(where)  # makes the rename durable
        finally:
            os.close(where)
    except OSError as error:
        raise CannotRunError(f"{place} cannot be replaced: {error.strerror or error}") from None


def _temporary(name: str, where: int) -> tuple[str, int]:
    """A new file's name and descriptor, locked where the disk knows of locks."""
    while True:
        temporary = f".{name}-{secrets.token_hex(4)}"
        try:
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666, dir_fd=where)
        except FileExistsError:
            continue
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.fstat(descriptor).st_nlink:
            return temporary, descriptor
        os.close(descriptor)  # swept up between the two


def _sweep(name: str, where: int) -> None:
    """Remove the temporary files of writers of a file that are no more."""
    scrap = re.compile(re.escape(f".{name}-") + SCRAP)
    with os.scandir(where) as entries:
        scraps = [each.name for each in entries if scrap.fullmatch(each.name) and each.is_file(follow_symlinks=False)]
    for scrap_name in scraps:
        with suppress(OSError):  # another has swept it up, or it is somebody else's
            descriptor = os.open(scrap_name, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=where)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.unlink(scrap_name, dir_fd=where)
            finally:
                os.close(descriptor)
