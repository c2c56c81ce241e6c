"""What panels hold, drawn on axes of their own from a few rows of a committed table: points, bars, lines and looks."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from harness.arrays import Reals
from harness.report.figures.plot import plots
from harness.report.settings import View
from harness.report.style import style
from tests.report.pictured import few_rows
from tests.support.committed import SHORT_OF, SPEC_OF, sweep_of

Look = tuple[str, str]
"""Colour and marker."""


class Drawing(NamedTuple):
    """A plot's rows, its panels, each drawn on axes of its own, and what its legend says."""

    rows: pd.DataFrame
    view: View
    axes: Sequence[Axes]
    titles: Sequence[str]
    legend: Mapping[str, Any]


def drawing(plot: str, rows: pd.DataFrame | None = None, experiment: str = "") -> Drawing:
    path = SPEC_OF[experiment] if experiment else SHORT_OF[plot]
    view, of = View.of(sweep_of(path.stem)), plots()[plot]
    rows = few_rows(path) if rows is None else rows
    axes, panels = [], of.panels(rows, view)
    with mpl.rc_context({"xtick.labelsize": 7, "ytick.labelsize": 7}):
        for panel in panels:
            axes.append(Figure(figsize=(9, 5)).subplots())
            panel.draw(axes[-1])
        handles = {str(handle.get_label()): handle for handle in of.legend(rows, view)}
    return Drawing(rows, view, axes, [panel.title for panel in panels], handles)


def look(name: str) -> Look:
    return to_hex(style(name).colour), style(name).marker


def data(line: Line2D) -> Reals:
    """(points, 2), those that are seen."""
    points = np.array([np.asarray(each, float) for each in line.get_data()]).T
    return np.asarray(points[np.isfinite(points).all(axis=1)], np.float64)


def bars(ax: Axes) -> list[tuple[Look, Reals]]:
    """Of each line of points with bars its look, and where these are: (points, 4) of x, low, value, high."""
    found = []
    for box in ax.containers:
        assert isinstance(box, ErrorbarContainer)
        line, _, (lines,) = box.lines
        ends = np.array([[part[0][1], part[1][1]] if len(part) else [np.nan] * 2 for part in lines.get_segments()]).reshape(
            -1, 2
        )
        x, y = (np.asarray(each, float) for each in line.get_data())
        here = np.isfinite(y)
        found.append(((to_hex(line.get_color()), str(line.get_marker())), np.stack([x, ends[:, 0], y, ends[:, 1]]).T[here]))
    return found


def lines(ax: Axes, dashes: str = "--", colour: str = "") -> list[Reals]:
    """The points of lines with such dashes."""
    alike = (line for line in ax.get_lines() if line.get_linestyle() == dashes)
    return [data(line) for line in alike if not colour or to_hex(line.get_color()) == to_hex(colour)]


def marked(ax: Axes, marker: str) -> dict[str, Reals]:
    """The points that have this sign, by their colour."""
    found: dict[str, list[Reals]] = {}
    for line in ax.get_lines():
        if line.get_marker() == marker and len(data(line)):
            found.setdefault(to_hex(line.get_color()), []).append(data(line))
    return {colour: np.concatenate(each) for colour, each in found.items()}


def by(rows: pd.DataFrame, column: str) -> Iterator[tuple[str, pd.DataFrame]]:
    """Rows by the values of a column, as these first appear."""
    for value in rows[column].unique():
        yield str(value), rows[rows[column] == value]


def beside(place: int, count: int, most: float = 1.12) -> float:
    """How far the marks of one of so many lines stand beside their place: three of them take most twice, more no more room."""
    return float(min(most, 1.12 ** min(1.0, 2 / max(count - 1, 1))) ** (place - (count - 1) / 2))
