"""Means of labels: one-pass SGD on ½(h(x) − y)² from ½, one weight an atom, with steps 1/t, t the visits to that atom.

The weight is the running mean of the labels that the atom had, so a prediction is Y/N with N ~ Bin(s, q_x) and Y ~ Bin(N, p_x),
and ½ where N = 0. The k predictions at one atom enter what is made of them through their histogram alone, and that is
multinomial with the bins' probabilities. Between atoms the N of a chunk are dependent: jointly each chunk has one multinomial
N, or chunks have Poisson(s) examples and atoms are independent.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import floor, sqrt
from typing import ClassVar

import numpy as np

from harness.arrays import Ints, Labels, Reals
from harness.refusal import Refusal
from harness.scores import Instance, Learner, Points, Sampling
from harness.scores.atoms import ScoreAtoms
from harness.scores.bins import bin_law, number_law

DRAWN = 1 << 16
"""Chunks whose scores are drawn at once."""


class LabelMeans(Learner, frozen=True):
    """A learner that predicts the mean of the labels on each atom, ½ without any; it has no coins."""

    name: ClassVar[str] = "means"

    def samplings(self, instance: Instance) -> tuple[Sampling, ...]:
        return ("sufficient", "poisson", "full")

    def refuse(self, instance: Instance, s: int) -> Refusal | None:
        if not isinstance(instance, ScoreAtoms):
            return Refusal(
                f"means has one weight an atom, and {instance.name} has none; allowed: {ScoreAtoms.name}", "distribution"
            )
        return None

    def fit(self, instance: Instance, points: Points, labels: Labels, coins: Ints) -> Reals:
        chunks = np.arange(points.shape[1])
        w = np.tile(instance.half, (len(chunks), 1))
        visits = np.zeros(w.shape)
        for x, y in zip(points, labels, strict=True):
            visits[chunks, x] += 1
            w[chunks, x] += (y - w[chunks, x]) / visits[chunks, x]
        return w[:, : len(instance.asked)]

    def drawn(self, instance: Instance, sampling: Sampling, rng: np.random.Generator, s: int, k: int) -> Iterator[Reals]:
        if sampling == "full":
            yield from super().drawn(instance, sampling, rng, s, k)
            return
        assert isinstance(instance, ScoreAtoms)
        for start in range(0, k, DRAWN):
            visits = instance.visits(sampling, rng, s, min(DRAWN, k - start))
            ones = rng.binomial(visits, np.array(instance.chances))
            yield np.where(visits > 0, ones / np.maximum(visits, 1), 0.5)

    def counted(
        self, instance: Instance, sampling: Sampling, rng: np.random.Generator, s: int, k: int, edges: Reals, trials: int
    ) -> Ints | None:
        assert isinstance(instance, ScoreAtoms)
        if sampling == "full" or (sampling == "sufficient" and len(instance.masses) > 1):
            return None
        atoms = zip(instance.masses, instance.chances, edges, strict=True)
        laws = [bin_law(s, q, p, sampling == "poisson", tuple(own.tolist())) for q, p, own in atoms]
        exact = [law for law in laws if law is not None]
        if len(exact) < len(laws):
            return None
        return np.stack([rng.multinomial(k, law, trials) for law in exact], axis=1)

    def means(self, instance: Instance, sampling: Sampling, s: int) -> Reals:
        assert isinstance(instance, ScoreAtoms)
        q, p = np.array(instance.masses), np.array(instance.chances)
        none = np.exp(-s * q) if sampling == "poisson" else (1 - q) ** s
        expected: Reals = p + (0.5 - p) * none
        return expected

    def changes(self, instance: Instance, s: int) -> Reals:
        assert isinstance(instance, ScoreAtoms)
        return np.array([_change(s, q, p) for q, p in zip(instance.masses, instance.chances, strict=True)])


@lru_cache(maxsize=4096)
def _change(s: int, q: float, p: float) -> float:
    """E|h_D(x) − h_D(j)(x)|² at an atom; the same for every j.

    With N ~ Bin(s − 1, q) labels of the other examples, mean h of these, and v = p(1 − p): if both the j-th and the fresh
    example fall on the atom the change is (y − y')/(N + 1), and if one of them does it is (y − h)/(N + 1). The sums over N are
    of smooth functions, so that every (sd/4)-th N tells them to e^−300.
    """
    v = p * (1 - p)
    stride = max(1, floor(sqrt(s * q * (1 - q)) / 4))
    n, chance = number_law(s - 1, q, False, stride) if s > 1 else (np.zeros(1, np.int64), np.ones(1))
    both = 2 * v * float(chance @ (1 / (n + 1.0) ** 2))
    # (y − h)² has mean v + v/N, and ¼ where N = 0
    one = float(chance @ np.where(n > 0, v / (np.maximum(n, 1) * (n + 1.0)), 0.25))
    return q * q * both + 2 * q * (1 - q) * one


SCORES = LabelMeans
