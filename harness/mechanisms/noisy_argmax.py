"""How often each label has the largest noisy count, by types of queries."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, reduce

import numpy as np
from scipy.special import ndtr

from harness.arrays import Indices, Ints, Reals, indices_of, shared
from harness.ballots import of_each, top
from harness.mechanisms.noise import binomial, laplace
from harness.theory.privacy.laplace import tail

NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)
PIECE = 2.0  # in units of the noise: 16 points integrate over such a piece to the last digits
FEW = 4  # groups of types that are told apart one after the other, before all others are put in order
BEYOND = 45.0  # so many units away all that is left is below the last digit


@dataclass(frozen=True)
class Noise(ABC):
    """Independent noise on each count of votes. scale: in votes."""

    scale: float

    @abstractmethod
    def drawn(self, shape: tuple[int, ...], rng: np.random.Generator) -> Reals:
        """Draws noise of this shape."""

    @abstractmethod
    def below(self, x: Reals) -> Reals:
        """P(noise ≤ x)."""

    @abstractmethod
    def density(self, x: Reals) -> Reals:
        """The noise's density at x."""

    @abstractmethod
    def overtakes(self, gap: Ints) -> Reals:
        """P(one noise exceeds another by more than the gap)."""


class Laplace(Noise):
    """Laplace noise on each count of votes: Lap(scale)."""

    def drawn(self, shape: tuple[int, ...], rng: np.random.Generator) -> Reals:
        return laplace(self.scale, int(np.prod(shape)), rng).reshape(shape)

    def below(self, x: Reals) -> Reals:
        return tail(-x / self.scale)

    def density(self, x: Reals) -> Reals:
        return np.exp(-np.abs(x) / self.scale) / (2 * self.scale)

    def overtakes(self, gap: Ints) -> Reals:
        y = gap / self.scale
        return (2 + y) / 4 * np.exp(-y)


class Normal(Noise):
    """Gaussian noise on each count of votes: N(0, scale²)."""

    def drawn(self, shape: tuple[int, ...], rng: np.random.Generator) -> Reals:
        return rng.normal(0, self.scale, shape)

    def below(self, x: Reals) -> Reals:
        return np.asarray(ndtr(x / self.scale))

    def density(self, x: Reals) -> Reals:
        density: Reals = np.exp(-((x / self.scale) ** 2) / 2) / (self.scale * np.sqrt(2 * np.pi))
        return density

    def overtakes(self, gap: Ints) -> Reals:
        return np.asarray(ndtr(-gap / (np.sqrt(2) * self.scale)))


class ExponentialVoteNoise(Noise):
    """Exponential noise of mean `scale` on each count of votes."""

    def drawn(self, shape: tuple[int, ...], rng: np.random.Generator) -> Reals:
        return rng.exponential(self.scale, shape)

    def below(self, x: Reals) -> Reals:
        return np.asarray(-np.expm1(-np.maximum(x, 0) / self.scale))

    def density(self, x: Reals) -> Reals:
        return np.asarray(np.where(x >= 0, np.exp(-np.maximum(x, 0) / self.scale) / self.scale, 0.0))

    def overtakes(self, gap: Ints) -> Reals:
        return np.asarray(np.exp(-gap / self.scale) / 2)


def noisy_argmax(counts: Ints, sizes: Ints, noise: Noise, rng: np.random.Generator) -> Ints:
    """Draws how many of sizes[i] queries with votes counts[:, i] each label wins under independent noise, (labels, types)."""
    labels, best = len(counts), top(counts)
    if labels == 2:
        others = binomial(sizes, of_each(noise.overtakes, np.abs(counts[1] - counts[0])), rng)
        ones = np.where(best, sizes - others, others)
        return np.array([sizes - ones, ones])
    won = np.zeros(counts.shape, dtype=np.int64)
    one = indices_of(sizes == 1)
    won[top(counts[:, one] + noise.drawn((labels, len(one)), rng)), one] = 1
    many = indices_of(sizes > 1)
    for types_alike in alike(counts, many):
        law = _known_law(tuple(counts[:, types_alike[0]].tolist()), noise)
        lost = binomial(sizes[types_alike], law.sum(), rng)
        if (some := indices_of(lost > 0)).size:
            won[:, types_alike[some]] = rng.multinomial(lost[some], law / law.sum()).T
        won[best[types_alike], types_alike] = sizes[types_alike] - lost
    return won


def alike(counts: Ints, types: Indices) -> Iterator[Indices]:
    """Groups of the indices of types with equal votes, in the order of the first of each group; counts: (labels, types)."""
    for _ in range(FEW):  # the votes on most queries are alike
        if len(types):
            same = reduce(np.logical_and, (count[types] == count[types[0]] for count in counts))
            yield types[same]
            types = types[~same]
    if not len(types):
        return
    _, first, group = np.unique(counts[:, types], axis=1, return_index=True, return_inverse=True)
    for number in np.argsort(first):
        yield types[group.ravel() == number]


@lru_cache(maxsize=1024)
def _known_law(counts: tuple[int, ...], noise: Noise) -> Reals:
    """`losing_law`, found once: the votes of most trials are the same."""
    return shared(losing_law(np.array(counts), noise))


def losing_law(counts: Ints, noise: Noise) -> Reals:
    """P(label r has the largest noisy count), (labels,), but 0 for the label with the most votes; each accurate where tiny."""
    best = int(counts.argmax())
    low, high = counts.min() - BEYOND * noise.scale, counts.max() + BEYOND * noise.scale
    kinks = np.unique(np.concatenate([counts, [low, high]]).astype(np.float64))
    pieces = np.ceil(np.diff(kinks) / (PIECE * noise.scale)).astype(np.int64)
    edges = np.concatenate([np.linspace(a, b, n, endpoint=False) for a, b, n in zip(kinks, kinks[1:], pieces, strict=False)])
    edges = np.append(edges, kinks[-1])
    half = np.diff(edges)[:, np.newaxis] / 2
    x = (edges[:-1, np.newaxis] + half * (1 + NODES)).ravel()
    below = noise.below(x - counts[:, np.newaxis])  # (labels, points)
    law = np.zeros(len(counts))
    for label in range(len(counts)):
        if label != best:
            others = np.prod(np.delete(below, label, axis=0), axis=0)
            law[label] = float((half * WEIGHTS).ravel() @ (noise.density(x - counts[label]) * others))
    return law
