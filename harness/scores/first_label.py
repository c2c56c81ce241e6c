"""A learner whose score leans to one side of a bin's edge while its mean is on the other: it reads one label of its chunk.

It is as stable as Theorem 5.14 of BTT18a takes it to be, in closed form, has no coins, and shows what a query on an edge may
get.
"""

from collections.abc import Iterator
from math import sqrt
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from harness.arrays import Ints, Labels, Reals
from harness.refusal import Refusal
from harness.scores import Instance, Learner, Points, Sampling, histogram
from harness.scores.atoms import ScoreAtoms

ABOVE = 0.01
"""Of the jump, how much of it lies above the edge."""


class FirstLabel(Learner, frozen=True):
    """A learner whose score at the last point depends on the first label of its chunk, across the edge of a bin.

    At the last point that is asked about the score is just above the edge j/bins, j = ⌊bins/2⌋, if the first label of the
    chunk is 1, and a jump lower if it is 0; at the others it is 0. Labels are 1 with one chance p on all atoms.

    The jump is such that 16α√(2n') + nu is 1/bins: α² = 2p(1−p)·jump²/n'.
    """

    name: ClassVar[str] = "first_label"

    bins: Annotated[int, Field(ge=2, le=1000)] = 10
    nu: Annotated[float, Field(ge=0, le=0.5)] = 0.02

    def samplings(self, instance: Instance) -> tuple[Sampling, ...]:
        return ("sufficient", "full")

    def refuse(self, instance: Instance, s: int) -> Refusal | None:
        if isinstance(instance, ScoreAtoms) and len(set(instance.chances)) == 1 and 0 < instance.chances[0] < 1:
            return None
        return Refusal(
            "first_label is about labels with one chance; allowed: atoms with equal chances within (0, 1)", "learner"
        )

    def _jump(self, p: float) -> float:
        return (1 / self.bins - self.nu) / (32 * sqrt(p * (1 - p)))

    def _scores(self, instance: Instance, first: Reals) -> Reals:
        """(K, q), of first labels, or of their chances, (K,)."""
        scores = np.zeros((len(first), len(instance.asked)))
        edge = (self.bins // 2) / self.bins
        scores[:, -1] = edge + self._jump(float(instance.truth[0])) * (first - 1 + ABOVE)
        return scores

    def fit(self, instance: Instance, points: Points, labels: Labels, coins: Ints) -> Reals:
        return self._scores(instance, labels[0].astype(float))

    def drawn(self, instance: Instance, sampling: Sampling, rng: np.random.Generator, s: int, k: int) -> Iterator[Reals]:
        if sampling == "full":
            yield from super().drawn(instance, sampling, rng, s, k)
        else:
            yield self._scores(instance, (rng.random(k) < instance.truth[0]).astype(float))

    def counted(
        self, instance: Instance, sampling: Sampling, rng: np.random.Generator, s: int, k: int, edges: Reals, trials: int
    ) -> Ints | None:
        if sampling == "full":
            return None
        ones = rng.binomial(k, instance.truth[0], (trials, 1, 1))
        zero, one = (histogram(self._scores(instance, np.array([first])), edges) for first in (0.0, 1.0))
        counts: Ints = zero * (k - ones) + one * ones
        return counts

    def means(self, instance: Instance, sampling: Sampling, s: int) -> Reals:
        means: Reals = self._scores(instance, instance.truth[:1])[0]
        return means

    def changes(self, instance: Instance, s: int) -> Reals:
        p = float(instance.truth[0])
        squares = np.zeros(len(instance.asked))
        squares[-1] = 2 * p * (1 - p) * self._jump(p) ** 2 / s
        return squares


SCORES = FirstLabel
