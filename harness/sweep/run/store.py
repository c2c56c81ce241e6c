"""Finished work on disk or in an object store: rows are kept as they arrive, and nothing finished is lost or done twice.

Rows land in parts beside the table, `.NAME/*.parquet`, each written whole or not at all. When nothing is missing the parts
become the table `NAME.parquet` and go. A lock held for the whole run keeps a second run of the same experiment out. A shard has
parts and a lock of its own, and leaves the table to a run without one, which takes up the parts of all.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from math import inf
from time import monotonic
from typing import Any, NamedTuple

import pyarrow as pa

from harness.sweep.errors import InputError
from harness.sweep.files.content import CHANGED
from harness.sweep.files.names import alone
from harness.sweep.files.object_store import Location, ObjectPath, children
from harness.sweep.files.ownership import refuse_foreign
from harness.sweep.files.reading import kind
from harness.sweep.run.object_parts import ObjectParts
from harness.sweep.run.parts import Parts, parts_of, stranger
from harness.sweep.run.shards import BETWEEN, Shard
from harness.sweep.table import parquet
from harness.sweep.table.counted import counted, is_counted, together
from harness.sweep.table.groups import MANY
from harness.sweep.table.long import Long, long, united
from harness.sweep.table.pieces import PIECE, Assembly, DifferentError, all_merged, merged, one_trial, pieces, stands_for, write
from harness.sweep.table.rows import repeated
from harness.sweep.table.schema import schema
from harness.sweep.table.table import ROW_GROUP, File, Table
from harness.trials import kinds
from harness.trials.kind import Row

FEW_ROWS = 2**12
"""A part of counted rows that has fewer is written anew with those that come next."""


class StoredRows(NamedTuple):
    """The rows of a table that are stored so far.
    complete: whether they are those of the table's file; else they are in no order, parts among them.
    """

    table: Table
    complete: bool


class Store:
    """The stored table of one experiment, and the parts of it that are not yet whole.
    Of a shard its parts alone are written.
    """

    flush_seconds = 1.0
    request_seconds = 10.0  # for parts in an object store, where each costs a request, and one more for every later reader

    def __init__(self, folder: Location, name: str, provenance: dict[str, Any], shard: Shard | None = None) -> None:
        self.path, self.shard = folder / f"{name}.parquet", shard
        self._parts = parts_of(self.path.with_stem(name + shard.suffix) if shard else self.path)
        self.provenance = provenance
        self._held: list[Parts | ObjectParts] = []
        self._waiting: list[pa.Table] = []
        self._looks: Sequence[int] | None = None
        self._latest: list[pa.Table] = []  # the rows of the part that more may be added to
        self._ours = set[Location]()  # the parts that were written since the experiment is held
        self._next_part = 1
        self._last_flush = monotonic()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the experiment. Raises CannotRunError when another process does, or when what is there is in the way."""
        alone(self.path)
        with ExitStack() as stack:
            self._held = self._all_parts()
            for parts in self._held:
                stack.enter_context(parts.held())
            what = kind(self.path)
            if what not in (None, "a file"):
                raise stranger(self.path, what)
            self._latest, self._ours = [], set()
            self._next_part = 1 + max((int(part.stem[:9]) for part in self.parts()), default=0)
            yield

    def clear(self) -> None:
        """Forget all finished work of this experiment. Raises InputError where what is there is none of a run."""
        refuse_foreign(self.path)
        self.path.unlink(missing_ok=True)
        self._clear_parts()

    def parts(self) -> list[Location]:
        """The parts that are not yet in the table."""
        return [path for parts in self._all_parts() for path in parts.files()]

    def _all_parts(self) -> list[Parts | ObjectParts]:
        """Its own parts, and those of shards, unless it is one."""
        form = re.compile(rf"\.{re.escape(self.path.stem + BETWEEN)}.*of.*")
        beside = [] if self.shard else children(self.path.parent)
        shards = [path for path in beside if form.fullmatch(path.name)]
        return [self._parts, *(parts_of(path.with_name(f"{path.name[1:]}.parquet")) for path in shards)]

    def _clear_parts(self) -> None:
        self._latest = []
        for parts in self._held:
            parts.clear()

    def finished(self, looks: Sequence[int] | None = None, apart: Sequence[int] | None = None) -> Table:
        """All rows on disk, each once: a run that dies while it completes a table leaves some both there and in parts.

        looks: of more than MANY rows those that are alike are one, but for trials on either side of one of these; None: never.
        apart: of more than MANY rows, where these are not to be one, those that are alike in what is computed are; None: never.
        Raises InputError when a file is damaged or was made by something else than this run would be.
        """
        tables = self._tables(looks, apart)
        _refuse_others(tables, self.provenance, "this run has", "--fresh starts over, --out writes elsewhere")
        return self._together(tables, self.provenance, looks, apart).table

    def seen(self, looks: Sequence[int] | None = None, apart: Sequence[int] | None = None) -> StoredRows | None:
        """All rows on disk for one who only looks, while a run may be on; None where there is nothing.

        apart: of more than MANY rows, where these are not to be one, or as many differ, those of a cell are held at a time; as
        looks, for what is told of all of them. None: never.

        Raises InputError when a file is damaged, or when one was made by something else than another.
        """
        try:
            tables = self._tables(looks, apart, inf if apart is None else MANY)
        except DifferentError:
            tables = self._tables(None, apart)
        if not tables:
            return None
        latest = [*tables.values()][-1]
        beside = f"what lies in {self._parts.path}/ with"
        _refuse_others(tables, latest.provenance, beside, "`harness run --fresh` starts over")
        return self._together(tables, latest.provenance, looks, apart)

    def _together(
        self,
        tables: Mapping[Location, Table],
        provenance: dict[str, Any],
        looks: Sequence[int] | None,
        apart: Sequence[int] | None,
    ) -> StoredRows:
        """Some tables as one, each row once: the whole table, where that has all of them."""
        rows, whole = _each_once(provenance["kind"], tables.values(), looks, apart), tables.get(self.path)
        if whole is not None and stands_for(rows) == stands_for(whole.rows):
            return StoredRows(whole, True)
        far = [table for table in tables.values() if isinstance(table, Long)]
        return StoredRows(united(far, rows) if far else Table(rows, provenance), False)

    def _tables(
        self, looks: Sequence[int] | None, apart: Sequence[int] | None = None, most: float = inf
    ) -> dict[Location, Table]:
        """All files with rows, the whole table first. most: of how many rows that differ; raises DifferentError of more."""
        files = self._files()
        rows = sum(file.rows for file in files.values())
        uncounted = not any(file.counted for file in files.values())
        if rows > MANY and looks is None and apart is not None and uncounted:
            return {path: long(file, path, apart) for path, file in files.items()}
        many, held = rows > MANY and looks is not None, most if uncounted else inf
        return {
            path: merged(file, path, looks or (), most=held, ours=path in self._ours)
            if many and not file.counted
            else Table.of(file, path)
            for path, file in files.items()
        }

    def _files(self) -> dict[Location, File]:
        """All files with rows, of which none are read.

        The whole table is opened last: a run removes parts only when it has written the table, so the rows of a part that is
        gone are in it.
        """
        files = {path: file for path in self.parts() if (file := _if_there(path)) is not None}
        whole = _if_there(self.path)
        return files if whole is None else {self.path: whole} | files

    def assembled(self, cells: Sequence[str], mechanisms: Sequence[str], rows: int) -> Assembly:
        """What was seen merged, row by row, in the order of the cells and mechanisms. rows: how many those were.

        Raises InputError where they are others by now.
        """
        files = self._files()
        whole = Assembly([*files.values()], cells, mechanisms) if files else None
        if whole is None or whole.rows != rows:
            raise InputError(CHANGED, self.path)
        return whole

    def trial(self, cell: str, mechanism: str, trial: int) -> Row | None:
        """The row of one trial, as it is in the first file that has it, looked for a piece at a time; None where it is not."""
        files = self._files().items()
        return one_trial((rows for path, file in files for rows in pieces(file, path, PIECE)), cell, mechanism, trial)

    def add(self, rows: pa.Table, looks: Sequence[int] | None = None) -> None:
        """Keep rows; they are on disk after about a second, in an object store after about ten.

        looks: None where no row stands for many trials; else as in `counted`.
        """
        self._waiting.append(rows)
        self._looks = looks
        pause = self.request_seconds if isinstance(self.path, ObjectPath) else self.flush_seconds
        if monotonic() - self._last_flush > pause:
            self.flush()

    def flush(self) -> None:
        """Put what waits on disk: in a part of its own, or, where rows are counted, with the rows of the latest part in its
        place while these are few, so that there are more parts only as more rows differ."""
        if any(rows.num_rows for rows in self._waiting):
            rows = together([*self._latest, *self._waiting])
            if self._looks is not None:
                rows = counted(rows, kinds()[self.provenance["kind"]], self._looks)
            part = self._parts.named(self._next_part)  # the same once more, if stopped before it is counted
            Table(rows, self.provenance).write(part, self._parts.descriptor)
            self._ours.add(part)
            more = self._looks is not None and self._parts.grow and rows.num_rows < FEW_ROWS
            self._latest = [rows] if more else []
            self._next_part += not more
        self._waiting = []
        self._last_flush = monotonic()

    def complete(self, rows: pa.Table) -> tuple[Table, bool]:
        """The whole table, and whether it was written: it is not when it was there, from the same spec. Drops the parts."""
        table = Table.read(self.path) if self.path.exists() else None
        written = table is None or not table.rows.equals(rows) or _asked(table.provenance) != _asked(self.provenance)
        if table is None or written:
            table = Table(rows, self.provenance)
            table.write(self.path)
        self._clear_parts()
        return table, written

    def complete_merged(self, rows: pa.Table, cells: Sequence[str], mechanisms: Sequence[str]) -> tuple[Table, bool]:
        """The whole table where rows each have a place of their own, and are here merged: the table as it is looked at.

        cells, mechanisms: their order in the table, which is put together from what is on disk.
        """
        parquet.give_back()
        files = self._files()
        whole = Assembly([*files.values()], cells, mechanisms)
        first = next(iter(files.values()))
        written = not (self.path in files and whole.is_the_first_file and _asked(first.provenance) == _asked(self.provenance))
        provenance = self.provenance if written else first.provenance
        table = Table(rows, provenance).with_digests(whole.digests(provenance), whole.rows)
        if written:
            parquet.give_back()
            write(whole.groups(ROW_GROUP), table, self.path)
        self._clear_parts()
        return table, written

    def long(self, looks: Sequence[int]) -> Long:
        """The whole table, of which a cell's rows are held at a time. looks: as in `seen`."""
        return long(File.opened(self.path), self.path, looks)


