"""A map over two axes: which private mechanism has the least mean, how little that is, and which is next by what factor."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Polygon, Rectangle

from harness.report import numerals, style
from harness.report.figures.areas import LETTERS, area, factor, write_in
from harness.report.figures.marks import SHARED
from harness.report.figures.plot import Panel, Plot, by_panel
from harness.report.settings import View

NEAR = 1.1
"""Means within this factor of the least are as good: chance would else say which of equals is shown."""


SMALL = 0.01
"""Of what is less one digit is written: a column has no room for more."""

CORNER = 0.36
"""Of a point's area, each way."""


class LeastError(Plot):
    """Each point of the map in the colour of the mechanism with the least mean, which is written in it.

    In a corner is the colour of the next best, below the mean by what factor it errs more.
    """

    name: ClassVar[str] = "least_error"
    by_cell: ClassVar[bool] = True
    narrowest: ClassVar[float] = 2.9

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        assert view.figure.by is not None
        tints = style.tints(list(frame["mechanism"].unique()))
        draw = partial(_map, view=view, tints=tints)
        label = view.heading(view.figure.by)
        return [Panel(title, label, partial(draw, rows=rows)) for title, rows in by_panel(frame, view)]

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        assert view.figure.by is not None
        found = [best(*_means(rows, view)) for _, rows in by_panel(frame, view)]
        shown = {name for each in found for column in ("mechanism", "next") for name in each[column]}
        tints = style.tints(list(frame["mechanism"].unique()))
        handles: list[Artist] = [Patch(**area(name, tints), label=style.style(name).legend) for name in tints if name in shown]
        said = "corner: the next best; ×: how much more it errs"
        corner = Line2D([], [], color=SHARED, marker=(3, 0, -45), linestyle="none", label=said)
        return [*handles, corner]

    def caption(self, view: View) -> str:
        return f"numbers: the mean of what errs least, the first in the legend of all within {NEAR - 1:.0%} of it (≈)"


def _means(rows: pd.DataFrame, view: View) -> tuple[pd.DataFrame, str, str, str]:
    """The mean of each mechanism at each point of the map, in the order of the table; and what the columns are called."""
    x, y, measured = view.column(view.figure.x), view.column(str(view.figure.by)), view.figure.y
    means = [(*at, view.mean(measured, own)) for at, own in rows.groupby([y, x, "mechanism"], sort=False)]
    return pd.DataFrame(means, columns=[y, x, "mechanism", measured]), x, y, measured


def best(means: pd.DataFrame, x: str, y: str, measured: str) -> pd.DataFrame:
    """For each point of the map the first mechanism whose mean is near the least, and that mean; next: of the others the one of
    the least mean, and times: by what factor that is more. Of a mechanism alone these are empty, and NaN.
    """
    near = means[means[measured] <= NEAR * means.groupby([y, x])[measured].transform("min")]
    first = near.groupby([y, x], sort=True).first().reset_index()
    beside = means.merge(first, on=[y, x], suffixes=("", "_first"))
    others = beside[beside["mechanism"] != beside["mechanism_first"]].sort_values(measured, kind="stable")
    second = others.groupby([y, x])[["mechanism", measured]].first().rename(columns={"mechanism": "next", measured: "times"})
    found = first.join(second, on=[y, x])
    return found.assign(next=found["next"].fillna(""), times=found["times"] / found[measured])


def _map(ax: Axes, rows: pd.DataFrame, view: View, tints: Mapping[str, str]) -> None:
    means, x, y, measured = _means(rows, view)
    across, up = np.sort(rows[x].unique()), np.sort(rows[y].unique())
    for _, point in best(means, x, y, measured).iterrows():
        column, line = int(np.searchsorted(across, point[x])), int(np.searchsorted(up, point[y]))
        name, after, value = str(point["mechanism"]), str(point["next"]), float(point[measured])
        ax.add_patch(Rectangle((column - 0.5, line - 0.5), 1, 1, **area(name, tints)))
        said = f"{value:.{2 if value >= SMALL else 1}g}"
        if after:
            right, low = column + 0.5, line - 0.5
            corner = [(right, low), (right - CORNER, low), (right, low + CORNER)]
            ax.add_patch(Polygon(corner, **area(after, tints)))
            said = f"{said}\n{'≈' if point['times'] <= NEAR else factor(float(point['times']))}"
        write_in(ax, column, line, said, tints[name])
    ax.set_xlim(-0.5, len(across) - 0.5)
    ax.set_ylim(-0.5, len(up) - 0.5)
    below = [numerals.number(float(each)) for each in across]
    ax.set_xticks(range(len(across)), below, fontsize=LETTERS, rotation=45, ha="right")
    ax.set_yticks(range(len(up)), [numerals.number(float(each)) for each in up], fontsize=LETTERS)
    ax.grid(visible=False)


PLOT = LeastError()
