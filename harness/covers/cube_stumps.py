"""Decision stumps on the cube: h_i(x) = x_i, i = 1, …, p, with x ∈ {0, 1}^p for {±1}^p (BCMNUW20 Definition 12).

Coordinates that agree on all public points have one labelling; the first of them is h̃. X̃ are all 2^|H̃| patterns. Every query
looks at one coordinate alone, so multiplicative weights stay a product, and its state is |H̃| numbers.
"""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from math import floor, log, log2
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator
from scipy.special import expit, logit

from harness.arrays import Bools, Ints, Reals
from harness.covers import ALL, Cover, Marginal, Points, QueryClass, Size


class Cube(Marginal, frozen=True):
    """A distribution on {0, 1}^p: a product of coordinates, or a mixture of products."""

    @abstractmethod
    def means(self, p: int) -> Reals:
        """P(x_i = 1), (p,)."""

    @abstractmethod
    def differ(self, first: Ints, second: Ints) -> Reals:
        """P(x_i ≠ x_j) for pairs of coordinates: first[i] and second[i] for each i = 0, 1, …"""

    @abstractmethod
    def counts(self, coordinates: Ints, n: int, p: int, rng: np.random.Generator, trials: int | None = None) -> Reals:
        """Draws how many of n points have x_i = 1, for some of the p coordinates; of several trials, (trials, coordinates)."""

    @abstractmethod
    def bits(self, size: int, p: int, rng: np.random.Generator) -> Bools:
        """Draws `size` points, (size, p)."""


def of_trials(trials: int | None, count: int) -> tuple[int, ...]:
    """The shape of an array of `count` numbers, (count,), or of as many in each of several trials, (trials, count)."""
    return (count,) if trials is None else (trials, count)


def biased(size: int, p: int, share: Reals | float, rng: np.random.Generator) -> Bools:
    """Draws independent bits that are 1 with chance `share`, a number or one a column: (size, p), by rows to save memory."""
    bits = np.empty((size, p), np.bool_)
    for row in bits:
        np.less(rng.random(p), share, out=row)
    return bits


class Product(Cube, frozen=True):
    """A distribution on the cube of independent bits, whose means as ±1 rise evenly from bias − spread to bias + spread."""

    bias: Annotated[float, Field(ge=-1, le=1)] = 0.0
    spread: Annotated[float, Field(ge=0, le=1)] = 0.0

    @model_validator(mode="after")
    def _means(self) -> "Product":
        if abs(self.bias) + self.spread > 1:
            raise ValueError(f"means would reach {abs(self.bias) + self.spread:g}; allowed: at most 1")
        return self

    def _biases(self, p: int) -> Reals:
        return self.bias + self.spread * (np.linspace(-1, 1, p) if p > 1 else np.zeros(1))

    def means(self, p: int) -> Reals:
        return (1 + self._biases(p)) / 2

    def differ(self, first: Ints, second: Ints) -> Reals:
        biases = self._biases(len(first))
        return np.where(first == second, 0.0, (1 - biases[first] * biases[second]) / 2)

    def counts(self, coordinates: Ints, n: int, p: int, rng: np.random.Generator, trials: int | None = None) -> Reals:
        share = self.means(p)[coordinates] if self.spread else (1 + self.bias) / 2
        return np.asarray(rng.binomial(n, share, of_trials(trials, len(coordinates))), np.float64)

    def bits(self, size: int, p: int, rng: np.random.Generator) -> Bools:
        return biased(size, p, self.means(p) if self.spread else (1 + self.bias) / 2, rng)


class Mixture(Cube, frozen=True):
    """A mixture of two products on the cube: with chance `weight` all coordinates have mean `bias`, else `other`."""

    bias: Annotated[float, Field(ge=-1, le=1)] = 0.5
    other: Annotated[float, Field(ge=-1, le=1)] = -0.5
    weight: Annotated[float, Field(ge=0, le=1)] = 0.5

    def means(self, p: int) -> Reals:
        return np.full(p, (1 + self.weight * self.bias + (1 - self.weight) * self.other) / 2)

    def differ(self, first: Ints, second: Ints) -> Reals:
        chance = (1 - self.weight * self.bias**2 - (1 - self.weight) * self.other**2) / 2
        return np.where(first == second, 0.0, chance)

    def counts(self, coordinates: Ints, n: int, p: int, rng: np.random.Generator, trials: int | None = None) -> Reals:
        size = of_trials(trials, len(coordinates))
        of_first = rng.binomial(n, self.weight, of_trials(trials, 1))
        here = rng.binomial(of_first, (1 + self.bias) / 2, size)
        return np.asarray(here + rng.binomial(n - of_first, (1 + self.other) / 2, size), np.float64)

    def bits(self, size: int, p: int, rng: np.random.Generator) -> Bools:
        of_first = rng.random(size) < self.weight
        bits = biased(size, p, (1 + self.other) / 2, rng)
        bits[of_first] = biased(int(of_first.sum()), p, (1 + self.bias) / 2, rng)
        return bits


