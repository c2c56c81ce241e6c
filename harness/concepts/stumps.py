"""Signed stumps on ℝ^d: 1[x_i ≥ t] and 1[x_i < t]. Realizable or with random classification noise.

Uniform examples on [0, 1]^d are labelled by their last coordinate. Its examples are those of a threshold, and the learner's
stump is the learned threshold unless it has another sign or coordinate. Of the 2d(s+1) ways to cut s examples in two along a
coordinate, those of another coordinate disagree with the target on each example independently, and those of another sign at
least on all the examples on one side of it. With μ the lesser of the masses on its two sides and ρ = 2√(γ(1−γ)), one of them
errs on no more of the noisy labels than the target does with probability at most (1 − μ(1−ρ))^s, twice that for another sign
(Chernoff). So the votes are those of thresholds but for k · 2d(s+1) times this probability, which `sufficient` charges to its
budget.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import comb, inf, sqrt
from typing import ClassVar, Self

import numpy as np
from pydantic import Field

from harness.arrays import Ints, Labels, Reals, order_of
from harness.ballots import Ballot, Queries
from harness.concepts import ConceptClass, Distribution, Hypothesis, Sampler, Situation, Trainable, thresholds
from harness.concepts.atoms import ATOMS
from harness.covers.labelled import Cut, Labelled
from harness.covers.stumps import vc_of_stumps
from harness.refusal import Refusal
from harness.theory import pac
from harness.theory.parameters import PacBound

FULL_BLOCK = 1 << 15  # coordinates of examples held at once by full sampling, or those of one chunk: its risk needs them sorted
TV_BUDGET = 1e-12  # what all k votes of `sufficient` may add to the budget of thresholds
MOST_DRAWN = 10**8  # coordinates of given points that are learned from at once: some 4 GB
MOST_COORDINATES = 1 << 10  # for uniform examples: queries are held with all their coordinates


def too_many(coordinates: int) -> Refusal | None:
    """Why uniform examples cannot have that many coordinates, or None."""
    if coordinates <= MOST_COORDINATES:
        return None
    what = f"uniform examples would have {coordinates} coordinates"
    return Refusal(f"{what}; allowed: at most {MOST_COORDINATES}", "distribution")


def affinity(gamma: float) -> float:
    """ρ = 2√(γ(1−γ)): of two hypotheses that differ on D noisy labels, the worse one errs no more w.p. at most ρ^D."""
    return 2 * sqrt(gamma * (1 - gamma))


def erm(x: Reals, labels: Labels) -> tuple[Ints, Ints, Reals]:
    """A signed stump of least empirical risk for each chunk: coordinate, sign and t, (chunks,) each.

    x: (chunks, s, d), distinct in every coordinate of a chunk. labels: (chunks, s). Sign 0 is 1[x_i ≥ t] and 1 is 1[x_i < t]; t
    is at an example, or infinite. Ties: the first coordinate, then sign 0, then the largest t.
    """
    chunks, s, d = x.shape
    order = np.argsort(x, axis=1) if chunks > 1 else np.column_stack([order_of(column) for column in x[0].T])[np.newaxis]
    ones = np.take_along_axis(labels[:, :, np.newaxis], order, axis=1).astype(np.int64)
    # Mistakes of sign 0 with t at the j-th example less those with t at the first, j = 0, …, s.
    walk = np.zeros((chunks, s + 1, d), dtype=np.int64)
    np.cumsum(2 * ones - 1, axis=1, out=walk[:, 1:])
    zeros = s - ones.sum(axis=1)
    least = np.stack([zeros + walk.min(axis=1), s - zeros - walk.max(axis=1)], axis=2)
    coordinate, sign = np.divmod(least.reshape(chunks, 2 * d).argmin(axis=1), 2)
    chunk = np.arange(chunks)
    chosen = walk[chunk, :, coordinate] * (1 - 2 * sign)[:, np.newaxis]
    cut = s - chosen[:, ::-1].argmin(axis=1)
    example = order[chunk, np.minimum(cut, s - 1), coordinate]
    return coordinate, sign, np.where(cut < s, x[chunk, example, coordinate], inf)


@dataclass(frozen=True)
class UniformStumpSampler(Trainable):
    """The sampler of signed stumps on uniform examples.

    Points are (m, d): the last coordinate as its offset from the target, as thresholds keep it, the others as they are.
    """

    d: int
    target: float
    gamma: float
    threshold: Sampler

    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        decisive = self.threshold.queries(m, rng)
        return replace(decisive, points=np.column_stack([rng.random((m, self.d - 1)), decisive.points]))

    def singles(self, m: int, k: int, s: int) -> float:
        return m if self._charge(k, s) > TV_BUDGET else self.threshold.singles(m, k, s)

    def at_once(self, m: int, k: int, s: int) -> int:
        return 1 if self.singles(m, k, s) >= m else self.threshold.at_once(m, k, s)

    def block(self, m: int, k: int, s: int, trials: int, rng: np.random.Generator) -> Queries:
        """By the last coordinate alone, where all learn a threshold of it: then points have no other."""
        if self.singles(m, k, s) >= m:
            return self.queries(m, rng)
        decisive = self.threshold.block(m, k, s, trials, rng)
        return replace(decisive, points=decisive.points[:, np.newaxis])

    def _charge(self, k: int, s: int) -> float:
        """At least the chance that any of k chunks teaches a stump of another coordinate or sign."""
        lesser = min(self.target, 1 - self.target)
        return float(2 * k * self.d * (s + 1.0) * (1 - lesser * (1 - affinity(self.gamma))) ** s)

    @property
    def most_points(self) -> int:
        return MOST_DRAWN // self.d

    def learn(self, queries: Queries, labels: Labels) -> Hypothesis:
        ((i,), (sign,), (t,)) = erm(queries.points[np.newaxis], labels[np.newaxis])

        def predict(points: Reals) -> Labels:
            labelled: Labels = ((points[:, i] >= t) ^ bool(sign)).astype(np.int8)
            return labelled

        if i == self.d - 1:
            wrong = abs(min(max(float(t), -self.target), 1 - self.target))
        else:  # independent of the label, which is 1 with probability 1 − target
            ones = 1 - min(float(t), 1.0)
            wrong = ones * self.target + (1 - ones) * (1 - self.target)
        wrong = 1 - wrong if sign else wrong
        return Hypothesis(predict, self.gamma + (1 - 2 * self.gamma) * wrong)

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        charge = self._charge(k, s)
        if charge > TV_BUDGET:
            return self.full(queries, k, s, rng)  # chunks so small that drawing them all costs little
        votes = self.threshold.sufficient(replace(queries, points=queries.points[:, -1]), k, s, rng)
        return replace(votes, tv_budget=votes.tv_budget + charge)

    def full(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        coordinate, sign, t = np.empty(k, dtype=np.int64), np.empty(k, dtype=np.int64), np.empty(k)
        rows = max(1, FULL_BLOCK // (s * self.d))
        for start in range(0, k, rows):
            block = slice(start, min(start + rows, k))
            x = rng.random((block.stop - start, s, self.d))
            labels = (x[:, :, -1] >= self.target).astype(np.int8)
            if self.gamma > 0:
                labels ^= rng.random(labels.shape) < self.gamma
            coordinate[block], sign[block], t[block] = erm(x, labels)
        ones = np.zeros(len(queries.truth), dtype=np.int64)
        for i in np.unique(coordinate):
            points = queries.points[:, i] + (self.target if i == self.d - 1 else 0.0)
            above, below = (np.sort(t[(coordinate == i) & (sign == which)]) for which in (0, 1))
            ones += np.searchsorted(above, points, side="right") + len(below) - np.searchsorted(below, points, side="right")
        return Ballot.binary(ones, k, queries)

    def labelled(self) -> Labelled:
        return Cut(self.d, self.target, self.gamma, signed=True)


class Uniform(Distribution):
    """Uniform examples on [0, 1]^d, labelled 1 where the last coordinate is at least the target, or with noise.

    With gamma > 0 each label is flipped with that probability.
    """

    target: float = Field(0.5, ge=0.01, le=0.99)

    def refuse(self, situation: Situation) -> Refusal | None:
        assert isinstance(situation.concept, Stumps)
        return too_many(situation.concept.d) or self._threshold.refuse(situation)

    def at(self, situation: Situation) -> UniformStumpSampler:
        assert isinstance(situation.concept, Stumps)
        threshold = self._threshold.at(replace(situation, concept=thresholds.Thresholds(), learner="rightmost"))
        return UniformStumpSampler(situation.concept.d, self.target, situation.gamma, threshold)

    @property
    def _threshold(self) -> thresholds.Uniform:
        return thresholds.Uniform(target=self.target)


class Stumps(ConceptClass, frozen=True):
    """The concept class of signed stumps on ℝ^d.

    V points are shattered if and only if every ⌊V/2⌋ of them are cut off by a stump.
    """

    name: ClassVar[str] = "stumps"
    learners: ClassVar[Mapping[str, str]] = {"erm": "A stump of least empirical risk: of several, in the first coordinate."}
    distributions: ClassVar[Mapping[str, type[Distribution]]] = {"uniform": Uniform, **ATOMS}

    d: int = Field(2, ge=1, le=10**18)

    @property
    def vc(self) -> int:
        return vc_of_stumps(self.d)

    @property
    def dual_vc(self) -> int:
        return self.d

    @classmethod
    def of_vc(cls, V: int) -> Self:
        if not 2 <= V <= 64:
            raise ValueError(f"V = {V} is not attained: it is the largest with C(V, ⌊V/2⌋) ≤ 2d; allowed: 2 to 64")
        return cls(d=-(-comb(V, V // 2) // 2))

    def pac_bound(self, learner: str | None, gamma: float) -> PacBound:
        if gamma > 0:
            return partial(pac.vc_agnostic, V=self.vc)
        return partial(pac.sharpest, bounds=(partial(pac.stumps, d=self.d), partial(pac.blumer, V=self.vc)))


CONCEPT = Stumps
