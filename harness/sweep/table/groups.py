"""Which rows are of one cell and mechanism, and where these differ: found column by column, so that none is held twice."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from harness.arrays import Bools, Indices, Ints

MANY = 10**5
"""Rows that are held as they are. Of more than these, alike ones are one for who looks, where they may be; of others, those of
one cell and mechanism are held at a time."""

GROUP_BY = ["cell", "mechanism"]

Group = tuple[str, str]
"""What rows are of: a cell, by its identity, and a mechanism."""


def in_one(column: pa.ChunkedArray) -> pa.Array:
    """A column of a table in one piece."""
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def coded(column: pa.ChunkedArray) -> Ints:
    """Numbers from 0 on for the values of a column, equal for equal values, (rows,); nulls are equal."""
    encoded = in_one(column)
    if pa.types.is_dictionary(encoded.type) and (
        encoded.null_count or len(pc.unique(encoded.dictionary)) < len(encoded.dictionary)
    ):
        encoded = encoded.dictionary_decode()  # anybody's file may have a text in it twice
    if not pa.types.is_dictionary(encoded.type):
        encoded = pc.dictionary_encode(encoded, null_encoding="encode")
    return np.asarray(encoded.indices.to_numpy(zero_copy_only=False), np.int64)


def placed(column: pa.ChunkedArray, among: pa.Array) -> Ints:
    """Where each text of a column, of which each is held once, is among others, (rows,)."""
    texts = in_one(column)
    return np.asarray(pc.index_in(texts.dictionary, among).take(texts.indices).to_numpy(), np.int64)


@dataclass(frozen=True)
class RowGroups:
    """The rows of a table grouped by some columns. rows: all of them. by: the names of these columns."""

    rows: pa.Table
    by: Sequence[str]

    @cached_property
    def numbers(self) -> Ints:
        """The number of the group that each row is in, (rows,): from 0 on, in the order of their first rows."""
        numbers = np.zeros(self.rows.num_rows, np.int64)
        for name in self.by:
            codes = coded(self.rows[name])
            numbers = coded(pa.chunked_array([pa.array(numbers * (codes.max(initial=0) + 1) + codes)]))
        return numbers

    @cached_property
    def firsts(self) -> Indices:
        """The first row of each group, (groups,)."""
        return np.unique(self.numbers, return_index=True)[1]

    @property
    def places(self) -> Ints:
        """Of each row the place of its group, (rows,), where they are in rising order of what they are by."""
        heads = self.rows.select(self.by).take(pa.array(self.firsts))
        plain = [in_one(column) for column in heads.columns]
        texts = [each.dictionary_decode() if pa.types.is_dictionary(each.type) else each for each in plain]
        order = pc.sort_indices(pa.table(texts, self.by), sort_keys=[(name, "ascending") for name in self.by]).to_numpy()
        places = np.empty(len(order), np.int64)
        places[order] = np.arange(len(order))
        return np.asarray(places[self.numbers])

    def unlike(self, names: Iterable[str]) -> Bools:
        """Which rows have another value than the first of their group in any of these columns, (rows,); nulls are equal."""
        differs = np.zeros(self.rows.num_rows, bool)
        for name in names:
            differs |= self._unlike(name)
        return differs

    def varying(self, names: Iterable[str]) -> list[str]:
        """The columns, of these, in which rows of one group differ."""
        return [name for name in names if self._unlike(name).any()]

    def _unlike(self, name: str) -> Bools:
        differs = np.zeros(self.rows.num_rows, bool)
        for values in _values(self.rows[name]):
            differs |= values != values[self.firsts][self.numbers]
        return differs

    def distinct(self, names: Sequence[str]) -> pa.Table:
        """The rows of each group that differ in these columns, each once: of most groups one."""
        unlike = self.unlike(names)
        kept = np.sort(np.concatenate([self.firsts, np.flatnonzero(unlike)]))
        some = self.rows.select([*dict.fromkeys([*self.by, *names])]).take(pa.array(kept))
        return some if not unlike.any() else some.group_by(some.column_names, use_threads=False).aggregate([])


def _values(column: pa.ChunkedArray) -> Iterator[NDArray[Any]]:
    """What two rows of a column that are alike are equal in."""
    if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
        yield coded(column)
        return
    if column.null_count:
        yield column.is_null().to_numpy()
        column = column.fill_null(0)
    yield column.to_numpy()
