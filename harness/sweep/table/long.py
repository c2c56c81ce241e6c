"""Long tables whose rows are all different: who looks at one holds the rows of one cell at a time.

Of the whole those are held that differ in what is computed, each once, with how many there are. The numbers that trials drew
are read from the file where they are asked for, and forgotten.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, Protocol, cast

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from harness.arrays import Ints
from harness.sweep.files.object_store import Location
from harness.sweep.table import parquet
from harness.sweep.table.cells import Cells
from harness.sweep.table.counted import COUNT
from harness.sweep.table.groups import GROUP_BY, in_one
from harness.sweep.table.pieces import PIECE, Assembly, merged, stands_for
from harness.sweep.table.schema import schema
from harness.sweep.table.table import ROW_GROUP, File, Table, seen
from harness.trials import kinds

HELD = 2**22
"""Values of a table that are held decoded, in some 35 MB: a part with all columns, or several with some."""


def long(file: File, path: Location, looks: Sequence[int]) -> "Long":
    """The table in a file, of which no cell's rows are held. Raises InputError as reading a table does.

    looks: trials between which rows are not one, so that what was there before each of them can be told.
    """
    table = merged(file, path, looks, drawn=False)
    return Long(table.rows, table.provenance, [file.content]).with_digests(table.digests, table.size)


def united(tables: Sequence["Long"], rows: pa.Table) -> "Long":
    """Several of them as one, the first of which are asked first. rows: those of all that differ in what is computed."""
    order = (pc.unique(rows["cell"]).to_pylist(), pc.unique(rows["mechanism"]).to_pylist())
    return Long(rows, tables[-1].provenance, [content for each in tables for content in each.stored], order)


@dataclass(frozen=True)
class Long(Table):
    """Such a table. rows: those that differ in what is computed, counted. stored: the files that have all of them.

    order: of cells and of mechanisms, where the rows are in none, as those of a run that was stopped; of trials that several
    files have the first one's are taken.
    """

    stored: Sequence[bytes]
    order: tuple[Sequence[str], Sequence[str]] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"stored": self.stored, "order": self.order}

    @cached_property
    def digests(self) -> tuple[str, str]:
        """As a table's whose rows are in this order."""
        return self._assembled.digests(self.provenance)

    @cached_property
    def size(self) -> int:
        return stands_for(self.rows)

    @cached_property
    def cells(self) -> "Spread":
        """All rows by cell, of which one's are held."""
        return Spread(self._told, Reader(self._source, self.provenance["kind"], self._told))

    @cached_property
    def _told(self) -> pd.DataFrame:
        return self._view()

    @cached_property
    def _source(self) -> "RowSource":
        return OneFile(self.stored[0]) if self.order is None else self._assembled

    @cached_property
    def _assembled(self) -> Assembly:
        kind, order = self.provenance["kind"], self.order or ((), ())
        return Assembly([File(each, parquet.opened(each), kind, {}, None, None) for each in self.stored], *order)

    @property
    def whole(self) -> pa.Table:
        """All rows, in their order."""
        return pa.concat_tables(self.pieces(ROW_GROUP)).unify_dictionaries().combine_chunks()

    @property
    def columns(self) -> pa.Schema:
        return schema(self.provenance["kind"])

    def pieces(self, size: int) -> Iterator[pa.Table]:
        for piece in self._source.pieces(self.columns, size):
            yield piece.cast(self.columns)

    def frame(self) -> pd.DataFrame:
        return Table(self.whole, self.provenance).frame()


class RowSource(Protocol):
    """Rows in their order. parts: in how many runs of them they are."""

    @property
    def parts(self) -> int: ...

    def pieces(self, columns: pa.Schema, size: int, parts: Sequence[int] | None = None) -> Iterator[pa.Table]:
        """Some of the columns, at most so many rows at a time. parts: by their numbers; by default all."""


