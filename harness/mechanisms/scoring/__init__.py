"""What turns the k predictions at a query into one score: one file a mechanism.

Each splits the n examples into its own k chunks, says the error that it promises, and the ε that it certainly keeps to at δ
over all m queries. One changed example changes one chunk, and so one prediction of each query.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf, log, sqrt

import numpy as np

from harness.arrays import Ints, Reals
from harness.mechanisms import Mechanism
from harness.mechanisms.scoring.histograms import Histograms
from harness.mechanisms.scoring.predictions import Predictions
from harness.registry import parts
from harness.scores import Scorer
from harness.theory.constants.btt18a_scores import ScoreConstants, ScoreTask
from harness.theory.plan import CERTIFIED

TRIVIAL = 0.5
"""The error that an answer of ½ never exceeds: a bound of no less says nothing."""


@dataclass(frozen=True)
class ScoreRequest:
    """What is asked of a mechanism that answers with scores: a task, constants, n, and what is known of the learner.

    n: examples. nu: ν, how near to 0 or 1 the means of all queries but T are said to be. alpha: the α of Definition 5.7 that
    is taken to be true of chunks of s examples; None where it is not known. width: γ where it is given, else Theorem 5.14's.
    chunks: a k for everyone; by default each takes its own. means: E h at the points asked about, on chunks of s examples.
    """

    task: ScoreTask
    constants: ScoreConstants
    n: int
    nu: float
    alpha: Callable[[int], float | None]
    means: Callable[[int], Reals]
    width: float | None = None
    chunks: int | None = None

    def deviation(self, s: int, k: int) -> float:
        """How far averages of k predictions are from their means at most, but for a chance β/2; infinite where α is unknown.

        By Bernstein's inequality, and Var h ≤ α²n'/2 (Efron, Stein); for learners without coins.
        """
        alpha, log_ = self.alpha(s), log(4 * self.task.m / self.task.beta)
        return inf if alpha is None else sqrt(alpha**2 * s * log_ / k) + 2 * log_ / (3 * k)


@dataclass(frozen=True, kw_only=True)
class ScorePlan:
    """All numbers of one mechanism for scores on n examples: chunks, noise, claimed bound and privacy.

    k, s: chunks, and examples a chunk, ⌊n/k⌋. alpha: that of Definition 5.7 at s, None where it is not known. width: of the
    bins or of the grid; None where there are none. bound: how far from its mean every score is claimed to be at most; None
    where nothing is claimed, and reason says why. noise: what it draws with. accounting: how `spent` is found.
    """

    n: int
    k: int
    s: int
    alpha: float | None = None
    width: float | None = None
    bound: float | None = None
    reason: str | None = None
    noise: Mapping[str, float] = field(default_factory=dict)
    accounting: Callable[[], float] | None = field(default=None, repr=False, compare=False)

    @cached_property
    def spent(self) -> float:
        """An ε' at which all answers together are certainly (ε', δ)-DP; infinite where nothing is certified."""
        return inf if self.accounting is None else self.accounting()

    def keeps_to(self, eps: float) -> bool:
        """Whether all answers together are certainly (ε, δ)-DP."""
        return self.spent <= eps * (1 + CERTIFIED)


def promised(bound: float, n: int, k: int) -> tuple[float | None, str | None]:
    """A pair of an error bound and None; or None and the reason in words, where the bound is missing or says nothing."""
    if n < k:
        return None, f"n = {n} is less than k = {k}: there is not one example a chunk"
    if bound == inf:
        return None, "α is not known of this learner"
    if bound >= TRIVIAL:
        return None, f"the bound on the error is {bound:.3g}, and an answer of ½ errs by no more than that"
    return bound, None


@dataclass(frozen=True)
class Answered:
    """What a mechanism answers with scores: how many queries of each type, and between which scores.

    low, high: the least and the largest score that queries of each type got, (…, q); nan where none got one.

    first, second, bottoms, unanswered: how many queries of each type are answered by a first test, or by the only one; by a
    second one; by ⊥; and not at all, (…, q). seen: the histograms that were tested, of a mechanism that has them.
    """

    low: Reals
    high: Reals
    first: Ints
    second: Ints
    bottoms: Ints
    unanswered: Ints
    seen: Histograms | None = None

    @classmethod
    def all_of(cls, low: Reals, high: Reals, sizes: Ints) -> "Answered":
        """The answers of a mechanism that answers every query; of a type of no query there is no score."""
        none, any_query = np.zeros_like(sizes), sizes > 0
        return cls(np.where(any_query, low, np.nan), np.where(any_query, high, np.nan), sizes, none, none, none)

    @classmethod
    def joined(cls, trials: Sequence["Answered"]) -> "Answered":
        """The answers of several trials as one, (trials, q)."""
        low, high, first, second, bottoms, unanswered = (
            np.array([getattr(own, name) for own in trials])
            for name in ("low", "high", "first", "second", "bottoms", "unanswered")
        )
        halves = [own.seen.halves for own in trials if own.seen is not None]
        seen = None if trials[0].seen is None else Histograms(np.array(halves), trials[0].seen.bins)
        return cls(low, high, first, second, bottoms, unanswered, seen)

    def error(self, means: Reals) -> Reals:
        """The largest distance of a score from its point's mean, (…,); nan where there is no score."""
        far: Reals = np.fmax.reduce(np.fmax(np.abs(self.low - means), np.abs(self.high - means)), axis=-1)
        return far


