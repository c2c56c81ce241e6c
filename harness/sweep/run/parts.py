"""The folder in which a run keeps the parts of its table: one of its own, which is held open while the run writes in it.

No link is followed to it or in it, only files that a run made are removed, and anything else that is in the way is named.
"""

import fcntl
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from harness.sweep.errors import CannotRunError
from harness.sweep.files.atomic import SCRAP
from harness.sweep.files.object_store import Location, ObjectPath
from harness.sweep.files.reading import kind, unread
from harness.sweep.run.object_parts import PART as OBJECT
from harness.sweep.run.object_parts import ObjectParts

LOCK = "lock"
PART = re.compile(r"[0-9]{9}\.parquet")
TEMPORARY = re.compile(rf"\.{PART.pattern}-{SCRAP}")


class Parts:
    """The folder `.NAME` beside a table NAME.parquet, with its parts 000000001.parquet and so on, and a lock.

    Whatever looks into it raises CannotRunError where it is no folder that a run made, or holds what no run made; but for names
    that begin with a dot, which file managers and network disks leave anywhere.
    """

    grow = True  # whether a part may be written anew with more rows: what nobody else writes at the same time

    def __init__(self, table: Path) -> None:
        self.table, self.path = table, table.with_name(f".{table.stem}")
        self.descriptor: int | None = None  # of the folder, while this process holds it

    def named(self, number: int) -> Path:
        """The path of a part."""
        return self.path / f"{number:09d}.parquet"

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the folder, made where there is none. Raises CannotRunError when another process does, or it cannot be written.

        The kernel drops the lock when the process dies, however it dies.
        """
        with ExitStack() as stack:
            try:
                folder = self._made()
                stack.callback(os.close, folder)
                self._files(folder)  # before anything is written in it
                lock = os.open(LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666, dir_fd=folder)
                stack.callback(os.close, lock)
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise CannotRunError(f"another run is writing {self.table}; wait for it, or choose another --out") from None
            except OSError as error:
                raise CannotRunError(f"{self.path} cannot be written: {error.strerror}") from None
            self.descriptor = folder
            stack.callback(setattr, self, "descriptor", None)
            self._remove(self._files(folder)[1])  # halves of files, of a run that was killed while it wrote
            yield

    def files(self) -> list[Path]:
        """All parts in their order; none where there is no folder."""
        if self.descriptor is not None:
            names, _ = self._files(self.descriptor)
        elif kind(self.path) is None:
            return []
        else:
            folder = self._opened()
            try:
                names, _ = self._files(folder)
            finally:
                os.close(folder)
        return [self.path / name for name in names]

    def clear(self) -> None:
        """Remove all parts; for who holds the folder."""
        self._remove(path.name for path in self.files())

    def _made(self) -> int:
        """The descriptor of the folder, which is new if need be."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except FileExistsError as error:
            raise stranger(Path(error.filename), kind(error.filename)) from None
        with suppress(FileExistsError):
            self.path.mkdir()
        return self._opened()

    def _opened(self) -> int:
        what = kind(self.path)
        if what not in (None, "a folder"):
            raise stranger(self.path, what)
        return os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)

    def _files(self, folder: int) -> tuple[list[str], list[str]]:
        """The names of all parts in their order, and of temporary files."""
        try:
            with os.scandir(folder) as entries:
                regular = {entry.name: entry.is_file(follow_symlinks=False) for entry in entries}
        except OSError as error:
            raise unread(error, self.path) from None
        ours = {name for name in regular if name == LOCK or PART.fullmatch(name) or TEMPORARY.fullmatch(name)}
        if regular.keys() - ours and LOCK not in regular:
            raise stranger(self.path, "a folder")
        for name, is_file in sorted(regular.items()):
            if not is_file if name in ours else not name.startswith("."):
                raise stranger(self.path / name, kind(name, folder))
        return sorted(filter(PART.fullmatch, regular)), sorted(filter(TEMPORARY.fullmatch, regular))

    def _remove(self, names: Iterable[str]) -> None:
        for name in names:
            with suppress(FileNotFoundError):
                os.unlink(name, dir_fd=self.descriptor)


def parts_of(table: Location) -> Parts | ObjectParts:
    """The folder, on disk or in an object store, for the parts of a table."""
    return ObjectParts(table) if isinstance(table, ObjectPath) else Parts(table)


def is_kept_file(path: Location) -> bool:
    """Whether a file has the name of one in which a run keeps a part of its table."""
    return bool((OBJECT if isinstance(path, ObjectPath) else PART).fullmatch(path.name))


def stranger(path: Location, what: str | None) -> CannotRunError:
    """The error to raise where something that no run made is in a run's place. what: its kind, None where it is gone."""
    return CannotRunError(f"{path} is {what or 'something'} that no run made; choose another --out, or move it elsewhere")
