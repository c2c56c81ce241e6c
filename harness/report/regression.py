"""Fresh tables against the committed reference: is anything not what it was?

Where the versions that make rows are the same (seed, code, numpy, scipy), the rows must be: one that differs is a broken
promise. Reals may differ in their last digits, which for transcendental functions are the processor's. Where the versions are
not the same, what the theory computes of a cell must still be the same number, and what is drawn may differ but its law may
not: each column of each mechanism in each cell that differs from trial to trial is put to a two-sample test. All tests of a
check share its error, so that the chance that any change is named falsely is at most that.

Whatever is not what it was fails the check, also where less of it is better: an error that halves by itself is as likely a
fault in what counts errors. What is meant is made the reference by `harness accept`.

Only the first FIRST_LOOK trials are put to it: every run has these, also one that stops when its data have decided.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import comb
from typing import Any, Literal

import numpy as np
import pandas as pd
import scipy

from harness.arrays import Bools, Ints, Reals
from harness.report.two_sample import two_sample
from harness.sweep.cells import counts
from harness.sweep.counted import COUNT
from harness.sweep.spec import FIRST_LOOK
from harness.trials.columns import Column
from harness.trials.kind import Kind

Difference = Literal["broken", "changed for the worse", "changed", "changed for the better"]
Result = Literal["identical", "no change", "compared nothing"] | Difference
WORST_FIRST: tuple[Difference, ...] = ("broken", "changed for the worse", "changed", "changed for the better")
PLACE = ["cell", "mechanism"]
ROW = [*PLACE, "trial"]
MANY = 10**4  # trials of one table that show a change at any error there is, if there are any of the other
TOLERANCE = 1e-7  # relative, for numbers that are computed and not drawn: processors and versions differ by up to some 1e-8
SHORT = 8  # digits of a cell's identity that are told
BITS = 23  # of a real that are ranked: what differs by less is the same, on whatever processor it was computed


@dataclass(frozen=True)
class Pair:
    """A fresh table of an experiment and its reference.

    same: whether the versions that make rows are the same for both. decided: whether the data decide how many trials a cell
    has, so that only the first FIRST_LOOK of the reference must be there.
    """

    experiment: str
    kind: Kind
    fresh: pd.DataFrame
    reference: pd.DataFrame
    same: bool
    decided: bool = False

    @cached_property
    def common(self) -> pd.Index:
        """The rows that both tables have, by cell, mechanism and trial, in the order of the fresh one."""
        fresh, reference = (pd.MultiIndex.from_frame(frame[ROW]) for frame in (self.fresh, self.reference))
        return fresh[fresh.isin(reference)]


@dataclass(frozen=True)
class ColumnMean:
    """The mean of a column over trials. value: of those that have a number, NaN where none has. nulls: how many have none."""

    value: float
    nulls: int
    trials: int

    @classmethod
    def of(cls, rows: pd.DataFrame, column: str) -> "ColumnMean":
        """That of some rows."""
        numbers, times = rows[column].to_numpy(float, na_value=np.nan), counts(rows)
        there = ~np.isnan(numbers)
        mean = float(np.average(numbers[there], weights=times[there])) if there.any() else np.nan
        return cls(mean, int(times[~there].sum()), int(times.sum()))


@dataclass(frozen=True)
class Change:
    """A column that is not what it was, of one mechanism in one cell.

    result: broken where the row had to be the same; changed for the worse or the better where more of the column is worse and
    there is more or less of it; changed where it is computed, or where no more of it is worse. fresh, reference: the means over
    trials, or of numbers that are computed and rows that had to be the same the two values. null_is: where means leave out
    nulls, and a null is the best or the worst, which of these. p: the chance of such a difference between tables of one law,
    at most; 0 where nothing is random.
    """

    result: Difference
    cell: str
    mechanism: str
    column: str
    fresh: Any
    reference: Any
    trial: int | None = None
    p: float = 0.0
    null_is: str = ""


@dataclass(frozen=True)
class Comparison:
    """What became of one experiment. rows: compared; tests: of these, two-sample tests; changes: what they found.

    nothing: why nothing was compared; empty if something was. lacking: what was left out, each in words. part: whether anything
    was. versions: what makes rows and is not the same for both tables, in words. advice: what to do.
    """

    experiment: str
    rows: int
    identical: bool
    changes: Sequence[Change] = ()
    tests: int = 0
    nothing: str = ""
    lacking: Sequence[str] = ()
    part: bool = False
    versions: Sequence[str] = ()
    advice: str = ""

    @property
    def results(self) -> list[Result]:
        """All that was found, the worst first."""
        found = {change.result for change in self.changes}
        calm: Result = "compared nothing" if self.nothing else "identical" if self.identical else "no change"
        return [result for result in WORST_FIRST if result in found] or [calm]

    @property
    def result(self) -> Result:
        """The worst of it."""
        return self.results[0]

    @property
    def told(self) -> str:
        """The results in words."""
        return ", ".join([*self.results, *["in part"] * (self.part and not self.nothing)])

    @property
    def code(self) -> int:
        """The exit code of a check of this alone: 0 the same law, 1 another, 3 only a part was compared, 4 nothing was."""
        return 1 if self.changes else 4 if self.nothing else 3 if self.part else 0


@dataclass(frozen=True)
class _Samples:
    """One drawn column of one mechanism in one cell, in the fresh table and in the reference, that is not constant."""

    cell: str
    mechanism: str
    column: Column
    fresh: Reals
    reference: Reals
    times: tuple[Ints, Ints]
    means: tuple[ColumnMean, ColumnMean]


def compare(pairs: Iterable[Pair], error: float) -> list[Comparison]:
    """Each pair's comparison. The chance that any change among all of them is none is at most `error`."""
    pairs = list(pairs)
    differing = [_first_difference(pair) for pair in pairs]
    samples = [
        list(_samples(pair)) if change is not None and not pair.same else []
        for pair, change in zip(pairs, differing, strict=True)
    ]
    # Which columns are constant, or ranked alike, over both tables together says nothing about which rows are whose.
    share = error / max(1, sum(map(len, samples)))
    return [_comparison(pair, change, drawn, share) for pair, change, drawn in zip(pairs, differing, samples, strict=True)]


