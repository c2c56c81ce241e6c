"""How many examples each construction needs, n*, with its interval; and how many times that is what the learner needs alone."""

import re
from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Literal

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from harness.arrays import Reals
from harness.report import numerals, style
from harness.report.figures.joined import over
from harness.report.figures.marks import FEW, MANY, SHARED, entries, shifted, tip_bounds
from harness.report.figures.plot import Panel, Plot, by_panel, chance_of_missing
from harness.report.prices import FIND, priced, sought
from harness.report.settings import View
from harness.trials.kind import Price

BETWEEN = r", (?![^(]*\))"
"""A comma that is not within brackets."""
SIDE = 0.03
"""Of the axis, on a logarithmic scale: how far marks at one place stand apart, if that is less than elsewhere."""
OPEN = r"$\uparrow$"
ASKED = "what its theorem asks for"
WORDS = {"m": "the m of a cover, the same for all"}
"""Of the dashed line, by what was searched for."""


class ComplexityPlot(Plot):
    """Above, n* against the axis; below, the ratio to the non-private learner."""

    name: ClassVar[str] = "complexity"
    shared_y: ClassVar[Literal["all", "row"]] = "row"
    stacked: ClassVar[int] = 2

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        x, of = view.column(view.figure.x), price_of(view)
        label = f"price: {sought(view.settings)}* over that\nwithout privacy"
        below = [
            Panel("", label, partial(_price, rows=rows, x=x, base=of.base)) for _, rows in by_panel(priced(frame, of), view)
        ]
        return [*needed(frame, view), *below]

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        handles = entries(frame)
        handles.append(Line2D([], [], color=SHARED, linestyle="--", label=WORDS.get(sought(view.settings), ASKED)))
        return handles

    def caption(self, view: View) -> str:
        return f"bars: {sought(view.settings)}* is within them but for a chance of {chance_of_missing(view)}"


def shifts(rows: pd.DataFrame, x: str) -> dict[str, float]:
    """The factor by which each mechanism's marks stand beside their place: lines may coincide."""
    names, most = rows["mechanism"].unique(), float(rows[x].max() / rows[x].min()) ** SIDE
    return {str(name): shifted(place, len(names), rows[x].nunique() > 1, most) for place, name in enumerate(names)}


def price_of(view: View) -> Price:
    """What these trials have a price of. Raises ValueError where there is none."""
    of = view.settings.trials.price
    if of is None:
        raise ValueError(f"trials of kind {view.settings.kind} have no price")
    return of


def number_needed(view: View) -> str:
    """What n* is a number of, in words, with its symbol."""
    sought_for = sought(view.settings)
    points = view.table[FIND].phrases.get(sought_for) if FIND in view.table else None
    return f"{points} needed, {sought_for}*" if points else view.heading(price_of(view).number)


def needed(frame: pd.DataFrame, view: View) -> list[Panel]:
    """A panel of what was searched for, for each combination of the axes that are set side by side."""
    x, of, sought_for, label = view.column(view.figure.x), price_of(view), sought(view.settings), number_needed(view)
    draw = partial(_needed, x=x, of=of, of_all=sought_for == "m")
    # Columns are narrow: the first part of a title has a line of its own.
    groups = ((re.sub(BETWEEN, "\n", title, count=1), rows) for title, rows in by_panel(frame, view))
    return [Panel(title, label, partial(draw, rows=rows)) for title, rows in groups]


def _axes(ax: Axes, x: pd.Series) -> None:
    """Logarithmic, with a tick for each value of the axis where these are few."""
    ax.set_xscale("log" if x.nunique() > 1 else "linear")
    ax.set_yscale("log")
    if x.nunique() <= FEW:
        values = sorted(x.unique())
        ax.set_xticks(values, labels=[numerals.number(value) for value in values])
        ax.minorticks_off()


def _needed(ax: Axes, rows: pd.DataFrame, x: str, of: Price, of_all: bool) -> None:
    _axes(ax, rows[x])
    beside, places = shifts(rows, x), rows[x].unique()
    for name, of_mechanism in rows.groupby("mechanism", sort=False):
        look, of_mechanism = style.style(str(name)), of_mechanism.sort_values(x)
        colour = SHARED if of_all else look.colour
        ax.plot(of_mechanism[x], of_mechanism[of.asked], linestyle="--", linewidth=1.1, color=colour, zorder=2)
        if len(beside) > MANY and not of_all:
            tip_bounds(
                ax, dict(zip(of_mechanism[x], of_mechanism[of.asked].astype(float), strict=True)), look.marker, look.colour
            )
        searched = of_mechanism[of_mechanism[of.high].notna()]
        xs, middle, low, high = over(places, searched[x], *(searched[each] for each in (of.number, of.low, of.high)))
        _bars(ax, xs * beside[str(name)], middle, low, high, look)
        beyond = of_mechanism[of_mechanism[of.high].isna()]
        ax.plot(beyond[x] * beside[str(name)], beyond[of.low], linestyle="none", marker=OPEN, ms=8, color=look.colour, zorder=3)


def _price(ax: Axes, rows: pd.DataFrame, x: str, base: str) -> None:
    _axes(ax, rows[x])
    ax.axhline(1, color=SHARED, linewidth=0.8, zorder=1)
    beside, places = shifts(rows, x), rows[x].unique()
    for name, of_mechanism in rows.groupby("mechanism", sort=False):
        look, of_mechanism = style.style(str(name)), of_mechanism.sort_values(x).dropna(subset=["price"])
        if name == base or not len(of_mechanism):
            continue
        xs, price, low, high = over(
            places, of_mechanism[x], *(of_mechanism[each] for each in ("price", "price_low", "price_high"))
        )
        _bars(ax, xs * beside[str(name)], price, low, high, look)


def _bars(ax: Axes, x: Reals, middle: Reals, low: Reals, high: Reals, look: style.Style) -> None:
    """Points with bars from low to high; matplotlib refuses a bar whose end is on the other side of its point."""
    bars = np.stack([middle - low, high - middle])
    ax.errorbar(x, middle, yerr=bars, color=look.colour, marker=look.marker, ms=4.5, linewidth=1.3, capsize=2, zorder=3)


PLOT = ComplexityPlot()
