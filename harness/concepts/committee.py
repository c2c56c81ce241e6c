"""Hypotheses of error γ + α each whose majority is wrong on nearly twice as much, and a hypothesis that fits it and errs more.

A *committee* of p members, p odd: they err on a region of mass 2(γ+α)p/(p+1), cut into p equal parts, the i-th of them on the
(p+1)/2 parts from part i on, around the region. So every point of it has a majority of wrong votes, by 1/p of them, and what
answers by majority labels all of it wrong: nobody can make more of hypotheses that err so much. The class has a *decoy* too,
which is wrong on that region and as often again as a member differs from its majority. A learner that minimises the empirical
risk on the majority's labels takes the decoy, where it has seen fewer of its mistakes than of any member's: its error is near
3(γ+α). So labels of the private classifier mislead A_Priv as far as this class can.

With γ > 0 there is a further region of mass γ where no label is the target's, and members and decoy are right.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import ClassVar

import numpy as np
from pydantic import Field, field_validator

from harness.arrays import Bools, Ints, Labels, Reals
from harness.ballots import Ballot, Queries
from harness.concepts import CALM, Calm, ConceptClass, Distribution, Hypothesis, Situation, Trainable, trials_of
from harness.refusal import Refusal
from harness.theory import pac
from harness.theory.parameters import PacBound

MOST = 1001  # members


@dataclass(frozen=True)
class CommitteeSampler(Trainable):
    """The sampler of a committee and a decoy, whose points are numbers of regions.

    The p parts come first, then the decoy's own, then where labels are not the target's, then the rest.

    A label is 1 where it is wrong, and of the truth so always 0. excess: α.
    """

    p: int
    excess: float
    gamma: float
    lure: float

    @cached_property
    def errs(self) -> Bools:
        """Which hypothesis is wrong on which region, (p + 2, p + 3): the decoy, the members, and the target."""
        errs = np.zeros((self.p + 2, self.p + 3), dtype=np.bool_)
        errs[0, : self.p + 1] = True
        part = np.arange(self.p)
        errs[1:-1, : self.p] = (part - part[:, np.newaxis]) % self.p < (self.p + 1) // 2
        errs[-1, self.p + 1] = True
        return errs

    @cached_property
    def masses(self) -> Reals:
        """The masses of the regions, (p + 3,)."""
        error = self.gamma + self.excess
        parts, decoy = np.full(self.p, 2 * error / (self.p + 1)), self.lure * error * (self.p - 1) / (self.p + 1)
        return np.concatenate([parts, [decoy, self.gamma, 1 - parts.sum() - decoy - self.gamma]])

    def _at(self, regions: Ints, size: Ints | None = None) -> Queries:
        target = self.errs[-1, regions].astype(np.int8)
        return Queries(regions.astype(np.float64), np.zeros(len(regions), dtype=np.int8), best=target, size=size)

    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        return self._at(rng.choice(len(self.masses), size=m, p=self.masses))

    def singles(self, m: int, k: int, s: int) -> float:
        return 0

    def at_once(self, m: int, k: int, s: int) -> int:
        return trials_of(len(self.masses))

    def block(self, m: int, k: int, s: int, trials: int, rng: np.random.Generator) -> Queries:
        """By regions."""
        regions = np.arange(len(self.masses))
        target = self.errs[-1].astype(np.int8)
        sizes = rng.multinomial(m, self.masses, trials).T
        return Queries.of_each(regions.astype(np.float64), np.zeros_like(target), sizes, target)

    def public(self, m: int, k: int, s: int, rng: np.random.Generator, calm: Calm = CALM, trials: int = 1) -> Queries:
        return self.block(m, k, s, trials, rng)

    def points_at_once(self, m: int, k: int, s: int, calm: Calm = CALM) -> int:
        return self.at_once(m, k, s)

    def placed(self, queries: Queries, labelled: Ints, rng: np.random.Generator) -> tuple[Queries, Labels]:
        """On each region one point a label, and how many these stand for."""
        label, type_ = np.nonzero(labelled)
        return self._at(queries.points[type_].astype(np.intp), labelled[label, type_]), label.astype(np.int8)

    def learn(self, queries: Queries, labels: Labels) -> Hypothesis:
        errs = self.errs
        missed = (errs[:, queries.points.astype(np.intp)] != labels) @ queries.sizes
        learned = errs[missed.argmin()]
        return Hypothesis(lambda points: learned[points.astype(np.intp)].astype(np.int8), float(self.masses @ learned))

    def errors(self, queries: Queries, labelled: Ints, rng: np.random.Generator) -> Reals:
        errs = self.errs[:, queries.points.astype(np.intp)]
        missed = [queries.sums(np.where(wrong, labelled[0], labelled[1])) for wrong in errs]
        return np.asarray((self.errs @ self.masses)[np.argmin(missed, axis=0)])

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        members = self.errs[1:-1, queries.points.astype(np.intp)]  # (p, types)
        voters = np.full(self.p, k // self.p) + (np.arange(self.p) < k % self.p)
        mistakes = [queries.sums(queries.sizes, wrong) for wrong in members[voters > 0]]
        return Ballot.binary(voters @ members, k, queries, max_mistakes=np.max(mistakes, axis=0))

    full = sufficient  # the hypotheses are not learned from examples


class Misled(Distribution):
    """A distribution for a committee whose majority is wrong on nearly twice what each member is.

    parts: p, an odd number of members and of parts of their region. lure: the decoy's own mistakes, in those of a member.

    The latter are what a member differs from the majority in: 1 makes decoy and members as good, and less makes it better.
    """

    parts: int = Field(15, ge=3, le=MOST)
    lure: float = Field(0.95, ge=0, le=1)

    @field_validator("parts")
    @classmethod
    def _odd(cls, parts: int) -> int:
        if parts % 2 == 0:
            raise ValueError(f"a committee of {parts} can be split in half; allowed: an odd number")
        return parts

    def refuse(self, situation: Situation) -> Refusal | None:
        if situation.alpha is None:
            return Refusal("the members' error follows from the α of the spec; allowed: alpha", "alpha")
        if 3 * situation.alpha + 4 * situation.gamma > 1:
            most = (1 - 4 * situation.gamma) / 3
            what = f"regions of mass 3·{situation.alpha:g} + 4·{situation.gamma:g} do not fit into 1"
            return Refusal(f"{what}; allowed: alpha ≤ {most:.3g}" if most > 0 else f"{what}; allowed: gamma < 1/4", "alpha")
        return None

    def at(self, situation: Situation) -> CommitteeSampler:
        assert situation.alpha is not None
        return CommitteeSampler(self.parts, situation.alpha, situation.gamma, self.lure)


class Committee(ConceptClass, frozen=True):
    """The concept class of a committee, each member wrong on about half a region, a decoy, wrong on all of it, and the target.

    The largest has 1,003.
    """

    name: ClassVar[str] = "committee"
    synthetic: ClassVar[bool] = True
    learners: ClassVar[Mapping[str, str]] = {
        "erm": "On examples a member, whose error is α above the best; on labelled points one of least empirical risk."
    }
    distributions: ClassVar[Mapping[str, type[Distribution]]] = {"misled": Misled}
    dual_vc: ClassVar[int] = 2

    @property
    def vc(self) -> int:
        """Three points at equal steps are shattered: arcs label one or two of them, the decoy all, the target none."""
        return 3

    def pac_bound(self, learner: str | None, gamma: float) -> PacBound:
        return partial(pac.finite_agnostic, size=MOST + 2) if gamma > 0 else pac.exactly_one_in_s


CONCEPT = Committee
