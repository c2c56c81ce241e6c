"""Large tables, looked at a column or some thousand rows at a time: nobody holds all of their rows at once.

Who looks at a table, or asks which of its trials are there, needs its rows by what was measured: those that are alike are one,
with how many there are, as in a table of `rows: counted`. Each column is checked against the digest as it passes.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import inf
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from harness.arrays import Indices, Ints, indices_of
from harness.sweep.errors import InputError
from harness.sweep.files.atomic import replaced
from harness.sweep.files.object_store import Location
from harness.sweep.table import parquet
from harness.sweep.table.counted import COUNT, counted, done, holding, is_counted, together
from harness.sweep.table.digests import Digests
from harness.sweep.table.groups import GROUP_BY, MANY, placed
from harness.sweep.table.parquet import PIECE as PIECE
from harness.sweep.table.parquet_writer import write_groups
from harness.sweep.table.ranges import Ranges, joined, overlap
from harness.sweep.table.rows import impossible
from harness.sweep.table.schema import schema
from harness.sweep.table.table import DAMAGED, ROW_GROUP, File, Table, naming, refuse_more, seal
from harness.sweep.table.windows import SIZE, Span, Window, windows
from harness.trials import kinds
from harness.trials.kind import Kind, Row


class DifferentError(Exception):
    """More rows of a table differ than may be held in memory."""


def merged(
    file: File, path: Location, looks: Sequence[int], drawn: bool = True, most: float = inf, ours: bool = False
) -> Table:
    """Reads the table of a file with equal rows merged, in the order of the first of each, and digests of all its rows.

    looks, drawn: as in `counted`. ours: whether this process has written the file while it held its folder, so that its rows
    are known to be as they were written, and of a run; no digests are had then. Raises InputError as reading a table does,
    DifferentError where more than `most` are left.
    """
    kind, digests = kinds()[file.kind], None if ours else _verified(file, path)
    if file.rows > MANY:
        parquet.give_back()
    merging = _Merging(kind, looks, drawn)
    for piece in pieces(file, path, PIECE, coded=True):
        if not ours and (wrong := impossible(piece, kind)):
            raise InputError(f"not the table of a run: {wrong}", path)
        merging.add(piece)
        if merging.size > most:
            raise DifferentError
    rows = merging.rows
    if wrong := merging.twice or impossible(rows, kind):
        raise InputError(f"not the table of a run: {wrong}", path)
    if file.rows > MANY:
        parquet.give_back()
    table = Table(rows, file.provenance)
    return table if digests is None else table.with_digests(digests.hexdigests, file.rows)


def _verified(file: File, path: Location) -> Digests:
    """The digests of a file's rows. Raises InputError where these are not those that were written, or too large."""
    digests, columns = Digests(file.provenance, None), schema(file.kind)
    with naming(path):
        parquet.refuse(file.content, file.parquet)
        for field, column in zip(columns, parquet.columns(file.content, file.parquet, columns), strict=True):
            digests.add(field, column)
    if digests.hexdigests[0] != file.written:
        raise InputError(DAMAGED, path)
    return digests


def all_merged(kind: str, tables: Sequence[pa.Table], looks: Sequence[int]) -> pa.Table:
    """The rows of several tables of a kind as one table: each trial once, all alike rows as one."""
    counted_tables = [rows if is_counted(rows) else counted(rows, kinds()[kind], looks) for rows in tables]
    return counted(together(counted_tables), kinds()[kind], looks)


def stands_for(rows: pa.Table) -> int:
    """How many trials the rows of a table stand for: the sum of their counts, or the number of rows without counts."""
    return int(pc.sum(rows[COUNT.name]).as_py() or 0) if is_counted(rows) else rows.num_rows


def copied(file: File, table: Table, path: Location) -> None:
    """Writes all rows of a table's file, without merging any, to another path. table: the same rows, merged.
    Raises as reading and writing do.
    """
    write(pieces(file, path, ROW_GROUP, coded=True), table, path)


