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

from collections.abc import Mapping
from functools import partial
from typing import ClassVar

from pydantic import Field

from harness.concepts import ConceptClass, Distribution, Situation, Trainable, atoms
from harness.concepts.thresholds.hard import HardSampler
from harness.concepts.thresholds.samplers import LEARNERS, NoisyUniformSampler, UniformSampler
from harness.refusal import Refusal
from harness.theory import pac
from harness.theory.parameters import PacBound

MOST_NOISE = 0.45  # from 1/3 on no theorem says anything, and nearer 1/2 the law is wide and costly


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

    def at(self, situation: Situation) -> UniformSampler:
        if situation.gamma > 0:
            return NoisyUniformSampler(self.target, situation.learner, situation.gamma)
        return UniformSampler(self.target, situation.learner)


class Hard(atoms.Hard):
    """A hard distribution for thresholds: a rare atom, of the sizes of `atoms.Hard`, and a heavy one.

    The rare atom lies where the learner's default is wrong, so a chunk that missed it (probability about e^−c) votes wrong on
    it. With noisy labels a threshold at a tie is wrong on it too, whichever the learner, and only its atom counts.
    """

    def at(self, situation: Situation) -> Trainable:
        if situation.gamma > 0:
            return super().at(situation)
        rare, heavy = (0.6, 0.4) if situation.learner == "rightmost" else (0.4, 0.6)
        mass, _ = self.sizes(1, situation)
        return HardSampler(target=0.5, learner=situation.learner, rare=rare, heavy=heavy, mass=mass)


class Thresholds(ConceptClass, frozen=True):
    """The concept class of thresholds 1[x ≥ t] on [0, 1]."""

    name: ClassVar[str] = "thresholds"
    learners: ClassVar[Mapping[str, str]] = {name: rule.__doc__ or "" for name, rule in LEARNERS.items()}
    distributions: ClassVar[Mapping[str, type[Distribution]]] = {"uniform": Uniform, "hard": Hard}
    vc: ClassVar[int] = 1
    dual_vc: ClassVar[int] = 1

    @property
    def rare_atoms(self) -> int:
        """A point below one that is labelled 1 may have either label."""
        return 1

    def pac_bound(self, learner: str | None, gamma: float) -> PacBound:
        if gamma > 0:
            return partial(pac.sharpest, bounds=(pac.thresholds_agnostic, partial(pac.vc_agnostic, V=1)))
        return pac.thresholds_extremal if learner in ("leftmost", "rightmost") else pac.thresholds_consistent


CONCEPT = Thresholds
