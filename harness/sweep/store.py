"""Finished work on disk: rows are kept as they arrive, and nothing finished is lost or done twice.

Rows land in parts beside the table, `.NAME/*.parquet`, each written whole or not at all. When nothing is missing the parts
become the table `NAME.parquet` and go. A lock held for the whole run keeps a second run of the same experiment out; the
kernel drops it when the process dies, however it dies.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.rows import KEY
from harness.sweep.table import Table
from harness.sweep.work import schema

Done = dict[tuple[str, str], set[int]]
"""The trials that are there, by (cell identity, mechanism)."""


class Store:
    """The table of one experiment and the parts of it that are not yet whole."""

    flush_seconds = 1.0

    def __init__(self, folder: Path, name: str, provenance: dict[str, Any]) -> None:
        self.path = folder / f"{name}.parquet"
        self._parts = folder / f".{name}"
        self._provenance = provenance
        self._waiting: list[pa.Table] = []
        self._next_part = 1
        self._last_flush = monotonic()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the experiment. Raises CannotRunError when another process does, or when the folder cannot be written."""
        try:
            self._parts.mkdir(parents=True, exist_ok=True)
            lock = (self._parts / "lock").open("w")
        except OSError as error:
            raise CannotRunError(f"{self._parts} cannot be written: {error.strerror}") from None
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise CannotRunError(f"another run is writing {self.path}; wait for it, or choose another --out") from None
            for folder, prefix in ((self.path.parent, f".{self.path.name}-"), (self._parts, ".")):
                for file in [file for file in folder.iterdir() if file.name.startswith(prefix)]:
                    file.unlink()  # half a file, of a run that was killed while it wrote
            self._next_part = 1 + max((int(part.stem) for part in self.parts()), default=0)
            yield

    def clear(self) -> None:
        """Forget all finished work of this experiment."""
        self.path.unlink(missing_ok=True)
        for part in self.parts():
            part.unlink()

    def parts(self) -> list[Path]:
        """What is not yet in the table."""
        return sorted(self._parts.glob("*.parquet"))

    def finished(self) -> pa.Table:
        """All rows on disk, each once: a run that dies while it completes a table leaves some both there and in parts.

        Raises InputError when a file is damaged or was made by something else than this run would be.
        """
        tables = []
        for path in [self.path, *self.parts()]:
            if not path.exists():
                continue
            table = Table.read(path)
            before, now = table.provenance["makes"], self._provenance["makes"]
            for what in now | before:
                if before.get(what) != now.get(what):
                    made = f"was made with {what} {before.get(what)}, this run has {now.get(what)}"
                    raise InputError(f"{made}; --fresh starts over, --out writes elsewhere", path)
            tables.append(table.rows)
        rows = pa.concat_tables([schema(self._provenance["kind"]).empty_table(), *tables])
        keys = rows.select(KEY).append_column("position", pa.array(range(rows.num_rows)))
        first = keys.group_by(KEY).aggregate([("position", "min")])["position_min"]
        return rows.take(first.take(pc.sort_indices(first))) if len(first) < rows.num_rows else rows

    def frame(self) -> pd.DataFrame:
        """The finished rows as pandas has them."""
        return Table(self.finished(), self._provenance).frame()

    def add(self, rows: pa.Table) -> None:
        """Keep rows; they are on disk after about a second."""
        self._waiting.append(rows)
        if monotonic() - self._last_flush > self.flush_seconds:
            self.flush()

    def flush(self) -> None:
        """Put what waits on disk."""
        if any(rows.num_rows for rows in self._waiting):
            rows = Table(pa.concat_tables(self._waiting), self._provenance)
            rows.write(self._parts / f"{self._next_part:09d}.parquet")  # the same once more, if stopped before the next line
            self._next_part += 1
        self._waiting = []
        self._last_flush = monotonic()

    def complete(self, rows: pa.Table) -> tuple[Table, bool]:
        """The whole table, and whether it was written: it is not when it was there. Drops the parts."""
        table = Table.read(self.path) if self.path.exists() else None
        written = table is None or not table.rows.equals(rows)
        if table is None or written:
            table = Table(rows, self._provenance)
            table.write(self.path)
        for part in self.parts():
            part.unlink()
        return table, written


def done(rows: pa.Table) -> Done:
    """Which trials a table holds."""
    grouped = rows.group_by(KEY[:2]).aggregate([("trial", "list")])
    return {(each["cell"], each["mechanism"]): set(each["trial_list"]) for each in grouped.to_pylist()}