class Scoring(Mechanism):
    """The base of mechanisms that answer with scores in [0, 1]. averages: whether the k predictions' mean is all they use."""

    averages: bool = False

    @abstractmethod
    def plan(self, request: ScoreRequest) -> ScorePlan:
        """The plan for a request; with s < 1 it cannot be run."""

    @abstractmethod
    def answer(
        self, plan: ScorePlan, scorer: Scorer, sizes: Ints, votes: np.random.Generator, noise: np.random.Generator
    ) -> Answered:
        """Scores for sizes[i] queries of each point asked about, (q,). votes: for the predictions, noise: for its own noise.

        Marked `whole_blocks` it takes the sizes of several trials too, (trials, q).
        """

    def answer_block(
        self, plan: ScorePlan, scorer: Scorer, sizes: Ints, votes: np.random.Generator, noise: np.random.Generator
    ) -> Answered:
        """Scores of several trials, (trials, q): one after the other, but by an `answer` that takes `whole_blocks`."""
        if getattr(self.answer, "whole_blocks", False):
            return self.answer(plan, scorer, sizes, votes, noise)
        return Answered.joined([self.answer(plan, scorer, own, votes, noise) for own in sizes])

    def neighbours(self, plan: ScorePlan, m: int) -> Sequence[Predictions]:
        """Neighbouring predictions at m queries that an audit should try beside the usual ones; by default none."""
        return ()


DRAWN = 1 << 12
"""Predictions that an average draws one by one; further ones enter as the normal number that so many of them add up to."""


def trials_of(sizes: Ints) -> int | None:
    """The number of trials in an array of sizes, (trials, q); None where the array is of one trial alone, (q,)."""
    return len(sizes) if sizes.ndim > 1 else None


def average(scorer: Scorer, rng: np.random.Generator, s: int, k: int, trials: int | None = None) -> Reals:
    """The averages of k drawn predictions at the points asked about, (q,), or in each of several trials, (trials, q).

    Of more than DRAWN the rest is normal, with the mean of a prediction and the variance of those that were drawn. An average
    is then off by about a hundredth of its own deviation, which is what private ones have least of.
    """
    if trials is not None:
        return np.array([average(scorer, rng, s, k) for _ in range(trials)])
    drawn = scorer.predictions(rng, s, min(k, DRAWN))
    rest = k - len(drawn)
    if not rest:
        return np.asarray(drawn.mean(axis=0))
    others = scorer.means(s) * rest + rng.normal(size=scorer.types) * drawn.std(axis=0, ddof=1) * sqrt(rest)
    averages: Reals = (drawn.sum(axis=0) + others) / k
    return averages


def scorings() -> Mapping[str, Scoring]:
    """All registered mechanisms that answer with scores, by name."""
    return parts("mechanism", Scoring)
