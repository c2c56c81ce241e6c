"""The price of working with any learner: n* of each construction over that of the exponential mechanism over H̃."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from harness.report import numerals, style
from harness.report.figures.marks import FEW, SHARED
from harness.report.figures.plot import Panel, Plot, by_panel
from harness.report.prices import priced
from harness.report.settings import View

BASE = "exponential"


class PriceOf(Plot):
    """One panel a class, one line a construction; 1 is the exponential mechanism itself."""

    name: ClassVar[str] = "price"

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        of, x = view.settings.trials.price, view.column(view.figure.x)
        if of is None:
            raise ValueError(f"trials of kind {view.settings.kind} have no price")
        if BASE not in set(frame["mechanism"]):
            raise ValueError(f"the price is over n* of {BASE}, which this table does not have")
        label = "times the n* of the\nexponential mechanism"
        ratios, colours = priced(frame, replace(of, base=BASE)), hues(frame)
        groups = by_panel(ratios, view)
        return [Panel(title, label, partial(_lines, rows=rows, x=x, colours=colours)) for title, rows in groups]

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        looks = [(style.style(name), colour) for name, colour in hues(frame).items() if name != BASE]
        marks = [Line2D([], [], color=colour, marker=look.marker, ms=5, label=look.legend) for look, colour in looks]
        return [*marks, Line2D([], [], color=SHARED, linewidth=1, label=style.style(BASE).legend)]

    def caption(self, view: View) -> str:
        return "bars: what the intervals of both searches allow"


def hues(frame: pd.DataFrame) -> dict[str, str]:
    """A colour of its own for each mechanism of a table, in their order."""
    return {str(name): style.PALETTE[i % len(style.PALETTE)] for i, name in enumerate(frame["mechanism"].unique())}


def _lines(ax: Axes, rows: pd.DataFrame, x: str, colours: dict[str, str]) -> None:
    ax.set_xscale("log")
    ax.set_yscale("log")
    if rows[x].nunique() <= FEW:
        values = sorted(rows[x].unique())
        ax.set_xticks(values, labels=[numerals.number(value) for value in values])
        ax.minorticks_off()
    ax.axhline(1, color=SHARED, linewidth=1, zorder=1)
    for name, own in rows.groupby("mechanism", sort=False):
        own = own.sort_values(x).dropna(subset=["price", "price_low", "price_high"])
        if name == BASE or not len(own):
            continue
        middle, low, high = (own[each].to_numpy(float) for each in ("price", "price_low", "price_high"))
        bars = np.stack([middle - low, high - middle])
        marker = style.style(str(name)).marker
        ax.errorbar(own[x], middle, yerr=bars, color=colours[str(name)], marker=marker, ms=4.5, linewidth=1.3, capsize=2)


PLOT = PriceOf()
