"""How often each label has the largest noisy count, by types of queries."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from scipy.special import ndtr

from harness.arrays import Indices, Ints, Reals, indices_of, shared, span
from harness.ballots import of_each, top
from harness.mechanisms.noise import binomial, laplace, none_happens
from harness.theory.privacy.laplace import tail

NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)
PIECE = 2.0  # in units of the noise: 16 points integrate over such a piece to the last digits
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
    labels = len(counts)
    if labels == 2:
        others = binomial(sizes, of_each(noise.overtakes, np.abs(counts[1] - counts[0])), rng)
        ones = np.where(top(counts), sizes - others, others)
        return np.array([sizes - ones, ones])
    won = np.zeros(counts.shape, dtype=np.int64)
    one = indices_of(sizes == 1)
    won[top(counts[:, one] + noise.drawn((labels, len(one)), rng)), one] = 1
    groups = [
        (votes, types_alike, _known_law(votes, noise), sizes[span(types_alike)])
        for votes, types_alike in alike(counts, indices_of(sizes > 1)).items()
    ]
    none = none_happens([(number, float(law.sum())) for _, _, law, number in groups], rng)
    for votes, types_alike, law, number in groups:
        lost = np.zeros_like(number) if none else binomial(number, law.sum(), rng)
        if (some := indices_of(lost > 0)).size:
            won[:, types_alike[some]] = rng.multinomial(lost[some], law / law.sum()).T
        won[votes.index(max(votes)), span(types_alike)] = number - lost
    return won


def alike(counts: Ints, types: Indices) -> dict[tuple[int, ...], Indices]:
    """Groups types with equal votes: the indices of types by their votes. counts: (labels, types). types: (n,), rising.

    In the order of the first type of each group.
    Most have the votes of the type before: those come as one.
    """
    votes = counts[:, span(types)]
    begins = [0, *(indices_of((votes[:, 1:] != votes[:, :-1]).any(axis=0)) + 1).tolist(), len(types)]
    runs = dict[tuple[int, ...], list[Indices]]()
    for begin, end in pairwise(begins) if len(types) else ():
        runs.setdefault(tuple(votes[:, begin].tolist()), []).append(types[begin:end])
    return {of: np.concatenate(each) if len(each) > 1 else each[0] for of, each in runs.items()}


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
