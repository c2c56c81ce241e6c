"""The parts of a table in an object store, where nothing can be locked: one run at a time, by an object that it renews.

A run has an object of its own among the parts, `owner-…`, and writes it anew every few seconds. One that finds another's waits
until that is renewed, then it is told of another run, or until it was not for so long that its run must be dead, whose place
it takes. Of two that begin at once both see the other's, and both end.

So two runs write at once only where one of them was held up for longer than that, and they do no harm then: names of parts are
never given twice, equal settings give equal rows, of which each is counted once, and others are refused.
"""

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from time import monotonic, sleep

from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.files.object_store import ObjectPath

PART = re.compile(r"[0-9]{9}-[0-9a-f]{8}\.parquet")
OWNER = re.compile(r"owner-[0-9a-f]{8}")
RENEWED = 5.0  # seconds
DEAD = 30.0  # seconds without being renewed
LOOK = 1.0


class ObjectParts:
    """The folder `.NAME` beside a table NAME.parquet in an object store, with parts of the table; as `Parts` on a disk.

    Raises CannotRunError where something is in it that no run wrote.
    A run that is killed leaves whole parts, and its owner object, which holds up the next by half a minute.
    """

    descriptor, grow = None, False

    def __init__(self, table: ObjectPath) -> None:
        self.table, self.path, self._token = table, table.with_name(f".{table.stem}"), secrets.token_hex(4)

    def named(self, number: int) -> ObjectPath:
        """The path of a part of this run."""
        return self.path / f"{number:09d}-{self._token}.parquet"

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the folder. Raises CannotRunError when another run does."""
        self._files()  # before anything is written in it
        owner, over = self.path / f"owner-{self._token}", Event()
        owner.write(b"one\n")
        renewing = Thread(target=_renew, args=(owner, over), name="owner", daemon=True)
        renewing.start()
        try:
            for other in self._outlived(owner):
                other.unlink(missing_ok=True)
            yield
        finally:
            over.set()
            renewing.join()
            with suppress(CannotRunError, InputError, OSError):
                owner.unlink()

    def files(self) -> list[ObjectPath]:
        """All parts in their order."""
        return self._files()[0]

    def clear(self) -> None:
        """Remove all parts; for who holds the folder."""
        for path in self.files():
            path.unlink(missing_ok=True)

    def _outlived(self, owner: ObjectPath) -> list[ObjectPath]:
        """The owner objects of runs that are dead. Raises CannotRunError when one is alive."""
        since, seen = monotonic(), {path: path.stat() for path in self._files()[1] if path != owner}
        while monotonic() - since < DEAD:
            there = {path: path.stat() for path in seen if path.exists()}
            if any(there[path] != seen[path] for path in there):
                raise CannotRunError(f"another run is writing {self.table}; wait for it, or choose another --out")
            if not there:
                return []
            sleep(LOOK)
        return [*seen]

    def _files(self) -> tuple[list[ObjectPath], list[ObjectPath]]:
        """All parts, and the objects of owners."""
        parts, owners = [], []
        for path in self.path.children():
            if PART.fullmatch(path.name):
                parts.append(path)
            elif OWNER.fullmatch(path.name):
                owners.append(path)
            elif not path.name.startswith("."):
                raise CannotRunError(f"{path} is something that no run made; choose another --out, or move it elsewhere")
        return parts, owners


def _renew(owner: ObjectPath, over: Event) -> None:
    """Write the object anew until it is over, also after a time without a store."""
    while not over.wait(RENEWED):
        with suppress(CannotRunError, InputError, OSError):
            owner.write(b"one\n")
