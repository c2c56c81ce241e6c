"""Long tables whose rows are all different: who looks at one holds the rows of one cell at a time.

Of the whole those are held that differ in what is computed, each once, with how many there are. The numbers that trials drew
are read from the file where they are asked for, and forgotten.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, cast

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from harness.arrays import Ints
from harness.sweep.files.content import Content
from harness.sweep.files.object_store import Location
from harness.sweep.table import parquet
from harness.sweep.table.cells import Cells
from harness.sweep.table.counted import COUNT
from harness.sweep.table.pieces import Assembly, merged, stands_for
from harness.sweep.table.row_reader import OneFile, Reader, RowSource, framed, joined
from harness.sweep.table.samples import Again, Sample
from harness.sweep.table.schema import schema
from harness.sweep.table.table import ROW_GROUP, File, Table


def long(file: File, path: Location, looks: Sequence[int]) -> "Long":
    """The long table of a file: its rows stay there and are read when needed. Raises InputError as reading a table does.

    looks: trials between which rows are not one, so that what was there before each of them can be told.
    """
    table = merged(file, path, looks, drawn=False)
    return Long(table.rows, table.provenance, [file.content]).with_digests(table.digests, table.size)


def united(tables: Sequence["Long"], rows: pa.Table) -> "Long":
    """Several long tables as one; a trial that several have is the first one's. rows: all that differ in computed columns."""
    order = (pc.unique(rows["cell"]).to_pylist(), pc.unique(rows["mechanism"]).to_pylist())
    return Long(rows, tables[-1].provenance, [content for each in tables for content in each.stored], order)


@dataclass(frozen=True)
class Long(Table):
    """A table whose rows stay in files. rows: in memory, one with a count for all that differ only in what was drawn.
    stored: the files that have all of them.

    order: of cells and of mechanisms, where the rows are in none, as those of a run that was stopped; of trials that several
    files have the first one's are taken.
    """

    stored: Sequence[Content]
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
    def _source(self) -> RowSource:
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


