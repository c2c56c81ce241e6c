"""A learner of which only a learning curve is known: on so many examples it errs on so large a share of the queries.

The curve is given at one or more sizes of a sample, `0.02@5000` for an error of 0.02 on 5,000 examples, and filled by a rule
(`LearningCurve`). Nothing is learned: the votes are set. How much a vote of such learners helps depends on how their errors
fall together, of which a curve says nothing. So there are two distributions: errors that are independent, and errors that fall
together on as many queries as they can, with a given share of the votes wrong on each.

All labels are 1, so that a tie, which goes to the smaller label, is wrong.
"""

from abc import abstractmethod
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from math import ceil, log
from typing import Annotated, ClassVar

import numpy as np
from pydantic import AfterValidator, Field

from harness.arrays import Bools, Ints, Reals
from harness.ballots import Ballot, Queries
from harness.concepts import ConceptClass, Distribution, Sampler, Situation, trials_of
from harness.concepts.ensemble import by_wrong_votes, types_by_wrong_votes
from harness.theory.parameters import PacBound

BLOCK = 1 << 17  # entries of the k × m table of mistakes held at once
GUESSING = 0.5
LEAST, MOST = 1e-12, 10**15
ASKED = "an error and a number of examples are needed, such as 0.02@5000"


@dataclass(frozen=True)
class LearningCurve:
    """What is known of a learner: its error at some numbers of examples.

    points: (examples, error) each, the examples rising and the errors falling or level.
    """

    points: tuple[tuple[int, float], ...]

    def __str__(self) -> str:
        return ", ".join(f"{err:g} on {at:,}" for at, err in self.points)

    def error(self, s: int) -> float:
        """The error on s examples, by a power of s from each point to the next, and beyond them by the first and the last.

        A single point is filled the cautious way: below it errors fall like 1/s, beyond it like 1/√s. No error is above 1/2.
        """
        if s < 1:
            return GUESSING
        if len(self.points) == 1:
            ((examples, err),) = self.points
            return float(min(GUESSING, err * (examples / s) ** (1.0 if s < examples else 0.5)))
        place = min(max(1, bisect_left(self.points, s, key=lambda point: point[0])), len(self.points) - 1)
        left, high = self.points[place - 1]
        return float(min(GUESSING, high * (left / s) ** _power(self.points[place - 1], self.points[place])))

    @property
    def rule(self) -> str:
        """How it is filled, in words."""
        if len(self.points) == 1:
            return f"of one point, the cautious way: like 1/s below s = {self.points[0][0]:,}, like 1/√s beyond"
        powers = [f"s^−{_power(left, right):.2g}" for left, right in pairwise(self.points)]
        if len(powers) == 1:
            return f"by the power {powers[0]} through both points, also below and beyond them"
        return f"by powers of s from point to point; below them {powers[0]}, beyond them {powers[-1]}"


def by_curve(s: int, q: float, curve: LearningCurve) -> float:
    """a learning curve's error on s examples, whatever the confidence."""
    return curve.error(s)


def _power(left: tuple[int, float], right: tuple[int, float]) -> float:
    return log(left[1] / right[1]) / log(right[0] / left[0])


def _point(text: str) -> str:
    """Raises ValueError unless it is an error in (0, 1/2] at a whole number of examples."""
    err, _, size = text.partition("@")
    try:
        error, examples = float(err), float(size)
    except ValueError:
        raise ValueError(f"{ASKED}, not {text!r}") from None
    if not LEAST <= error <= GUESSING:
        raise ValueError(f"an error of {error:g} in {text!r}; allowed: {LEAST:g} to {GUESSING:g}, which a coin has")
    if not 1 <= examples <= MOST or examples != int(examples):
        raise ValueError(f"{size} examples in {text!r}; allowed: a whole number from 1 to {MOST:g}")
    return f"{error:g}@{int(examples)}" if float(f"{error:g}") == error else f"{error!r}@{int(examples)}"


def _falling(errs: tuple[str, ...]) -> tuple[str, ...]:
    """In the order of the sizes. Raises ValueError where one is given twice, or an error rises."""
    ordered = sorted(errs, key=lambda point: int(point.partition("@")[2]))
    for left, right in pairwise(ordered):
        (low, examples), (high, next_) = (point.split("@") for point in (left, right))
        if examples == next_:
            raise ValueError(f"two errors at {examples} examples, {left} and {right}; allowed: one")
        if float(high) > float(low):
            raise ValueError(f"errors rise from {left} to {right}; allowed: that they fall, or stay, with more examples")
    return tuple(ordered)


