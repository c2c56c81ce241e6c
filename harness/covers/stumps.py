"""Signed stumps on ℝ^d: h(x) = 1 where x_i ≤ t, or where x_i > t. Coordinates are independent, of one distribution on the line.

Public points have 2 labellings for each of the m̂ − 1 places of t between them in each coordinate, and the two constant ones;
the same labelling may come from two coordinates, and then the first is h̃. X̃ is the product of the cells that the cuts of all h̃
make in each coordinate, at most m̂^d of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb, log
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from harness.arrays import Ints, Reals
from harness.covers import Marginal, Points, QueryClass, Size
from harness.covers.line import LINES, Cuts, Line, places
from harness.covers.runs import RunsCover


@dataclass(frozen=True)
class StumpPlaces:
    """All stumps on ℝ^d up to which public values t lies between: (places,) arrays of coordinate, number of values ≤ t, sign.

    low, high: the least and the largest P(x_i ≤ t) there. places: that of the cut at the value itself.
    """

    coordinate: Ints
    cut: Ints
    positive: NDArray[np.bool_]
    low: Reals
    high: Reals
    places: Reals

    @classmethod
    def of(cls, cuts: list[Cuts]) -> "StumpPlaces":
        """The stumps that cut at the cuts of each coordinate; the constants first."""
        count = [len(each.points) + 1 for each in cuts]
        coordinate = np.repeat(np.arange(len(cuts)), count)
        cut = np.concatenate([np.arange(each) for each in count])
        low = np.concatenate([np.append(0.0, each.upto) for each in cuts])
        high = np.concatenate([np.append(each.below, 1.0) for each in cuts])
        place, positive = np.repeat(np.arange(len(cut)), 2), np.tile([True, False], len(cut))
        order = np.argsort(cut[place] > 0, kind="stable")
        of_stump = place[order]
        return cls(coordinate[of_stump], cut[of_stump], positive[order], low[of_stump], high[of_stump], low[of_stump])

    def range(self) -> tuple[Reals, Reals]:
        """The least and the largest P(h = 1) at each place."""
        return np.where(self.positive, self.low, 1 - self.high), np.where(self.positive, self.high, 1 - self.low)

    def apart(self, chosen: Ints) -> float:
        """The largest P(h ≠ h̃), where the h at each place has the h̃ of the place `chosen`; coordinates are independent."""
        place = np.where(self.positive, self.places, 1 - self.places)[chosen]
        alike = (self.coordinate == self.coordinate[chosen]) & (self.positive == self.positive[chosen])
        distances = [np.where(alike, np.abs(end - place), end + place - 2 * end * place) for end in self.range()]
        return float(np.maximum(*distances).max())


def vc_of_stumps(d: int) -> int:
    """The VC dimension of signed stumps on ℝ^d: the largest v with C(v, ⌊v/2⌋) ≤ 2d."""
    v = 2
    while comb(v + 1, (v + 1) // 2) <= 2 * d:
        v += 1
    return v


class StumpQueries(QueryClass, frozen=True):
    """The class of signed stumps on ℝ^d as queries: m̂ public points make at most 2d(m̂ − 1) + 2 labellings, m̂^d cells."""

    name: ClassVar[str] = "stumps"
    ordered: ClassVar[bool] = True
    inequality: ClassVar[str] = "DKW"
    distributions: ClassVar[Mapping[str, type[Marginal]]] = LINES
    d: Annotated[int, Field(ge=1, le=100)] = 2

    @property
    def vc(self) -> int:
        return vc_of_stumps(self.d)

    @property
    def dual_vc(self) -> int:
        return self.d

    @classmethod
    def of_dual(cls, p: int) -> "StumpQueries":
        return cls(d=p)

    def draw(self, marginal: Line, size: int, rng: np.random.Generator) -> Reals:
        return marginal.draw(size * self.d, rng).reshape(size, self.d)

    def cover(self, marginal: Line, points: Points) -> RunsCover:
        cuts = [Cuts.of(marginal, column) for column in points.T]
        all_places, distinct = StumpPlaces.of(cuts), np.unique(points, axis=0)
        chosen = merged(all_places, distinct, cuts)
        return self._made(marginal, cuts, all_places, chosen, len(distinct))

    def grid(self, marginal: Line, size: int) -> RunsCover:
        cuts = [Cuts.of(marginal, places(size)) for _ in range(self.d)]
        all_places = StumpPlaces.of(cuts)
        ends = np.array([len(each.points) for each in cuts])[all_places.coordinate]
        constant = (all_places.cut == 0) | (all_places.cut == ends)
        one = np.where(all_places.cut == 0, ~all_places.positive, all_places.positive)
        return self._made(marginal, cuts, all_places, np.where(constant, one, np.arange(len(constant))), 0)

    def _made(self, marginal: Line, cuts: list[Cuts], of: StumpPlaces, chosen: Ints, distinct: int) -> RunsCover:
        """chosen: for each place that of its h̃."""
        kept, group = np.unique(chosen, return_inverse=True)
        order = np.argsort(group, kind="stable")
        first = np.searchsorted(group[order], np.arange(len(kept)))
        low, high = (each[order] for each in of.range())
        # Only the cuts of h̃ bound cells: the others' points are taken out.
        cut, coordinate = of.cut[kept], of.coordinate[kept]
        used = [np.unique(cut[(coordinate == i) & (cut > 0)]) for i in range(self.d)]
        cuts_used = [Cuts.of(marginal, each.points[place - 1]) for each, place in zip(cuts, used, strict=True)]
        ends = np.concatenate([[0], np.cumsum([len(each.points) + 1 for each in cuts_used])])
        within = np.zeros_like(cut)
        for i, place in enumerate(used):
            own_cuts = (coordinate == i) & (cut > 0)
            within[own_cuts] = np.searchsorted(place, cut[own_cuts]) + 1
        begin, middle, end = ends[coordinate], ends[coordinate] + within, ends[coordinate + 1]
        positive = of.positive[kept]

        def locate(drawn: Points) -> Reals:
            return np.concatenate([each.locate(column) for each, column in zip(cuts_used, drawn.T, strict=True)])

        return RunsCover(
            masses=np.concatenate([each.masses for each in cuts_used]),
            public=np.concatenate([_public(some, each) for some, each in zip(cuts_used, cuts, strict=True)]),
            low=np.minimum.reduceat(low, first),
            high=np.maximum.reduceat(high, first),
            radius=of.apart(chosen),
            distinct=distinct,
            log_cells=float(sum(log(len(each.points) + 1) for each in cuts_used)),
            locate=locate,
            starts=np.where(positive, begin, middle)[:, np.newaxis],
            stops=np.where(positive, middle, end)[:, np.newaxis],
            ends=ends,
        )

    def most_bits(self, m: int) -> float:
        """The labels of all places, which tell which of them are one h̃."""
        return 4.0 * self.d * m**2

    def sizes(self, m: int) -> Size:
        return Size(2 * self.d * max(0, m - 1) + 2, self.d * log(max(2, m + 1)), directions=self.d, sums=1)

    def deviation(self, m: int, alpha: float) -> float:
        """DKW, for each coordinate."""
        return float(2 * self.d * np.exp(-m * alpha**2 / 2))


def _public(public: Cuts, all_points: Cuts) -> Reals:
    """The shares of the public points in the cells of some of their cuts."""
    return public.locate(np.repeat(all_points.points, all_points.times))


def merged(of: StumpPlaces, distinct: Points, cuts: list[Cuts]) -> Ints:
    """The index, for each stump in `of`, (places,), of the first stump that labels the distinct public points the same way."""
    rows = np.empty((len(of.cut), -(-len(distinct) // 8)), np.uint8)
    for i, of_one in enumerate(cuts):
        rank = np.searchsorted(of_one.points, distinct[:, i])
        here = of.coordinate == i
        rows[here] = np.packbits((rank < of.cut[here][:, np.newaxis]) == of.positive[here][:, np.newaxis], axis=1)
    _, first, group = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return np.asarray(first[group.reshape(-1)])


QUERIES = StumpQueries