def _if_there(path: Location) -> File | None:
    """The file of a table at a path; None where there is none, or no longer."""
    try:
        return File.opened(path) if path.exists() else None
    except InputError:
        if path.exists():
            raise
        return None


def _asked(provenance: dict[str, Any]) -> tuple[Any, Any]:
    """What was asked for: a new title or figure needs no trials, and is the table's from then on."""
    return provenance.get("spec"), provenance.get("set")


def _refuse_others(tables: Mapping[Location, Table], now: dict[str, Any], who: str, remedy: str) -> None:
    """Raise InputError where a table was made by something else than what is now.

    who: what has that, in words. remedy: what to do about it.
    """
    for path, table in tables.items():
        made = table.provenance
        pairs = {"trials of kind": (made["kind"], now["kind"])}
        pairs |= {what: (made["makes"].get(what), now["makes"].get(what)) for what in now["makes"] | made["makes"]}
        for what, (was, value) in pairs.items():
            if was != value:
                raise InputError(f"was made with {what} {was}, {who} {value}; {remedy}", path)


def _each_once(kind: str, tables: Collection[Table], looks: Sequence[int] | None, apart: Sequence[int] | None) -> pa.Table:
    """The rows of tables of a kind, those that several have from the first of them; one table has none twice.

    looks, apart: as in `Store.finished`.
    """
    if len(tables) == 1:
        return next(iter(tables)).rows
    rows_of_each = [table.rows for table in tables]
    if apart is not None and any(isinstance(table, Long) for table in tables):
        return counted(together(rows_of_each), kinds()[kind], apart, drawn=False)
    if looks is not None and any(map(is_counted, rows_of_each)):
        return all_merged(kind, rows_of_each, looks)
    if rows_of_each and is_counted(rows_of_each[0]):
        return together(rows_of_each)
    rows = pa.concat_tables([schema(kind).empty_table(), *rows_of_each])
    again = repeated(rows)
    return rows.filter(pa.array(~again)) if again.any() else rows