class Spread(Cells):
    """The rows of a long table by cell and mechanism, read when needed and held for one such pair at a time; `frame` reads all.

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
        return framed(read.select(columns))

    def pieces(self, names: Sequence[str]) -> Iterator[tuple[Ints, pd.DataFrame]]:
        for numbers, piece in self._reader.pieces(names):
            yield numbers, framed(piece.select([*names]))

    def rows(self, number: int) -> pd.DataFrame:
        if self._last[0] != number or self._last[1] is None:
            self._last = -1, None  # before others are read
            self._last = number, self.some(number, [str(name) for name in self.heads])
        return cast("pd.DataFrame", self._last[1])

    def some(self, number: int, names: Sequence[str]) -> pd.DataFrame:
        """The rows of one of them, of some columns, of which those that many of them have alike are held once."""
        return self._told(number, self._reader.rows(number, self._read_of(number, names)), names)

    def pieces_of(self, number: int, names: Sequence[str] = ()) -> Iterator[pd.DataFrame]:
        names = names or [str(name) for name in self.heads]
        for rows in self._reader.pieces_of(number, self._read_of(number, names)):
            yield self._told(number, rows, names)

    def _read_of(self, number: int, names: Sequence[str]) -> Sequence[str]:
        """Which columns are read for some to be told of one of them: at least one, as there may be many rows."""
        return names if self._reader.in_one(number) else [name for name in names if name not in self.shared] or ["trial"]

    def _told(self, number: int, rows: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
        """Rows of one of them, with what they have alike beside what was read of them."""
        if [*rows] == [*names]:
            return rows
        head = self.heads.iloc[[number]]
        columns = {name: rows[name] if name in rows else _repeated(head[name], rows.index) for name in names}
        return pd.DataFrame(columns, copy=False)

    def before(self, most: Ints) -> Cells:
        return Part(self, np.flatnonzero(most > 0), most)

    @cached_property
    def shared(self) -> frozenset[str]:
        """The columns that all rows of a mechanism in a cell have as the first one has them."""
        return frozenset({*self._reader.columns.names} - {*self._reader.varying})

    def part(self, rows: pd.DataFrame) -> "Part":
        """Those of the cells and mechanisms of some of the rows that are told."""
        places = {*_places(rows)}
        return Part(self, np.flatnonzero([place in places for place in _places(self.heads)]))

    def sample(self, rows: pd.DataFrame, column: str) -> Sample:
        return self.part(rows).sample(rows, column)

    def changed(self, which: Ints, column: str, texts: Sequence[Any]) -> "Part":
        return self.part(self.heads).changed(which, column, texts)

    def once(self, key: Any, rows: pd.DataFrame, find: Callable[["Part"], Any]) -> Any:
        """What is found of all rows of the cells and mechanisms of some that are told, found once."""
        part = self.part(rows)
        key_and_part = key, part.which
        if key_and_part not in self._found:
            self._found[key_and_part] = find(part)
        return self._found[key_and_part]


class Part(Cells):
    """The rows of a long table of some cells and mechanisms alone, read when needed.

    most: of each of all only trials before this one. put: texts in place of those of a column, by the number among all.
    """

    far = True

    def __init__(
        self, of: Spread, which: Ints, most: Ints | None = None, put: tuple[str, Mapping[int, Any]] | None = None
    ) -> None:
        self._of, self.which, self._most, self._put, self.memo = of, tuple(which.tolist()), most, put, {}

    @cached_property
    def heads(self) -> pd.DataFrame:
        heads = self._of.heads.iloc[[*self.which]]
        return heads if self._put is None else heads.assign(**{self._put[0]: [self._put[1][each] for each in self.which]})

    @cached_property
    def frame(self) -> pd.DataFrame:  # type: ignore[override]
        """All of their rows."""
        return joined([self.rows(number) for number in range(len(self.which))] or [self.heads])

    def narrow(self, names: Sequence[str]) -> pd.DataFrame:
        columns = [name for name in dict.fromkeys(names) if name in self.heads]
        return joined([self._of.some(number, columns) for number in self.which] or [self.heads[columns]])

    def sample(self, rows: pd.DataFrame, column: str) -> Sample:
        places = {*_places(rows)}
        which = [number for number, place in enumerate(_places(self.heads)) if place in places]
        return Sample.over(Again(lambda: chain.from_iterable(self.pieces_of(number, [column]) for number in which)), column)

    def changed(self, which: Ints, column: str, texts: Sequence[Any]) -> "Part":
        places = np.asarray(self.which, np.int64)[which]
        return Part(self._of, places, self._most, (column, dict(zip(self.which, texts, strict=True))))

    def rows(self, number: int) -> pd.DataFrame:
        return self._own(number, self._of.rows(self.which[number]))

    def pieces_of(self, number: int, names: Sequence[str] = ()) -> Iterator[pd.DataFrame]:
        needed = names if self._most is None or not names else [*dict.fromkeys([*names, "trial"])]
        return (self._own(number, rows) for rows in self._of.pieces_of(self.which[number], needed))

    def _own(self, number: int, rows: pd.DataFrame) -> pd.DataFrame:
        """Those of some rows of one of them that are before its last, with what is put in place of a column."""
        place = self.which[number]
        kept = rows if self._most is None else rows[rows["trial"] < self._most[place]]
        return kept.assign(**{self._put[0]: self._put[1][place]}) if self._put and self._put[0] in kept else kept


def _places(rows: pd.DataFrame) -> Iterator[tuple[str, str]]:
    """The cell and mechanism of each row."""
    return zip(rows["cell"], rows["mechanism"], strict=True)


def _repeated(value: "pd.Series[Any]", index: "pd.Index[Any]") -> Any:
    """A column of one value, held once. index: of the rows."""
    if not isinstance(value.dtype, np.dtype):
        return value.array.take(np.zeros(len(index), np.int64))
    return pd.Series(np.broadcast_to(value.to_numpy(), len(index)), index, value.dtype, copy=False)
