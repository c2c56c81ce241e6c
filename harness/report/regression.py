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
from math import comb
from typing import Any, Literal

import numpy as np
import pandas as pd
import scipy

from harness.arrays import Reals
from harness.report.pair import Pair, equal_places, missing
from harness.report.two_sample import two_sample
from harness.sweep.table.samples import Sample, counts
from harness.trials.columns import Column

Difference = Literal["broken", "changed for the worse", "changed", "changed for the better"]
Result = Literal["identical", "no change", "compared nothing"] | Difference
WORST_FIRST: tuple[Difference, ...] = ("broken", "changed for the worse", "changed", "changed for the better")
MANY = 10**4  # trials of one table that show a change at any error there is, if there are any of the other
BITS = 23  # of a real that are ranked: what differs by less is the same, on whatever processor it was computed


@dataclass(frozen=True)
class ColumnMean:
    """The mean of a column over trials. value: over those with a number, NaN where none has. nulls: how many have none."""

    value: float
    nulls: int
    trials: int

    @classmethod
    def of(cls, rows: pd.DataFrame, column: str) -> "ColumnMean":
        """The mean of a column over some rows."""
        sample, trials = Sample.of(rows, column), int(counts(rows).sum())
        return cls(sample.mean, trials - sample.trials, trials)


@dataclass(frozen=True)
class Change:
    """A column of one mechanism in one cell that differs between a fresh table and its reference.

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
    """What became of one experiment's fresh table. rows: compared; tests: of these, two-sample tests; changes: found.

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
        """The results of all changes, the worst first."""
        results = {change.result for change in self.changes}
        calm: Result = "compared nothing" if self.nothing else "identical" if self.identical else "no change"
        return [result for result in WORST_FIRST if result in results] or [calm]

    @property
    def result(self) -> Result:
        """The worst of it."""
        return self.results[0]

    @property
    def label(self) -> str:
        """The results in words."""
        return ", ".join([*self.results, *["in part"] * (self.part and not self.nothing)])

    @property
    def code(self) -> int:
        """The exit code of a check of this alone: 0 the same law, 1 another, 3 only a part was compared, 4 nothing was."""
        return 1 if self.changes else 4 if self.nothing else 3 if self.part else 0


@dataclass(frozen=True)
class _Asked:
    """What is found of the places that both tables have. drawn: of each two-sample test the change it is of, with its p."""

    computed: Sequence[Change] = ()
    drawn: Sequence[Change] = ()


def compare(pairs: Iterable[Pair], error: float) -> list[Comparison]:
    """Compares each fresh table with its reference. The chance that any change found is a false one is at most `error`."""
    pairs = list(pairs)
    questions = [_Asked() if pair.same or pair.differs is None else _asked(pair) for pair in pairs]
    # Which columns are constant, or ranked alike, over both tables together says nothing about which rows are whose.
    share = error / max(1, sum(len(each.drawn) for each in questions))
    return [_comparison(pair, each, share) for pair, each in zip(pairs, questions, strict=True)]


def _comparison(pair: Pair, questions: _Asked, share: float) -> Comparison:
    rows, differs = sum(place.rows for place in pair.shared), pair.differs
    lacking = list(missing(pair))
    comparison = Comparison(pair.experiment, rows, differs is None, lacking=lacking, part=bool(lacking))
    if not rows:
        return replace(comparison, nothing="the fresh table has no row of the reference")
    if differs is None:
        return replace(comparison, changes=[])
    if pair.same:
        where = differs.cell, differs.mechanism, differs.column
        return replace(comparison, changes=[Change("broken", *where, differs.fresh, differs.reference, differs.trial)])
    changes = [*questions.computed, *(change for change in questions.drawn if change.p <= share)]
    weak, places = _too_few(pair, share)
    if weak and len(weak) == places:
        return replace(comparison, changes=changes, tests=len(questions.drawn), nothing=weak[0])
    lacking += weak[:1]
    return replace(comparison, changes=changes, tests=len(questions.drawn), part=bool(lacking))


def _too_few(pair: Pair, share: float) -> tuple[list[str], int]:
    """Of each mechanism in each cell that has too few trials for any change to show at an error, that; and of how many."""
    sizes = [place.sizes for place in pair.shared if min(place.sizes)] if pair.kind.drawn else []
    weak = [each for each in sizes if 2 > share * comb(sum(each), each[0])]
    sentence = f"too few trials for any change to show in {len(weak)} of {len(sizes)} places: "
    return [f"{sentence}{fresh} against {reference}" for fresh, reference in weak], len(sizes)


def _asked(pair: Pair) -> _Asked:
    computed: list[Change] = []
    drawn: list[Change] = []
    for cell, mechanism, fresh, reference in pair.firsts():
        if len(fresh) and len(reference):
            constant = {column.name for column in pair.kind.computed if _constant(column, fresh, reference)}
            for column in pair.kind.computed:
                new, old = fresh[column.name].array[:1], reference[column.name].array[:1]
                if column.name in constant and not equal_places(column, new, old).all():
                    computed.append(Change("changed", cell, mechanism, column.name, new[0], old[0]))
            varying = [column for column in pair.kind.computed if column.is_number and column.name not in constant]
            columns = sorted([*pair.kind.drawn, *varying], key=lambda column: not column.worse)
            for column, *values in _apart(columns, fresh, reference):
                drawn.append(_tested((cell, mechanism, column), values, fresh, reference))
    return _Asked(computed, drawn)


def _values(rows: pd.DataFrame, column: Column) -> Reals:
    """A column as reals of BITS digits; a null is better than any number where the column says so, and else worse."""
    null = -np.inf if column.null_is == "best" else np.inf
    digits, powers = np.frexp(rows[column.name].to_numpy(float, na_value=null))
    return np.asarray(np.ldexp(np.round(digits * 2.0**BITS) / 2.0**BITS, powers), np.float64)


def _apart(columns: Iterable[Column], fresh: pd.DataFrame, reference: pd.DataFrame) -> Iterator[tuple[Column, Reals, Reals]]:
    """Columns that are not constant, with their values; of those that rank all trials alike, or the other way round, one."""
    seen: set[bytes] = set()
    for column in columns:
        new, old = _values(fresh, column), _values(reference, column)
        ranks = scipy.stats.rankdata(np.append(new, old))
        ways = {ranks.tobytes(), (len(ranks) + 1 - ranks).tobytes()}
        if (ranks != ranks[0]).any() and not ways & seen:
            seen |= ways
            yield column, new, old


def _constant(column: Column, *tables: pd.DataFrame) -> bool:
    """Whether a column is the same in all rows of each table: a mechanism may choose its cutoff by what it sees in a trial."""
    return all(rows[column.name].nunique(dropna=False) == 1 for rows in tables)


def _tested(where: tuple[str, str, Column], values: Sequence[Reals], fresh: pd.DataFrame, reference: pd.DataFrame) -> Change:
    """What is to be said of a column that is drawn, of a mechanism in a cell, if its p is small enough."""
    cell, mechanism, column = where
    p, larger = two_sample(values[0], values[1], (counts(fresh), counts(reference)))
    means = ColumnMean.of(fresh, column.name), ColumnMean.of(reference, column.name)
    worse: Difference = "changed for the worse" if larger else "changed for the better"
    null_is = column.null_is if any(mean.nulls for mean in means) else ""
    result: Difference = worse if column.worse else "changed"
    return Change(result, cell, mechanism, column.name, *means, p=p, null_is=null_is)
