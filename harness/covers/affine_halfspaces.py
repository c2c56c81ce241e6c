"""Affine halfspaces in the plane at small size: on a finite domain, by writing all labellings down.

The domain is `support` points in general position, the first of a sequence of low discrepancy. A cover over a finite domain
needs nothing of a class but the matrix of its labellings, and is the oracle of the others.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations
from math import exp, log
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from harness.arrays import Bools, Ints, Reals
from harness.covers import ALL, Cover, Marginal, Points, QueryClass, Size, raised

MOST_SUPPORT = 60
MOST_NUMBERS, AT_ONCE = 2**21, 2**18
"""Of a cover that is kept as numbers; of a larger one so many are made at a time, which the cache has room for."""


@dataclass(frozen=True, eq=False)
class FiniteCover(Cover):
    """A cover with a listed X̃. holds: (|H̃|, |X̃|), whether h̃ is 1 on a point of X̃. Weights are one number a point."""

    holds: Bools

    def answers(self, weights: Reals, part: slice = ALL) -> Reals:
        if self.holds.size <= MOST_NUMBERS:
            return np.asarray((self._numbers[part] @ weights.T).T)
        held, step = self.holds[part], max(1, AT_ONCE // self.holds.shape[1])
        answers = np.empty((len(held), *weights.shape[:-1]))
        for start in range(0, len(held), step):
            answers[start : start + step] = held[start : start + step].astype(np.float64) @ weights.T
        return answers.T

    @cached_property
    def _numbers(self) -> Reals:
        """The functions on the cells, to calculate with."""
        return self.holds.astype(np.float64)

    def table(self) -> Bools:
        return self.holds

    def uniform(self) -> Reals:
        cells = self.holds.shape[1]
        return np.full(cells, 1 / cells)

    def tilted(self, weights: Reals, query: int, by: float) -> Reals:
        moved = weights * np.where(self.holds[query], exp(by), 1.0)
        return np.asarray(moved / moved.sum())

    def tilted_each(self, weights: Reals, queries: Ints, by: Reals) -> Reals:
        return raised(weights, self.holds[queries], by)

    def private(self, n: int, rng: np.random.Generator, trials: int | None = None) -> Reals:
        return np.asarray(rng.multinomial(n, self.masses, trials) / n)


def finite_cover(labellings: Bools, masses: Reals, points: Ints) -> FiniteCover:
    """The cover that public points make of all labellings of a finite domain, by brute force.

    labellings: (|H|, domain), of all of H. masses: (domain,). points: indices of public points.
    """
    distinct = np.unique(points)
    _, first, group = np.unique(labellings[:, distinct], axis=0, return_index=True, return_inverse=True)
    group = group.reshape(-1)
    chosen = labellings[first]
    columns, cell = np.unique(chosen, axis=1, return_inverse=True)
    cell = cell.reshape(-1)
    averages = labellings @ masses
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(len(first)))

    def locate(drawn: Points) -> Reals:
        return np.bincount(cell[drawn], minlength=columns.shape[1]) / max(1, len(drawn))

    on_cells = np.bincount(cell, weights=masses, minlength=columns.shape[1])
    return FiniteCover(
        masses=on_cells / on_cells.sum(),
        public=locate(points),
        low=np.minimum.reduceat(averages[order], starts),
        high=np.maximum.reduceat(averages[order], starts),
        radius=float(((labellings != chosen[group]) @ masses).max()),
        distinct=len(distinct),
        log_cells=log(columns.shape[1]),
        locate=locate,
        holds=columns,
    )


class Scattered(Marginal, frozen=True):
    """A distribution on `support` points of the plane, the first of mass `heavy` and the others of equal mass."""

    support: Annotated[int, Field(ge=1, le=MOST_SUPPORT)] = 24
    heavy: Annotated[float, Field(ge=0, le=1)] = 0.0

    @property
    def masses(self) -> Reals:
        """The masses of the points, (support,)."""
        if self.heavy == 0 or self.support == 1:
            return np.full(self.support, 1 / self.support)
        return np.append(self.heavy, np.full(self.support - 1, (1 - self.heavy) / (self.support - 1)))


@cache
def dichotomies(support: int) -> NDArray[np.bool_]:
    """All ways in which a line parts the first `support` points of the R₂ sequence, with either side as 1: (ways, support).

    A line can be moved until it goes through two points, and moved back it leaves these two on either side in all four ways: no
    three points are on a line.
    """
    step = 1.32471795724474602596
    points = np.arange(1, support + 1)[:, np.newaxis] * np.array([1 / step, 1 / step**2]) % 1
    ways_found = [np.zeros((1, support), np.bool_), np.ones((1, support), np.bool_)]
    for i, j in combinations(range(support), 2):
        along = points[j] - points[i]
        side = along[0] * (points[:, 1] - points[i, 1]) - along[1] * (points[:, 0] - points[i, 0]) > 0
        ways = np.repeat(side[np.newaxis], 4, axis=0)
        ways[:, i], ways[:, j] = [False, False, True, True], [False, True, False, True]
        ways_found += [ways, ~ways]
    if support == 1:
        return np.concatenate(ways_found)
    return np.unique(np.concatenate(ways_found), axis=0)


class AffineHalfspaceQueries(QueryClass, frozen=True):
    """The class of halfspaces of ℝ² as queries, on a finite domain."""

    name: ClassVar[str] = "affine_halfspaces"
    inequality: ClassVar[str] = "Vapnik, Chervonenkis"
    distributions: ClassVar[Mapping[str, type[Marginal]]] = {"scattered": Scattered}
    vc: ClassVar[int] = 3
    dual_vc: ClassVar[int] = 2

    def draw(self, marginal: Scattered, size: int, rng: np.random.Generator) -> Ints:
        return rng.choice(marginal.support, size=size, p=marginal.masses)

    def cover(self, marginal: Scattered, points: Points) -> FiniteCover:
        return finite_cover(dichotomies(marginal.support), marginal.masses, points)

    def grid(self, marginal: Scattered, size: int) -> FiniteCover:
        """The whole domain, which is finite as it is."""
        return self.cover(marginal, np.arange(marginal.support))

    def sizes(self, m: int) -> Size:
        return Size(super().sizes(min(m, MOST_SUPPORT)).queries, log(MOST_SUPPORT))

    def grid_sizes(self, size: int) -> Size:
        return self.sizes(MOST_SUPPORT)

    def deviation(self, m: int, alpha: float) -> float:
        """Vapnik and Chervonenkis: 4 Π(2m) e^{−m(α/2)²/8}, with Π(k) = k² − k + 2 labellings of k points."""
        return float(4 * (4 * m**2 - 2 * m + 2) * np.exp(-m * alpha**2 / 32))


QUERIES = AffineHalfspaceQueries