@dataclass(frozen=True)
class CurveSampler(Sampler):
    """The base of samplers whose classifiers err exactly as a learning curve says. curve: of the errors."""

    curve: LearningCurve

    def error(self, s: int) -> float:
        """The error of each of the k classifiers, on s examples."""
        return self.curve.error(s)

    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        return _asked(rng.random(m))

    def singles(self, m: int, k: int, s: int) -> float:
        return 0

    def full(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        """Classifier by classifier, each query asked of each."""
        points = np.repeat(queries.points, queries.sizes)
        wrong, rows = np.zeros(len(points), dtype=np.int64), max(1, BLOCK // max(1, len(points)))
        for start in range(0, k, rows):
            wrong += self.mistakes(points, np.arange(start, min(k, start + rows)), k, s, rng).sum(axis=0)
        alone = queries.only(np.repeat(np.arange(len(queries.truth)), queries.sizes))
        return Ballot.binary(k - wrong, k, Queries(alone.points, alone.truth, trial=alone.trial, trials=alone.trials))

    @abstractmethod
    def mistakes(self, points: Reals, who: Ints, k: int, s: int, rng: np.random.Generator) -> Bools:
        """Which of the classifiers `who` of k err on which of the queries, (who, queries)."""


def _asked(points: Reals) -> Queries:
    return Queries(points, np.ones(len(points), dtype=np.int8))


@dataclass(frozen=True)
class IndependentSampler(CurveSampler):
    """A sampler by a learning curve, in which each classifier errs on each query independently."""

    def at_once(self, m: int, k: int, s: int) -> int:
        return trials_of(types_by_wrong_votes(m, k, self.error(s)))

    def block(self, m: int, k: int, s: int, trials: int, rng: np.random.Generator) -> Queries:
        return Queries.of_each(np.zeros(1), np.ones(1, dtype=np.int8), np.full((1, trials), m))

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        queries, wrong = by_wrong_votes(queries, k, self.error(s), rng)
        return Ballot.binary(k - wrong, k, queries)

    def mistakes(self, points: Reals, who: Ints, k: int, s: int, rng: np.random.Generator) -> Bools:
        return rng.random((len(who), len(points))) < self.error(s)


@dataclass(frozen=True)
class SplitSampler(CurveSampler):
    """A sampler by a learning curve, in which the same queries split the votes.

    wrong: the share of the votes that is wrong where any is; None for the least that makes the vote wrong, half of them.

    Queries are points of [0, 1], and those below `mass` have wrong votes. That region has k equal parts, and classifier j errs
    on as many of them, from part j on around, as votes are wrong on a query. So each errs by the curve, and no more.
    """

    wrong: float | None = None

    def votes(self, k: int, s: int) -> int:
        """How many of the k votes are wrong on a query of the region with wrong votes."""
        least = max(1, ceil(k * self.error(s) * (1 - 1e-12)))
        wrong_votes = (k + 1) // 2 if self.wrong is None else round(self.wrong * k)
        return min(k, max(least, wrong_votes))

    def mass(self, k: int, s: int) -> float:
        """The mass of the region with wrong votes."""
        return min(1.0, k * self.error(s) / self.votes(k, s))

    def at_once(self, m: int, k: int, s: int) -> int:
        return trials_of(0)

    def block(self, m: int, k: int, s: int, trials: int, rng: np.random.Generator) -> Queries:
        inside = rng.binomial(m, self.mass(k, s), trials)
        return Queries.of_each(np.array([0.0, 1.0]), np.ones(2, dtype=np.int8), np.array([inside, m - inside]))

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        return Ballot.binary(k - np.where(queries.points < self.mass(k, s), self.votes(k, s), 0), k, queries)

    def mistakes(self, points: Reals, who: Ints, k: int, s: int, rng: np.random.Generator) -> Bools:
        mass = self.mass(k, s)
        part = np.minimum(k - 1, points / mass * k).astype(np.int64)
        return (points < mass) & ((part - who[:, np.newaxis]) % k < self.votes(k, s))


class Independent(Distribution):
    """The distribution by which classifiers err on each query independently of one another, the best case for a majority."""

    def at(self, situation: Situation) -> CurveSampler:
        return IndependentSampler(_curve(situation))


class Split(Distribution):
    """The distribution by which classifiers err on the same queries, with a share `wrong` of the votes; by default half.

    On as many queries as their errors allow: on a share of error/wrong of them, and on no others.
    """

    wrong: float | None = Field(None, gt=0, le=1)

    def at(self, situation: Situation) -> CurveSampler:
        return SplitSampler(_curve(situation), self.wrong)


def _curve(situation: Situation) -> LearningCurve:
    assert isinstance(situation.concept, Curve)
    return situation.concept.curve


class Curve(ConceptClass, frozen=True):
    """The concept class of a learner of which only a learning curve is known. errs: the points of the curve.

    Its learner is an (α, 0, s)-learner with the α of it.
    """

    name: ClassVar[str] = "curve"
    synthetic: ClassVar[bool] = True
    learners: ClassVar[Mapping[str, str]] = {"curve": "Errs as its learning curve says, whatever the class."}
    distributions: ClassVar[Mapping[str, type[Distribution]]] = {"independent": Independent, "split": Split}
    vc: ClassVar[int] = 1
    dual_vc: ClassVar[int] = 1

    errs: Annotated[
        tuple[Annotated[str, Field(max_length=60), AfterValidator(_point)], ...],
        Field(min_length=1, max_length=100),
        AfterValidator(_falling),
    ] = ("0.02@5000",)

    @cached_property
    def curve(self) -> LearningCurve:
        """The learning curve."""
        return LearningCurve(tuple((int(size), float(err)) for err, size in (point.split("@") for point in self.errs)))

    def pac_bound(self, learner: str | None, gamma: float) -> PacBound:
        return partial(by_curve, curve=self.curve)


CONCEPT = Curve
