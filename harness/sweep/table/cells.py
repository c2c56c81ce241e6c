"""A table by its cells: what all claims on it share is found once."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from harness.arrays import Ints
from harness.sweep.table.groups import GROUP_BY, MANY
from harness.sweep.table.samples import Sample, counts


class Cells:
    """The rows of a table by cell and mechanism, in order. frame: all of them; it is not to be changed.

    far: whether rows are read where they are asked for, and are best not held.
    """

    far: ClassVar[bool] = False

    def __init__(self, frame: pd.DataFrame) -> None:
        self.frame = frame
        self._rows: dict[int, pd.DataFrame] = {}
        self.memo: dict[str, Any] = {}
        """What claims ask of them, by whom: found once for all who judge."""

    @classmethod
    def of(cls, rows: "pd.DataFrame | Cells") -> "Cells":
        """Rows as they are given, by their cells."""
        return rows if isinstance(rows, Cells) else cls(rows)

    @cached_property
    def heads(self) -> pd.DataFrame:
        """The first row of each cell and mechanism."""
        return self.frame.take(np.unique(self.numbers, return_index=True)[1])

    @cached_property
    def firsts(self) -> list[pd.Series]:
        """The first row of each, one by one."""
        heads = self.heads
        values = zip(*(list(heads[name].array) for name in heads), strict=True)  # each as its own type, found once a column
        return [pd.Series(row, heads.columns, dtype=object) for row in values]

    @property
    def counts(self) -> Ints:
        """How many trials each row stands for, (rows,)."""
        return counts(self.frame)

    @property
    def trials(self) -> Ints:
        """How many trials there are of each cell and mechanism, (cells,)."""
        return np.bincount(self.numbers, self.counts, minlength=1).astype(np.int64)

    @property
    def distinct(self) -> pd.DataFrame:
        """Rows in which all is that is computed of each cell and mechanism."""
        return self.frame

    def narrow(self, names: Sequence[str]) -> pd.DataFrame:
        """All rows, of these columns at least, as far as there are such."""
        return self.frame

    def pieces(self, names: Sequence[str]) -> Iterator[tuple[Ints, pd.DataFrame]]:
        """All rows piece by piece, as many as are held at once, in order; and of each row which of them it is in."""
        yield self.numbers, self.frame

    def pieces_of(self, number: int, names: Sequence[str] = ()) -> Iterator[pd.DataFrame]:
        """The rows of one of them piece by piece, as many as are held at once, in order.

        names: the columns that are needed; all where none is named.
        """
        yield self.rows(number)

    def sample(self, rows: pd.DataFrame, column: str) -> Sample:
        """What all trials of the cells and mechanisms that are in some of the rows have in a column."""
        return Sample.of(rows, column)

    def changed(self, which: Ints, column: str, texts: Sequence[Any]) -> "Cells":
        """Some of them, by their numbers, with other texts in a column that all rows of each have alike. texts: of all."""
        here = np.isin(self.numbers, which)
        return Cells(self.frame[here].assign(**{column: np.asarray(texts, object)[self.numbers[here]]}))

    def before(self, most: Ints) -> "Cells":
        """Those of the rows whose trials are before a number, which is one for each, (cells,)."""
        here = self.frame["trial"].to_numpy() < most[self.numbers]
        return self if here.all() else Cells(self.frame[here])

    @cached_property
    def numbers(self) -> Ints:
        """The number of the cell and mechanism that each row is in, (rows,)."""
        cells, mechanisms = (pd.factorize(self.frame[name])[0] for name in GROUP_BY)
        return np.asarray(pd.factorize(cells * (mechanisms.max(initial=0) + 1) + mechanisms)[0], np.int64)

    @cached_property
    def _ends(self) -> Ints:
        """Where the rows of each begin in the order of the cells, and where those of the last one end."""
        return np.concatenate([[0], np.cumsum(np.bincount(self.numbers))])

    @cached_property
    def _order(self) -> Ints:
        """All rows in the order of the cells."""
        return np.argsort(self.numbers, kind="stable")

    @cached_property
    def _shared(self) -> dict[str, NDArray[Any]]:
        """The columns in which all rows of each are alike, as the first rows have them, (cells,)."""
        plain = (str(name) for name in self.frame if isinstance(self.frame[name].dtype, np.dtype))
        heads = {name: self.heads[name].to_numpy() for name in plain}
        return {name: head for name, head in heads.items() if (head[self.numbers] == self.frame[name].to_numpy()).all()}

    @cached_property
    def _together(self) -> pd.DataFrame:
        """All rows in the order of the cells."""
        return self.frame.take(self._order)

    def rows(self, number: int) -> pd.DataFrame:
        """The rows of one of them; in a long table, what they share is held once."""
        if number not in self._rows:
            here, near = slice(self._ends[number], self._ends[number + 1]), len(self.frame) <= MANY
            self._rows[number] = self._together.iloc[here] if near else self._picked(number, self._order[here])
        return self._rows[number]

    def _picked(self, number: int, where: Ints) -> pd.DataFrame:
        """The rows of one of them, by their places in the table."""
        begin, end = int(where[0]), int(where[-1]) + 1
        if end - begin == len(where):
            return self.frame.iloc[begin:end]
        columns = {
            name: np.broadcast_to(self._shared[name][number : number + 1], len(where))
            if name in self._shared
            else self.frame[name].array.take(where)
            for name in self.frame
        }
        return pd.DataFrame(columns, index=self.frame.index[where], copy=False)