def _comparison(pair: Pair, differing: Change | None, samples: list[_Samples], share: float) -> Comparison:
    rows = len(pair.common)
    lacking = list(missing(pair))
    found = Comparison(pair.experiment, rows, differing is None, lacking=lacking, part=bool(lacking))
    if not rows:
        return replace(found, nothing="the fresh table has no row of the reference")
    if differing is None or pair.same:
        return replace(found, changes=[] if differing is None else [differing])
    tested = (_tested(drawn, share) for drawn in samples)
    changes = [*_computed_changes(pair), *(change for change in tested if change is not None)]
    weak, groups = _too_few(pair, share)
    if weak and len(weak) == groups:
        return replace(found, changes=changes, tests=len(samples), nothing=weak[0])
    lacking += weak[:1]
    return replace(found, changes=changes, tests=len(samples), part=bool(lacking))


def missing(pair: Pair) -> Iterator[str]:
    """What the reference has and the fresh table lacks: cells, mechanisms in the others, and trials in what is left."""
    old, new = pair.reference, pair.fresh
    if len(pair.common) == len(old):
        return
    cells = old["cell"].unique()
    if absent := [cell for cell in cells if cell not in set(new["cell"])]:
        left = f"{len(cells) - len(absent)} of {len(cells)}"
        yield f"fewer cells than the reference: {left}, without such as {absent[0][:SHORT]}"
    places = old[PLACE].drop_duplicates()
    there = pd.MultiIndex.from_frame(new[PLACE])
    gone = places[~pd.MultiIndex.from_frame(places).isin(there) & ~places["cell"].isin(absent)]
    for name, count in gone["mechanism"].value_counts(sort=False).items():
        yield f"fewer mechanisms than the reference: {name} is not in {count} of {len(cells)} cells"
    yield from _fewer_trials(pair, old[pd.MultiIndex.from_frame(old[PLACE]).isin(there)])


def _fewer_trials(pair: Pair, old: pd.DataFrame) -> Iterator[str]:
    """The same of trials. old: the rows of the reference in cells with mechanisms that the fresh table has too."""
    old = old[old["trial"] < FIRST_LOOK] if pair.decided else old
    asked = _trials(old)
    if COUNT.name in old:
        there = _trials(pair.fresh).reindex(asked.index, fill_value=0)
        lost = (asked - there)[asked > there]
    else:
        lost = old[~pd.MultiIndex.from_frame(old[ROW]).isin(pair.common)].groupby(PLACE, sort=False).size()
    if len(lost):
        (cell, mechanism), fewer = lost.index[0], int(lost.iloc[0])
        all_trials = int(asked[cell, mechanism])
        others = f", and fewer in {len(lost) - 1} other places" if len(lost) > 1 else ""
        where = f"{cell[:SHORT]} with {mechanism}"
        yield f"fewer trials than the reference: {all_trials - fewer:,} of {all_trials:,} of {where}{others}"


def _trials(rows: pd.DataFrame) -> "pd.Series[int]":
    """How many trials there are of each mechanism in each cell."""
    return rows[PLACE].assign(times=counts(rows)).groupby(PLACE, sort=False)["times"].sum()


def _too_few(pair: Pair, share: float) -> tuple[list[str], int]:
    """Of each mechanism in each cell that has too few trials for any change to show at an error, that; and of how many."""
    sizes = (
        [(int(counts(fresh).sum()), int(counts(old).sum())) for _, _, fresh, old in _groups(pair)] if pair.kind.drawn else []
    )
    weak = [each for each in sizes if 2 > share * comb(sum(each), each[0])]
    said = f"too few trials for any change to show in {len(weak)} of {len(sizes)} places: "
    return [f"{said}{fresh} against {reference}" for fresh, reference in weak], len(sizes)


