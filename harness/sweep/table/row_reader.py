"""Rows of long tables, read from their files where they are asked for: those of one cell and mechanism, or some thousand."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Protocol

import numpy as np
import pandas as pd
import pyarrow as pa

from harness.arrays import Ints
from harness.sweep.files.content import Content
from harness.sweep.table import parquet
from harness.sweep.table.groups import GROUP_BY, in_one, placed
from harness.sweep.table.pieces import PIECE
from harness.sweep.table.schema import schema
from harness.sweep.table.table import seen
from harness.trials import kinds

PART = 2**17  # rows of a group, at most, that are decoded together
HELD = 2**22
"""Values of a table that are held decoded, in some 35 MB: a part with all columns, or several with some."""


class RowSource(Protocol):
    """A place that the rows of a table are read from in order, all or by part. parts: how many parts they are in."""

    @property
    def parts(self) -> int: ...

    def pieces(self, columns: pa.Schema, size: int, parts: Sequence[int] | None = None) -> Iterator[pa.Table]:
        """Some of the columns, at most so many rows at a time. parts: by their numbers; by default all."""


class OneFile:
    """A `RowSource` of the rows of one Parquet file, in the order in which they stand in the file."""

    def __init__(self, content: Content) -> None:
        self._content, self._file = content, parquet.opened(content)
        sizes = [self._file.metadata.row_group(number).num_rows for number in range(self._file.num_row_groups)]
        self._parts = [(number, at) for number, size in enumerate(sizes) for at in range(-(-size // PART))]

    @property
    def parts(self) -> int:
        """How many times PART rows of one of its groups there are: these may be larger."""
        return len(self._parts)

    def pieces(self, columns: pa.Schema, size: int, parts: Sequence[int] | None = None) -> Iterator[pa.Table]:
        """See `RowSource`."""
        if parts is None:
            yield from parquet.pieces(self._content, self._file, columns, size)
        for group, place in (self._parts[part] for part in parts or ()):
            rows = next(islice(parquet.pieces(self._content, self._file, columns, PART, [group]), place, None))
            yield from (rows.slice(start, size) for start in range(0, rows.num_rows, size))


class Reader:
    """Reads rows of a long table from its files when needed. distinct: the rows that differ in what is computed, each once."""

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
            place = (placed(piece[name], among) for name, among in zip(GROUP_BY, (self._cells, self._mechanisms), strict=True))
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
        return joined([*self.pieces_of(number, names)])

    def pieces_of(self, number: int, names: Sequence[str]) -> Iterator[pd.DataFrame]:
        """The rows that `rows` gives, those of one part at a time."""
        return (self._held(part, names).rows(number, names) for part in self._parts[number])

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
        frame = framed(pa.concat_tables(tables).unify_dictionaries().combine_chunks())
        self._frame = frame if (np.diff(of) >= 0).all() else frame.take(np.argsort(of, kind="stable"))
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


def framed(rows: pa.Table) -> pd.DataFrame:
    """The rows of an Arrow table as a pandas DataFrame, copied only where they must be; see `Table.cells`."""
    return pd.DataFrame({field.name: seen(in_one(rows[field.name]), field.nullable) for field in rows.schema}, copy=False)


def joined(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Concatenates data frames, with rows numbered anew; a single data frame is returned as it is."""
    return frames[0] if len(frames) == 1 else pd.concat(frames, ignore_index=True)
