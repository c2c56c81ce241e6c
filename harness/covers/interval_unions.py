"""Unions of at most so many intervals on ℝ; one interval is a union of one.

A labelling of the distinct public points by such an h is given by its runs of 1s. h̃ cuts at public points: the run of the
points i, …, j is (w_{i−1}, w_j]. Between public points h is free, which `_range` makes exact: a run may begin and end anywhere
within the gaps around it, and an interval that no public point needs may add a part of a gap elsewhere, or cut one out of a
run.
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations
from math import comb, log
from typing import Annotated, ClassVar, Self

import numpy as np
from pydantic import Field

from harness.arrays import Ints, Reals
from harness.covers import Marginal, Points, QueryClass, Size
from harness.covers.line import LINES, Cuts, Line, deviation_of_sums, largest, missed_by_spacing, places
from harness.covers.runs import RunsCover

MOST = 4
"""The most intervals of a union."""


@lru_cache(16)
def runs_of(points: int, most: int) -> tuple[Ints, ...]:
    """All 0/1 labellings of `points` ordered points with r runs of 1s, r = 0, …, most, by the runs' edges: (labellings, 2r).

    A labelling is r pairs of edges, from 0 to `points`: the run between the edges a < b is the points a + 1, …, b.
    """
    pairs = np.stack(np.triu_indices(points + 1, 1), axis=1)
    more = [(2 * r, list(combinations(range(points + 1), 2 * r))) for r in range(2, most + 1)]
    return np.zeros((1, 0), np.int64), pairs, *(np.array(each, np.int64).reshape(len(each), edges) for edges, each in more)


class IntervalUnions(QueryClass, frozen=True):
    """The class of unions of at most `intervals` intervals as queries: m̂ points make Σ_r C(m̂ + 1, 2r) labellings.

    r ≤ intervals, over m̂ + 1 cells.
    """

    name: ClassVar[str] = "interval_unions"
    ordered: ClassVar[bool] = True
    inequality: ClassVar[str] = "DKW"
    distributions: ClassVar[Mapping[str, type[Marginal]]] = LINES
    intervals: Annotated[int, Field(ge=1, le=MOST)] = 2

    @property
    def vc(self) -> int:
        return 2 * self.intervals

    @property
    def dual_vc(self) -> int:
        """The largest k with 2^k ≤ 2·intervals·k + 1, the most regions that k such sets make; balanced Gray codes attain it."""
        return max(k for k in range(2 * self.intervals + 1) if 2**k <= 2 * self.intervals * k + 1)

    @classmethod
    def of(cls, V: int | None, p: int | None) -> Self:
        made = super().of(V, None) if V is not None else super().of(None, p)
        return made if p in (None, made.dual_vc) else super().of(V, p)

    @classmethod
    def of_dual(cls, p: int) -> "IntervalUnions":
        return next((union for union in map(cls._of, range(1, MOST)) if union.dual_vc >= p), cls._of(MOST))

    @classmethod
    def of_vc(cls, V: int) -> "IntervalUnions":
        return cls._of(min(max(1, (V + 1) // 2), MOST))

    @classmethod
    def _of(cls, intervals: int) -> "IntervalUnions":
        return cls(intervals=intervals)

    def draw(self, marginal: Line, size: int, rng: np.random.Generator) -> Reals:
        return marginal.draw(size, rng)

    def cover(self, marginal: Line, points: Points) -> RunsCover:
        cuts = Cuts.of(marginal, points)
        parts = [self._range(cuts, edges) for edges in runs_of(len(cuts.points), self.intervals)]
        padded = [np.pad(edges, ((0, 0), (0, 2 * self.intervals - edges.shape[1]))) for edges, _, _ in parts]
        edges = np.concatenate(padded)
        return RunsCover(
            masses=cuts.masses,
            public=cuts.public,
            low=np.concatenate([low for _, low, _ in parts]),
            high=np.concatenate([high for _, _, high in parts]),
            radius=largest(cuts.gaps, 2 * self.intervals),
            distinct=len(cuts.points),
            log_cells=log(len(cuts.points) + 1),
            locate=cuts.locate,
            starts=edges[:, 0::2],
            stops=edges[:, 1::2],
            ends=np.array([0, len(cuts.points) + 1]),
        )

    def _range(self, cuts: Cuts, edges: Ints) -> tuple[Ints, Reals, Reals]:
        """Labellings with the least and the largest P(h = 1) of all h of each."""
        upto, below = np.append(0.0, cuts.upto), np.append(cuts.below, 1.0)
        starts, stops = edges[:, 0::2], edges[:, 1::2]
        high = (below[stops] - upto[starts]).sum(axis=1)
        low = (upto[stops] - below[starts]).sum(axis=1)
        spare = self.intervals - starts.shape[1]
        if spare == 0:
            return edges, np.asarray(low), np.asarray(high)
        # Every interval to spare cuts the largest gap that is left within a run, or adds the largest that is left outside.
        gap = np.arange(len(cuts.gaps))
        first, last = starts[:, :, np.newaxis], stops[:, :, np.newaxis]
        within, touched = ((first < gap) & (gap < last)).any(axis=1), ((first <= gap) & (gap <= last)).any(axis=1)
        low = low - _largest_of(np.where(within, cuts.gaps, 0.0), spare)
        return edges, np.asarray(low), np.asarray(high + _largest_of(np.where(touched, 0.0, cuts.gaps), spare))

    def grid(self, marginal: Line, size: int) -> RunsCover:
        return self.cover(marginal, places(size))

    def sizes(self, m: int) -> Size:
        queries = sum(comb(m + 1, 2 * r) for r in range(self.intervals + 1))
        return Size(queries, log(m + 1), directions=1, sums=2 * self.intervals)

    def missed(self, m: int, alpha: float) -> float:
        return missed_by_spacing(m, alpha, 2 * self.intervals)

    def deviation(self, m: int, alpha: float) -> float:
        return deviation_of_sums(m, alpha, 2 * self.intervals)


def _largest_of(values: Reals, count: int) -> Reals:
    """The sum of the so many largest of each row, (rows,)."""
    return np.asarray(np.sort(values, axis=1)[:, ::-1][:, :count].sum(axis=1))


class IntervalQueries(IntervalUnions, frozen=True):
    """The class of intervals on ℝ as queries."""

    name: ClassVar[str] = "intervals"
    intervals: Annotated[int, Field(ge=1, le=1)] = 1

    @classmethod
    def of_dual(cls, p: int) -> "IntervalQueries":
        return cls()

    @classmethod
    def of_vc(cls, V: int) -> "IntervalQueries":
        return cls()


QUERIES = (IntervalUnions, IntervalQueries)
