"""The price of working with any learner: n* of each construction over that of the exponential mechanism over H̃."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from harness.report import style
from harness.report.figures.complexity import price_of, shifts
from harness.report.figures.joined import over
from harness.report.figures.marks import SHARED, TWO, entry, logarithmic
from harness.report.figures.plot import Panel, Plot, panels_of
from harness.report.prices import priced
from harness.report.settings import View
from harness.trials.kind import Price

BASE = "exponential"


class PriceOf(Plot):
    """One panel a class, one line a construction; 1 is the exponential mechanism itself.

    label: of the vertical axis. unpriced: what is not drawn.
    """

    name: ClassVar[str] = "price"
    label: ClassVar[str] = "price, as a multiple of n*"
    unpriced: ClassVar[tuple[str, ...]] = ()

    def of(self, frame: pd.DataFrame, view: View) -> Price:
        """What is priced, and by what."""
        return replace(price_of(view), base=base_of(frame))

    def rows(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Those that are drawn."""
        return frame

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        rows = priced(self.rows(frame), self.of(frame, view))
        return panels_of(rows, view, self.label, _lines, x=view.column(view.figure.x), names=self._drawn(frame, view))

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        marks = [entry(style.style(name)) for name in self._drawn(frame, view)]
        base = style.style(self.of(frame, view).base).legend
        return [*marks, Line2D([], [], color=SHARED, linewidth=1, label=f"1: {base}")]

    def caption(self, view: View) -> str:
        return "bars: what the intervals of both searches allow"

    def _drawn(self, frame: pd.DataFrame, view: View) -> list[str]:
        """The mechanisms that have a line."""
        left_out = {self.of(frame, view).base, *self.unpriced}
        return [str(name) for name in frame["mechanism"].unique() if name not in left_out]


def base_of(frame: pd.DataFrame) -> str:
    """What n* is compared with: the exponential mechanism, or in a table without it the first that is there."""
    names = [str(name) for name in frame["mechanism"].unique()]
    return BASE if BASE in names else names[0]


def _lines(ax: Axes, rows: pd.DataFrame, x: str, names: Sequence[str]) -> None:
    logarithmic(ax, rows[x].unique())
    ax.axhline(1, color=SHARED, linewidth=1, zorder=1)
    rows = rows[rows["mechanism"].isin(names)]
    beside, places = shifts(rows, x), rows[x].unique()
    for name, of_mechanism in rows.groupby("mechanism", sort=False):
        of_mechanism = of_mechanism.sort_values(x).dropna(subset=["price", "price_low", "price_high"])
        if not len(of_mechanism):
            continue
        xs, middle, low, high = over(
            places, of_mechanism[x], *(of_mechanism[each] for each in ("price", "price_low", "price_high"))
        )
        look, joined = style.style(str(name)), 1.3 * (len(of_mechanism) > TWO)
        bars, where = np.stack([middle - low, high - middle]), xs * beside[str(name)]
        ax.errorbar(
            where, middle, bars, color=look.colour, marker=look.marker, ms=4.5, linewidth=joined, elinewidth=1.3, capsize=2
        )


PLOT = PriceOf()
