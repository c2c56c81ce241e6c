"""Numbers of trials, which may come piece by piece: sums that are rounded once, and what is at a place in their order."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import fsum, nan
from typing import Generic, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from harness.arrays import Ints, Reals
from harness.sweep.table.counted import COUNT

Piece = TypeVar("Piece")
Found = TypeVar("Found")
Weighted = tuple[Reals, Ints]
"""What rows have, (rows,), and of how many trials each is, (rows,)."""

DIGITS = 16  # bits of a number that are looked at in one pass


def counts(rows: pd.DataFrame) -> Ints:
    """How many trials each row of a frame stands for, (rows,): its `count` where the frame has that column, else 1."""
    return rows[COUNT.name].to_numpy(np.int64) if COUNT.name in rows else once(len(rows))


def once(rows: int) -> Ints:
    """An array of ones, (rows,), for rows that stand for one trial each; it takes the memory of a single number."""
    return np.broadcast_to(np.int64(1), rows)


@dataclass(frozen=True)
class Again(Generic[Found]):
    """An iterable of what a function yields, which can be gone through many times; nothing of it is held in memory."""

    make: Callable[[], Iterable[Found]]

    def __iter__(self) -> Iterator[Found]:
        return iter(self.make())


def of_each(pieces: Iterable[Piece], of: Callable[[Piece], Found]) -> Iterable[Found]:
    """Applies `of` to each piece: returns a list if the pieces are a list, else an iterable that applies it on each pass."""
    return [of(piece) for piece in pieces] if isinstance(pieces, list) else Again(lambda: map(of, pieces))


@dataclass(frozen=True)
class Sample:
    """The values that trials have in a column, without nulls.
    pieces: gone through each time that anything is asked, or in a list.
    """

    pieces: Iterable[Weighted]

    @classmethod
    def of(cls, rows: pd.DataFrame, column: str) -> "Sample":
        """The sample of a column of rows."""
        return cls([_known(rows, column)])

    @classmethod
    def single(cls, values: Reals) -> "Sample":
        """The sample of trials one by one."""
        return cls([(values, once(len(values)))])

    @classmethod
    def over(cls, pieces: Iterable[pd.DataFrame], column: str) -> "Sample":
        """The sample of a column of rows that come piece by piece, as often as they are gone through."""
        return cls(of_each(pieces, lambda rows: _known(rows, column)))

    @cached_property
    def trials(self) -> int:
        """The number of trials that have a value."""
        return sum(int(times.sum()) for _, times in self.pieces)

    @cached_property
    def total(self) -> float:
        """The sum over all trials, rounded once, as the sum of all their values one by one is, up to 2²⁴ trials a row."""
        return _sum(chain.from_iterable(_exact(*piece) for piece in self.pieces))

    @property
    def mean(self) -> float:
        """The mean over all trials; NaN of none."""
        return self.total / self.trials if self.trials else nan

    @cached_property
    def squares(self) -> float:
        """The sum of squared distances from the mean over all trials."""
        mean = self.mean
        return _sum(chain.from_iterable(_squares(*piece, mean) for piece in self.pieces))

    @property
    def variance(self) -> float:
        """The unbiased variance; NaN of fewer than two trials."""
        return self.squares / (self.trials - 1) if self.trials > 1 else nan

    def above(self, most: float) -> int:
        """The number of trials that have more than `most`."""
        return sum(int(times[values > most].sum()) for values, times in self.pieces)

    def ranked(self, place: int) -> float:
        """The value at a place of the trials in rising order, from 0 on; NaN is last."""
        if isinstance(self.pieces, list) and len(self.pieces) == 1:
            values, times = self.pieces[0]
            return _ranked(values, times, place)
        leading = np.uint64(0)
        for shift in range(64 - DIGITS, -1, -DIGITS):
            digit, place = self._digit(leading, np.uint64(shift), place)
            leading = leading << np.uint64(DIGITS) | digit
        return _number(leading)

    def _digit(self, leading: np.uint64, shift: np.uint64, place: int) -> tuple[np.uint64, int]:
        """What is in a place of those that begin with the leading bits: its next ones, and its place among those with both."""
        counted = np.zeros(2**DIGITS, np.int64)
        for values, times in self.pieces:
            bits = _bits(values) >> shift
            here = bits >> np.uint64(DIGITS) == leading
            digits = (bits[here] & np.uint64(2**DIGITS - 1)).astype(np.int64)
            counted += np.bincount(digits, times[here], 2**DIGITS).astype(np.int64)
        before = np.concatenate([[0], np.cumsum(counted)])
        digit = int(np.searchsorted(before, place, side="right")) - 1
        return np.uint64(digit), place - int(before[digit])

    def occurring(self, most: int) -> Weighted | None:
        """Each different value, in rising order, and of how many trials it is; None where there are more than so many."""
        values, times = np.empty(0), np.empty(0, np.int64)
        for some, of_some in self.pieces:
            values, place = np.unique(np.concatenate([values, some]), return_inverse=True)
            times = np.bincount(place, np.concatenate([times, of_some])).astype(np.int64)
            if len(values) > most:
                return None
        return values, times


Sampler = Callable[[pd.DataFrame, str], Sample]
"""What finds what all trials of the cells and mechanisms that are in some rows have in a column."""


def _known(rows: pd.DataFrame, column: str) -> Weighted:
    """What rows have in a column, of those that have something there."""
    values = rows[column].to_numpy(float, na_value=nan)
    there = ~np.isnan(values)
    return (values, counts(rows)) if there.all() else (values[there], counts(rows)[there])


def _exact(values: Reals, times: Ints) -> Iterator[float]:
    """Numbers whose sum is that of values, each so many times."""
    with np.errstate(over="ignore", invalid="ignore"):
        upper = values.astype(np.float32).astype(float)  # halves of so few bits that their multiples are exact
        small = np.isfinite(upper)
        terms = np.where(small, upper, values) * times, np.where(small, values - upper, 0.0) * times
    return chain(*terms)


def _squares(values: Reals, times: Ints, mean: float) -> Reals:
    with np.errstate(over="ignore", invalid="ignore"):
        return (values - mean) ** 2 * times


def _sum(terms: Iterable[float]) -> float:
    """Rounded once; NaN where it is none, or beyond all numbers."""
    try:
        return fsum(terms)
    except (OverflowError, ValueError):
        return nan


def _ranked(values: Reals, times: Ints, place: int) -> float:
    if times.sum() == len(values):
        return float(np.partition(values, place)[place])
    order = np.argsort(values)
    return float(values[order[np.searchsorted(np.cumsum(times[order]), place, side="right")]])


def _bits(values: Reals) -> NDArray[np.uint64]:
    """Of each number bits that are larger, as a whole number, the larger it is; of NaN the largest."""
    bits = (values + 0.0).view(np.uint64)  # of −0 those of 0
    ordered = np.where(bits >> np.uint64(63), ~bits, bits | np.uint64(2**63))
    return np.where(np.isnan(values), np.uint64(2**64 - 1), ordered)


def _number(bits: np.uint64) -> float:
    """The number of such bits."""
    number = bits & np.uint64(2**63 - 1) if bits >> np.uint64(63) else ~bits
    return float(np.asarray(number).view(np.float64))
