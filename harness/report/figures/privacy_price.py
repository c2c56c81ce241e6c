"""The price of privacy: n* of each construction over n* of the learner without privacy, every line with its name beside it."""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from scipy.optimize import isotonic_regression

from harness.arrays import Reals
from harness.report import numerals, style
from harness.report.figures.marks import FEW, SHARED
from harness.report.figures.plot import Panel, Plot, by_panel
from harness.report.figures.price import hues
from harness.report.prices import priced
from harness.report.settings import View
from harness.trials.kind import Price

TARGET = "alpha"
"""Of the errors that are to be kept: the same for all, γ + α itself. Where a table has none of it, all rows are drawn."""

SIDE = 1.03
"""Marks at one place stand so many times farther on than the one before, so that none hides another."""

UNPRICED = ("public_alone",)
"""Constructions without any private example."""

APART = 0.055
"""Least distance of names from one another, as a share of the axis."""

ROOM = 0.8
"""Of the axis beyond the last point, for the names, as a share of what the points take."""


class PrivacyPrice(Plot):
    """Those that are to reach α itself; one panel a class and distribution."""

    name: ClassVar[str] = "privacy_price"

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        x, of = view.column(view.figure.x), view.settings.trials.price
        if of is None:
            raise ValueError(f"trials of kind {view.settings.kind} have no price")
        colours = hues(frame)
        reached = frame["target"] == TARGET
        panels = {title: _with_price(own, of) for title, own in by_panel(frame[reached] if reached.any() else frame, view)}
        draw = partial(_lines, x=x, colours=colours, top=max((rows["price_high"].max() for rows in panels.values()), default=1))
        return [
            Panel(title, "price: examples needed,\nover those without privacy", partial(draw, rows=rows))
            for title, rows in panels.items()
        ]

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        base = view.settings.trials.price
        assert base is not None
        return [Line2D([], [], color=SHARED, linewidth=1, label=f"n* of the learner that is {style.style(base.base).legend}")]

    def caption(self, view: View) -> str:
        return "bars: what the intervals of both searches allow"


def _with_price(rows: pd.DataFrame, of: Price) -> pd.DataFrame:
    """A panel's rows that have a price, none where the learner without privacy is not among them."""
    found = priced(rows, of)
    return found[~found["mechanism"].isin([of.base, *UNPRICED])].dropna(subset=["price"])


def _lines(ax: Axes, rows: pd.DataFrame, x: str, colours: dict[str, str], top: float) -> None:
    ax.set_xscale("log")
    ax.set_yscale("log")
    values = sorted(rows[x].unique())
    if not values:
        return
    ax.set_xlim(values[0] / 1.25, values[-1] * (values[-1] / values[0]) ** ROOM)
    ax.set_ylim(0.6, 2 * top)
    if len(values) <= FEW:
        ax.set_xticks(values, labels=[numerals.number(value) for value in values])
        ax.minorticks_off()
    ax.axhline(1, color=SHARED, linewidth=1, zorder=1)
    ends: dict[str, float] = {}
    for position, (name, own) in enumerate(rows.groupby("mechanism", sort=False)):
        own = own.sort_values(x)
        at = own[x].to_numpy(float) * SIDE ** (position - (rows["mechanism"].nunique() - 1) / 2)
        middle, low, high = (own[each].to_numpy(float) for each in ("price", "price_low", "price_high"))
        colour, marker, bars = colours[str(name)], style.style(str(name)).marker, np.stack([middle - low, high - middle])
        ax.errorbar(at, middle, bars, color=colour, marker=marker, ms=4.5, linewidth=1.3, capsize=2)
        ends[str(name)] = float(middle[-1])
    bottom, up = np.log(ax.get_ylim())
    names = sorted(ends, key=lambda name: ends[name])
    heights = spread([(np.log(ends[name]) - bottom) / (up - bottom) for name in names], APART)
    for name, height in zip(names, heights, strict=True):
        beside = values[-1] * 1.18, float(np.exp(bottom + height * (up - bottom)))
        ax.annotate(name, beside, color=colours[name], fontsize=7.5, va="center")


def spread(heights: Sequence[float], apart: float) -> Reals:
    """Rising heights, moved as little as is needed for each to be so far above the one before."""
    steps = apart * np.arange(len(heights))
    found: Reals = isotonic_regression(np.asarray(heights) - steps).x + steps
    return found


PLOT = PrivacyPrice()
