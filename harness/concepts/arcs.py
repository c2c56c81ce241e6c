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
from harness.concepts import ConceptClass, Distribution, Sampler, Situation, trials_at_once
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

    def at_once(self, m: int, k: int, s: int) -> int:
        return trials_at_once(m, self.singles(m, k, s))

    def block(self, m: int, k: int, s: int, trials: int, rng: np.random.Generator) -> Queries:
        """Those on the circle one by one, and how many others have each label."""
        on = rng.binomial(m, self.mass, trials)
        ones = rng.binomial(m - on, 0.5)
        far = Queries.of_each(np.ones(2), np.array([1, 0], dtype=np.int8), np.array([ones, m - on - ones]))
        singles = int(on.sum())
        return Queries(
            np.append(self.mass * rng.random(singles), far.points),
            np.append(rng.integers(0, 2, size=singles, dtype=np.int8), far.truth),
            size=np.append(np.ones(singles, dtype=np.int64), far.sizes),
            trial=None if far.trial is None else np.append(np.repeat(np.arange(trials), on), far.trial),
            trials=trials,
        )

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        on = queries.points < self.mass
        turn = queries.points[on] / self.mass
        trial = np.zeros(len(turn), dtype=np.int64) if queries.trial is None else queries.trial[on]
        # Hypothesis j errs from j/k on for a share of the turn: these have j/k in (turn − share, turn], around the circle.
        wrong = np.zeros(len(on), dtype=np.int64)
        wrong[on] = (np.floor(k * turn) - np.floor(k * (turn - self.share))).astype(np.int64)
        # None errs more than each of those that begin last before a query: two turns of the circle for every trial.
        begin = np.floor(k * turn) / k + 2 * trial
        around = np.sort(np.concatenate([turn, turn + 1]) + 2 * np.tile(trial, 2))
        mistakes = np.searchsorted(around, begin + self.share) - np.searchsorted(around, begin)
        most = np.zeros(queries.trials, dtype=np.int64)
        np.maximum.at(most, trial, mistakes)
        return Ballot.binary(np.where(queries.truth, k - wrong, wrong), k, queries, max_mistakes=most)

    full = sufficient  # the hypotheses are not learned from examples


class Circle(Distribution):
    """A distribution where hypotheses err 1/s each, all on a circle; at each point of it a share `share` of the votes is wrong.

    The mass of the circle is 1/(s·share).
    """

    share: float = Field(0.5, gt=0, le=1)

    def refuse(self, situation: Situation) -> Refusal | None:
        if situation.s * self.share < 1:
            what = f"a circle would have mass {1 / (situation.s * self.share):.3g} at s = {situation.s}"
            return Refusal(f"{what}; allowed: share ≥ 1/s", "distribution")
        return super().refuse(situation)

    def at(self, situation: Situation) -> _ArcsSampler:
        return _ArcsSampler(1 / situation.s, self.share)


class Arcs(ConceptClass, frozen=True):
    """The concept class of arcs, whose hypotheses err exactly 1/s, spread so that as many queries as can be are unstable."""

    name: ClassVar[str] = "arcs"
    synthetic: ClassVar[bool] = True
    learners: ClassVar[Mapping[str, str]] = {
        "spread": "The k hypotheses err on arcs that begin at equal steps around a circle."
    }
    distributions: ClassVar[Mapping[str, type[Distribution]]] = {"circle": Circle}
    vc: ClassVar[int] = 1
    dual_vc: ClassVar[int] = 1

    def pac_bound(self, learner: str | None, gamma: float) -> PacBound:
        return pac.exactly_one_in_s


CONCEPT = Arcs
