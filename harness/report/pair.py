"""A fresh table and its reference, one mechanism in one cell at a time: which trials both have, and where they first differ.

Of a long table some thousand rows of one such place are held at a time.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from harness.arrays import Bools, Ints
from harness.sweep.spec import FIRST_LOOK
from harness.sweep.table.cells import Cells
from harness.sweep.table.counted import COUNT
from harness.sweep.table.groups import GROUP_BY
from harness.sweep.table.samples import counts
from harness.trials.columns import Column
from harness.trials.kind import Kind

TOLERANCE = 1e-7  # relative, for numbers that are computed and not drawn: processors and versions differ by up to some 1e-8
Which = slice | Ints
"""Which of some rows."""

SHORT = 8  # digits of a cell's identity that are told


@dataclass(frozen=True)
class FirstDifference:
    """The first row, and in it the first column, that differs between a fresh table and its reference, with both values.

    order: of its row and column among those of the whole fresh table.
    """

    order: tuple[int, ...]
    cell: str
    mechanism: str
    trial: int
    column: str
    fresh: Any
    reference: Any


@dataclass(frozen=True)
class SharedPlace:
    """What a fresh table and its reference have of one mechanism in one cell. rows: how many both have.

    wanted: the trials of the reference that the fresh table should have; lost: how many of them it has not. sizes: how many of
    the first FIRST_LOOK trials either has.
    """

    cell: str
    mechanism: str
    rows: int
    wanted: int
    lost: int
    sizes: tuple[int, int]
    differs: FirstDifference | None


@dataclass(frozen=True)
class Pair:
    """A fresh table of an experiment and its reference.

    same: whether the versions that make rows are the same for both. decided: whether the data decide how many trials a cell
    has, so that only the first FIRST_LOOK of the reference must be there.
    """

    experiment: str
    kind: Kind
    fresh: Cells
    reference: Cells
    same: bool
    decided: bool = False

    @cached_property
    def _both(self) -> list[tuple[int, int]]:
        """Where either table has each place that both have, in the order of the fresh one."""
        among = {place: number for number, place in enumerate(_places(self.reference))}
        return [(number, among[place]) for number, place in enumerate(_places(self.fresh)) if place in among]

    @cached_property
    def shared(self) -> list[SharedPlace]:
        """What both have, place by place in the order of the fresh table."""
        cells = pd.factorize(self.fresh.heads["cell"])[0]
        return [self._shared(new, old, int(cells[new])) for new, old in self._both]

    @property
    def differs(self) -> FirstDifference | None:
        """The first row that both have and that is not the same, in all columns but `seconds`; None if there is none."""
        differences = (place.differs for place in self.shared)
        return min((each for each in differences if each is not None), key=lambda one: one.order, default=None)

    def firsts(self) -> Iterator[tuple[str, str, pd.DataFrame, pd.DataFrame]]:
        """The first FIRST_LOOK trials of each place that both have, in the fresh table and in the reference."""
        for place, (new, old) in zip(self.shared, self._both, strict=True):
            yield place.cell, place.mechanism, _first(self.fresh, new), _first(self.reference, old)

    def _shared(self, number: int, other: int, cell: int) -> SharedPlace:
        name, mechanism = (str(self.fresh.heads[which].iloc[number]) for which in GROUP_BY)
        tally, differs = np.zeros(5, np.int64), None
        for both in _side_by_side(_in_order(self.fresh, number), _in_order(self.reference, other)):
            tally += both.tally(self.decided)
            if differs is None and (first := both.first_difference(self.kind)):
                trial, position, values = first
                column = self.kind.columns[position].name
                differs = FirstDifference((cell, trial, number, position), name, mechanism, trial, column, *values)
        rows, wanted, there, *sizes = tally.tolist()
        return SharedPlace(name, mechanism, rows, wanted, max(0, wanted - there), (sizes[0], sizes[1]), differs)


@dataclass(frozen=True)
class _BothTables:
    """The rows of one place in the fresh table and in its reference, of the same range of trials, which rise in either."""

    fresh: pd.DataFrame
    reference: pd.DataFrame

    @cached_property
    def _common(self) -> tuple[Ints, Which, Which]:
        """The trials that both have, and where either has them."""
        new, old = (rows["trial"].to_numpy(np.int64) for rows in (self.fresh, self.reference))
        if np.array_equal(new, old):
            return new, slice(None), slice(None)
        trials, here, there = np.intersect1d(new, old, assume_unique=True, return_indices=True)
        return trials, here, there

    def tally(self, decided: bool) -> Ints:
        """How many rows both have; the trials of the reference that are wanted, and how many of them are there; and how many
        of the first FIRST_LOOK trials either has, (5,).
        """
        most = FIRST_LOOK if decided else np.inf
        (new, new_times), (old, old_times) = map(_trials, (self.fresh, self.reference))
        trials, *_ = self._common
        counted = COUNT.name in self.fresh or COUNT.name in self.reference
        there = new_times.sum() if counted else (trials < most).sum()
        first = (times.sum(where=which < FIRST_LOOK) for which, times in ((new, new_times), (old, old_times)))
        return np.array([len(trials), old_times.sum(where=old < most), there, *first], np.int64)

    def first_difference(self, kind: Kind) -> tuple[int, int, tuple[Any, Any]] | None:
        """The first of the common trials that differs, the first column in which it does, and both values."""
        trials, here, there = self._common
        first: tuple[int, int, tuple[Any, Any]] | None = None
        for position, column in enumerate(kind.columns):
            fresh, reference = self.fresh[column.name].array[here], self.reference[column.name].array[there]
            alike = equal_places(column, fresh, reference)
            if not alike.all() and (first is None or int(np.argmin(alike)) < first[0]):
                row = int(np.argmin(alike))
                first = row, position, (fresh[row], reference[row])
        return first and (int(trials[first[0]]), *first[1:])


def missing(pair: Pair) -> Iterator[str]:
    """What the reference has and the fresh table lacks, in words, a line each.
    These are cells, mechanisms in the others, and trials in what is left.
    """
    old, there = pair.reference.heads, {*_places(pair.fresh)}
    cells, present = old["cell"].unique(), {cell for cell, _ in there}
    if absent := [cell for cell in cells if cell not in present]:
        left = f"{len(cells) - len(absent)} of {len(cells)}"
        yield f"fewer cells than the reference: {left}, without such as {absent[0][:SHORT]}"
    gone = [place in there or place[0] not in present for place in _places(pair.reference)]
    for name, count in old["mechanism"][~np.array(gone, bool)].value_counts(sort=False).items():
        yield f"fewer mechanisms than the reference: {name} is not in {count} of {len(cells)} cells"
    if short := [place for place in pair.shared if place.lost]:
        first = short[0]
        others = f", and fewer in {len(short) - 1} other places" if len(short) > 1 else ""
        where = f"{first.cell[:SHORT]} with {first.mechanism}"
        yield f"fewer trials than the reference: {first.wanted - first.lost:,} of {first.wanted:,} of {where}{others}"


def equal_places(column: Column, new: Any, old: Any) -> Bools:
    """Where two columns of as many rows have equal values: both null, or equal, reals within TOLERANCE.
    new, old: pandas' arrays.
    """
    fresh, reference = pd.Series(new, copy=False), pd.Series(old, copy=False)
    alike: Bools = ((fresh == reference).fillna(False) | (fresh.isna() & reference.isna())).to_numpy(bool)
    if column.type == "real" and not alike.all():
        one, other = (each.to_numpy(float, na_value=np.inf) for each in (fresh, reference))
        alike = alike | np.isclose(one, other, rtol=TOLERANCE, atol=0)
    return alike


def _places(cells: Cells) -> list[tuple[str, str]]:
    """The cell and mechanism of each place of a table, in its order."""
    return list(zip(*(cells.heads[name] for name in GROUP_BY), strict=True))


def _trials(rows: pd.DataFrame) -> tuple[Ints, Ints]:
    """The trials of some rows, and for how many trials each row stands."""
    return rows["trial"].to_numpy(np.int64), counts(rows)


def _in_order(cells: Cells, number: int) -> Iterator[pd.DataFrame]:
    """The rows of one place of a table piece by piece, by rising trials: all at once where they do not come so."""
    last = -1
    for rows in cells.pieces_of(number, ["trial"]):
        trials = np.append(last, rows["trial"])
        if (np.diff(trials) <= 0).any():
            return iter([pd.concat([*cells.pieces_of(number)]).sort_values("trial", kind="stable")])
        last = int(trials[-1])
    return iter(cells.pieces_of(number))


def _side_by_side(*tables: Iterator[pd.DataFrame]) -> Iterator[_BothTables]:
    """The rows of a place of two tables, which come by rising trials: of both those up to the same trial at a time."""
    held = [next(table) for table in tables]
    while any(map(len, held)):
        last = min(int(rows["trial"].iloc[-1]) for rows in held if len(rows))
        ends = [int(np.searchsorted(rows["trial"], last, side="right")) for rows in held]
        yield _BothTables(*(rows.iloc[:end] for rows, end in zip(held, ends, strict=True)))
        left = (rows.iloc[end:] for rows, end in zip(held, ends, strict=True))
        held = [rows if len(rows) else next(table, rows) for rows, table in zip(left, tables, strict=True)]


def _first(cells: Cells, number: int) -> pd.DataFrame:
    """Those of the first FIRST_LOOK trials of one place of a table."""
    return pd.concat([rows[rows["trial"] < FIRST_LOOK] for rows in cells.pieces_of(number)], ignore_index=True)