def _first_difference(pair: Pair) -> Change | None:
    """The first common row that is not the same in both tables, in all columns but `seconds`; None if there is none.

    Reals are the same within TOLERANCE.
    """
    common = pair.common
    fresh, reference = (frame.set_index(ROW).loc[common] for frame in (pair.fresh, pair.reference))
    firsts = []
    for position, column in enumerate(pair.kind.columns):
        same = _same(column, fresh[column.name], reference[column.name])
        if not same.all():
            firsts.append((int(np.argmin(same)), position, column.name))
    if not firsts:
        return None
    row, _, name = min(firsts)
    cell, mechanism, trial = common[row]
    return Change("broken", cell, mechanism, name, fresh[name].iloc[row], reference[name].iloc[row], int(trial))


def _same(column: Column, new: "pd.Series[Any]", old: "pd.Series[Any]") -> Bools:
    """Where two columns of as many rows are the same: both null, or equal, reals within TOLERANCE."""
    same: Bools = ((new == old).fillna(False) | (new.isna() & old.isna())).to_numpy(bool)
    if column.type == "real":
        fresh, reference = (each.to_numpy(float, na_value=np.inf) for each in (new, old))
        same = same | np.isclose(fresh, reference, rtol=TOLERANCE, atol=0)
    return same


def _groups(pair: Pair) -> Iterator[tuple[str, str, pd.DataFrame, pd.DataFrame]]:
    """The rows that are tested of each mechanism in each cell that both tables have."""
    first = (frame[frame["trial"] < FIRST_LOOK].groupby(PLACE, sort=False) for frame in (pair.fresh, pair.reference))
    fresh_groups, references = (dict(iter(groups)) for groups in first)
    for (cell, mechanism), fresh in fresh_groups.items():
        if (cell, mechanism) in references:
            yield str(cell), str(mechanism), fresh, references[cell, mechanism]


def _values(rows: pd.DataFrame, column: Column) -> Reals:
    """A column as reals of BITS digits; a null is better than any number where the column says so, and else worse."""
    null = -np.inf if column.null_is == "best" else np.inf
    digits, powers = np.frexp(rows[column.name].to_numpy(float, na_value=null))
    return np.asarray(np.ldexp(np.round(digits * 2.0**BITS) / 2.0**BITS, powers), np.float64)


def _samples(pair: Pair) -> Iterator[_Samples]:
    """What is tested. Of columns that rank all trials alike, or the other way round, one; of which more is worse, if any."""
    for cell, mechanism, fresh, reference in _groups(pair):
        varying = [column for column in pair.kind.computed if column.is_number and not _constant(column, fresh, reference)]
        seen: set[bytes] = set()
        for column in sorted([*pair.kind.drawn, *varying], key=lambda column: not column.worse):
            new, old = _values(fresh, column), _values(reference, column)
            ranks = scipy.stats.rankdata(np.append(new, old))
            ways = {ranks.tobytes(), (len(ranks) + 1 - ranks).tobytes()}
            if (ranks != ranks[0]).any() and not ways & seen:
                seen |= ways
                means = ColumnMean.of(fresh, column.name), ColumnMean.of(reference, column.name)
                yield _Samples(cell, mechanism, column, new, old, (counts(fresh), counts(reference)), means)


def _computed_changes(pair: Pair) -> Iterator[Change]:
    """What the theory computes of a cell may not differ at all, but for the last digits of a real."""
    for cell, mechanism, fresh, reference in _groups(pair):
        for column in pair.kind.computed:
            new, old = (rows[column.name].iloc[:1].reset_index(drop=True) for rows in (fresh, reference))
            if _constant(column, fresh, reference) and not _same(column, new, old).all():
                yield Change("changed", cell, mechanism, column.name, new.iloc[0], old.iloc[0])


def _constant(column: Column, *tables: pd.DataFrame) -> bool:
    """Whether a column is the same in all rows of each table: a mechanism may choose its cutoff by what it sees in a trial."""
    return all(rows[column.name].nunique(dropna=False) == 1 for rows in tables)


def _tested(drawn: _Samples, share: float) -> Change | None:
    p, larger = two_sample(drawn.fresh, drawn.reference, drawn.times)
    if p > share:
        return None
    worse: Difference = "changed for the worse" if larger else "changed for the better"
    null_is = drawn.column.null_is if any(mean.nulls for mean in drawn.means) else ""
    result: Difference = worse if drawn.column.worse else "changed"
    return Change(result, drawn.cell, drawn.mechanism, drawn.column.name, *drawn.means, p=p, null_is=null_is)
