"""What must keep within which limit, in one trial: a quantity and the most that it may be."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, nan
from typing import Any

import numpy as np
import pandas as pd

from harness.arrays import Bools, Reals

Amount = float | str | Callable[[pd.Series], float]
"""A number of a cell: itself, a column, or a function of the cell's first row."""


def amount(what: Amount, first: pd.Series) -> float:
    """The value of an amount in a cell: a number, a column of the first row, or a function of that row; nan where null."""
    return _number(first[what] if isinstance(what, str) else what(first) if callable(what) else what)


def _number(value: Any) -> float:
    return nan if pd.isna(value) else float(value)


def times(count: int, column: str) -> Callable[[pd.Series], float]:
    """The amount that is `count` times a column, such as 2β, as a function of a cell's first row."""
    return lambda first: count * float(first[column])


@dataclass(frozen=True)
class Bounded:
    """A quantity of one trial, as it was measured, and the most that it may be. strict: it must stay below."""

    quantity: str
    measured: float
    most: float
    strict: bool = False

    @property
    def broken(self) -> bool:
        """Whether the quantity is more than it may be, or as much where it must stay below."""
        return self.measured > self.most or (self.strict and self.measured == self.most)


@dataclass(frozen=True)
class Limit:
    """A quantity of every trial, and the most it may be.

    quantity: its name, and its column unless `of` computes it from rows, each by itself, as it may be given some of a cell's
    alone, whose parameters and plan the first of these has too. reads: the columns that `of` does that from; None: any, which a
    spec that leaves columns empty cannot have. factor: a trial fails beyond so many times `most`. strict: `most` itself is too
    much. trivial: a `most` so large says nothing. unit: the least value above zero. said: what figures call `most` where it is
    no column.
    """

    quantity: str
    most: Amount
    of: "Callable[[pd.DataFrame], pd.Series[float] | Reals] | None" = None
    reads: tuple[str, ...] | None = None
    factor: float = 1.0
    strict: bool = False
    trivial: float = inf
    unit: Amount = 0.0
    said: str = ""

    @property
    def columns(self) -> tuple[str, ...] | None:
        """The columns that the limit's quantity is found of; None: any."""
        return (self.quantity,) if self.of is None else self.reads

    def values(self, rows: pd.DataFrame) -> Reals:
        """The limit's quantity, trial by trial."""
        return np.asarray((rows[self.quantity] if self.of is None else self.of(rows)).astype(float))

    def broken(self, values: Reals, most: float) -> Bools:
        """The trials in which it is broken, by the quantity in each and the most that it may be."""
        return values >= self.factor * most if self.strict else values > self.factor * most

    def of_trial(self, row: pd.DataFrame) -> Bounded:
        """The quantity and what it may be in the one trial of a frame of one row."""
        return Bounded(self.quantity, float(self.values(row)[0]), self.factor * amount(self.most, row.iloc[0]), self.strict)
