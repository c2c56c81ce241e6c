"""A map over two axes: which private mechanism has the least mean, and how little that is."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle

from harness.report import numerals, style
from harness.report.figures.areas import LETTERS, area, write_in
from harness.report.figures.plot import Panel, Plot, by_panel
from harness.report.settings import View

NEAR = 1.1
"""Means within this factor of the least are as good: chance would else say which of equals is shown."""


SMALL = 0.01
"""Of what is less one digit is written: a column has no room for more."""


class LeastError(Plot):
    """Each point of the map in the colour of the mechanism with the least mean, which is written in it."""

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
        shown = {name for _, rows in by_panel(frame, view) for name in best(*_means(rows, view))["mechanism"]}
        tints = style.tints(list(frame["mechanism"].unique()))
        return [Patch(**area(name, tints), label=f"{style.style(name).legend} errs least") for name in tints if name in shown]

    def caption(self, view: View) -> str:
        return f"numbers: the mean of what errs least; of all within {NEAR - 1:.0%} of it, the first in the legend is shown"


def _means(rows: pd.DataFrame, view: View) -> tuple[pd.DataFrame, str, str, str]:
    """The mean of each mechanism at each point of the map, in the order of the table; and what the columns are called."""
    x, y, measured = view.column(view.figure.x), view.column(str(view.figure.by)), view.figure.y
    means = [(*at, view.mean(measured, own)) for at, own in rows.groupby([y, x, "mechanism"], sort=False)]
    return pd.DataFrame(means, columns=[y, x, "mechanism", measured]), x, y, measured


def best(means: pd.DataFrame, x: str, y: str, measured: str) -> pd.DataFrame:
    """For each point of the map the first mechanism whose mean is near the least, and that mean."""
    near = means[means[measured] <= NEAR * means.groupby([y, x])[measured].transform("min")]
    return near.groupby([y, x], sort=True).first().reset_index()


def _map(ax: Axes, rows: pd.DataFrame, view: View, tints: Mapping[str, str]) -> None:
    means, x, y, measured = _means(rows, view)
    across, up = np.sort(rows[x].unique()), np.sort(rows[y].unique())
    shown = best(means, x, y, measured)
    for name, value, at_x, at_y in zip(shown["mechanism"], shown[measured], shown[x], shown[y], strict=True):
        column, line = int(np.searchsorted(across, at_x)), int(np.searchsorted(up, at_y))
        ax.add_patch(Rectangle((column - 0.5, line - 0.5), 1, 1, **area(str(name), tints)))
        write_in(ax, column, line, f"{value:.{2 if value >= SMALL else 1}g}", tints[str(name)])
    ax.set_xlim(-0.5, len(across) - 0.5)
    ax.set_ylim(-0.5, len(up) - 0.5)
    below = [numerals.number(float(each)) for each in across]
    ax.set_xticks(range(len(across)), below, fontsize=LETTERS, rotation=45, ha="right")
    ax.set_yticks(range(len(up)), [numerals.number(float(each)) for each in up], fontsize=LETTERS)
    ax.grid(visible=False)


PLOT = LeastError()
