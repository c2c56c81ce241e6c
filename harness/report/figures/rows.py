"""Settings down the side and marks along one horizontal axis: for many settings of few points each."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
import pandas as pd
from matplotlib import rcParams
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from harness.report import style
from harness.report.figures.lettering import fitted
from harness.report.figures.marks import SHARED
from harness.report.figures.plot import Panel, Plot
from harness.report.settings import View

NAMES, SHARE = (1.5, 2.6), 0.36  # inches, of what stands beside the rows, and the share of the figure's width between them
LINES = 6  # of such a name
BAND = 0.6  # of a row that its marks take
ARROW = r"$\leftarrow$"


@dataclass(frozen=True)
class Dot:
    """A mark of a row of a plot: which series it is of, and its value between low and high.
    At 0 on a logarithmic axis it is an arrow.
    """

    series: str
    value: float
    low: float
    high: float


Rows = Mapping[str, Sequence[Dot]]


class RowPlot(Plot):
    """Plots settings down the side: a row a setting, a colour and marker a series; a line where what is claimed ends.

    logarithmic: whether the horizontal axis is. limit: what the legend calls the line.
    """

    narrowest: ClassVar[float] = 5.0
    tall: ClassVar[bool] = True
    logarithmic: ClassVar[bool] = True
    limit: ClassVar[str]

    @abstractmethod
    def rows(self, frame: pd.DataFrame, view: View) -> Rows:
        """The marks by the names of their rows, from above."""

    def limit_at(self, frame: pd.DataFrame) -> float:
        """Where the line is: by default at all that is claimed, of what is a share of that."""
        return 1.0

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        draw = partial(_rows, rows=self.rows(frame, view), limit=self.limit_at(frame), logarithmic=self.logarithmic)
        return [Panel("", "", partial(draw, styles=self.looks(frame, view)))]

    def looks(self, frame: pd.DataFrame, view: View) -> Mapping[str, tuple[str, str]]:
        """The colour and the marker of each series."""
        return looks(self.rows(frame, view))

    def size(self, frame: pd.DataFrame, view: View) -> tuple[float, float]:
        rows = self.rows(frame, view)
        return 5.2, 0.5 + len(rows) * (0.28 + 0.07 * len(series_of(rows)))

    def names(self, frame: pd.DataFrame, view: View) -> Sequence[str]:
        return list(self.rows(frame, view))

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        rows = self.rows(frame, view)
        handles: list[Artist] = [
            Line2D([], [], color=colour, marker=marker, ms=5, linestyle="none", label=series)
            for series, (colour, marker) in self.looks(frame, view).items()
        ]
        handles.append(Line2D([], [], color=SHARED, linestyle="--", label=self.limit))
        if self.logarithmic and any(dot.value == 0 for dots in rows.values() for dot in dots):
            handles.append(Line2D([], [], color=SHARED, marker=ARROW, ms=7, linestyle="none", label="0 in all trials"))
        return handles


def room_beside(inches: float) -> float:
    """The width for the names of rows in a figure of a width, all in inches."""
    return min(max(NAMES[0], SHARE * inches), NAMES[1])


def series_of(rows: Rows) -> list[str]:
    """The names of all series of a plot's rows, in the order in which they first appear."""
    return list(dict.fromkeys(dot.series for dots in rows.values() for dot in dots))


def looks(rows: Rows) -> dict[str, tuple[str, str]]:
    """A colour and a marker for each series of a plot's rows: series are claims or values of an axis, on a scale."""
    return {name: (look.colour, look.marker) for name, look in style.scale(series_of(rows)).items()}


def _rows(ax: Axes, rows: Rows, limit: float, logarithmic: bool, styles: Mapping[str, tuple[str, str]]) -> None:
    ax.set_xscale("log" if logarithmic else "linear")
    ax.axvline(limit, color=SHARED, linestyle="--", linewidth=1.4, zorder=2)
    values = [dot.value for dots in rows.values() for dot in dots]
    least = min((value for value in values if value > 0), default=limit)
    for place, dots in enumerate(rows.values()):
        for order, (series, (colour, marker)) in enumerate(styles.items()):
            of_series = [dot for dot in dots if dot.series == series]
            y = np.full(len(of_series), place + BAND * ((order + 0.5) / len(styles) - 0.5))
            value, low, high = (np.array([getattr(dot, name) for dot in of_series], float) for name in ("value", "low", "high"))
            seen = (value > 0) | (not logarithmic)
            bars = np.stack([value - low, high - value])[:, seen]
            ax.errorbar(
                value[seen], y[seen], xerr=bars, color=colour, marker=marker, ms=5, linestyle="none", capsize=2, zorder=3
            )
            ax.plot(np.full((~seen).sum(), least / 2), y[~seen], linestyle="none", marker=ARROW, ms=7, color=colour, zorder=3)
    points = float(rcParams["ytick.labelsize"])
    room = room_beside(float(ax.figure.bbox.width) / ax.figure.dpi)
    ax.set_yticks(range(len(rows)), [fitted(name, room, points, most=LINES) for name in rows], fontsize=points)
    ax.set_yticks(np.arange(len(rows) + 1) - 0.5, minor=True)
    ax.grid(visible=False, which="major", axis="y")
    ax.grid(visible=True, which="minor", axis="y")
    ax.tick_params(which="both", axis="y", length=0)
    ax.set_ylim(len(rows) - 0.5, -0.5)
