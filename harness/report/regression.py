"""Fresh tables against the committed reference: is anything not what it was?

Where the versions that make rows are the same (seed, code, numpy, scipy), the rows must be: one that differs is a broken
promise. Reals may differ in their last digits, which for transcendental functions are the processor's. Where the versions are
not the same, what the theory computes of a cell must still be the same number, and what is drawn may differ but its law may
not: each column of each mechanism in each cell that differs from trial to trial is put to a two-sample test. All tests of a
check share its error, so that the chance that any change is named falsely is at most that.

Whatever is not what it was fails the check, also where less of it is better: an error that halves by itself is as likely a
fault in what counts errors. What is meant is made the reference by `harness accept`.

The test is Mann and Whitney's, two-sided, on midranks: it asks whether counts tend to be larger, a few huge ones do not drown
the others, and on counts of 0 and 1 it is Fisher's. Its p-value is no normal approximation, which fails for tiny counts and
many zeros at errors as small as a thousandth shared by thousands of tests. Under the hypothesis, which trials are the fresh
ones is a uniform choice of n of the N there are: independent coins of probability π = n/N, given that n came up. So Chernoff's
bound for the coins, over P(Bin(N, π) = n), bounds the permutation tail for every sample size and law. The best exponent is the
log-likelihood gained by a logistic regression of the coin on the rank, and the bound is attained where the samples
do not overlap. Tables that share random numbers are more alike than independent ones, which makes the test only quieter.

Only the first FIRST_LOOK trials are tested: every run has these, also one that stops when its data have decided.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any, Literal

import numpy as np
import pandas as pd
import scipy
from scipy.special import expit

from harness.arrays import Bools, Reals
from harness.sweep.run import FIRST_LOOK
from harness.trials.columns import Column
from harness.trials.kind import Kind

Difference = Literal["broken", "regression", "changed", "improvement"]
Result = Literal["identical", "no change", "compared nothing"] | Difference
WORST_FIRST: tuple[Difference, ...] = ("broken", "regression", "changed", "improvement")
PLACE = ["cell", "mechanism"]
ROW = [*PLACE, "trial"]
TOLERANCE = 1e-7  # relative, for numbers that are computed and not drawn: processors and versions differ by up to some 1e-8
BITS = 23  # of a real that are ranked: what differs by less is the same, on whatever processor it was computed
STEPS, CONVERGED = 60, 1e-9


@dataclass(frozen=True)
class Pair:
    """A fresh table of an experiment and its reference.

    same: whether the versions that make rows are the same for both. part: the fresh one lacks trials that its spec asks for.
    lacks: what the reference lacks of what the spec asks for, in words; empty if nothing.
    """

    experiment: str
    kind: Kind
    fresh: pd.DataFrame
    reference: pd.DataFrame
    same: bool
    part: bool = False
    lacks: str = ""


@dataclass(frozen=True)
class Change:
    """A column that is not what it was, of one mechanism in one cell.

    result: broken where the row had to be the same; regression or improvement where more of the column is worse and there is
    more or less of it; changed where it is computed, or where no more of it is worse. fresh, reference: the means over trials,
    or of numbers that are computed and rows that had to be the same the two values. p: the chance of such a difference between
    tables of one law, at most; 0 where nothing is random.
    """

    result: Difference
    cell: str
    mechanism: str
    column: str
    fresh: Any
    reference: Any
    trial: int | None = None
    p: float = 0.0


@dataclass(frozen=True)
class Comparison:
    """What became of one experiment. rows: compared; tests: of these, two-sample tests; changes: what they found.

    nothing: why there was nothing to compare, or not all that there should be; empty if all is well. part: the fresh table
    lacks trials, and what it has was compared.
    """

    experiment: str
    rows: int
    identical: bool
    changes: Sequence[Change] = ()
    tests: int = 0
    nothing: str = ""
    part: bool = False

    @property
    def result(self) -> Result:
        """The worst that was found."""
        found = {change.result for change in self.changes}
        for result in WORST_FIRST:
            if result in found:
                return result
        return "compared nothing" if self.nothing else "identical" if self.identical else "no change"

    @property
    def as_before(self) -> bool:
        """Whether all that was compared is what it was."""
        return not self.changes

    @property
    def told(self) -> str:
        """The result in words."""
        return f"{self.result}, in part" if self.part else self.result


@dataclass(frozen=True)
class _Samples:
    """One drawn column of one mechanism in one cell, in the fresh table and in the reference, that is not constant.

    worse: whether more of it is worse.
    """

    cell: str
    mechanism: str
    column: str
    worse: bool
    fresh: Reals
    reference: Reals


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
    common = _common(pair)
    nothing = _nothing(pair, common, share if differing is not None and not pair.same else None) or pair.lacks
    if pair.part and len(common):
        nothing = ""  # that it is not all is known
    if differing is None or pair.same:
        changes = [] if differing is None else [differing]
        return Comparison(pair.experiment, len(common), differing is None, changes, 0, nothing, pair.part)
    tested = (_tested(drawn, share) for drawn in samples)
    changes = [*_computed_changes(pair), *(change for change in tested if change is not None)]
    return Comparison(pair.experiment, len(common), False, changes, len(samples), nothing, pair.part)


def _common(pair: Pair) -> pd.Index:
    """The rows that both tables have, by cell, mechanism and trial, in the order of the fresh one."""
    fresh, reference = (pd.MultiIndex.from_frame(frame[ROW]) for frame in (pair.fresh, pair.reference))
    return fresh[fresh.isin(reference)]


def _nothing(pair: Pair, common: pd.Index, share: float | None) -> str:
    """Why nothing was compared, or not all of the reference. share: the error of each test, where there are tests."""
    if not len(common):
        return "the fresh table has no row of the reference"
    places = {(cell, mechanism) for cell, mechanism, _ in common}
    absent = {(cell, mechanism) for cell, mechanism in pair.reference[PLACE].itertuples(index=False)} - places
    if absent:
        cell, mechanism = min(absent)
        return f"{len(absent)} of the reference's cells are not in the fresh table, such as {cell} with {mechanism}"
    rows = pd.MultiIndex.from_frame(pair.reference.loc[pair.reference["trial"] < FIRST_LOOK, ROW])
    lost = rows[~rows.isin(common)]
    if len(lost):
        cell, mechanism, trial = lost[0]
        which = f"such as trial {trial} of {cell} with {mechanism}"
        return f"{len(lost)} of the reference's rows are not in the fresh table, {which}"
    if share is not None and pair.kind.drawn:
        for _, _, fresh, reference in _groups(pair):
            if 2 > share * comb(len(fresh) + len(reference), len(fresh)):
                return f"{len(fresh)} trials against {len(reference)} are too few for any change to show"
    return ""


def _first_difference(pair: Pair) -> Change | None:
    """The first common row that is not the same in both tables, in all columns but `seconds`; None if there is none.

    Reals are the same within TOLERANCE.
    """
    common = _common(pair)
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


def _values(rows: pd.DataFrame, column: str) -> Reals:
    """A column as reals of BITS digits; a null, where nothing is promised or nothing was measured, is worse than any number."""
    digits, powers = np.frexp(rows[column].to_numpy(float, na_value=np.inf))
    return np.asarray(np.ldexp(np.round(digits * 2.0**BITS) / 2.0**BITS, powers), np.float64)


def _samples(pair: Pair) -> Iterator[_Samples]:
    """What is tested. Of columns that rank all trials alike, or the other way round, one; of which more is worse, if any."""
    for cell, mechanism, fresh, reference in _groups(pair):
        varying = [column for column in pair.kind.computed if column.is_number and not _constant(column, fresh, reference)]
        seen: set[bytes] = set()
        for column in sorted([*pair.kind.drawn, *varying], key=lambda column: not column.worse):
            new, old = _values(fresh, column.name), _values(reference, column.name)
            ranks = scipy.stats.rankdata(np.append(new, old))
            ways = {ranks.tobytes(), (len(ranks) + 1 - ranks).tobytes()}
            if (ranks != ranks[0]).any() and not ways & seen:
                seen |= ways
                yield _Samples(cell, mechanism, column.name, column.worse, new, old)


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
    p, larger = two_sample(drawn.fresh, drawn.reference)
    if p > share:
        return None
    result: Difference = "changed" if not drawn.worse else "regression" if larger else "improvement"
    means = float(drawn.fresh.mean()), float(drawn.reference.mean())
    return Change(result, drawn.cell, drawn.mechanism, drawn.column, *means, p=p)


def two_sample(fresh: Reals, reference: Reals) -> tuple[float, bool]:
    """An upper bound on the two-sided permutation p-value of the rank sum, and whether the fresh sample is the larger one.

    Valid for any two sample sizes ≥ 1 and any values, ties and infinities included. See the module's docstring.
    """
    n, N = len(fresh), len(fresh) + len(reference)
    ranks = scipy.stats.rankdata(np.concatenate([fresh, reference]))
    spread = float(ranks.std())
    if spread == 0:
        return 1.0, False
    design = np.stack([np.ones(N), (ranks - ranks.mean()) / spread])
    chosen = np.arange(N) < n
    gained, slope = _logistic_gain(design, chosen)
    tail = float(np.exp(-gained)) / float(scipy.stats.binom.pmf(n, N, n / N))
    return min(1.0, 2 * tail), slope > 0


def _logistic_gain(design: Reals, chosen: Bools) -> tuple[float, float]:
    """How much the log-likelihood of a logistic regression exceeds that of its constant alone, and its slope.

    design: (2, N), a constant and the covariate. Newton's method with step halving. Any point on the way gives a valid bound,
    so nothing but power depends on convergence; samples that do not overlap send the slope to infinity, and STEPS ends it.
    """

    def likelihood(weights: Reals) -> float:
        odds = weights @ design
        return float(odds[chosen].sum() - np.logaddexp(0, odds).sum())

    share = chosen.mean()
    weights = np.array([np.log(share / (1 - share)), 0.0])
    start = best = likelihood(weights)
    for _ in range(STEPS):
        coins = expit(weights @ design)
        hessian = (design * (coins * (1 - coins))) @ design.T + 1e-12 * np.eye(2)
        step = np.linalg.solve(hessian, design @ (chosen - coins))
        while (reached := likelihood(weights + step)) < best and np.abs(step).max() > CONVERGED:
            step = step / 2
        if reached - best < CONVERGED:
            break
        weights, best = weights + step, reached
    return best - start, float(weights[1])
