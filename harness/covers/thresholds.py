"""Thresholds on ℝ: h_t(x) = 1 where x ≤ t."""

from collections.abc import Mapping
from math import log
from typing import ClassVar

import numpy as np

from harness.arrays import Reals
from harness.covers import Marginal, Points, QueryClass, Size
from harness.covers.line import LINES, Cuts, Line, deviation_of_sums, missed_by_spacing, places
from harness.covers.runs import RunsCover


class ThresholdQueries(QueryClass, frozen=True):
    """The class of thresholds on ℝ as queries: m̂ public points make m̂ + 1 labellings and m̂ + 1 cells.

    Each h̃ cuts at a public point.
    """

    name: ClassVar[str] = "thresholds"
    ordered: ClassVar[bool] = True
    inequality: ClassVar[str] = "DKW"
    distributions: ClassVar[Mapping[str, type[Marginal]]] = LINES
    vc: ClassVar[int] = 1
    dual_vc: ClassVar[int] = 1

    def draw(self, marginal: Line, size: int, rng: np.random.Generator) -> Reals:
        return marginal.draw(size, rng)

    def cover(self, marginal: Line, points: Points) -> RunsCover:
        cuts = Cuts.of(marginal, points)
        cells = len(cuts.points) + 1
        return RunsCover(
            masses=cuts.masses,
            public=cuts.public,
            low=np.append(0.0, cuts.upto),
            high=np.append(cuts.below, 1.0),
            radius=float(cuts.gaps.max()),
            distinct=cells - 1,
            log_cells=log(cells),
            locate=cuts.locate,
            starts=np.zeros((cells, 1), np.int64),
            stops=np.arange(cells)[:, np.newaxis],
            ends=np.array([0, cells]),
        )

    def grid(self, marginal: Line, size: int) -> RunsCover:
        return self.cover(marginal, places(size))

    def sizes(self, m: int) -> Size:
        return Size(m + 1, log(m + 1), directions=1, sums=1)

    def missed(self, m: int, alpha: float) -> float:
        return missed_by_spacing(m, alpha, 1)

    def deviation(self, m: int, alpha: float) -> float:
        return deviation_of_sums(m, alpha, 1)


QUERIES = ThresholdQueries
