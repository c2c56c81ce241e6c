"""Ensembles set directly, without data: what the utility theorems assume of the votes, and nothing more.

The cutoff T is given, and ⌊T⌋ of the m queries, at random places, are as unstable as can be: their votes are split in half. On
the others the votes agree as much as the theorem under test asks for. There is no learner, so no error α: the claims that
apply speak of the votes alone.
"""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil, floor, sqrt
from typing import ClassVar

import numpy as np
import scipy
from pydantic import Field

from harness.arrays import Ints
from harness.ballots import Ballot, Queries
from harness.concepts import ConceptClass, Distribution, Sampler, Situation, trials_of
from harness.refusal import Refusal
from harness.theory import pac
from harness.theory.parameters import PacBound


def by_wrong_votes(queries: Queries, k: int, p: float, rng: np.random.Generator) -> tuple[Queries, Ints]:
    """Draws types of queries by their number of wrong votes, and these numbers, (types,); a vote is wrong w.p. p."""
    if queries.size is None:
        return queries, rng.binomial(k, p, size=len(queries.truth))
    wrong = _likely(k, p)
    if queries.sizes.sum() <= len(wrong) * len(queries.truth):  # to draw each query's is as quick
        type_ = np.repeat(np.arange(len(queries.truth)), queries.sizes)
        return replace(queries.only(type_), size=np.ones(len(type_), dtype=np.int64)), rng.binomial(k, p, len(type_))
    law = scipy.stats.binom.pmf(wrong, k, p)
    sizes = rng.multinomial(queries.size, law / law.sum())
    type_, votes = np.nonzero(sizes)
    return replace(queries.only(type_), size=sizes[type_, votes]), wrong[votes]


def types_by_wrong_votes(m: int, k: int, p: float) -> int:
    """An upper bound on how many types `by_wrong_votes` makes of m queries of one type."""
    return min(m, len(_likely(k, p)))


def _likely(k: int, p: float) -> Ints:
    """The numbers of wrong votes that are likely: more or fewer are less likely than e^−400."""
    likely = 40 * sqrt(k * p) + 1000
    return np.arange(max(0, floor(k * p - likely)), min(k, ceil(k * p + likely)) + 1)


@dataclass(frozen=True)
class _EnsembleSampler(Sampler):
    """`unstable` of the queries have split votes; `points` marks them with 1."""

    right: float
    unstable: int

    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        points = np.zeros(m)
        points[: self.unstable] = 1
        return Queries(rng.permutation(points), rng.integers(0, 2, size=m, dtype=np.int8))

    def singles(self, m: int, k: int, s: int) -> float:
        return 0

    def at_once(self, m: int, k: int, s: int) -> int:
        return trials_of(0)

    def block(self, m: int, k: int, s: int, trials: int, rng: np.random.Generator) -> Queries:
        unstable = min(m, self.unstable)
        of_each = np.array([[unstable], [m - unstable]])
        ones = rng.binomial(of_each, 0.5, (2, trials))
        truth = np.array([1, 1, 0, 0], dtype=np.int8)
        return Queries.of_each(np.array([1.0, 0, 1, 0]), truth, np.concatenate([ones, of_each - ones]))

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        split, stable = queries.only(queries.points > 0), queries.only(queries.points == 0)
        stable, wrong = self.wrong_votes(stable, k, rng)
        wrong = np.append(np.full(len(split.truth), k // 2), wrong)
        types = split.joined(stable)
        return Ballot.binary(np.where(types.truth, k - wrong, wrong), k, types)

    full = sufficient  # there are no examples to draw

    @abstractmethod
    def wrong_votes(self, stable: Queries, k: int, rng: np.random.Generator) -> tuple[Queries, Ints]:
        """Stable queries, by types of as many wrong votes, and these, (types,)."""


@dataclass(frozen=True)
class _AgreementSampler(_EnsembleSampler):
    def wrong_votes(self, stable: Queries, k: int, rng: np.random.Generator) -> tuple[Queries, Ints]:
        return stable, np.full(len(stable.truth), floor(k * (1 - self.right) + 1e-6), dtype=np.int64)


@dataclass(frozen=True)
class _CoinSampler(_EnsembleSampler):
    def at_once(self, m: int, k: int, s: int) -> int:
        return trials_of(2 * types_by_wrong_votes(m, k, 1 - self.right))

    def wrong_votes(self, stable: Queries, k: int, rng: np.random.Generator) -> tuple[Queries, Ints]:
        return by_wrong_votes(stable, k, 1 - self.right, rng)


class _WithUnstable(Distribution):
    def refuse(self, situation: Situation) -> Refusal | None:
        if situation.cutoff is None:
            return Refusal("the number of unstable queries is the cutoff, which must be given; allowed: T ≥ 1", "T")
        return super().refuse(situation)


class Agreement(_WithUnstable):
    """Votes set directly: on every stable query the share `right` of the votes is right, by default 2/3 as in BTT18 T3.2."""

    right: float = Field(2 / 3, gt=0.5, le=1)

    def at(self, situation: Situation) -> _EnsembleSampler:
        assert situation.cutoff is not None
        return _AgreementSampler(self.right, floor(situation.cutoff))


class Split(Distribution):
    """Votes set directly: on every query they are split in half, whatever T is."""

    def at(self, situation: Situation) -> _EnsembleSampler:
        return _AgreementSampler(right=0.5, unstable=0)


class Coin(_WithUnstable):
    """Votes set directly: each vote on a stable query is right with probability `right`, independently (BTT18a T3.11)."""

    right: float = Field(3 / 4, gt=0.5, le=1)

    def at(self, situation: Situation) -> _EnsembleSampler:
        assert situation.cutoff is not None
        return _CoinSampler(self.right, floor(situation.cutoff))


class Ensemble(ConceptClass, frozen=True):
    """The concept class of votes set directly; its PAC bound is 0, as no learner is there, and T does not use it."""

    name: ClassVar[str] = "ensemble"
    synthetic: ClassVar[bool] = True
    learners: ClassVar[Mapping[str, str]] = {"none": "The votes are set directly."}
    distributions: ClassVar[Mapping[str, type[Distribution]]] = {"agreement": Agreement, "coin": Coin, "split": Split}
    vc: ClassVar[int] = 1
    dual_vc: ClassVar[int] = 1

    def pac_bound(self, learner: str | None, gamma: float) -> PacBound:
        return pac.never_wrong


CONCEPT = Ensemble
