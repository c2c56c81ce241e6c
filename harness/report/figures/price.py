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
from harness.report.figures.marks import FEW, SHARED, SIDES, TWO
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
        base, colours = base_of(frame), hues(frame)
        groups = by_panel(priced(frame, replace(of, base=base)), view)
        draw = partial(_lines, x=x, colours={name: hue for name, hue in colours.items() if name != base})
        return [Panel(title, "price, as a multiple of n*", partial(draw, rows=rows)) for title, rows in groups]

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        base = base_of(frame)
        looks = [(style.style(name), colour) for name, colour in hues(frame).items() if name != base]
        marks = [Line2D([], [], color=colour, marker=look.marker, ms=5, label=look.legend) for look, colour in looks]
        return [*marks, Line2D([], [], color=SHARED, linewidth=1, label=f"n* of {style.style(base).legend}")]

    def caption(self, view: View) -> str:
        return "bars: what the intervals of both searches allow"


def base_of(frame: pd.DataFrame) -> str:
    """What n* is compared with: the exponential mechanism, or in a table without it the first that is there."""
    names = [str(name) for name in frame["mechanism"].unique()]
    return BASE if BASE in names else names[0]


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
        ax.margins(x=SIDES[len(values) <= TWO])
    ax.axhline(1, color=SHARED, linewidth=1, zorder=1)
    for name, own in rows.groupby("mechanism", sort=False):
        own = own.sort_values(x).dropna(subset=["price", "price_low", "price_high"])
        if str(name) not in colours or not len(own):
            continue
        middle, low, high = (own[each].to_numpy(float) for each in ("price", "price_low", "price_high"))
        bars = np.stack([middle - low, high - middle])
        marker = style.style(str(name)).marker
        ax.errorbar(
            own[x],
            middle,
            yerr=bars,
            color=colours[str(name)],
            marker=marker,
            ms=4.5,
            linewidth=1.3 * (len(own) > TWO),
            elinewidth=1.3,
            capsize=2,
        )


PLOT = PriceOf()