def one_trial(tables: Iterable[pa.Table], cell: str, mechanism: str, trial: int) -> Row | None:
    """The row of one trial in the first of some tables that has it; None where none has."""
    for rows in tables:
        of_group = pc.and_(pc.equal(rows["cell"], cell), pc.equal(rows["mechanism"], mechanism))
        for row in rows.filter(pc.and_(of_group, pc.equal(rows["trial"], trial))).to_pylist():
            return dict(row)
    return None


def pieces(file: File, path: Location, size: int, coded: bool = False) -> Iterator[pa.Table]:
    """The rows of a file whose columns have been read, as tables of `size` rows each. coded: as in `schema`."""
    columns = schema(file.kind, file.counted, coded)
    with naming(path):
        read = parquet.pieces(file.content, file.parquet, columns, size)
    while True:
        with naming(path):
            piece = next(read, None)
            piece = piece and piece.cast(columns)
        if piece is None:
            return
        yield piece


class _Merging:
    """Rows that come piece by piece, alike ones made one."""

    def __init__(self, kind: Kind, looks: Sequence[int], drawn: bool) -> None:
        self._counted = partial(counted, kind=kind, looks=looks, drawn=drawn)
        self._columns = schema(kind.name, counted=True)
        self._found: list[pa.Table] = []
        self._came = {name: dict[str, None]() for name in GROUP_BY}
        self._held = defaultdict[tuple[str, str], list[Ranges]](list)

    def add(self, rows: pa.Table) -> None:
        """The next rows, of which none is there twice."""
        part = self._counted(rows)
        for place, some in done(part).items():
            self._held[place].append(some)
        for name, came in self._came.items():
            came |= dict.fromkeys(pc.unique(rows[name]).to_pylist())
        self._found.append(part.cast(self._columns))
        first, *others = map(len, self._found)
        if sum(others) > max(first, PIECE):
            self._found = [self._together()]

    @property
    def size(self) -> int:
        """How many rows are left of those that were made one together."""
        return len(self._found[0])

    @property
    def twice(self) -> str:
        """What is wrong where a trial came twice; else empty."""
        return "two rows have the same cell, mechanism, trial" if any(map(overlap, self._held.values())) else ""

    @property
    def rows(self) -> pa.Table:
        """All, in the order of cells, trials and mechanisms as they came."""
        rows = self._together()
        turns = [pc.index_in(rows[name], pa.array(came, pa.string())) for name, came in self._came.items()]
        keys = pa.table({"cell": turns[0], "trial": rows["trial"], "mechanism": turns[1]})
        order = pc.sort_indices(keys, sort_keys=[(name, "ascending") for name in keys.column_names])
        return holding(rows.take(order).combine_chunks(), {place: joined(some) for place, some in self._held.items()})

    def _together(self) -> pa.Table:
        return self._counted(pa.concat_tables(self._found)).replace_schema_metadata()


