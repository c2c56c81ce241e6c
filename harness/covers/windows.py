"""All but a window: a point beside a ring of cells, and the sets that leave out one window of the ring, of a given width.

The last set is the point alone. Where D is the point, each update of multiplicative weights for such a set takes no more than a
window's weight from the rest; so an algorithm that stops after so many updates may stop before it has found the point.
"""

from collections.abc import Mapping
from math import exp, gcd, log
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field, model_validator

from harness.arrays import Bools, Ints, Reals
from harness.covers import Marginal, Points, QueryClass, Size
from harness.covers.affine_halfspaces import FiniteCover, finite_cover
from harness.covers.runs import RunsCover


class Beside(Marginal, frozen=True):
    """A distribution on a point and a ring of cells: the point has mass `point`, and the cells share the rest evenly."""

    point: Annotated[float, Field(ge=0, le=1)] = 1.0


class Windows(QueryClass, frozen=True):
    """A class of queries on a ring of cells and a point: each is 1 off one window of the ring, the last on the point alone.

    One window from each cell on. Consecutive queries leave out consecutive windows.
    """

    name: ClassVar[str] = "windows"
    inequality: ClassVar[str] = "Hoeffding"
    distributions: ClassVar[Mapping[str, type[Marginal]]] = {"beside": Beside}
    vc: ClassVar[int] = 2
    ring: Annotated[int, Field(ge=8, le=10**5)] = 23
    width: Annotated[int, Field(ge=2)] = 5

    @model_validator(mode="after")
    def _goes_round(self) -> "Windows":
        if 2 * self.width >= self.ring - 1 or gcd(self.width, self.ring) > 1:
            most = (self.ring - 2) // 2
            raise ValueError(
                f"a width of {self.width} goes round a ring of {self.ring}; allowed: 2 to {most}, no common divisor"
            )
        return self

    @property
    def dual_vc(self) -> int:
        """Two windows make four regions; three make no more than six, and the point is in none."""
        return 2

    def draw(self, marginal: Beside, size: int, rng: np.random.Generator) -> Ints:
        return np.where(rng.random(size) < marginal.point, 0, rng.integers(1, self.ring + 1, size))

    def masses(self, marginal: Beside) -> Reals:
        """The masses of the point and of the ring's cells, (ring + 1,)."""
        return np.append(marginal.point, np.full(self.ring, (1 - marginal.point) / self.ring))

    def cover(self, marginal: Beside, points: Points) -> FiniteCover:
        return finite_cover(self.labellings(), self.masses(marginal), points)

    def labellings(self) -> Bools:
        """All queries of the class on the point and the ring's cells, (ring + 1, ring + 1), the point first."""
        return self.grid(Beside(), 1).table()

    def grid(self, marginal: Beside, size: int) -> RunsCover:
        """The whole domain, which is finite as it is."""
        first, end = self.width * np.arange(self.ring) % self.ring, np.full(self.ring, self.ring + 1)
        after = first + self.width
        # The point; the cells up to the window, from its other end on where that goes round; and those behind it.
        starts = np.stack([0 * first, 1 + np.maximum(0, after - self.ring), np.minimum(1 + after, end)], axis=1)
        stops = np.stack([0 * first + 1, 1 + first, end], axis=1)
        alone = np.array([[0, 1, 1]]), np.array([[1, 1, 1]])
        masses = self.masses(marginal)
        expected = np.append(np.full(self.ring, 1 - (1 - marginal.point) * self.width / self.ring), marginal.point)

        def locate(drawn: Points) -> Reals:
            return np.bincount(drawn, minlength=self.ring + 1) / max(1, len(drawn))

        return RunsCover(
            masses=masses,
            public=np.full(self.ring + 1, 1 / (self.ring + 1)),
            low=expected,
            high=expected,
            radius=0.0,
            distinct=0,
            log_cells=log(self.ring + 1),
            locate=locate,
            starts=np.vstack([starts, alone[0]]),
            stops=np.vstack([stops, alone[1]]),
            ends=np.array([0, self.ring + 1]),
        )

    def sizes(self, m: int) -> Size:
        return Size(self.ring + 1, log(self.ring + 1))

    def grid_sizes(self, size: int) -> Size:
        return self.sizes(self.ring)

    def deviation(self, m: int, alpha: float) -> float:
        """By Hoeffding's inequality for each of them."""
        return min(1.0, 2 * (self.ring + 1) * exp(-m * alpha**2 / 2))


QUERIES = Windows
