"""What the k classifiers of an ensemble say about m queries."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from harness.arrays import Ints, Labels, Reals


def top(counts: NDArray[np.number]) -> Labels:
    """argmax over labels of counts (labels, m), noisy ones too; a tie goes to the smaller label."""
    labels: Labels = (counts[1] > counts[0]).view(np.int8) if len(counts) == 2 else counts.argmax(axis=0).astype(np.int8)
    return labels


@dataclass(frozen=True)
class Queries:
    """m unlabelled queries in the order they are asked, with the labels that only the evaluation sees.

    points: (m,) or (m, d), as the distribution that drew them represents a point. truth: (m,), their labels. best: (m,), the
    labels of the best hypothesis in the class where labels are noisy; None where they are the same.
    """

    points: Reals
    truth: Labels
    best: Labels | None = None

    @property
    def target(self) -> Labels:
        """The labels of the best hypothesis, (m,)."""
        return self.truth if self.best is None else self.best

    def flipped(self, gamma: float, rng: np.random.Generator) -> "Queries":
        """Random classification noise: each of the target's binary labels flipped with probability gamma, its error then."""
        if gamma == 0:
            return self
        return Queries(self.points, self.target ^ (rng.random(len(self.target)) < gamma).astype(np.int8), best=self.target)


@dataclass(frozen=True)
class Votes:
    """Vote counts. counts: (labels, m); column i says how many of the k classifiers give query i each label.

    max_mistakes: the largest number of the m queries that any one classifier gets wrong; None where it was not drawn.
    tv_budget: the total variation distance between the law of these votes and the exact one is at most this, whatever the
    queries are.
    """

    counts: Ints
    k: int
    truth: Labels
    max_mistakes: int | None = None
    tv_budget: float = 0.0

    @classmethod
    def binary(cls, ones: Ints, k: int, truth: Labels, max_mistakes: int | None = None, tv_budget: float = 0.0) -> "Votes":
        """Votes over the labels {0, 1} from the number of ones, (m,)."""
        counts = np.empty((2, len(ones)), dtype=np.int64)
        np.subtract(k, ones, out=counts[0])
        counts[1] = ones
        return cls(counts, k, truth, max_mistakes, tv_budget)

    @cached_property
    def winner(self) -> Labels:
        """argmax over labels of ct, (m,); a tie goes to the smaller label."""
        return top(self.counts)

    @cached_property
    def gap(self) -> Ints:
        """ct(top) − ct(second), (m,)."""
        labels = len(self.counts)
        second, top = self.counts if labels == 2 else np.partition(self.counts, labels - 2, axis=0)[-2:]
        gap: Ints = np.abs(top - second)
        return gap

    @cached_property
    def wrong(self) -> Ints:
        """How many of the k votes differ from the truth, (m,)."""
        if len(self.counts) == 2:
            # To choose one of the counts by a random label takes five times as long.
            wrong: Ints = np.abs(self.counts[1] - np.multiply(self.truth, self.k, dtype=np.int64))
            return wrong
        right: Ints = np.take_along_axis(self.counts, self.truth[np.newaxis].astype(np.intp), axis=0)[0]
        return self.k - right
