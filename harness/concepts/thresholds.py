"""Thresholds 1[x ≥ t] on [0, 1]: VC dimension 1, dual VC dimension 1, realizable or with random classification noise.

All learners minimise the empirical risk; they differ in how they break ties. Where labels are those of the target, that is to
be consistent (for noisy labels see `noisy_thresholds`), and a consistent learner sees its chunk only through x_l, the largest
example labelled 0, and x_r, the smallest labelled 1 (0 and 1 where there is none). So does every sampler here: `full` finds the
pair in drawn examples, `sufficient` draws from the law of the learned threshold, which for s uniform examples is closed. With
l, r the distances from t to the nearest example below and above, going round the ends of the interval,
P(l > a, r > b) = (1 − a − b)^s; stopping at the ends gives x_l = t − min(l, t) and x_r = t + min(r, 1 − t).

Queries are kept as their offset x − t, drawn with full relative precision near 0: at n = 10¹⁵ the k thresholds lie within
10⁻¹⁰ of the target, where the spacing of doubles near t would show.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import exp
from typing import ClassVar

import numpy as np
from pydantic import Field

from harness.arrays import Ints, Labels, Reals
from harness.concepts import ConceptClass, Distribution, Hypothesis, Situation, Trainable, atoms, least_risk
from harness.concepts import noisy_thresholds as noisy
from harness.concepts.offsets import survives, votes_by_offset
from harness.concepts.votes import Queries, Votes
from harness.refusal import Refusal
from harness.theory import pac
from harness.theory.parameters import PacBound

FULL_BLOCK = 1 << 15  # examples held at once by full sampling: small enough for the cache, whatever n is
FEW_EXAMPLES = 1 << 17  # on two atoms: to draw all of so many takes a few milliseconds
MISSED = 1e-18  # under noise, the share of chunks that each of the three simplifications of `sufficient` leaves out
LAW_BLOCK = 1 << 20  # numbers held at once in working out its law
MOST_NOISE = 0.45  # from 1/3 on no theorem says anything, and nearer 1/2 the law is wide and costly


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
class _ThresholdSampler(Trainable):
    """What the two distributions share: labels by the target, full sampling, and learning from given labels."""

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
    def error(self, learned: float) -> float:
        """The chance that a threshold at this offset is wrong on a fresh example."""

    def learn(self, queries: Queries, labels: Labels) -> Hypothesis:
        learned = least_risk.learn_offset(queries.points, labels, self.ends, self.ties, LEARNERS[self.learner])
        return Hypothesis(lambda points: (points >= learned).astype(np.int8), self.error(learned))

    def least_mistakes(self, n: int, rng: np.random.Generator) -> tuple[int, float]:
        return 0, 0.0  # the target makes none

    def labelled(self, offsets: Reals, rng: np.random.Generator) -> Queries:
        """Points with their labels."""
        return Queries(offsets, (offsets >= 0).astype(np.int8))

    @abstractmethod
    def draw(self, shape: tuple[int, int], rng: np.random.Generator) -> Reals:
        """I.i.d. examples of the marginal, as points of [0, 1]."""

    def features(self, points: Reals) -> Reals:
        return (self.target + points)[:, np.newaxis]

    def full(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Votes:
        learned = np.sort(LEARNERS[self.learner](*self._nearest_examples(k, s, rng)))
        ones = np.searchsorted(learned, self.target + queries.points, side="right")
        return _threshold_votes(ones.astype(np.int64), k, queries.truth)

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
class _UniformSampler(_ThresholdSampler):
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

    def error(self, learned: float) -> float:
        return least_risk.erring_mass(learned, self.ends)

    def public(self, m: int, k: int, s: int, rng: np.random.Generator) -> tuple[Queries, float]:
        radius, left_out = self.reach(k, s)
        if m <= least_risk.FEW_POINTS or radius > min(self.target, 1 - self.target) / 2:
            return self.queries(m, rng), 0.0  # or so few examples that all points matter
        below, above = (radius if self.errs(side) else 0.0 for side in (-1, 1))
        offsets = least_risk.near_points(m, (below, above), self.ends, rng)
        return self.labelled(offsets, rng), left_out

    def errs(self, side: int) -> bool:
        """Whether what is learned can lie on this side of the target."""
        return self.learner in ("midpoint", "rightmost" if side > 0 else "leftmost")

    def reach(self, k: int, s: int) -> tuple[float, float]:
        """A mass on either side beyond which no more than a share DISSENT of k thresholds lie, but for the second, a chance."""
        return least_risk.reach(k, s), exp(-least_risk.BEYOND)

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Votes:
        above, below = (partial(self.exceeds, side=side, s=s) for side in (1, -1))
        return votes_by_offset(queries, k, s, above, below, rng)

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


@dataclass(frozen=True)
class _NoisyUniformSampler(_UniformSampler):
    """Labels flipped with probability gamma: the target then errs on a share gamma of them, the least of all thresholds."""

    gamma: float

    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        return super().queries(m, rng).flipped(self.gamma, rng)

    def error(self, learned: float) -> float:
        return self.gamma + (1 - 2 * self.gamma) * super().error(learned)

    def errs(self, side: int) -> bool:
        return True

    def reach(self, k: int, s: int) -> tuple[float, float]:
        return noisy.radius(self.gamma, MISSED, s), 3 * MISSED * k

    def labelled(self, offsets: Reals, rng: np.random.Generator) -> Queries:
        return super().labelled(offsets, rng).flipped(self.gamma, rng)

    def least_mistakes(self, n: int, rng: np.random.Generator) -> tuple[int, float]:
        near, left_out = self.public(n, 1, n, rng)
        mistakes = int(np.count_nonzero(self.learn(near, near.truth).predict(near.points) != near.truth))
        return mistakes + int(rng.binomial(n - len(near.points), self.gamma)), left_out

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Votes:
        reach = noisy.radius(self.gamma, MISSED, s)
        if reach >= min(self.target, 1 - self.target):
            return self.full(queries, k, s, rng)  # so few examples that the ends matter: drawing them all is quick
        above, below = (partial(self.exceeds, side=side, s=s) for side in (1, -1))
        votes = votes_by_offset(queries, k, s, above, below, rng, reach)
        # The law leaves out gaps out of reach, and chunks with too few examples for it on one side or the other.
        return replace(votes, max_mistakes=noisy.most_mistakes(votes.counts[1], k, queries), tv_budget=3 * MISSED * k)

    def exceeds(self, a: Reals | float, side: int, s: int) -> Reals:
        law = noisy.gap_law(self.gamma, MISSED)
        distances = np.atleast_1d(np.asarray(a, dtype=np.float64))
        tail = np.zeros_like(distances)
        inside = np.flatnonzero(distances < (1 - self.target if side > 0 else self.target))
        for part in np.array_split(inside, len(inside) * len(law) // LAW_BLOCK + 1):
            tail[part] = self._tail(law, distances[part], side, s)
        return tail.reshape(np.shape(a))

    def _tail(self, law: Reals, a: Reals, side: int, s: int) -> Reals:
        other = self.gamma / (1 - self.gamma)
        if self.learner == "midpoint":
            return noisy.middle_exceeds(law[0], law[1:] if side == self.ties else other * law, a, s)
        return noisy.end_exceeds(law, a, s) * (1.0 if side == self.ties else other)

    def full(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Votes:
        """One chunk is held in memory, or as many as fit in a block."""
        learned, rows = np.empty(k), max(1, FULL_BLOCK // s)
        for start in range(0, k, rows):
            x = np.sort(self.draw((min(rows, k - start), s), rng))
            gaps = noisy.least_risk_gaps(x, self.target, self.gamma, self.ties, rng)
            learned[start : start + rows] = LEARNERS[self.learner](*gaps)
        ones = np.searchsorted(np.sort(learned), self.target + queries.points, side="right").astype(np.int64)
        return Votes.binary(ones, k, queries.truth, max_mistakes=noisy.most_mistakes(ones, k, queries))


def _threshold_votes(ones: Ints, k: int, truth: Labels) -> Votes:
    """Votes of k thresholds. Each errs on one side only, and the farthest on a side errs wherever any other there does."""
    contested = ones != np.multiply(truth, k, dtype=np.int64)
    above = int(np.count_nonzero(contested & truth.view(np.bool_)))
    below = int(np.count_nonzero(contested)) - above
    return Votes.binary(ones, k, truth, max_mistakes=max(above, below))


@dataclass(frozen=True)
class _HardSampler(_ThresholdSampler):
    """A rare atom and a heavy one on either side of the target; a learner that never saw the rare atom gets it wrong."""

    rare: float
    heavy: float
    mass: float

    def draw(self, shape: tuple[int, int], rng: np.random.Generator) -> Reals:
        return np.where(rng.random(shape) < self.mass, self.rare, self.heavy)

    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        return self.labelled(self.draw((1, m), rng)[0] - self.target, rng)

    def public(self, m: int, k: int, s: int, rng: np.random.Generator) -> tuple[Queries, float]:
        """Points on the rare atom, of a learner's own examples one, and one on the heavy atom, where hardly a vote is wrong.

        However many labels the rare atom has, a threshold beyond the heavy one errs more than one between the two.
        """
        own, rare_only = (k, s) == (1, m), float(survives(1 - self.mass, s))
        if m <= FEW_EXAMPLES or (not own and rare_only > least_risk.share_beyond(k)):
            return self.queries(m, rng), 0.0
        rare = int(rng.binomial(m, self.mass))
        points = np.repeat([self.rare, self.heavy], [min(rare, 1) if own else rare, min(m - rare, 1)])
        return self.labelled(rng.permutation(points) - self.target, rng), exp(-least_risk.BEYOND)

    def error(self, learned: float) -> float:
        atoms = ((self.rare - self.target, self.mass), (self.heavy - self.target, 1 - self.mass))
        return sum(mass for offset, mass in atoms if (offset >= learned) != (offset >= 0))

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Votes:
        # A chunk has seen the rare atom only, the heavy one only, or both.
        rare_only = float(survives(1 - self.mass, s))
        heavy_only = float(survives(self.mass, s))
        chunks = rng.multinomial(k, [rare_only, heavy_only, max(0.0, 1 - rare_only - heavy_only)])
        seen = np.array([[self.rare, np.nan], [np.nan, self.heavy], [self.rare, self.heavy]])
        x_l = np.where(seen < self.target, seen, 0.0).max(axis=1)
        x_r = np.where(seen >= self.target, seen, 1.0).min(axis=1)
        learned = LEARNERS[self.learner](x_l, x_r)
        ones = {atom: int(chunks[learned <= atom].sum()) for atom in (self.rare, self.heavy)}
        at_rare = queries.truth == (self.rare >= self.target)
        return _threshold_votes(np.where(at_rare, ones[self.rare], ones[self.heavy]), k, queries.truth)


class Uniform(Distribution):
    """Uniform examples on [0, 1], labelled by the target. The extremal learners err on mass about 1/s at every s.

    With gamma > 0 each label, of examples and of queries, is flipped with that probability: then the target errs on a share
    gamma, the least in the class.
    """

    target: float = Field(0.5, gt=0, lt=1)

    def refuse(self, situation: Situation) -> Refusal | None:
        if situation.gamma > MOST_NOISE:
            return Refusal(f"labels flipped at a rate of {situation.gamma:g}; allowed: 0 ≤ gamma ≤ {MOST_NOISE:g}", "gamma")
        if situation.gamma > 0 and not 0.01 <= self.target <= 0.99:
            what = f"with noise the target {self.target:g} is too near an end"
            return Refusal(f"{what}; allowed: 0.01 ≤ target ≤ 0.99", "distribution")
        return None

    def at(self, situation: Situation) -> _UniformSampler:
        if situation.gamma > 0:
            return _NoisyUniformSampler(self.target, situation.learner, situation.gamma)
        return _UniformSampler(self.target, situation.learner)


class Hard(atoms.Hard):
    """A rare atom, of the sizes of `atoms.Hard`, and a heavy one.

    The rare atom lies where the learner's default is wrong, so a chunk that missed it (probability about e^−c) votes wrong on
    it. With noisy labels a threshold at a tie is wrong on it too, whichever the learner, and only its atom counts.
    """

    def at(self, situation: Situation) -> Trainable:
        if situation.gamma > 0:
            return super().at(situation)
        rare, heavy = (0.6, 0.4) if situation.learner == "rightmost" else (0.4, 0.6)
        mass, _ = self.sizes(1, situation)
        return _HardSampler(target=0.5, learner=situation.learner, rare=rare, heavy=heavy, mass=mass)


class Thresholds(ConceptClass, frozen=True):
    """The registered class."""

    name: ClassVar[str] = "thresholds"
    learners: ClassVar[Mapping[str, str]] = {name: rule.__doc__ or "" for name, rule in LEARNERS.items()}
    distributions: ClassVar[Mapping[str, type[Distribution]]] = {"uniform": Uniform, "hard": Hard}

    @property
    def vc(self) -> int:
        return 1

    @property
    def dual_vc(self) -> int:
        return 1

    @property
    def rare_atoms(self) -> int:
        """A point below one that is labelled 1 may have either label."""
        return 1

    def pac_bound(self, learner: str | None, gamma: float) -> PacBound:
        if gamma > 0:
            return partial(pac.sharpest, bounds=(pac.thresholds_agnostic, partial(pac.vc_agnostic, V=1)))
        return pac.thresholds_extremal if learner in ("leftmost", "rightmost") else pac.thresholds_consistent


CONCEPT = Thresholds
