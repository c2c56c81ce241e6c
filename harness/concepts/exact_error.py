"""Hypotheses that err on mass exactly α = 1/s: the worst that a PAC learner with that bound is allowed to be.

A learner of error exactly 1/s is an (α, 0, s)-learner for α = 1/s, at every confidence. What a proof says about any PAC learner
it says about these, whose mistakes have a plain law: on m queries each hypothesis makes Bin(m, α) of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy

from harness.arrays import Ints
from harness.ballots import Ballot, Queries
from harness.concepts import ConceptClass, Distribution, Sampler, Situation, trials_of
from harness.concepts.ensemble import by_wrong_votes, types_by_wrong_votes
from harness.theory import pac
from harness.theory.parameters import PacBound

MOST = 1 << 34  # entries of the k × m table of mistakes from which on no hypothesis's own are drawn

LEARNERS: dict[str, str] = {
    "identical": "All k hypotheses err on the same region.",
    "independent": "The k hypotheses err on independent regions.",
}


def mistakes(m: int, k: int, alpha: float, rng: np.random.Generator) -> tuple[Ints, int]:
    """Of k independent hypotheses of error alpha, how many err on each of m queries, (m,), and the most mistakes of any.

    No table of k × m is drawn: its columns come one after the other, or its rows where these are fewer. Of the lines across
    them it is only known how many have so many mistakes left; of r in what is left each is as likely the next as any other.
    """
    steps, across = min(m, k), max(m, k)
    law = scipy.stats.binom.pmf(np.arange(steps + 1), steps, alpha)
    lines = rng.multinomial(across, law / law.sum())
    left = np.trim_zeros(lines, "b").copy()
    numbers, here = np.arange(1, len(left)), np.zeros(steps, dtype=np.int64)
    for step in range(steps):
        erring = rng.binomial(left[1:], numbers / np.maximum(numbers, steps - step))
        left[1:] -= erring
        left[:-1] += erring
        here[step] = erring.sum()
    if m <= k:
        return here, len(numbers)
    return rng.permutation(np.repeat(np.arange(steps + 1), lines)), int(here.max())


@dataclass(frozen=True)
class _RegionSampler(Sampler):
    alpha: float
    learner: str

    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        # A point of [0, 1] says by `point < alpha` whether it lies in the common region.
        return Queries(rng.random(m), rng.integers(0, 2, size=m, dtype=np.int8))

    def singles(self, m: int, k: int, s: int) -> float:
        return m if self.learner == "independent" and k * m <= MOST else 0

    def at_once(self, m: int, k: int, s: int) -> int:
        if self.learner == "identical":
            return trials_of(0)
        return 1 if self.singles(m, k, s) >= m else trials_of(4 * types_by_wrong_votes(m, k, self.alpha))

    def block(self, m: int, k: int, s: int, trials: int, rng: np.random.Generator) -> Queries:
        if self.singles(m, k, s) >= m:
            return self.queries(m, rng)
        inside = rng.binomial(m, self.alpha, trials)
        of_each = np.array([inside, m - inside])
        ones = rng.binomial(of_each, 0.5)
        truth = np.array([1, 1, 0, 0], dtype=np.int8)
        return Queries.of_each(np.array([0.0, 1, 0, 1]), truth, np.concatenate([ones, of_each - ones]))

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        if self.learner == "identical":
            wrong = np.where(queries.points < self.alpha, k, 0)
            most: int | Ints | None = queries.sums(np.where(wrong > 0, queries.sizes, 0))
        elif queries.size is not None:
            queries, wrong = by_wrong_votes(queries, k, self.alpha, rng)
            most = None
        else:
            wrong, most = mistakes(len(queries.truth), k, self.alpha, rng)
        return Ballot.binary(np.where(queries.truth, k - wrong, wrong), k, queries, max_mistakes=most)

    full = sufficient  # the hypotheses are not learned from examples


class Regions(Distribution):
    """The distribution for which every hypothesis is wrong in a region of mass exactly 1/s."""

    def at(self, situation: Situation) -> _RegionSampler:
        return _RegionSampler(1 / situation.s, situation.learner)


class ExactError(ConceptClass, frozen=True):
    """The concept class of hypotheses that err exactly 1/s each."""

    name: ClassVar[str] = "exact_error"
    synthetic: ClassVar[bool] = True
    learners: ClassVar[Mapping[str, str]] = LEARNERS
    distributions: ClassVar[Mapping[str, type[Distribution]]] = {"regions": Regions}
    vc: ClassVar[int] = 1
    dual_vc: ClassVar[int] = 1

    def pac_bound(self, learner: str | None, gamma: float) -> PacBound:
        return pac.exactly_one_in_s


CONCEPT = ExactError
