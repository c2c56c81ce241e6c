"""Ensembles set directly, without data: what the utility theorems assume of the votes, and nothing more.

The cutoff T is given, and ⌊T⌋ of the m queries, at random places, are as unstable as can be: their votes are split in half. On
the others the votes agree as much as the theorem under test asks for. There is no learner, so no error α: the claims that
apply speak of the votes alone.
"""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from math import floor
from typing import ClassVar

import numpy as np
from pydantic import Field

from harness.arrays import Ints
from harness.concepts import ConceptClass, Distribution, Sampler, Situation
from harness.concepts.votes import Queries, Votes
from harness.refusal import Refusal
from harness.theory.parameters import PacBound


@dataclass(frozen=True)
class _EnsembleSampler(Sampler):
    """`unstable` of the queries have split votes; `points` marks them with 1."""

    right: float
    unstable: int

    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        points = np.zeros(m)
        points[: self.unstable] = 1
        return Queries(rng.permutation(points), rng.integers(0, 2, size=m, dtype=np.int8))

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Votes:
        wrong = np.where(queries.points > 0, k // 2, self.wrong_votes(k, len(queries.points), rng))
        return Votes.binary(np.where(queries.truth, k - wrong, wrong), k, queries.truth)

    full = sufficient  # there are no examples to draw

    @abstractmethod
    def wrong_votes(self, k: int, m: int, rng: np.random.Generator) -> Ints:
        """Wrong votes on each query, were all of them stable, (m,)."""


@dataclass(frozen=True)
class _AgreementSampler(_EnsembleSampler):
    def wrong_votes(self, k: int, m: int, rng: np.random.Generator) -> Ints:
        return np.full(m, floor(k * (1 - self.right) + 1e-6), dtype=np.int64)


@dataclass(frozen=True)
class _CoinSampler(_EnsembleSampler):
    def wrong_votes(self, k: int, m: int, rng: np.random.Generator) -> Ints:
        return rng.binomial(k, 1 - self.right, size=m)


class _WithUnstable(Distribution):
    def refuse(self, situation: Situation) -> Refusal | None:
        if situation.cutoff is None:
            return Refusal("the number of unstable queries is the cutoff, which must be given; allowed: T ≥ 1", "T")
        return super().refuse(situation)


class Agreement(_WithUnstable):
    """On every stable query exactly the share `right` of the votes is right: by default 2/3, as BTT18 T3.2 needs."""

    right: float = Field(2 / 3, gt=0.5, le=1)

    def at(self, situation: Situation) -> _EnsembleSampler:
        assert situation.cutoff is not None
        return _AgreementSampler(self.right, floor(situation.cutoff))


class Split(Distribution):
    """Every query's votes are split in half, whatever T is."""

    def at(self, situation: Situation) -> _EnsembleSampler:
        return _AgreementSampler(right=0.5, unstable=0)


class Coin(_WithUnstable):
    """Each vote on a stable query is right with probability `right`, independently (BTT18a Theorem 3.11 asks for 3/4)."""

    right: float = Field(3 / 4, gt=0.5, le=1)

    def at(self, situation: Situation) -> _EnsembleSampler:
        assert situation.cutoff is not None
        return _CoinSampler(self.right, floor(situation.cutoff))


class Ensemble(ConceptClass, frozen=True):
    """The registered class. Nothing is promised of a learner that is not there: its PAC bound is 0, and T does not use it."""

    name: ClassVar[str] = "ensemble"
    synthetic: ClassVar[bool] = True
    learners: ClassVar[Mapping[str, str]] = {"none": "The votes are set directly."}
    distributions: ClassVar[Mapping[str, type[Distribution]]] = {"agreement": Agreement, "coin": Coin, "split": Split}

    @property
    def vc(self) -> int:
        return 1

    @property
    def dual_vc(self) -> int:
        return 1

    def pac_bound(self, learner: str | None, gamma: float) -> PacBound:
        return lambda s, q: 0.0


CONCEPT = Ensemble
