"""Hypotheses of error exactly α = 1/s whose mistakes are spread so that as many queries as can be are unstable.

A circle has mass α/share, and the h_j err on arcs of mass α each that begin at equal steps around it. So every point of it
has just that share of wrong votes, and beyond the circle all votes are right. Where the share is such that a query is ⊥,
α/share of the queries are: no set of hypotheses of that error can do worse, by the counting of BTT18 Lemma 3.3.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from pydantic import Field

from harness.ballots import Ballot, Queries
from harness.concepts import ConceptClass, Distribution, Sampler, Situation
from harness.refusal import Refusal
from harness.theory import pac
from harness.theory.parameters import PacBound


@dataclass(frozen=True)
class _ArcsSampler(Sampler):
    """Points are places on [0, 1], in units of which the circle is [0, mass)."""

    alpha: float
    share: float

    @property
    def mass(self) -> float:
        return self.alpha / self.share

    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        return Queries(rng.random(m), rng.integers(0, 2, size=m, dtype=np.int8))

    def singles(self, m: int, k: int, s: int) -> float:
        return m * self.mass

    def types(self, m: int, k: int, s: int, rng: np.random.Generator) -> Queries:
        """Those on the circle one by one, and how many others have each label."""
        on = int(rng.binomial(m, self.mass))
        ones = int(rng.binomial(m - on, 0.5))
        return Queries(
            np.append(self.mass * rng.random(on), [1.0, 1.0]),
            np.append(rng.integers(0, 2, size=on, dtype=np.int8), np.array([1, 0], dtype=np.int8)),
            size=np.append(np.ones(on, dtype=np.int64), [ones, m - on - ones]),
        )

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        on = queries.points < self.mass
        turn = queries.points[on] / self.mass
        # Hypothesis j errs from j/k on for a share of the turn: these have j/k in (turn − share, turn], around the circle.
        wrong = np.zeros(len(on), dtype=np.int64)
        wrong[on] = (np.floor(k * turn) - np.floor(k * (turn - self.share))).astype(np.int64)
        begin, around = np.arange(k) / k, np.sort(np.concatenate([turn, turn + 1]))
        mistakes = np.searchsorted(around, begin + self.share) - np.searchsorted(around, begin)
        return Ballot.binary(np.where(queries.truth, k - wrong, wrong), k, queries, max_mistakes=int(mistakes.max()))

    full = sufficient  # the hypotheses are not learned from examples


class Circle(Distribution):
    """share: of the votes that are wrong on each point of the circle, whose mass is 1/(s·share)."""

    share: float = Field(0.5, gt=0, le=1)

    def refuse(self, situation: Situation) -> Refusal | None:
        if situation.s * self.share < 1:
            what = f"a circle would have mass {1 / (situation.s * self.share):.3g} at s = {situation.s}"
            return Refusal(f"{what}; allowed: share ≥ 1/s", "distribution")
        return super().refuse(situation)

    def at(self, situation: Situation) -> _ArcsSampler:
        return _ArcsSampler(1 / situation.s, self.share)


class Arcs(ConceptClass, frozen=True):
    """The registered class."""

    name: ClassVar[str] = "arcs"
    synthetic: ClassVar[bool] = True
    learners: ClassVar[Mapping[str, str]] = {
        "spread": "The k hypotheses err on arcs that begin at equal steps around a circle."
    }
    distributions: ClassVar[Mapping[str, type[Distribution]]] = {"circle": Circle}

    @property
    def vc(self) -> int:
        return 1

    @property
    def dual_vc(self) -> int:
        return 1

    def pac_bound(self, learner: str | None, gamma: float) -> PacBound:
        return pac.exactly_one_in_s


CONCEPT = Arcs
