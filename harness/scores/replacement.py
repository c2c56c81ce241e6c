"""Pairs of chunks that differ in one example, and how far their scores are apart (BTT18a Definitions 5.7 and 5.9, Theorem 2).

Which example is replaced is drawn more often near both ends of a chunk, where it may count most, and every pair has the weight
that makes up for it, so that means of weighted squares are those of a uniform j. A weight is at most 3.
"""

from dataclasses import dataclass

import numpy as np

from harness.arrays import Ints, Labels, Reals
from harness.scores import Instance, Learner, Points


@dataclass(frozen=True)
class Pairs:
    """Chunks with the example of each that is to be replaced.

    points, labels: of chunks (s, K). j: (K,), the example that is replaced, from 0. weights: (K,).
    """

    points: Points
    labels: Labels
    j: Ints
    weights: Reals

    @classmethod
    def drawn(cls, instance: Instance, s: int, pairs: int, rng: np.random.Generator) -> "Pairs":
        """Draws `pairs` chunks of s examples, and which example of each is to be replaced."""
        points, labels = instance.examples(rng, (s, pairs))
        return cls(points, labels, *places(s, pairs, rng))

    def given(self, points: Points, labels: Labels) -> "Pairs":
        """The chunks with the j-th examples replaced by these points and labels, (K,) each."""
        now, told_labels = self.points.copy(), self.labels.copy()
        chunks = np.arange(len(self.j))
        now[self.j, chunks], told_labels[self.j, chunks] = points, labels
        return Pairs(now, told_labels, self.j, self.weights)


def places(s: int, pairs: int, rng: np.random.Generator) -> tuple[Ints, Reals]:
    """Draws which of s examples is replaced in each pair, (pairs,), and the weights that make up for how it was drawn."""
    ends = 1 / np.arange(1.0, s + 1)
    law = (1 / s + (ends + ends[::-1]) / ends.sum()) / 3
    law /= law.sum()
    j = np.searchsorted(np.cumsum(law)[:-1], rng.random(pairs), side="right")
    return j, 1 / (s * law[j])


def fitted(learner: Learner, instance: Instance, first: Pairs, second: Pairs, coins: Ints) -> tuple[Reals, Reals]:
    """The predictions of a learner on the first chunks and on the second, (K, q) each, with the same coins."""
    both = learner.fit(
        instance,
        np.concatenate([first.points, second.points], axis=1),
        np.concatenate([first.labels, second.labels], axis=1),
        np.concatenate([coins, coins]),
    )
    return both[: len(coins)], both[len(coins) :]
