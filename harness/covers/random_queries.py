"""Random queries on a finite domain: each holds on each cell with chance ½, drawn once and for all from a seed of the class."""

from collections.abc import Mapping
from functools import lru_cache
from math import exp, floor, log, log2
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field, model_validator

from harness.arrays import Bools, Ints, Reals, shared
from harness.covers import Marginal, Points, QueryClass, Size
from harness.covers.affine_halfspaces import FiniteCover, finite_cover

MOST_V, MOST_P, LOG_ENTRIES = 17, 16, 24
MOST_ENTRIES = 2**LOG_ENTRIES
"""Of the matrix of queries and cells."""


class Heavy(Marginal, frozen=True):
    """A distribution on cells: the first `count` share mass `total` evenly, and the rest of the mass is uniform on all."""

    count: Annotated[int, Field(ge=1, le=1000)] = 5
    total: Annotated[float, Field(ge=0, le=1)] = 0.6

    def masses(self, cells: int) -> Reals:
        """The masses of the cells, (cells,)."""
        masses = np.full(cells, (1 - self.total) / cells)
        masses[: self.count] += self.total / min(self.count, cells)
        return masses


class Ranked(Marginal, frozen=True):
    """A distribution on cells, whose mass falls with a power of the cell's rank (Zipf)."""

    power: Annotated[float, Field(ge=0, le=10)] = 1.0

    def masses(self, cells: int) -> Reals:
        """The masses of the cells, (cells,)."""
        masses = np.arange(1, cells + 1.0) ** -self.power
        return np.asarray(masses / masses.sum())


class RandomQueries(QueryClass, frozen=True):
    """The class of `count` random queries on `cells` cells: VC dimension at most log₂ count, dual at most log₂ cells.

    V and p are these bounds, rounded down: 2^V queries on 2^p cells where both are said.
    """

    name: ClassVar[str] = "random_queries"
    inequality: ClassVar[str] = "Hoeffding"
    distributions: ClassVar[Mapping[str, type[Marginal]]] = {"heavy": Heavy, "ranked": Ranked}
    count: Annotated[int, Field(ge=2, le=2**MOST_V)] = 1000
    cells: Annotated[int, Field(ge=2, le=2**MOST_P)] = 200
    seed: Annotated[int, Field(ge=0, le=10**9)] = 1

    @model_validator(mode="after")
    def _fits(self) -> "RandomQueries":
        if self.count * self.cells > MOST_ENTRIES:
            raise ValueError(f"{self.count * self.cells:,} entries would be drawn; allowed: count·cells ≤ {MOST_ENTRIES:,}")
        return self

    @property
    def vc(self) -> int:
        return floor(log2(self.count))

    @property
    def dual_vc(self) -> int:
        return floor(log2(self.cells))

    @classmethod
    def of(cls, V: int | None, p: int | None) -> "RandomQueries":
        if V is None or p is None:
            return super().of(V, p)
        if not (1 <= V <= MOST_V and 1 <= p <= MOST_P and V + p <= LOG_ENTRIES):
            allowed = f"V from 1 to {MOST_V}, p from 1 to {MOST_P}, V + p ≤ {LOG_ENTRIES}"
            raise ValueError(f"V = {V} and p = {p} would be 2^{V} queries on 2^{p} cells; allowed: {allowed}")
        return cls(count=2**V, cells=2**p)

    @classmethod
    def of_vc(cls, V: int) -> "RandomQueries":
        return cls(count=2 ** min(max(1, V), 15))

    @classmethod
    def of_dual(cls, p: int) -> "RandomQueries":
        return cls(cells=2 ** min(max(1, p), 13))

    def draw(self, marginal: Heavy | Ranked, size: int, rng: np.random.Generator) -> Ints:
        return np.asarray(rng.choice(self.cells, size, p=self._masses(marginal)), np.int64)

    def cover(self, marginal: Heavy | Ranked, points: Points) -> FiniteCover:
        return finite_cover(matrix(self.count, self.cells, self.seed), self._masses(marginal), points)

    def grid(self, marginal: Heavy | Ranked, size: int) -> FiniteCover:
        """The whole domain, which is finite as it is."""
        return _domain(self, marginal)

    def _masses(self, marginal: Heavy | Ranked) -> Reals:
        masses = marginal.masses(self.cells)
        return np.asarray(masses / masses.sum())

    def sizes(self, m: int) -> Size:
        return Size(float(min(self.count, 2.0 ** min(m, 60))), log(self.cells))

    def grid_sizes(self, size: int) -> Size:
        return Size(float(self.count), log(self.cells))

    def numbers(self, size: Size) -> float:
        return size.queries * exp(size.log_cells)

    def missed(self, m: int, alpha: float) -> float:
        """Two of the queries that differ with chance above `at` agree on all m points with chance at most (1 − at)^m."""
        return float(min(1.0, self.count**2 / 2 * np.exp(m * np.log1p(-min(alpha, 1 - 1e-12)))))

    def deviation(self, m: int, alpha: float) -> float:
        """Hoeffding, for each of them."""
        return min(1.0, 2 * self.count * exp(-m * alpha**2 / 2))


@lru_cache(4)
def matrix(count: int, cells: int, seed: int) -> Bools:
    """A random 0/1 matrix of a class of queries: whether each query is 1 on each cell, (count, cells), from a seed.

    Made of the seed's raw bits, which are the same in every version of numpy.
    """
    words = np.random.PCG64(seed).random_raw(-(-count * cells // 64))
    bits = np.unpackbits(np.asarray(words, "<u8").view(np.uint8))
    return shared(np.asarray(bits[: count * cells].reshape(count, cells) == 1))


@lru_cache(4)
def _domain(queries: RandomQueries, marginal: Heavy | Ranked) -> FiniteCover:
    """The cover of all cells, which takes long to make of many."""
    holds, masses = matrix(queries.count, queries.cells, queries.seed), queries._masses(marginal)
    expected = holds @ masses

    def locate(drawn: Points) -> Reals:
        return np.bincount(drawn, minlength=queries.cells) / max(1, len(drawn))

    return FiniteCover(
        masses=masses,
        public=np.full(queries.cells, 1 / queries.cells),
        low=expected,
        high=expected,
        radius=0.0,
        distinct=0,
        log_cells=log(queries.cells),
        locate=locate,
        holds=holds,
    )


QUERIES = RandomQueries
