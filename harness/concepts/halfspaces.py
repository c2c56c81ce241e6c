"""Halfspaces in ℝ^d: homogeneous 1[w · x ≥ 0] of VC and dual VC dimension d, affine 1[w · x + b ≥ 0] of dimensions d + 1 and d.

Affine halfspaces are the homogeneous ones of the points (x, 1): all else here is homogeneous, in V coordinates. The target is
the first basis vector: marginals are rotation invariant, so any other would do as well.

In the plane a chunk is a number of angles. Fold each example by its label, z = x or −x: the consistent directions are an arc
around the target, and its ends are s half-turns away from the extreme z. With l, r the shares of a half-turn from the target to
its ends, P(l > a, r > b) = (1 − a − b)^s for any rotation-invariant marginal. The direction in the middle is at the offset
(r − l)/2, beyond a > 0 with probability ½(1 − 2a)^s, and errs on the queries whose folded angle is within it of a right one. On
the circle it is the hard-margin direction too; where lengths vary the nearest of all z need not be the extreme ones.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from math import exp, pi
from typing import ClassVar, Self

import numpy as np
from pydantic import Field

from harness.arrays import Labels, Reals
from harness.concepts import (
    SAMPLINGS,
    ConceptClass,
    Distribution,
    Hypothesis,
    Sampler,
    Sampling,
    Situation,
    Trainable,
    full,
    least_risk,
    linear_erm,
    noisy_thresholds,
    thresholds,
)
from harness.concepts import rotation_invariant as marginals
from harness.concepts.atoms import ATOMS
from harness.concepts.hard_margin import HardMargin
from harness.concepts.linear_votes import linear_votes
from harness.concepts.offsets import survives, votes_by_offset
from harness.concepts.votes import Queries, Votes
from harness.refusal import Refusal
from harness.theory import pac
from harness.theory.parameters import PacBound

FULL_BLOCK = 1 << 20  # coordinates of examples held at once by full sampling, whatever n is
DEFERRED_BLOCK = 1 << 13  # coordinates of directions learned at once by deferred sampling
MOST_DIMENSIONS = 256  # a chunk's support is d × d numbers

LEARNERS = {
    "svm": "The hard-margin support vector machine; where no halfspace is consistent, one of least empirical risk.",
    "erm": "A halfspace of least empirical risk, up to V = 4; in the plane the middle of the first such arc, counterclockwise.",
}


@dataclass(frozen=True)
class _HalfspaceSampler(Sampler):
    """affine: whether points (m, d) stand for (x, 1)."""

    marginal: marginals.Marginal
    d: int
    affine: bool
    learner: str
    gamma: float

    @property
    def V(self) -> int:
        """The number of coordinates of a direction."""
        return self.d + self.affine

    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        x = np.ascontiguousarray(self.marginal.draw(m, self.d, 1, rng)[:, :, 0])
        return Queries(x, (x[:, 0] >= 0).astype(np.int8)).flipped(self.gamma, rng)

    def full(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Votes:
        rows = max(1, FULL_BLOCK // (max(s, self.V) * self.V))  # a direction's support is V × V
        learn = self._least_risk if self.learner == "erm" else self._hard_margin
        return self._votes(np.concatenate([learn(min(rows, k - start), s, rng) for start in range(0, k, rows)]), queries)

    def deferred(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Votes:
        """The votes of k learners on Poisson(s) examples each, of which those that matter are drawn: a cost of order log s."""
        rows = max(1, DEFERRED_BLOCK // self.d)
        blocks = [marginals.learn(self.marginal, self.d, min(rows, k - start), s, rng) for start in range(0, k, rows)]
        return self._votes(np.concatenate(blocks), queries)

    def _votes(self, w: Reals, queries: Queries) -> Votes:
        return linear_votes(w, self._lifted(queries.points), queries)

    def _lifted(self, points: Reals) -> Reals:
        """Points (m, d) as directions see them, (m, V)."""
        return np.pad(points, ((0, 0), (0, 1)), constant_values=1) if self.affine else points

    def _folded(self, chunks: int, s: int, rng: np.random.Generator) -> Reals:
        """Examples times their labels −1 and 1, (chunks, V, s)."""
        x = self.marginal.draw(chunks, self.d, s, rng)
        if self.affine:
            x = np.pad(x, ((0, 0), (0, 1), (0, 0)), constant_values=1)
        negative = x[:, :1] < 0
        if self.gamma > 0:
            negative ^= rng.random(negative.shape) < self.gamma
        x *= np.where(negative, -1.0, 1.0)
        return x

    def _hard_margin(self, chunks: int, s: int, rng: np.random.Generator) -> Reals:
        """w of each chunk, (chunks, V). A chunk larger than a block is seen in parts, over and over until all is met."""
        machine, columns = HardMargin.untrained(chunks, self.V), min(s, max(1, FULL_BLOCK // self.V))
        again = rng.bit_generator.state
        while True:
            before = machine.w.copy()
            for seen in range(0, s, columns):
                machine.fit(self._folded(chunks, min(columns, s - seen), rng))
            if columns == s or np.array_equal(machine.w, before):
                return machine.w
            rng.bit_generator.state = again

    def _least_risk(self, chunks: int, s: int, rng: np.random.Generator) -> Reals:
        """w of each chunk, (chunks, V). All of a chunk is held."""
        return linear_erm.least_risk(self._folded(chunks, s, rng))


@dataclass(frozen=True)
class _TrainableSampler(_HalfspaceSampler, Trainable):
    """In so few coordinates that any labels can be learned from."""

    @property
    def most_points(self) -> int:
        return linear_erm.most_examples(self.V) if self.V > 2 else super().most_points

    def learn(self, queries: Queries, labels: Labels) -> Hypothesis:
        z = (self._lifted(queries.points) * np.where(labels, 1.0, -1.0)[:, np.newaxis]).T
        w = self._learned(z[np.newaxis])[0]
        return Hypothesis(lambda points: (self._lifted(points) @ w >= 0).astype(np.int8), self._error(w))

    def _learned(self, z: Reals) -> Reals:
        """w for folded examples, (chunks, V, s)."""
        if self.learner == "svm":
            machine = HardMargin.untrained(len(z), self.V)
            with suppress(FloatingPointError):
                machine.fit(z)
                return machine.w
        return linear_erm.least_risk(z)

    def _error(self, w: Reals) -> float:
        """The chance that a direction, (V,), is wrong on a fresh example."""
        length = float(np.linalg.norm(w[: self.d]))
        if length == 0:
            return 0.5  # it labels all points alike
        angle = float(np.arctan2(np.linalg.norm(w[1 : self.d]), w[0]))
        offset = -float(w[self.d]) / length if self.affine else 0.0
        wrong = self.marginal.disagreement(angle, offset, self.d) if offset else angle / pi
        return self.gamma + (1 - 2 * self.gamma) * wrong


@dataclass(frozen=True)
class _PlaneSampler(_TrainableSampler):
    """Homogeneous halfplanes, of which only the angles matter, and only those that count as nearest for the learner.

    An offset is the share of a half-turn by which a direction may turn until it errs on a point, with the sign of that turn.
    """

    def _learned(self, z: Reals) -> Reals:
        return linear_erm.least_risk(z)

    def public(self, m: int, k: int, s: int, rng: np.random.Generator) -> tuple[Queries, float]:
        radius, left_out = least_risk.reach(k, s), exp(-least_risk.BEYOND)
        if self.gamma > 0:
            radius, left_out = noisy_thresholds.radius(self.gamma, thresholds.MISSED, s), 3 * thresholds.MISSED * k
        if m <= least_risk.FEW_POINTS or radius > 0.25:
            return self.queries(m, rng), 0.0
        turn = least_risk.near_points(m, (radius, radius), (-0.5, 0.5), rng) * pi
        side = np.where(rng.random(len(turn)) < 0.5, -1.0, 1.0)  # of the boundary
        x = np.column_stack([side * np.sin(np.abs(turn)), -side * np.copysign(np.cos(turn), turn)])
        return Queries(x, (side > 0).astype(np.int8)).flipped(self.gamma, rng), left_out

    def least_mistakes(self, n: int, rng: np.random.Generator) -> tuple[int, float]:
        near, left_out = self.public(n, 1, n, rng)
        mistakes = int(np.count_nonzero(self.learn(near, near.truth).predict(near.points) != near.truth))
        return mistakes + int(rng.binomial(n - len(near.points), self.gamma)), left_out

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Votes:
        # The share of a half-turn by which a direction may turn until it errs on the query, with the sign of that turn.
        across, along = np.abs(queries.points[:, 0]), np.where(queries.points[:, 0] < 0, 1, -1) * queries.points[:, 1]
        offsets = np.copysign(np.arctan2(across, np.abs(along)) / pi, along)
        if self.gamma == 0:
            law = partial(_middle_exceeds, s=s)
            return votes_by_offset(replace(queries, points=offsets), k, s, law, law, rng)
        if noisy_thresholds.radius(self.gamma, thresholds.MISSED, s) >= 0.5:
            return self.full(queries, k, s, rng)  # so few examples that the far side matters: drawing them all is quick
        # A random walk on either side, as for a threshold in the middle of [0, 1]; what is right on one side is 1 there.
        above = (offsets >= 0).astype(np.int8)
        walk = thresholds.Uniform().at(Situation(thresholds.Thresholds(), "midpoint", s, self.gamma))
        votes = walk.sufficient(Queries(offsets, above ^ queries.truth ^ queries.target, above), k, s, rng)
        counts = np.where(queries.target == above, votes.counts, votes.counts[::-1])
        return replace(votes, counts=counts, truth=queries.truth)


def _middle_exceeds(a: Reals | float, s: int) -> Reals:
    """P(the middle of the consistent arc is more than a half-turn's share a ≥ 0 beyond the target, on one side)."""
    return np.where(np.asarray(a) < 0.5, survives(2 * np.asarray(a), s) / 2, 0.0)


def deferred(sampler: Sampler, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Votes:
    """By the examples that matter, of Poisson(s) a chunk."""
    assert isinstance(sampler, _HalfspaceSampler)
    return sampler.deferred(queries, k, s, rng)


class _RotationInvariant(Distribution):
    """What the two marginals share."""

    marginal: ClassVar[marginals.Marginal]

    def samplings(self, concept: ConceptClass, learner: str) -> Mapping[str, Sampling]:
        assert isinstance(concept, _Halfspaces)
        if concept.affine or concept.d == 1:
            return {"full": full}
        by_angles = concept.d == 2 and (learner == "erm" or isinstance(self, Sphere))
        known = SAMPLINGS if by_angles else {"full": full}
        return known if learner == "erm" else {**known, "deferred": deferred}

    def refuse(self, situation: Situation) -> Refusal | None:
        concept, gamma = situation.concept, situation.gamma
        assert isinstance(concept, _Halfspaces)
        if concept.vc > MOST_DIMENSIONS:
            return Refusal(f"a direction would have {concept.vc} coordinates; allowed: 1 to {MOST_DIMENSIONS}", "distribution")
        V, most = concept.vc, linear_erm.MOST_COORDINATES
        if situation.learner not in ("erm", "") and gamma > 0:
            return Refusal(f"no halfspace separates noisy labels; allowed: 0{', or learner: erm' * (V <= most)}", "gamma")
        if situation.learner == "erm" and V > most:
            return Refusal(f"least risk is found among at most {most} coordinates, not V = {V}; allowed: svm", "learner")
        if situation.learner == "erm" and V > 2 and situation.s > linear_erm.most_examples(V):
            what = f"least risk among V = {V} coordinates takes time of order s^{V - 1}"
            return Refusal(f"{what}; allowed: s ≤ {linear_erm.most_examples(V)} a chunk{', or svm' * (gamma == 0)}", "learner")
        if gamma > thresholds.MOST_NOISE:
            return Refusal(f"labels flipped at a rate of {gamma:g}; allowed: 0 ≤ gamma ≤ {thresholds.MOST_NOISE:g}", "gamma")
        return None

    def at(self, situation: Situation) -> Sampler:
        concept = situation.concept
        assert isinstance(concept, _Halfspaces)
        # With lengths that vary, the hard margin is not about angles alone, and no labels with mistakes have one.
        by_angles = situation.learner == "erm" or isinstance(self, Sphere)
        kind = _TrainableSampler if concept.vc <= linear_erm.MOST_COORDINATES else _HalfspaceSampler
        if concept.d == 2 and not concept.affine and by_angles:
            kind = _PlaneSampler
        return kind(self.marginal, concept.d, concept.affine, situation.learner, situation.gamma)


class Sphere(_RotationInvariant):
    """Uniform on the unit sphere."""

    marginal = marginals.Sphere()


class Gaussian(_RotationInvariant):
    """The standard normal distribution."""

    marginal = marginals.Gaussian()


class _Halfspaces(ConceptClass, frozen=True):
    """What the two classes share."""

    affine: ClassVar[bool]
    learners: ClassVar[Mapping[str, str]] = LEARNERS
    distributions: ClassVar[Mapping[str, type[Distribution]]] = {"sphere": Sphere, "gaussian": Gaussian, **ATOMS}

    d: int = Field(2, ge=1, le=10**6)

    @property
    def vc(self) -> int:
        return self.d + self.affine

    @property
    def dual_vc(self) -> int:
        """d: so many hyperplanes in general position have 2^d cells, and one more has fewer than 2^(d+1)."""
        return self.d

    def pac_bound(self, learner: str | None, gamma: float) -> PacBound:
        """The sharpest of all that hold.

        On the line there are two homogeneous halfspaces. In the plane as for thresholds: what is to be seen grows with the
        angle to the target, on either side. Of the points nearest to the boundary of the largest margin, V suffice to
        determine it (Carathéodory).
        """
        few = self.vc == 1
        if gamma > 0:
            own = (partial(pac.finite_agnostic, size=2),) if few else ()
            return partial(pac.sharpest, bounds=(*own, partial(pac.vc_agnostic, V=self.vc)))
        bounds = [partial(pac.blumer, V=self.vc)]
        if few:
            bounds.append(partial(pac.finite, size=2))
        if self.vc == 2:
            bounds.append(partial(pac.thresholds_consistent))
        if learner == "svm":
            bounds.append(partial(pac.stable_compression, size=self.vc))
        return partial(pac.sharpest, bounds=tuple(bounds))


class Halfspaces(_Halfspaces, frozen=True):
    """Homogeneous halfspaces: V = d. The basis vectors are shattered, beside the origin, which all of them label 1."""

    name: ClassVar[str] = "halfspaces"
    affine: ClassVar[bool] = False

    @property
    def rare_atoms(self) -> int:
        return self.d

    @classmethod
    def of_vc(cls, V: int) -> Self:
        return cls(d=V)


class AffineHalfspaces(_Halfspaces, frozen=True):
    """Affine halfspaces: V = d + 1. The learner's margin is that of the points (x, 1)."""

    name: ClassVar[str] = "affine_halfspaces"
    affine: ClassVar[bool] = True

    @classmethod
    def of_vc(cls, V: int) -> Self:
        if V < 2:
            raise ValueError(f"V = {V} is not attained: affine halfspaces in ℝ^d have VC dimension d + 1; allowed: V ≥ 2")
        return cls(d=V - 1)


CONCEPT = (Halfspaces, AffineHalfspaces)
