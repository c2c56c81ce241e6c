"""What a file holds: of a small one all of it, a large one on disk is open and read where it is asked for."""

import io
import os
import resource
from pathlib import Path
from typing import Any
from weakref import WeakSet, finalize

from harness.sweep.errors import InputError
from harness.sweep.files.object_store import Location, ObjectPath
from harness.sweep.files.reading import read_regular, regular_descriptor, telling, unread

LARGE = 4 * 10**6  # bytes, of what is never held
SMALL = 2**18  # bytes, of what always is: of others as many are open as leave a process most of those that it may have open
WINDOW = 4096  # bytes that are read together where one is asked for


class LargeFile:
    """A regular file as the bytes that it had when it was opened, even if another file has taken its place since.

    They are read where they are asked for. Raises InputError where it was written to since, CannotRunError where the disk
    fails.
    """

    def __init__(self, path: Path, most: int, what: str = "file") -> None:
        self._path, self._named = path, (path.absolute(), most)
        self._descriptor = regular_descriptor(path, most, what)
        finalize(self, os.close, self._descriptor)
        _open.add(self)
        self._identity = self._now()
        self._window = 0, b""

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (*self._named, self._identity)

    def __len__(self) -> int:
        return self._identity[2]

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            begin, end, _ = place.indices(len(self))
            return self.read(begin, end - begin)
        begin, held = self._window
        if not begin <= place < begin + len(held):
            self._window = begin, held = place, self.read(place, WINDOW)
        return held[place - begin]

    def read(self, begin: int, size: int) -> bytes:
        """So many bytes from there on; fewer at the end of the file."""
        wanted = max(0, min(size, len(self) - begin))
        try:
            content = os.pread(self._descriptor, wanted, begin)
            while content and len(content) < wanted:  # a disk, or a signal, may give a part
                content += os.pread(self._descriptor, wanted - len(content), begin + len(content)) or self._changed()
            if len(content) < wanted or self._now() != self._identity:
                self._changed()
        except OSError as error:
            raise unread(error, self._path) from None
        return content

    def is_like(self, identity: tuple[int, ...]) -> bool:
        """Whether it is the file that another was, and was not written to since."""
        return self._identity == identity

    def _now(self) -> tuple[int, ...]:
        """Which file it is, its size, and when it was written; its name is no part of it."""
        status = os.fstat(self._descriptor)
        return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns

    def _changed(self) -> bytes:
        raise InputError(CHANGED, self._path)


_open = WeakSet[LargeFile]()

CHANGED = "has changed while it was read; the same command reads it again"

Content = bytes | LargeFile
"""What a file holds."""


class SeekableFile(io.RawIOBase):
    """A large file as Python's readers take one: with a position, from its beginning on."""

    def __init__(self, file: LargeFile) -> None:
        self._file, self._place = file, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._place

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._place = offset + {os.SEEK_SET: 0, os.SEEK_CUR: self._place, os.SEEK_END: len(self._file)}[whence]
        return self._place

    def read(self, size: int = -1) -> bytes:
        content = self._file.read(self._place, len(self._file) if size < 0 else size)
        self._place += len(content)
        return content


def content_of(path: Location, most: int, what: str) -> Content:
    """The content of a regular file or an object: its bytes, or a large file that is open. Raises as `read_regular` does."""
    if isinstance(path, ObjectPath):
        return read_regular(path, most, what)
    with telling(path, what):
        size = os.stat(path).st_size
    large = size > LARGE or (size > SMALL and len(_open) < resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 4)
    return LargeFile(path, most, what) if large else read_regular(path, most, what)


def _again(path: Path, most: int, identity: tuple[int, ...]) -> LargeFile:
    """The file that another process has open. Raises InputError where it is another by now."""
    file = LargeFile(path, most)
    if not file.is_like(identity):
        raise InputError(CHANGED, path)
    return file
