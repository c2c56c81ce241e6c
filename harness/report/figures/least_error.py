"""A map over two axes: which private mechanism has the least mean, how little that is, and which is next by what factor."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle

from harness.arrays import Reals
from harness.report import numerals, style
from harness.report.figures.areas import LETTERS, area, corner, corner_entry, factor, write_in
from harness.report.figures.plot import Panel, Plot, by_panel
from harness.report.settings import View

NEAR = 1.1
"""Means within this factor of the least are as good: chance would else say which of equals is shown."""


SMALL, LARGE = 0.01, 99.5
"""Of what is less one digit is written, as a column has no room for more; what is more is no fraction."""


class MapColumns(NamedTuple):
    """The columns of a map: across, up, and what is written in it."""

    x: str
    y: str
    measured: str


class BestMap(Plot):
    """Each point of the map in the colour of the mechanism with the least of something, which is written in it.

    In a corner is the colour of the next best, below the number by what factor it has more. corner: the legend of that.
    """

    narrowest: ClassVar[float] = 2.9
    corner: ClassVar[str]

    @abstractmethod
    def best(self, rows: pd.DataFrame, view: View) -> tuple[pd.DataFrame, MapColumns]:
        """What is shown at each point of a panel's map, as from `best`."""

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        assert view.figure.by is not None
        tints = style.tints(list(frame["mechanism"].unique()))
        label = view.heading(view.figure.by)
        places = [np.sort(frame[view.column(axis)].unique()) for axis in (view.figure.x, view.figure.by)]
        draw = partial(_map, across=places[0], up=places[1], tints=tints)
        maps = [(title, *self.best(rows, view)) for title, rows in by_panel(frame, view)]
        return [Panel(title, label, partial(draw, points=points, axes=axes)) for title, points, axes in maps]

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        assert view.figure.by is not None
        maps = [self.best(rows, view)[0] for _, rows in by_panel(frame, view)]
        shown = {name for each in maps for column in ("mechanism", "next") for name in each[column]}
        tints = style.tints(list(frame["mechanism"].unique()))
        handles: list[Artist] = [Patch(**area(name, tints), label=style.style(name).legend) for name in tints if name in shown]
        return [*handles, corner_entry(self.corner)]


class LeastError(BestMap):
    """The least mean error."""

    name: ClassVar[str] = "least_error"
    by_cell: ClassVar[bool] = True
    corner: ClassVar[str] = "corner: the next best; ×: how much more it errs"

    def best(self, rows: pd.DataFrame, view: View) -> tuple[pd.DataFrame, MapColumns]:
        means, *axes = _means(rows, view)
        return best(means, *axes), MapColumns(*axes)

    def caption(self, view: View) -> str:
        return f"numbers: the mean of what errs least, the first in the legend of all within {NEAR - 1:.0%} of it (≈)"


def short(value: float) -> str:
    """A number for which there is little room."""
    return f"{value:.{2 if value >= SMALL else 1}g}" if value < LARGE else numerals.number(float(f"{value:.2g}"))


def _means(rows: pd.DataFrame, view: View) -> tuple[pd.DataFrame, str, str, str]:
    """The mean of each mechanism at each point of the map, in the order of the table; and what the columns are called."""
    x, y, measured = view.column(view.figure.x), view.column(str(view.figure.by)), view.figure.y
    means = [(*at, view.mean(measured, own)) for at, own in rows.groupby([y, x, "mechanism"], sort=False)]
    return pd.DataFrame(means, columns=[y, x, "mechanism", measured]), x, y, measured


def best(means: pd.DataFrame, x: str, y: str, measured: str) -> pd.DataFrame:
    """For each point of the map the first mechanism whose mean is near the least, and that mean; next: of the others the one of
    the least mean, and times: by what factor that is more. Of a mechanism alone these are empty, and NaN. alike: whether it is
    near the least, too.
    """
    winners = ranked(means, means[measured] <= NEAR * means.groupby([y, x])[measured].transform("min"), x, y, measured)
    return winners.assign(alike=winners["times"] <= NEAR)


def ranked(means: pd.DataFrame, near: "pd.Series[bool]", x: str, y: str, measured: str) -> pd.DataFrame:
    """The best and the next at each place, where it is known which of them are near the least."""
    first = means[near].groupby([y, x], sort=True).first().reset_index()
    beside = means.merge(first, on=[y, x], suffixes=("", "_first"))
    others = beside[beside["mechanism"] != beside["mechanism_first"]].sort_values(measured, kind="stable")
    second = others.groupby([y, x])[["mechanism", measured]].first().rename(columns={"mechanism": "next", measured: "times"})
    ranks = first.join(second, on=[y, x])
    return ranks.assign(next=ranks["next"].fillna(""), times=ranks["times"] / ranks[measured])


def _map(ax: Axes, points: pd.DataFrame, axes: MapColumns, across: Reals, up: Reals, tints: Mapping[str, str]) -> None:
    """across, up: the places of all panels, which share their axes."""
    for _, point in points.iterrows():
        column, line = int(np.searchsorted(across, point[axes.x])), int(np.searchsorted(up, point[axes.y]))
        name, after, value = str(point["mechanism"]), str(point["next"]), float(point[axes.measured])
        ax.add_patch(Rectangle((column - 0.5, line - 0.5), 1, 1, **area(name, tints)))
        text = short(value)
        if after:
            corner(ax, column, line, after, tints)
            text = f"{text}\n{'≈' if point['alike'] else factor(float(point['times']))}"
        write_in(ax, column, line, text, tints[name])
    ax.set_xlim(-0.5, len(across) - 0.5)
    ax.set_ylim(-0.5, len(up) - 0.5)
    below = [numerals.number(float(each)) for each in across]
    ax.set_xticks(range(len(across)), below, fontsize=LETTERS, rotation=45, ha="right")
    ax.set_yticks(range(len(up)), [numerals.number(float(each)) for each in up], fontsize=LETTERS)
    ax.grid(visible=False)


PLOT = LeastError()
