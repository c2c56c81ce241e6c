"""Hypotheses that err on mass exactly α = 1/s: the worst that a PAC learner with that bound is allowed to be.

A learner of error exactly 1/s is an (α, 0, s)-learner for α = 1/s, at every confidence. What a proof says about any PAC learner
it says about these, whose mistakes have a plain law: on m queries each hypothesis makes Bin(m, α) of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from harness.concepts import ConceptClass, Distribution, Sampler, Situation
from harness.concepts.votes import Queries, Votes
from harness.theory.parameters import PacBound

BLOCK = 1 << 22  # entries of the k × m table of mistakes held at once

LEARNERS: dict[str, str] = {
    "identical": "All k hypotheses err on the same region.",
    "independent": "The k hypotheses err on independent regions.",
}


@dataclass(frozen=True)
class _RegionSampler(Sampler):
    alpha: float
    learner: str

    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        # A point of [0, 1] says by `point < alpha` whether it lies in the common region.
        return Queries(rng.random(m), rng.integers(0, 2, size=m, dtype=np.int8))

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Votes:
        m = len(queries.points)
        if self.learner == "identical":
            wrong = np.where(queries.points < self.alpha, k, 0)
            most = int(np.count_nonzero(wrong))
        else:
            wrong, most = np.zeros(m, dtype=np.int64), 0
            rows = max(1, BLOCK // m)
            for start in range(0, k, rows):
                mistakes = rng.random((min(rows, k - start), m)) < self.alpha
                wrong += mistakes.sum(axis=0)
                most = max(most, int(mistakes.sum(axis=1).max()))
        return Votes.binary(np.where(queries.truth, k - wrong, wrong), k, queries.truth, max_mistakes=most)

    full = sufficient  # the hypotheses are not learned from examples


class Regions(Distribution):
    """Every hypothesis has a region of mass exactly 1/s, in which it is wrong."""

    def at(self, situation: Situation) -> _RegionSampler:
        return _RegionSampler(1 / situation.s, situation.learner)


class ExactError(ConceptClass, frozen=True):
    """The registered class."""

    name: ClassVar[str] = "exact_error"
    synthetic: ClassVar[bool] = True
    learners: ClassVar[Mapping[str, str]] = LEARNERS
    distributions: ClassVar[Mapping[str, type[Distribution]]] = {"regions": Regions}

    @property
    def vc(self) -> int:
        return 1

    @property
    def dual_vc(self) -> int:
        return 1

    def pac_bound(self, learner: str | None, gamma: float) -> PacBound:
        return lambda s, q: 1 / s


CONCEPT = ExactError