class Assembly:
    """The rows of several files with each trial once, in the order of cells, trials and mechanisms that a spec has.

    Of trials that several files have the first one's are taken. Of groups of rows that follow one another nothing is held, of
    others eight bytes a row: four for their order, and four for where they are in what is read, once all have been read.
    """

    def __init__(self, files: Sequence[File], cells: Sequence[str], mechanisms: Sequence[str]) -> None:
        self._files = files
        self._columns = schema(files[0].kind)
        self._groups = [(file, number) for file in files for number in range(file.parquet.num_row_groups)]
        self._ends = np.cumsum([file.parquet.metadata.row_group(number).num_rows for file, number in self._groups])
        self._among = {"cell": pa.array(cells, pa.string()), "mechanism": pa.array(mechanisms, pa.string())}
        self._trials = 1 + max(_most(each, "trial") for each in files)
        self._windows = windows([self._span(number) for number in range(len(self._groups))], np.diff(self._ends, prepend=0))
        self._orders = {number: self._found(each) for number, each in enumerate(self._windows) if not each.in_order}
        self._stops = np.cumsum([self._size(number) for number in range(len(self._windows))], dtype=np.int64)
        self._turns: dict[tuple[int, int], _Turn] = {}

    def _keys(self, group: int) -> Ints:
        """Of each row of a group a number that is larger the later its place in the table is; (rows,)."""
        rows = self._read(group, pa.schema([self._columns.field(name) for name in ("cell", "trial", "mechanism")]))
        cell, mechanism = (placed(rows[name], among) for name, among in self._among.items())
        before = cell * self._trials + rows["trial"].to_numpy()
        return np.asarray(before * len(self._among["mechanism"]) + mechanism, np.int64)

    def _span(self, group: int) -> Span:
        keys = self._keys(group)
        return Span(int(keys.min()), int(keys.max()), bool((np.diff(keys) > 0).all())) if len(keys) else Span(0, -1, True)

    def _found(self, window: Window) -> NDArray[np.int32]:
        """The rows of a window in their order, each by its number among those of all files."""
        keys, rows = list[Ints](), list[Indices]()
        for group in window.groups:
            of_group = self._keys(group)
            here = np.flatnonzero((window.begin <= of_group) & (of_group < window.end))
            keys.append(of_group[here])
            rows.append(here + self._begins[group])
        first = np.unique(np.concatenate(keys), return_index=True)[1]
        return np.concatenate(rows)[first].astype(np.int32)

    def _size(self, number: int) -> int:
        groups = np.asarray(self._windows[number].groups)
        return len(self._orders[number]) if number in self._orders else int((self._ends - self._begins)[groups].sum())

    def _order(self, start: int, stop: int) -> Indices:
        """The rows at the places from `start` to before `stop`, each by its number among those of all files."""
        return self._at(np.arange(start, min(stop, self.rows)))

    def _at(self, places: Indices) -> Indices:
        """The rows at some places, which rise."""
        rows = np.empty(len(places), np.int64)
        windows_of = np.searchsorted(self._stops, places, side="right")
        for number in np.unique(windows_of).tolist():
            here = windows_of == number
            within = places[here] - (self._stops[number] - self._size(number))
            rows[here] = self._orders[number][within] if number in self._orders else self._in_turn(number, within)
        return rows

    def _in_turn(self, number: int, places: Indices) -> Indices:
        """The rows at some places of a window in which one group follows another."""
        groups = np.asarray(self._windows[number].groups)
        stops = np.cumsum((self._ends - self._begins)[groups])
        turn = np.searchsorted(stops, places, side="right")
        return np.asarray(self._ends[groups][turn] - stops[turn] + places, np.int64)

    @property
    def rows(self) -> int:
        return int(self._stops[-1]) if len(self._stops) else 0

    @property
    def is_the_first_file(self) -> bool:
        """Whether these are all rows of the first file, in its order."""
        starts = range(0, self.rows, SIZE)
        return self.rows == self._files[0].rows and all(
            (self._order(start, start + SIZE) == np.arange(start, min(start + SIZE, self.rows))).all() for start in starts
        )

    def some(self, places: Indices) -> pa.Table:
        """The rows at these places; of the files' groups of rows one is held at a time."""
        rows = self._at(places)
        where = np.searchsorted(self._ends, rows, side="right")
        taken_rows = [
            self._read(number, self._columns).take(pa.array(rows[where == number] - self._begins[number]))
            for number in np.unique(where)
        ]
        taken = pa.concat_tables(taken_rows).take(pa.array(np.argsort(np.argsort(where, kind="stable"))))
        return taken.cast(self._columns)

    def digests(self, provenance: dict[str, Any]) -> tuple[str, str]:
        """Of the table of these rows. A column of at most SIZE rows is held, of more it is read again and again."""
        made = Digests(provenance, None)
        for field in self._columns:
            column = _AssembledValues(self, field)
            made.add(field, list(column) if self.rows <= SIZE else column)
        return made.hexdigests

    def groups(self, size: int) -> Iterator[pa.Table]:
        """So many rows at a time."""
        for rows in self._each(range(0, max(self.rows, 1), size), size, self._columns):
            yield rows.combine_chunks()

    @property
    def parts(self) -> int:
        """How many times ROW_GROUP rows there are."""
        return -(-self.rows // ROW_GROUP)

    def pieces(self, columns: pa.Schema, size: int, parts: Sequence[int] | None = None) -> Iterator[pa.Table]:
        """Some of the columns, so many rows at a time. parts: of ROW_GROUP rows, by their numbers; by default all."""
        numbers = range(self.parts) if parts is None else parts
        for rows in self._each([ROW_GROUP * number for number in numbers], ROW_GROUP, columns):
            yield from (rows.slice(start, size) for start in range(0, rows.num_rows, size))

    @cached_property
    def _begins(self) -> Indices:
        return np.asarray(self._ends - np.diff(self._ends, prepend=0), np.int64)

    def _each(self, starts: Iterable[int], size: int, columns: pa.Schema) -> Iterator[pa.Table]:
        """So many rows from each of these places on, with each of their texts once."""
        kept: dict[int, pa.Table] = {}
        for start in starts:
            turn = self._turn(start, size)
            kept = {number: kept[number] if number in kept else self._read(number, columns) for number in turn.groups}
            rows = pa.concat_tables(kept.values()).unify_dictionaries()
            yield (rows.slice(turn.first, size) if turn.places is None else rows.take(turn.places)).combine_chunks()

    def _turn(self, start: int, size: int) -> "_Turn":
        """Where so many rows from a place on are: the same for all columns."""
        if (start, size) not in self._turns:
            some = self._order(start, start + size)
            where = np.searchsorted(self._ends, some, side="right")
            needed = indices_of(np.bincount(where) > 0)
            sizes, before = (self._ends - self._begins)[needed], np.zeros(len(self._ends), np.int64)
            before[needed] = np.cumsum(sizes) - sizes
            places = (some - self._begins[where] + before[where]).astype(np.int32)
            in_a_row = bool(len(places) == size and (np.diff(places) == 1).all())  # fewer may have others behind them
            self._turns[start, size] = _Turn(needed.tolist(), int(places[:1].sum()), None if in_a_row else pa.array(places))
        return self._turns[start, size]

    def _read(self, number: int, columns: pa.Schema) -> pa.Table:
        file, group = self._groups[number]
        return parquet.group(file.content, file.parquet, columns, group)


@dataclass(frozen=True)
class _Turn:
    """Where some rows are: in which groups of files, and at which places in all rows of these, (rows,).

    first: the first of these places. places: None where they follow one another, as many as were asked for.
    """

    groups: Sequence[int]
    first: int
    places: pa.Array | None


@dataclass(frozen=True)
class _AssembledValues:
    """The values of one of its columns, piece by piece, as often as they are gone through."""

    assembly: Assembly
    field: pa.Field

    def __iter__(self) -> Iterator[pa.Array]:
        for piece in self.assembly.pieces(pa.schema([self.field]), ROW_GROUP):
            yield from piece[self.field.name].chunks


def write(groups: Iterator[pa.Table], table: Table, path: Location) -> None:
    """Writes rows to a table's file as `Table.write` does, ROW_GROUP of them at a time.
    table: has their digests, number, provenance.

    Raises CannotRunError.
    """
    refuse_more(table.size, path)
    with replaced(path) as file:
        write_groups(groups, schema(table.provenance["kind"]), seal(table.digest, table.provenance), file)


def _most(file: File, name: str) -> int:
    """The largest number of a column; 0 of no rows."""
    (column,) = parquet.columns(file.content, file.parquet, pa.schema([schema(file.kind).field(name)]))
    return max((pc.max(values).as_py() or 0 for values in column), default=0)