@dataclass(frozen=True, eq=False)
class ProductCover(Cover):
    """A cover by stumps on the cube. Weights are P(x_i = 1) of the coordinates in H̃, (|H̃|,). chosen: these coordinates."""

    separate: ClassVar[bool] = True

    chosen: Ints
    marginal: Cube
    dimension: int

    def answers(self, weights: Reals, part: slice = ALL) -> Reals:
        return weights[..., part]

    def table(self) -> Bools:
        return np.asarray(np.indices((2,) * self.queries).reshape(self.queries, -1) == 1)

    def uniform(self) -> Reals:
        return np.full(self.queries, 0.5)

    def tilted(self, weights: Reals, query: int, by: float) -> Reals:
        moved = weights.copy()
        moved[query] = expit(logit(weights[query]) + by)
        return moved

    def tilted_each(self, weights: Reals, queries: Ints, by: Reals) -> Reals:
        moved, trials = weights.copy(), np.arange(len(weights))
        moved[trials, queries] = expit(logit(weights[trials, queries]) + by)
        return moved

    def private(self, n: int, rng: np.random.Generator, trials: int | None = None) -> Reals:
        return self.marginal.counts(self.chosen, n, self.dimension, rng, trials) / n


class CubeStumpQueries(QueryClass, frozen=True):
    """The class of p stumps on the cube as queries, of VC dimension ⌊log₂ p⌋ and dual VC dimension p."""

    name: ClassVar[str] = "cube_stumps"
    inequality: ClassVar[str] = "Hoeffding"
    distributions: ClassVar[Mapping[str, type[Marginal]]] = {"product": Product, "mixture": Mixture}
    dimension: Annotated[int, Field(ge=1, le=10**6)] = 16

    @property
    def vc(self) -> int:
        return floor(log2(self.dimension))

    @property
    def dual_vc(self) -> int:
        return self.dimension

    @classmethod
    def of_dual(cls, p: int) -> "CubeStumpQueries":
        return cls(dimension=p)

    @classmethod
    def of_vc(cls, V: int) -> "CubeStumpQueries":
        return cls(dimension=2**V)

    def draw(self, marginal: Cube, size: int, rng: np.random.Generator) -> Points:
        return marginal.bits(size, self.dimension, rng)

    def cover(self, marginal: Cube, points: Points) -> ProductCover:
        group = columns(points)
        first = np.unique(group, return_index=True)[1]
        means = marginal.means(self.dimension)
        order = np.argsort(group, kind="stable")
        starts = np.searchsorted(group[order], np.arange(len(first)))
        return ProductCover(
            masses=means[first],
            public=points.mean(axis=0)[first],
            low=np.minimum.reduceat(means[order], starts),
            high=np.maximum.reduceat(means[order], starts),
            radius=float(marginal.differ(np.arange(self.dimension), first[group]).max()),
            distinct=len(np.unique(np.packbits(points, axis=1), axis=0)),
            log_cells=len(first) * log(2),
            locate=lambda drawn: drawn[:, first].mean(axis=0),
            chosen=first,
            marginal=marginal,
            dimension=self.dimension,
        )

    def grid(self, marginal: Cube, size: int) -> ProductCover:
        """All p stumps: the cube is finite as it is."""
        means = marginal.means(self.dimension)
        return ProductCover(
            masses=means,
            public=np.full(self.dimension, 0.5),
            low=means,
            high=means,
            radius=0.0,
            distinct=0,
            log_cells=self.dimension * log(2),
            locate=lambda drawn: drawn.mean(axis=0),
            chosen=np.arange(self.dimension),
            marginal=marginal,
            dimension=self.dimension,
        )

    def most_bits(self, m: int) -> float:
        return float(m) * self.dimension

    def sizes(self, m: int) -> Size:
        queries = self.dimension if m >= 20 else min(self.dimension, 2**m)
        return Size(queries, queries * log(2))

    def grid_sizes(self, size: int) -> Size:
        return Size(self.dimension, self.dimension * log(2))

    def missed(self, m: int, alpha: float) -> float:
        """Two of the p stumps that differ with chance above `at` agree on all m points with chance at most (1 − at)^m."""
        return float(min(1.0, self.dimension**2 / 2 * np.exp(m * np.log1p(-min(alpha, 1 - 1e-12)))))

    def deviation(self, m: int, alpha: float) -> float:
        """Hoeffding, for each of the p means."""
        return float(2 * self.dimension * np.exp(-m * alpha**2 / 2))


def columns(points: NDArray[np.bool_]) -> Ints:
    """Numbers the distinct columns of a bit matrix, (m, p): for each column a number from 0, (p,), equal for equal columns.

    64 rows at a time are one word a column; words are joined until all columns differ.
    """
    count = points.shape[1]
    group = np.zeros(count, np.int64)
    for start in range(0, len(points), 64):
        packed = np.packbits(points[start : start + 64], axis=0)
        word = np.zeros((8, count), np.uint8)
        word[: len(packed)] = packed
        place = np.unique(np.ascontiguousarray(word.T).view(np.uint64).ravel(), return_inverse=True)[1].reshape(-1)
        codes, group = np.unique(group * count + place, return_inverse=True)
        group = group.reshape(-1)
        if len(codes) == count:
            break
    return group


QUERIES = CubeStumpQueries