class OneFile:
    """The rows of a file as they are there."""

    def __init__(self, content: bytes) -> None:
        self._content, self._file = content, parquet.opened(content)
        sizes = [self._file.metadata.row_group(number).num_rows for number in range(self._file.num_row_groups)]
        self._parts = [(number, at) for number, size in enumerate(sizes) for at in range(-(-size // ROW_GROUP))]

    @property
    def parts(self) -> int:
        """How many times ROW_GROUP rows of one of its groups there are: these may be larger."""
        return len(self._parts)

    def pieces(self, columns: pa.Schema, size: int, parts: Sequence[int] | None = None) -> Iterator[pa.Table]:
        """See `RowSource`."""
        if parts is None:
            yield from parquet.pieces(self._content, self._file, columns, size)
        for group, place in (self._parts[part] for part in parts or ()):
            rows = next(islice(parquet.pieces(self._content, self._file, columns, ROW_GROUP, [group]), place, None))
            yield from (rows.slice(start, size) for start in range(0, rows.num_rows, size))


class Reader:
    """Reads rows where they are asked for. told: those that differ in what is computed, each once."""

    def __init__(self, source: RowSource, kind: str, distinct: pd.DataFrame) -> None:
        self._source, self.columns = source, schema(kind)
        self._decoded: dict[int, _Part] = {}
        places = distinct[GROUP_BY].drop_duplicates()
        self._numbers = {tuple(place): number for number, place in enumerate(places.itertuples(index=False))}
        self._cells, self._mechanisms = (pa.array(places[name].unique(), pa.string()) for name in GROUP_BY)
        self._number = np.full((len(self._cells), len(self._mechanisms)), -1)
        for (cell, mechanism), number in self._numbers.items():
            self._number[self._cells.index(cell).as_py(), self._mechanisms.index(mechanism).as_py()] = number
        shared = {column.name for column in kinds()[kind].computed}
        same = distinct.groupby(GROUP_BY, sort=False)[[*shared]].nunique(dropna=False).max()
        self.varying = [
            name for name in self.columns.names if name not in GROUP_BY and not (name in shared and same[name] == 1)
        ]
        """The columns in which rows of one mechanism in a cell differ."""

    def pieces(self, names: Sequence[str], parts: Sequence[int] | None = None) -> Iterator[tuple[Ints, pa.Table]]:
        """Some thousand rows at a time: of each which of the cells and mechanisms it is of, (rows,), and some columns."""
        columns = pa.schema([self.columns.field(name) for name in dict.fromkeys([*GROUP_BY, *names])])
        for piece in self._source.pieces(columns, PIECE, parts):
            place = (_places(piece[name], among) for name, among in zip(GROUP_BY, (self._cells, self._mechanisms), strict=True))
            yield self._number[tuple(place)], piece

    @cached_property
    def _parts(self) -> Mapping[int, list[int]]:
        """The parts in which there are any rows of each cell and mechanism."""
        parts: dict[int, list[int]] = {}
        for part in range(self._source.parts):
            for number in {int(number) for numbers, _ in self.pieces([], [part]) for number in np.unique(numbers)}:
                parts.setdefault(number, []).append(part)
        return parts

    def in_one(self, number: int) -> bool:
        """Whether all rows of one of the cells and mechanisms are in one part."""
        return len(self._parts[number]) == 1

    def rows(self, number: int, names: Sequence[str]) -> pd.DataFrame:
        """All rows of one of the cells and mechanisms, of some columns."""
        frames = [self._held(part, names).rows(number, names) for part in self._parts[number]]
        return frames[0] if len(frames) == 1 else pd.concat(frames, ignore_index=True)

    def _held(self, part: int, names: Sequence[str]) -> "_Part":
        """A part with these columns at least. The latest are held: who asks goes on to the next place, or begins again."""
        held = self._decoded.pop(part, None)
        if held is None or not held.has(names):
            columns = [] if held is None else held.names
            held = _Part(self.pieces([*columns, *names], [part]))
        self._decoded[part] = held
        while len(self._decoded) > 1 and sum(each.size for each in self._decoded.values()) > HELD:
            del self._decoded[next(iter(self._decoded))]
        return held


class _Part:
    """Rows of a table with some of its columns, by the cells and mechanisms that they are of."""

    def __init__(self, pieces: Iterable[tuple[Ints, pa.Table]]) -> None:
        numbers, tables = zip(*pieces, strict=True)
        of = np.concatenate(numbers)
        rows = pa.concat_tables(tables).unify_dictionaries().combine_chunks()
        self._frame = _framed(rows).take(np.argsort(of, kind="stable"))
        self._ends = np.concatenate([[0], np.cumsum(np.bincount(of))])

    @property
    def size(self) -> int:
        """How many values are held."""
        return int(self._frame.size)

    @property
    def names(self) -> list[str]:
        """Of the columns."""
        return [str(name) for name in self._frame]

    def has(self, names: Sequence[str]) -> bool:
        """Whether it has all of these columns."""
        return {*names} <= {*self._frame}

    def rows(self, number: int, names: Sequence[str]) -> pd.DataFrame:
        """Those of one of the cells and mechanisms that has any here, of some of the columns."""
        here = self._frame.iloc[self._ends[number] : self._ends[number + 1]]
        return here if self.names == [*names] else here[[*names]]


class Spread(Cells):
    """Rows by cell and mechanism, read where they are asked for, those of one at a time; `frame` reads all.

    told: those that differ in what is computed, each once, counted.
    """

    far = True

    def __init__(self, distinct: pd.DataFrame, reader: Reader) -> None:
        self._counted, self._reader = Cells(distinct), reader
        self.memo = {}
        self._last: tuple[int, pd.DataFrame | None] = -1, None
        self._found: dict[Any, Any] = {}

    @cached_property
    def distinct(self) -> pd.DataFrame:
        """The rows that differ in what is computed, each once, with what the first of them drew."""
        return self._counted.frame.drop(columns=COUNT.name)

    @cached_property
    def heads(self) -> pd.DataFrame:
        return self._counted.heads.drop(columns=COUNT.name)

    @property
    def trials(self) -> Ints:
        return self._counted.trials

    @cached_property
    def frame(self) -> pd.DataFrame:  # type: ignore[override]
        """All rows at once, for who does not ask for a cell's."""
        return self.narrow(self._reader.columns.names)

    def narrow(self, names: Sequence[str]) -> pd.DataFrame:
        columns = [name for name in dict.fromkeys(names) if name in self.heads]
        read = pa.concat_tables([piece for _, piece in self._reader.pieces(columns)]).unify_dictionaries().combine_chunks()
        return _framed(read.select(columns))

    def pieces(self, names: Sequence[str]) -> Iterator[tuple[Ints, pd.DataFrame]]:
        for numbers, piece in self._reader.pieces(names):
            yield numbers, _framed(piece.select([*names]))

    def rows(self, number: int) -> pd.DataFrame:
        if self._last[0] != number or self._last[1] is None:
            self._last = -1, None  # before others are read
            self._last = number, self.some(number, [str(name) for name in self.heads])
        return cast("pd.DataFrame", self._last[1])

    def some(self, number: int, names: Sequence[str]) -> pd.DataFrame:
        """The rows of one of them, of some columns, of which those that many of them have alike are held once."""
        if self._reader.in_one(number):
            return self._reader.rows(number, names)
        drawn = [name for name in names if name not in self.shared]
        rows = self._reader.rows(number, drawn) if drawn else pd.DataFrame()
        head, times = self.heads.iloc[[number]], int(self.trials[number])
        columns = {name: rows[name] if name in rows else _repeated(head[name], times) for name in names}
        return pd.DataFrame(columns, copy=False)

    def before(self, most: Ints) -> Cells:
        return Part(self, np.flatnonzero(most > 0), most)

    @cached_property
    def shared(self) -> frozenset[str]:
        """The columns that all rows of a mechanism in a cell have as the first one has them."""
        return frozenset({*self._reader.columns.names} - {*self._reader.varying})

    def part(self, rows: pd.DataFrame) -> "Part":
        """Those of the cells and mechanisms of some of the rows that are told."""
        places = set(zip(rows["cell"], rows["mechanism"], strict=True))
        here = [place in places for place in zip(self.heads["cell"], self.heads["mechanism"], strict=True)]
        return Part(self, np.flatnonzero(here))

    def once(self, key: Any, rows: pd.DataFrame, find: Callable[["Part"], Any]) -> Any:
        """What is found of all rows of the cells and mechanisms of some that are told, found once."""
        part = self.part(rows)
        key_and_part = key, part.which
        if key_and_part not in self._found:
            self._found[key_and_part] = find(part)
        return self._found[key_and_part]


class Part(Cells):
    """Some of the cells and mechanisms of a long table. most: of each of all only trials before this one."""

    far = True

    def __init__(self, of: Spread, which: Ints, most: Ints | None = None) -> None:
        self._of, self.which, self._most, self.memo = of, tuple(which.tolist()), most, {}

    @cached_property
    def heads(self) -> pd.DataFrame:
        return self._of.heads.iloc[[*self.which]]

    @cached_property
    def frame(self) -> pd.DataFrame:  # type: ignore[override]
        """All of their rows."""
        frames = [self.rows(number) for number in range(len(self.which))]
        return frames[0] if len(frames) == 1 else pd.concat(frames or [self.heads], ignore_index=True)

    def narrow(self, names: Sequence[str]) -> pd.DataFrame:
        columns = [name for name in dict.fromkeys(names) if name in self.heads]
        frames = [self._of.some(number, columns) for number in self.which]
        return pd.concat(frames or [self.heads[columns]], ignore_index=True)

    def rows(self, number: int) -> pd.DataFrame:
        rows = self._of.rows(self.which[number])
        return rows if self._most is None else rows[rows["trial"] < self._most[self.which[number]]]


def _places(column: pa.ChunkedArray, among: pa.Array) -> Ints:
    """Where each text of a column is among others."""
    texts = in_one(column)
    return np.asarray(pc.index_in(texts.dictionary, among).take(texts.indices).to_numpy(), np.int64)


def _framed(rows: pa.Table) -> pd.DataFrame:
    """Rows as pandas has them; see `Table.cells`."""
    return pd.DataFrame({field.name: seen(in_one(rows[field.name]), field.nullable) for field in rows.schema}, copy=False)


def _repeated(value: "pd.Series[Any]", times: int) -> Any:
    """A column of one value, held once."""
    if not isinstance(value.dtype, np.dtype):
        return value.array.take(np.zeros(times, np.int64))
    return pd.Series(np.broadcast_to(value.to_numpy(), times), dtype=value.dtype, copy=False)
