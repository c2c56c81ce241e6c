"""Thresholds of least risk on given labels, and the few of m uniform points that matter to them.

Points are offsets from the target, as thresholds keep them. Only near the target may k thresholds differ; how far that is
follows from how many examples they have. Points there are drawn one by one, nearest first; the others are counted, as uniform
on their side of them. Those of them that got a rare label after all are placed, and of the others between two of these the
first and the last.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, expm1, log, log1p

import numpy as np
import scipy
from scipy.special import rel_entr

from harness.arrays import Indices, Ints, Labels, Reals, indices_of, order_of
from harness.ballots import Queries

BEYOND = 40.0  # what is less likely than e^−40 is left out
FEW_POINTS = 1 << 12  # to draw all of so many is as quick
FIRST = 1 << 8  # points in the first block of the nearest, of all trials together; each further block has twice as many
LEAST_FIRST = 1 << 2  # and of each trial
NO_MORE = 1e-200  # points that are left: the next is beyond all
MARGIN = 1e-6  # by which the least of a trial may pass what is asked and be looked at closely: far more than its last digits

Rule = Callable[[Reals, Reals], Reals]
"""Where a learner puts its threshold, by the ends of the gap of least risk."""


def least_risk_gaps(queries: Queries, labels: Labels, ends: tuple[float, float], side: int) -> tuple[Reals, Reals]:
    """The ends of each trial's gap between neighbouring points where a threshold has least risk, (trials,) each.

    queries: points at offsets, in any order, equal ones allowed. labels: (types,), 0 or 1. ends: what stands for neighbours
    beyond all points. side: −1 for the first of several such gaps, +1 for the last.
    """
    offsets, trials = queries.points, queries.trials
    trial = np.zeros(len(offsets), dtype=np.int64) if queries.trial is None else queries.trial
    low, high = np.full(trials, ends[0]), np.full(trials, ends[1])
    ones = labels != 0
    np.maximum.at(low, trial[~ones], offsets[~ones])  # the last 0
    np.minimum.at(high, trial[ones], offsets[ones])  # the first 1
    risky = low >= high  # in others a threshold has all labels right
    if not risky.any():
        return low, high
    below, above = offsets < high[trial], offsets > low[trial]  # there each further point adds a mistake
    between = indices_of(risky[trial] & ~below & ~above)
    first, last = np.full(trials, ends[0]), np.full(trials, ends[1])
    np.maximum.at(first, trial[below], offsets[below])
    np.minimum.at(last, trial[above], offsets[above])
    gaps = _Gaps.of(offsets[between], np.where(ones, queries.sizes, -queries.sizes)[between], trial[between])
    low[risky], high[risky] = gaps.least(first[risky], last[risky], side)
    return low, high


@dataclass(frozen=True)
class _Gaps:
    """The gaps that the points of each trial make, in their order, and its risk there, but for what all gaps of it have.

    places, risk: (places,), each place of points and the risk beyond it; before all of them it is 0. begins: (trials,), where
    those of each trial begin.
    """

    places: Reals
    risk: Ints
    begins: Indices

    @classmethod
    def of(cls, offsets: Reals, more: Ints, trial: Ints) -> "_Gaps":
        """more: (points,), by how much the risk is more past each."""
        order = order_of(offsets, trial)
        offsets, trial, risk = offsets[order], trial[order], np.cumsum(more[order])
        other = trial[1:] > trial[:-1]
        last = indices_of(np.append((offsets[1:] > offsets[:-1]) | other, True))  # of points in one place
        begins = np.append(0, indices_of(other) + 1)
        before = np.append(0, risk[begins[1:] - 1])
        of_trial = np.repeat(before, np.diff(np.append(begins, len(trial))))
        return cls(offsets[last], (risk - of_trial)[last], np.searchsorted(last, begins))

    def least(self, first: Reals, last: Reals, side: int) -> tuple[Reals, Reals]:
        """The ends of the first (−1) or the last (+1) gap of least risk of each trial; first, last: of all of its gaps."""
        ends = np.append(self.begins[1:], len(self.places))
        risk, lower = np.insert(self.risk, self.begins, 0), np.insert(self.places, self.begins, first)
        upper, begins = np.insert(self.places, ends, last), self.begins + np.arange(len(self.begins))
        number = ends - self.begins + 1
        least = indices_of(risk == np.repeat(np.minimum.reduceat(risk, begins), number))
        gap = least[np.searchsorted(least, begins) if side < 0 else np.searchsorted(least, begins + number) - 1]
        return lower[gap], upper[gap]


def reach(k: int, s: int) -> float:
    """A mass beyond which, on a side of the target, any of k consistent thresholds lies with probability at most e^−40.

    P(no example within a) = (1 − a)^s.
    """
    return -expm1(-(BEYOND + log(k)) / s)


def calm(k: int, s: int, dissent: float) -> float:
    """A mass beyond which, on a side of the target, no more than a share `dissent` of k thresholds lies but for e^−40."""
    return -expm1(log(rare(k, dissent)) / s)


def calm_within(k: int, s: int, dissent: float) -> float:
    """A mass within which, on the side where k thresholds lie, no more than a share `dissent` lies but for e^−40.

    For thresholds of which each lies beyond a mass a with chance (1 − a)^s.
    """
    return -expm1(log1p(-rare(k, dissent)) / s)


@lru_cache(maxsize=256)
def rare(k: int, share: float) -> float:
    """A chance q such that of k independent events of chance q more than a share happen with probability at most e^−40.

    P(Bin(k, q) ≥ share·k) ≤ exp(−k·KL(share, q)) for q < share (Chernoff), and P(Bin(k, q) > 0) ≤ k q.
    """

    def spare(log_q: float) -> float:
        q = exp(log_q)
        return k * float(rel_entr(share, q) + rel_entr(1 - share, 1 - q)) - BEYOND

    least = exp(-BEYOND) / k
    return exp(scipy.optimize.brentq(spare, log(least), log(share))) * (1 - 1e-9) if spare(log(least)) > 0 else least


def nearest(count: Ints, share: float, rng: np.random.Generator) -> tuple[Reals, Ints]:
    """Draws, of count[i] uniform points of [0, 1] in trial i, those below `share`, accurate near 0; with their trials.

    In the order of their trials, and rising in each. A larger share adds to what a smaller one gives of one state of the
    generator.
    """
    return nearest_in_rows(count[np.newaxis], np.array([share]), [rng])


def nearest_in_rows(count: Ints, shares: Reals, rngs: Sequence[np.random.Generator]) -> tuple[Reals, Ints]:
    """Draws what `nearest` does of each of several rows of trials, all together: each has a share and a generator of its own.

    count: (rows, trials). The points come with their places in the flat `count`, in this order, and rising in each.
    """
    trials, near_all = count.shape[1], list[tuple[Reals, Ints]]()
    block = max(LEAST_FIRST, FIRST // trials)  # of the trials that go on
    steps_by_row = [_steps(left, block, trials, rng) for left, rng in zip(count, rngs, strict=True)]
    # Of most trials not even the least is near: most of these are left out without its place.
    least = np.array([steps[0] for steps in steps_by_row])
    place = indices_of((least <= count * (-np.log1p(-shares) * (1 + MARGIN))[:, np.newaxis]).ravel())
    row, left, log_left = place // trials, count.ravel()[place], np.zeros(len(place))
    while len(place):
        near_here = [place[row == number] - number * trials for number in range(len(count))]
        steps = np.concatenate([each.T[trial] for each, trial in zip(steps_by_row, near_here, strict=True)])
        # Of N uniform points the least is at 1 − U^(1/N), and the others are uniform beyond it.
        logs = steps / np.maximum(left[:, np.newaxis] - np.arange(block), NO_MORE)
        np.subtract(log_left[:, np.newaxis], logs.cumsum(axis=1, out=logs), out=logs)
        points, share = -np.expm1(logs), shares[row][:, np.newaxis]
        near = indices_of((points < share).ravel())
        near_all.append((points.ravel()[near], place[near // block]))
        on = indices_of((points[:, -1:] < share).ravel() & (left > block))
        place, row, left, log_left, block = place[on], row[on], left[on] - block, logs[on, -1], 2 * block
        steps_by_row = [_steps(left[row == number], block, trials, rng) for number, rng in enumerate(rngs)] if len(on) else []
    if len(near_all) == 1:
        return near_all[0]
    level, place = (np.concatenate(each) for each in zip((np.empty(0), place), *near_all, strict=True))
    order = np.argsort(place, kind="stable")
    return level[order], place[order]


def _steps(left: Ints, block: int, trials: int, rng: np.random.Generator) -> Reals:
    """The steps to the next points of each trial, (block, trials): none are drawn beyond the last one of any."""
    size = min(block, int(left.max(initial=0)))
    steps = rng.standard_exponential((size, trials))
    return steps if size == block else np.pad(steps, ((0, block - size), (0, 0)), constant_values=1)


def placed(
    starts: Reals, widths: Reals, right: Labels, labelled: Ints, rng: np.random.Generator
) -> tuple[Ints, Reals, Labels, Ints]:
    """Few points on which a learner of least risk learns as on all: type, offset, label, multiplicity, (points,) each.

    starts, widths: (types,); the queries of a type are uniform from its start to start + width. right: (types,), a label such
    that one hypothesis has all of them, for a type by itself. labelled: (labels, types), how many have each label. Of those
    with the right label the first and the last between two others stand for all between: where the risk is least it is so
    beside one of these.
    """
    one_by_one = widths == 0
    single = [indices_of(one_by_one & (number > 0)) for number in labelled]
    type_, label = np.concatenate(single), np.repeat(np.arange(len(labelled)), [len(types) for types in single])
    parts = [(type_, starts[type_], label.astype(np.int8), labelled[label, type_])]
    far = indices_of(~one_by_one)
    size = labelled[right[far], far]
    mixed = labelled[:, far].sum(axis=0) > size
    alike = indices_of(~mixed & (size > 0))
    places, which, number = _extremes(size[alike], rng)
    of = far[alike][which]
    parts.append((of, starts[of] + widths[of] * places, right[of].astype(np.int8), number))
    for other in far[mixed]:
        places, drawn, number = _spread(labelled[:, other], int(right[other]), rng)
        parts.append((np.full(len(places), other), starts[other] + widths[other] * places, drawn, number))
    types, offsets, labels, numbers = zip(*parts, strict=True)
    return np.concatenate(types), np.concatenate(offsets), np.concatenate(labels), np.concatenate(numbers)


def _extremes(size: Ints, rng: np.random.Generator) -> tuple[Reals, Indices, Ints]:
    """The first and, of more than one, the last of size[i] ≥ 1 uniform points of [0, 1]: places, their i, and how many each
    stands for."""
    first = -np.expm1(-rng.standard_exponential(len(size)) / size)
    more = indices_of(size > 1)
    last = first[more] + (1 - first[more]) * np.exp(-rng.standard_exponential(len(more)) / (size[more] - 1))
    which, number = np.append(np.arange(len(size)), more), np.append(np.ones(len(size), dtype=np.int64), size[more] - 1)
    return np.append(first, last), which, number


def _spread(labelled: Ints, right: int, rng: np.random.Generator) -> tuple[Reals, Labels, Ints]:
    """Places in [0, 1], labels and numbers of uniform points of which labelled[label] have each label, (labels,)."""
    wrong = np.where(np.arange(len(labelled)) == right, 0, labelled)
    others = np.sort(rng.random(wrong.sum()))
    wrong_labels = rng.permutation(np.repeat(np.arange(len(labelled), dtype=np.int8), wrong))
    edges = np.concatenate([[0.0], others, [1.0]])
    groups = rng.multinomial(labelled[right], np.diff(edges))
    some = np.flatnonzero(groups)
    within, which, number = _extremes(groups[some], rng)
    places = np.append(others, edges[some][which] + np.diff(edges)[some][which] * within)
    labels = np.append(wrong_labels, np.full(len(which), right, dtype=np.int8))
    return places, labels, np.append(np.ones(len(others), dtype=np.int64), number)
