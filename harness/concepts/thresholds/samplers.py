"""Samplers of thresholds: uniform examples, without noise and with it."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import exp

import numpy as np

from harness.arrays import Ints, Labels, Reals
from harness.ballots import Ballot, Queries, top
from harness.concepts import CALM, Calm, Hypothesis, Trainable, least_risk, trials_at_once, trials_of
from harness.concepts import noisy_thresholds as noisy
from harness.concepts.offsets import survives, usual_reach, votes_by_offset
from harness.concepts.relabelled import OfThresholds, Relabelling
from harness.covers.labelled import Cut, Labelled

FULL_BLOCK = 1 << 15  # examples held at once by full sampling: small enough for the cache, whatever n is
MISSED = 1e-18  # under noise, the share of chunks that each of the three simplifications of `sufficient` leaves out
LAW_BLOCK = 1 << 20  # numbers held at once in working out its law


def leftmost(x_l: Reals, x_r: Reals) -> Reals:
    """The smallest threshold of least empirical risk, just above an example."""
    return np.nextafter(x_l, np.inf)


def rightmost(x_l: Reals, x_r: Reals) -> Reals:
    """The largest threshold of least empirical risk, at an example."""
    return x_r


def midpoint(x_l: Reals, x_r: Reals) -> Reals:
    """The middle of the first gap between examples where the empirical risk is least."""
    return (x_l + x_r) / 2


LEARNERS: dict[str, Callable[[Reals, Reals], Reals]] = {
    "leftmost": leftmost,
    "rightmost": rightmost,
    "midpoint": midpoint,
}


@dataclass(frozen=True)
class ThresholdSampler(Trainable):
    """The base of samplers of thresholds: labels by the target, full sampling, and learning from given labels."""

    target: float
    learner: str

    @property
    def ties(self) -> int:
        """The side to which the learner breaks ties, −1 or +1."""
        return 1 if self.learner == "rightmost" else -1

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of [0, 1], as offsets from the target."""
        return -self.target, 1 - self.target

    @abstractmethod
    def error(self, learned: Reals) -> Reals:
        """The chance that thresholds at these offsets are wrong on a fresh example."""

    def learn(self, queries: Queries, labels: Labels) -> Hypothesis:
        learned = self._learned(queries, labels)
        return Hypothesis(lambda points: (points >= learned[0]).astype(np.int8), float(self.error(learned)[0]))

    def errors(self, queries: Queries, labelled: Ints, rng: np.random.Generator) -> Reals:
        return self.error(self._learned(*self.placed(queries, labelled, rng)))

    def _learned(self, queries: Queries, labels: Labels) -> Reals:
        """The offset of the threshold that is learned from the points of each trial, (trials,)."""
        return LEARNERS[self.learner](*least_risk.least_risk_gaps(queries, labels, self.ends, self.ties))

    def placed(self, queries: Queries, labelled: Ints, rng: np.random.Generator) -> tuple[Queries, Labels]:
        if queries.size is None:  # all are drawn one by one
            return super().placed(queries, labelled, rng)
        most = top(labelled)  # of a type, as votes on points between the target and most thresholds are wrong
        type_, offsets, labels, numbers = least_risk.placed(queries.points, queries.widths, most, labelled, rng)
        trial = None if queries.trial is None else queries.trial[type_]
        return Queries(offsets, queries.truth[type_], size=numbers, trial=trial, trials=queries.trials), labels

    def least_mistakes(self, n: int, rng: np.random.Generator) -> tuple[int, float]:
        return 0, 0.0  # the target makes none

    @abstractmethod
    def draw(self, shape: tuple[int, int], rng: np.random.Generator) -> Reals:
        """I.i.d. examples of the marginal, as points of [0, 1]."""

    def features(self, points: Reals) -> Reals:
        return (self.target + points)[:, np.newaxis]

    def full(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        learned = np.sort(LEARNERS[self.learner](*self._nearest_examples(k, s, rng)))
        ones = np.searchsorted(learned, self.target + queries.points, side="right")
        return votes_of_thresholds(ones.astype(np.int64), k, queries)

    def _nearest_examples(self, k: int, s: int, rng: np.random.Generator) -> tuple[Reals, Reals]:
        """(x_l, x_r) of each of k chunks, (k,) each, from blocks of whole chunks or, where s is large, of parts of one."""
        x_l, x_r = np.zeros(k), np.ones(k)
        rows, columns = max(1, FULL_BLOCK // s), min(s, FULL_BLOCK)
        for start in range(0, k, rows):
            chunk = slice(start, min(start + rows, k))
            for seen in range(0, s, columns):
                shape = (chunk.stop - start, min(columns, s - seen))
                # Reducing along short rows is slow, so small chunks are drawn as columns.
                x = self.draw(shape, rng) if s >= 256 else self.draw(shape[::-1], rng).T
                label = x >= self.target
                # Multiplying is a fast select: an example on the other side becomes 0, or at least 1.
                np.maximum(x_l[chunk], (x * ~label).max(axis=1), out=x_l[chunk])
                np.minimum(x_r[chunk], (x + ~label).min(axis=1), out=x_r[chunk])
        return x_l, x_r


@dataclass(frozen=True)
class UniformSampler(ThresholdSampler):
    """The sampler of thresholds on uniform examples, labelled by the target."""

    def draw(self, shape: tuple[int, int], rng: np.random.Generator) -> Reals:
        return rng.random(shape)

    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        offsets = rng.random(m)
        offsets -= 0.5
        # random() has 53 bits; near the target the rest of the offset's bits matter too.
        near = np.flatnonzero(np.abs(offsets) < 2.0**-24)
        offsets[near] += rng.random(len(near)) * 2.0**-53
        if self.target != 0.5:  # the same going round the ends of [0, 1]
            offsets[offsets >= 1 - self.target] -= 1
            offsets[offsets < -self.target] += 1
        return Queries(offsets, (offsets >= 0).astype(np.int8))

    def error(self, learned: Reals) -> Reals:
        """The mass between them and the target."""
        return np.abs(np.clip(learned, *self.ends))

    def reach(self, k: int, s: int) -> tuple[float, float]:
        """A mass on either side beyond which none of k thresholds lies, but for the second, a chance."""
        return least_risk.reach(k, s), exp(-least_risk.BEYOND)

    def singles(self, m: int, k: int, s: int) -> float:
        return self._within(m, self.reach(k, s)[0])

    def _within(self, m: int, radius: float) -> float:
        """About how many of m queries lie within a radius of the target where learners err; all, if that is no gain."""
        if 2 * radius > min(self.target, 1 - self.target):
            return m
        return radius * m * (self.errs(-1) + self.errs(1))

    def at_once(self, m: int, k: int, s: int) -> int:
        return trials_at_once(m, self.singles(m, k, s))

    def block(self, m: int, k: int, s: int, trials: int, rng: np.random.Generator) -> Queries:
        """Queries within reach of what is learned, and how many others there are on either side."""
        radius, left_out = self.reach(k, s)
        if self._within(m, radius) >= m:
            return self.queries(m, rng)
        return self._by_type(m, radius, rng, trials=trials, left_out=left_out)

    def public(self, m: int, k: int, s: int, rng: np.random.Generator, calm: Calm = CALM, trials: int = 1) -> Queries:
        """Points where the votes may be divided, and how many are beyond them, or between them and the target."""
        within = least_risk.calm_within(k, s, calm.dissent) if k > 1 and self.learner != "midpoint" else 0.0
        radius = least_risk.calm(k, s, calm.dissent)
        if (trials == 1 and m <= least_risk.FEW_POINTS) or self._within(m, radius) >= m:
            return self.queries(m, rng)
        points = self._by_type(m, radius, rng, within, trials)
        calm_points = replace(points, dissent=calm.dissent if k > 1 else 0.0, tv_budget=2 * exp(-least_risk.BEYOND))
        return calm_points.exposed(calm.exposed, rng)

    def points_at_once(self, m: int, k: int, s: int, calm: Calm = CALM) -> int:
        singles = self._within(m, least_risk.calm(k, s, calm.dissent))
        return 1 if singles >= m else trials_of(singles)

    def _by_type(
        self, m: int, radius: float, rng: np.random.Generator, within: float = 0.0, trials: int = 1, left_out: float = 0.0
    ) -> Queries:
        """One by one those between two masses from the target where learners err, and how many others there are."""
        below = rng.binomial(m, self.target, trials)
        seeds = rng.bit_generator.seed_seq.spawn(2)  # type: ignore[attr-defined]
        sides = zip((-1, 1), (below, m - below), (self.target, 1 - self.target), seeds, strict=True)
        near, far = list[tuple[int, Reals, Ints]](), list[_Far]()
        for side, count, width, seed in sides:
            if not self.errs(side):  # where no threshold errs, all queries are alike
                start = float(np.nextafter(0, 1))
                far.append((side, start, width - start, count))
                continue
            stream = np.random.default_rng(seed)
            if within:
                inner = stream.binomial(count, within / width)
                far += [(side, within, -within, inner)] if inner.any() else []
                count = count - inner
            rest = width - within
            levels, trial = least_risk.nearest(count, (radius - within) / rest, stream)
            near.append((side, within + rest * levels, trial))
            far.append((side, radius, width - radius, count - np.bincount(trial, minlength=trials)))
        return _by_side(near, far, trials, left_out)

    def errs(self, side: int) -> bool:
        """Whether what is learned can lie on this side of the target."""
        return self.learner in ("midpoint", "rightmost" if side > 0 else "leftmost")

    def usual_reach(self, k: int, s: int) -> float:
        """A mass on either side beyond which there is rarely a threshold."""
        return usual_reach(k, s)

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        above, below = (partial(self.exceeds, side=side, s=s) for side in (1, -1))
        return votes_by_offset(queries, k, above, below, self.usual_reach(k, s), rng)

    def exceeds(self, a: Reals | float, side: int, s: int) -> Reals:
        """P(learned − t > a) for side +1, P(t − learned > a) for side −1, for a ≥ 0, after s uniform examples."""
        room, other = (1 - self.target, self.target) if side > 0 else (self.target, 1 - self.target)
        a = np.asarray(a, dtype=np.float64)
        if self.learner == "midpoint":
            # Integrating over the example on the other side, which stops at the end of the interval: that adds the second
            # power, of |1 − 2(a + other)|, with the sign of what is in the bars; 1 = room + other.
            a = np.minimum(a, room / 2)
            end = np.minimum(a + other, room - a)
            tail = (survives(2 * a, s) + np.sign(room - other - 2 * a) * survives(2 * end, s)) / 2
            return np.where(2 * a < room, tail, 0.0)
        return np.where(a < room, survives(a, s), 0.0) if self.errs(side) else np.zeros_like(a)

    def labelled(self) -> Labelled:
        return Cut(1, self.target, 0.0, signed=False)

    def relabelling(self) -> Relabelling:
        return OfThresholds(self.ends, 0.0, LEARNERS[self.learner])


@dataclass(frozen=True)
class NoisyUniformSampler(UniformSampler):
    """The sampler of thresholds on uniform examples, with labels flipped with probability gamma.

    The target then errs on a share gamma of them, the least of all thresholds.
    """

    gamma: float

    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        return super().queries(m, rng).flipped(self.gamma, rng)

    def error(self, learned: Reals) -> Reals:
        return self.gamma + (1 - 2 * self.gamma) * super().error(learned)

    def errs(self, side: int) -> bool:
        return True

    def reach(self, k: int, s: int) -> tuple[float, float]:
        return self.usual_reach(k, s), 3 * MISSED * k

    def usual_reach(self, k: int, s: int) -> float:
        return noisy.radius(self.gamma, MISSED, s)

    def public(self, m: int, k: int, s: int, rng: np.random.Generator, calm: Calm = CALM, trials: int = 1) -> Queries:
        """Of the points far away no label is flipped: the risk is not least there."""
        few = trials == 1 and m <= least_risk.FEW_POINTS
        return self.queries(m, rng) if few else self._flipped_near(m, k, s, trials, rng)

    def points_at_once(self, m: int, k: int, s: int, calm: Calm = CALM) -> int:
        singles = self.singles(m, k, s)
        return 1 if singles >= m else trials_of(singles)

    def _flipped_near(self, m: int, k: int, s: int, trials: int, rng: np.random.Generator) -> Queries:
        radius, left_out = self.reach(k, s)
        if self._within(m, radius) >= m:
            return self.queries(m, rng)
        points = self._by_type(m, radius, rng, trials=trials, left_out=left_out)
        flipped = (points.width == 0) & (rng.spawn(1)[0].random(len(points.truth)) < self.gamma)
        return replace(points, truth=points.truth ^ flipped.astype(np.int8), best=points.truth)

    def block(self, m: int, k: int, s: int, trials: int, rng: np.random.Generator) -> Queries:
        queries = self._flipped_near(m, k, s, trials, rng)
        if queries.size is None or queries.width is None:
            return queries
        beyond = slice(-2 * trials, None)  # the others of each trial, on either side
        flipped = rng.binomial(queries.size[beyond], self.gamma)
        size = queries.size.copy()
        size[beyond] -= flipped
        return replace(queries, size=size).joined(replace(queries.only(beyond), truth=1 - queries.target[beyond], size=flipped))

    def least_mistakes(self, n: int, rng: np.random.Generator) -> tuple[int, float]:
        examples = self.types(n, 1, n, rng)
        near = examples.only(examples.widths == 0)
        learned = self.learn(near, near.truth)
        return int(examples.sizes[learned.predict(examples.points) != examples.truth].sum()), examples.tv_budget

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        if self.reach(k, s)[0] >= min(self.target, 1 - self.target):
            return self.full(queries, k, s, rng)  # so few examples that the ends matter: drawing them all is quick
        votes = super().sufficient(queries, k, s, rng)
        # The law leaves out gaps out of reach, and chunks with too few examples for it on one side or the other.
        most = noisy.most_mistakes(votes.counts[1], k, queries)
        return replace(votes, max_mistakes=most, tv_budget=max(queries.tv_budget, 3 * MISSED * k))

    def exceeds(self, a: Reals | float, side: int, s: int) -> Reals:
        law = noisy.gap_law(self.gamma, MISSED)
        distances = np.atleast_1d(np.asarray(a, dtype=np.float64))
        tail = np.zeros_like(distances)
        inside = np.flatnonzero(distances < min(1 - self.target if side > 0 else self.target, self.reach(1, s)[0]))
        for part in np.array_split(inside, len(inside) * len(law) // LAW_BLOCK + 1):
            tail[part] = self._tail(law, distances[part], side, s)
        return tail.reshape(np.shape(a))

    def _tail(self, law: Reals, a: Reals, side: int, s: int) -> Reals:
        other = self.gamma / (1 - self.gamma)
        if self.learner == "midpoint":
            return noisy.middle_exceeds(law[0], law[1:] if side == self.ties else other * law, a, s)
        return noisy.end_exceeds(law, a, s) * (1.0 if side == self.ties else other)

    def full(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        """One chunk is held in memory, or as many as fit in a block."""
        learned, rows = np.empty(k), max(1, FULL_BLOCK // s)
        for start in range(0, k, rows):
            x = np.sort(self.draw((min(rows, k - start), s), rng))
            gaps = noisy.least_risk_gaps(x, self.target, self.gamma, self.ties, rng)
            learned[start : start + rows] = LEARNERS[self.learner](*gaps)
        ones = np.searchsorted(np.sort(learned), self.target + queries.points, side="right").astype(np.int64)
        return Ballot.binary(ones, k, queries, max_mistakes=noisy.most_mistakes(ones, k, queries))

    def labelled(self) -> Labelled:
        return Cut(1, self.target, self.gamma, signed=False)

    def relabelling(self) -> Relabelling:
        return OfThresholds(self.ends, self.gamma, LEARNERS[self.learner])


_Far = tuple[int, float, float, Ints]
"""Queries on a side of the target: from a distance, so far outwards, how many in each trial, (trials,)."""


def _by_side(near: list[tuple[int, Reals, Ints]], far: list[_Far], trials: int, left_out: float) -> Queries:
    """Queries by types. near: on a side of the target single ones at these distances, and of which trial each is."""
    sides = np.array([*(side for side, _, _ in near), *(side for side, _, _, _ in far)])
    lengths = [*(len(trial) for _, _, trial in near), *[trials] * len(far)]
    singles = sum(lengths[: len(near)])
    starts = np.repeat([side * start for side, start, _, _ in far], trials)
    return Queries(
        np.concatenate([*(side * distance for side, distance, _ in near), starts]),
        (sides > 0).repeat(lengths).view(np.int8),
        size=np.concatenate([np.ones(singles, np.int64), *(size for _, _, _, size in far)]),
        width=np.repeat([0.0] * len(near) + [side * width for side, _, width, _ in far], lengths),
        tv_budget=left_out,
        trial=None if trials == 1 else np.concatenate([*(trial for _, _, trial in near), *[np.arange(trials)] * len(far)]),
        trials=trials,
    )


def votes_of_thresholds(ones: Ints, k: int, queries: Queries) -> Ballot:
    """The ballot of k thresholds, from the number of votes for 1, with the most mistakes of any of them.

    Each errs on one side only, and the farthest on a side errs wherever any other there does.
    """
    contested = np.where(ones != np.multiply(queries.truth, k, dtype=np.int64), queries.sizes, 0)
    above = queries.sums(contested * queries.truth)
    return Ballot.binary(ones, k, queries, max_mistakes=np.maximum(above, queries.sums(contested) - above))
