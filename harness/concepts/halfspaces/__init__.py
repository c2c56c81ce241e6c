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
from functools import partial
from typing import ClassVar, Self

import numpy as np
from pydantic import Field

from harness.ballots import Ballot, Queries
from harness.concepts import (
    SAMPLINGS,
    ConceptClass,
    Distribution,
    Sampler,
    Sampling,
    Situation,
    full,
    linear_erm,
    thresholds,
)
from harness.concepts import rotation_invariant as marginals
from harness.concepts.atoms import ATOMS
from harness.concepts.halfspaces.samplers import LEARNERS, HalfspaceSampler, PlaneSampler, TrainableSampler
from harness.refusal import Refusal
from harness.theory import pac
from harness.theory.parameters import PacBound

MOST_DIMENSIONS = 256  # a chunk's support is d × d numbers


def _deferred(sampler: Sampler, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
    assert isinstance(sampler, HalfspaceSampler)
    return sampler.deferred(queries, k, s, rng)


deferred = Sampling.by_type(_deferred)
"""By the examples that matter, of Poisson(s) a chunk."""


class _RotationInvariant(Distribution):
    """What the two marginals share."""

    marginal: ClassVar[marginals.PointLaw]

    def samplings(self, concept: ConceptClass, learner: str) -> Mapping[str, Sampling]:
        assert isinstance(concept, _Halfspaces)
        if concept.affine or concept.d == 1:
            return {"full": full}
        by_angles = concept.d == 2 and (learner == "erm" or isinstance(self, Sphere))
        samplings = SAMPLINGS if by_angles else {"full": full}
        return samplings if learner == "erm" else {**samplings, "deferred": deferred}

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
        kind = TrainableSampler if concept.vc <= linear_erm.MOST_COORDINATES else HalfspaceSampler
        if concept.d == 2 and not concept.affine and by_angles:
            kind = PlaneSampler
        return kind(self.marginal, concept.d, concept.affine, situation.learner, situation.gamma)


class Sphere(_RotationInvariant):
    """The uniform distribution on the unit sphere of ℝ^d."""

    marginal = marginals.SpherePoints()


class Gaussian(_RotationInvariant):
    """The standard normal distribution on ℝ^d."""

    marginal = marginals.NormalPoints()


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
            few_bounds = (partial(pac.finite_agnostic, size=2),) if few else ()
            return partial(pac.sharpest, bounds=(*few_bounds, partial(pac.vc_agnostic, V=self.vc)))
        bounds = [partial(pac.blumer, V=self.vc)]
        if few:
            bounds.append(partial(pac.finite, size=2))
        if self.vc == 2:
            bounds.append(partial(pac.thresholds_consistent))
        if learner == "svm":
            bounds.append(partial(pac.stable_compression, size=self.vc))
        return partial(pac.sharpest, bounds=tuple(bounds))


class Halfspaces(_Halfspaces, frozen=True):
    """The concept class of halfspaces through the origin: V = d, as the basis vectors are shattered.

    Beside the origin, which all of them label 1.
    """

    name: ClassVar[str] = "halfspaces"
    affine: ClassVar[bool] = False

    @property
    def rare_atoms(self) -> int:
        return self.d

    @classmethod
    def of_vc(cls, V: int) -> Self:
        return cls(d=V)


class AffineHalfspaces(_Halfspaces, frozen=True):
    """The concept class of affine halfspaces: V = d + 1. The learner's margin is that of the points (x, 1)."""

    name: ClassVar[str] = "affine_halfspaces"
    affine: ClassVar[bool] = True

    @classmethod
    def of_vc(cls, V: int) -> Self:
        if V < 2:
            raise ValueError(f"V = {V} is not attained: affine halfspaces in ℝ^d have VC dimension d + 1; allowed: V ≥ 2")
        return cls(d=V - 1)


CONCEPT = (Halfspaces, AffineHalfspaces)
