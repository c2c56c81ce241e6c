"""Homogeneous halfspaces in the plane: h_θ holds on the directions φ with θ ≤ φ < θ + π, modulo 2π.

The labelling of public points changes where θ passes one of them or its opposite: at the breakpoints, the public directions and
their opposites. For θ in (b_{k−1}, b_k] it is one and the same, and h̃ is h_{b_k}. The cells are the arcs [b_k, b_{k+1}).
"""

from collections.abc import Mapping
from math import log, pi
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from harness.arrays import Reals
from harness.covers import Marginal, Points, QueryClass, Size
from harness.covers.line import deviation_of_sums
from harness.covers.runs import RunsCover


class Tilted(Marginal, frozen=True):
    """A distribution of directions in the plane, with density (1 + tilt·cos φ)/2π; with tilt 0 all halfspaces average 0."""

    tilt: Annotated[float, Field(ge=0, le=1)] = 1.0

    def draw(self, size: int, rng: np.random.Generator) -> Reals:
        """Draws `size` i.i.d. directions, by rejection."""
        drawn = np.empty(0)
        while len(drawn) < size:
            angles = 2 * pi * rng.random(2 * size + 16)
            kept = rng.random(len(angles)) * (1 + self.tilt) < 1 + self.tilt * np.cos(angles)
            drawn = np.concatenate([drawn, angles[kept]])
        return drawn[:size]

    def turned(self, angle: Reals) -> Reals:
        """The mass of [0, angle), and more than 1 beyond a whole turn."""
        return np.asarray((angle + self.tilt * np.sin(angle)) / (2 * pi))

    def half(self, angle: Reals) -> Reals:
        """P(h_θ = 1) = ½ − tilt·sin θ/π."""
        return np.asarray(0.5 - self.tilt * np.sin(angle) / pi)


class HalfspaceQueries(QueryClass, frozen=True):
    """The class of halfspaces through the origin of ℝ² as queries: m̂ public directions make 2m̂ labellings and 2m̂ cells."""

    name: ClassVar[str] = "halfspaces"
    ordered: ClassVar[bool] = True
    inequality: ClassVar[str] = "DKW"
    distributions: ClassVar[Mapping[str, type[Marginal]]] = {"tilted": Tilted}
    vc: ClassVar[int] = 2
    dual_vc: ClassVar[int] = 2

    def draw(self, marginal: Tilted, size: int, rng: np.random.Generator) -> Reals:
        return marginal.draw(size, rng)

    def cover(self, marginal: Tilted, points: Points) -> RunsCover:
        folded = np.unique(points % pi)
        breaks, half = np.concatenate([folded, folded + pi]), len(folded)
        before = np.append(breaks[-1] - 2 * pi, breaks[:-1])
        around = marginal.turned(np.append(breaks, breaks[0] + 2 * pi))
        places, none = np.arange(2 * half), np.zeros(2 * half, np.int64)
        wraps = places > half
        ends = np.array([marginal.half(before), marginal.half(breaks)])
        masses = np.maximum(np.diff(around), 0.0)

        def locate(angles: Points) -> Reals:
            cells = (np.searchsorted(breaks, angles, side="right") - 1) % (2 * half)
            return np.bincount(cells, minlength=2 * half) / max(1, len(angles))

        return RunsCover(
            masses=masses / masses.sum(),
            public=locate(points),
            low=np.where(_between(before, pi / 2, breaks), marginal.half(np.array(pi / 2)), ends.min(axis=0)),
            high=np.where(_between(before, 3 * pi / 2, breaks), marginal.half(np.array(3 * pi / 2)), ends.max(axis=0)),
            radius=float((masses + np.roll(masses, half)).max()),
            distinct=len(np.unique(points)),
            log_cells=log(2 * half),
            locate=locate,
            starts=np.stack([places, none], axis=1),
            stops=np.stack([np.where(wraps, 2 * half, places + half), np.where(wraps, places - half, 0)], axis=1),
            ends=np.array([0, 2 * half]),
        )

    def grid(self, marginal: Tilted, size: int) -> RunsCover:
        return self.cover(marginal, np.arange(size - 1) * pi / (size - 1))

    def sizes(self, m: int) -> Size:
        return Size(max(1, 2 * m), log(max(1, 2 * m)), directions=1, sums=2)

    def missed(self, m: int, alpha: float) -> float:
        """As for gaps on a circle: m directions, modulo π, leave a gap of more than x with chance at most m(1 − x)^(m−1)."""
        return float(np.exp(min(0.0, log(max(1, m)) + (m - 1) * np.log1p(-min(alpha, 1 - 1e-12)))))

    def deviation(self, m: int, alpha: float) -> float:
        return deviation_of_sums(m, alpha, 2)


def _between(low: Reals, angle: float, high: Reals) -> Reals:
    """Whether the angle, or one a turn away, is between."""
    return np.asarray((low <= angle) & (angle <= high) | (low <= angle - 2 * pi) & (angle - 2 * pi <= high))


QUERIES = HalfspaceQueries
