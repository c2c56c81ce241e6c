"""How many examples each construction needs, n*, with its interval; and its price: how many times as many as another needs."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Literal

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from harness.arrays import Reals
from harness.report import numerals, style
from harness.report.figures.joined import over
from harness.report.figures.marks import FEW, MANY, SHARED, TWO, entries, entry, logarithmic, shifted, tip_bounds
from harness.report.figures.plot import Panel, Plot, by_group, by_panel, chance_of_missing, grouped
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
JOINED = 1.3  # points: how wide lines between marks are
BASE = "exponential"
TARGET = "alpha"
"""Of the errors that are to be kept: the same for all, γ + α itself. Where a table has none of it, all rows are drawn."""


class ComplexityPlot(Plot):
    """Plots n* against an axis in the upper panels, and below its ratio to that of the learner without privacy."""

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


class NeededPlot(ComplexityPlot):
    """Plots n* against an axis, as the upper panels of the plot `complexity` do, with each mechanism's name beside its line."""

    name: ClassVar[str] = "needed"
    stacked: ClassVar[int] = 0
    named: ClassVar[float] = 1

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        return needed(frame, view)

    def size(self, frame: pd.DataFrame, view: View) -> tuple[float, float]:
        return 3.4, 3.0


class PriceOf(Plot):
    """Plots the price of working with any learner: a mechanism's n* as a multiple of that of the exponential mechanism on H̃.

    A panel a class and a group of mechanisms, a line a mechanism.
    label: of the vertical axis. unpriced: what is not drawn.
    """

    name: ClassVar[str] = "price"
    label: ClassVar[str] = "price, as a multiple of n*"
    unpriced: ClassVar[tuple[str, ...]] = ()

    def of(self, frame: pd.DataFrame, view: View) -> Price:
        """The columns of the price, with the mechanism that it is a price over."""
        return replace(price_of(view), base=base_of(frame))

    def rows(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The rows that are drawn."""
        return frame

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        rows = priced(self.rows(frame), self.of(frame, view))
        draw = partial(_prices, x=view.column(view.figure.x), names=self._drawn(frame, view))
        return [Panel(title, self.label, partial(draw, rows=shown)) for title, _, shown in by_group(rows, view)]

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        marks = [entry(style.style(name)) for name in self._drawn(frame, view)]
        base = style.style(self.of(frame, view).base).legend
        return [*marks, Line2D([], [], color=SHARED, linewidth=1, label=f"1: {base}")]

    def caption(self, view: View) -> str:
        return "bars: what the intervals of both searches allow"

    def _drawn(self, frame: pd.DataFrame, view: View) -> list[str]:
        """The mechanisms that have a line."""
        left_out = {self.of(frame, view).base, *self.unpriced}
        return [str(name) for name in grouped(frame, view)["mechanism"].unique() if name not in left_out]


class PrivacyPrice(PriceOf):
    """Plots the price of privacy: n* of each construction as a multiple of n* without privacy, at a target of α itself.

    Where a table has no such target, all its rows are drawn.
    """

    name: ClassVar[str] = "privacy_price"
    label: ClassVar[str] = "price: examples needed,\nover those without privacy"
    unpriced: ClassVar[tuple[str, ...]] = ("public_alone",)  # without any private example

    def of(self, frame: pd.DataFrame, view: View) -> Price:
        return price_of(view)

    def rows(self, frame: pd.DataFrame) -> pd.DataFrame:
        reached = frame["target"] == TARGET
        return frame[reached] if reached.any() else frame


def base_of(frame: pd.DataFrame) -> str:
    """The name of the mechanism that n* is compared with: the exponential one, or in a table without it the first."""
    names = [str(name) for name in frame["mechanism"].unique()]
    return BASE if BASE in names else names[0]


def shifts(rows: pd.DataFrame, x: str) -> dict[str, float]:
    """The factor, by mechanism, by which its marks stand beside their place: lines may coincide."""
    names, most = rows["mechanism"].unique(), float(rows[x].max() / rows[x].min()) ** SIDE
    return {str(name): shifted(place, len(names), rows[x].nunique() > 1, most) for place, name in enumerate(names)}


def price_of(view: View) -> Price:
    """The names of the columns with the price, for the trials of a figure. Raises ValueError where trials have no price."""
    of = view.settings.trials.price
    if of is None:
        raise ValueError(f"trials of kind {view.settings.kind} have no price")
    return of


def number_needed(view: View) -> str:
    """An axis's label for what a search found, such as n*: in words what is counted, with the symbol."""
    sought_for = sought(view.settings)
    points = view.table[FIND].phrases.get(sought_for) if FIND in view.table else None
    return f"{points} needed, {sought_for}*" if points else view.heading(price_of(view).number)


def needed(frame: pd.DataFrame, view: View) -> list[Panel]:
    """The panels of a search's n* or m*, one for each combination of the axes that are set side by side."""
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
    _priced(ax, rows, x, base)


def _prices(ax: Axes, rows: pd.DataFrame, x: str, names: Sequence[str]) -> None:
    logarithmic(ax, rows[x].unique())
    ax.axhline(1, color=SHARED, linewidth=1, zorder=1)
    _priced(ax, rows[rows["mechanism"].isin(names)], x, apart=TWO, zorder=2)


def _priced(ax: Axes, rows: pd.DataFrame, x: str, base: str = "", apart: int = 0, zorder: float = 3) -> None:
    """Points with bars of all but one mechanism. apart: so many points or fewer are not joined."""
    beside, places = shifts(rows, x), rows[x].unique()
    for name, of_mechanism in rows.groupby("mechanism", sort=False):
        of_mechanism = of_mechanism.sort_values(x).dropna(subset=["price"])
        if name == base or not len(of_mechanism):
            continue
        joined = JOINED * (len(of_mechanism) > apart)
        ends = (of_mechanism[end] for end in ("price", "price_low", "price_high"))
        xs, price, low, high = over(places, of_mechanism[x], *ends)
        _bars(ax, xs * beside[str(name)], price, low, high, style.style(str(name)), joined, zorder)


def _bars(
    ax: Axes,
    x: Reals,
    middle: Reals,
    low: Reals,
    high: Reals,
    look: style.Style,
    joined: float = JOINED,
    zorder: float = 3,
) -> None:
    """Points with bars from low to high; matplotlib refuses a bar whose end is on the other side of its point."""
    bars = np.stack([middle - low, high - middle])
    look_of_line: dict[str, Any] = {"color": look.colour, "marker": look.marker, "ms": 4.5, "linewidth": joined}
    ax.errorbar(x, middle, yerr=bars, elinewidth=JOINED, capsize=2, zorder=zorder, **look_of_line)


PLOT = (ComplexityPlot(), NeededPlot(), PriceOf(), PrivacyPrice())
