"""A table by its cells: what all claims on it share is found once."""

from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from harness.arrays import Ints
from harness.sweep.counted import COUNT

BY = ["cell", "mechanism"]


class Cells:
    """The rows of a table by cell and mechanism, in order. frame: all of them; it is not to be changed."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self.frame = frame
        self._rows: dict[int, pd.DataFrame] = {}
        self.asked: dict[str, Any] = {}
        """What claims ask of them, by whom: found once for all who judge."""

    @classmethod
    def of(cls, rows: "pd.DataFrame | Cells") -> "Cells":
        """Rows as they are given, by their cells."""
        return rows if isinstance(rows, Cells) else cls(rows)

    @cached_property
    def heads(self) -> pd.DataFrame:
        """The first row of each."""
        return self.frame.take(np.unique(self.numbers, return_index=True)[1])

    @cached_property
    def firsts(self) -> list[pd.Series]:
        """The same, one by one."""
        heads = self.heads
        values = zip(*(list(heads[name].array) for name in heads), strict=True)  # each as its own type, found once a column
        return [pd.Series(row, heads.columns, dtype=object) for row in values]

    @property
    def counts(self) -> Ints:
        """How many trials each row stands for, (rows,)."""
        return counts(self.frame)

    @cached_property
    def numbers(self) -> Ints:
        """Of each row, which of them it is in; (rows,)."""
        cells, mechanisms = (pd.factorize(self.frame[name])[0] for name in BY)
        return np.asarray(pd.factorize(cells * (mechanisms.max(initial=0) + 1) + mechanisms)[0], np.int64)

    @cached_property
    def _together(self) -> pd.DataFrame:
        """Those of each in a row: a slice of it, of which nothing is copied."""
        in_turn = bool((np.diff(self.numbers) >= 0).all())
        return self.frame if in_turn else self.frame.take(np.argsort(self.numbers, kind="stable"))

    @cached_property
    def _ends(self) -> Ints:
        """Where each of them begins there, and where the last one ends."""
        return np.concatenate([[0], np.cumsum(np.bincount(self.numbers))])

    def rows(self, number: int) -> pd.DataFrame:
        """The rows of one of them."""
        if number not in self._rows:
            self._rows[number] = self._together.iloc[self._ends[number] : self._ends[number + 1]]
        return self._rows[number]


def counts(rows: pd.DataFrame) -> Ints:
    """How many trials each row stands for, (rows,): one, unless they are counted."""
    return rows[COUNT.name].to_numpy(np.int64) if COUNT.name in rows else np.ones(len(rows), dtype=np.int64)
