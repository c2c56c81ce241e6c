"""The mean of a count along an axis, one line for each value of a second axis: settings that are compared in one panel."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from harness.report import style
from harness.report.figures.marks import ARROW, SHARED, Mark, draw_marks, entry, scaled, shifted
from harness.report.figures.means import LEVEL, mean_mark
from harness.report.figures.plot import Panel, Plot, by_panel
from harness.report.settings import View

Lines = dict[str, dict[float, Mark]]


class Series(Plot):
    """Plots the mean of a count, a line for each value of the axis `by` and each mechanism.
    At 0 a mark is an arrow below all others.
    """

    name: ClassVar[str] = "series"
    counts: ClassVar[bool] = True
    by_cell: ClassVar[bool] = True

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        looks, label = _looks(frame, view), view.heading(view.figure.y)
        return [
            Panel(title, label, partial(_draw, lines=_lines(rows, view), looks=looks)) for title, rows in by_panel(frame, view)
        ]

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        looks = _looks(frame, view).values()
        handles: list[Artist] = [entry(look) for look in looks]
        lines = (each for _, rows in by_panel(frame, view) for each in _lines(rows, view).values())
        if any(mark.value == 0 for marks in lines for mark in marks.values()):
            handles.append(Line2D([], [], color=SHARED, marker=ARROW, linestyle="none", label="0 in all trials"))
        return handles

    def caption(self, view: View) -> str:
        return f"bars: {LEVEL:.0%} intervals of the mean"

    def size(self, frame: pd.DataFrame, view: View) -> tuple[float, float]:
        return 3.8, 3.0


def _split(frame: pd.DataFrame, view: View) -> Iterator[tuple[str, pd.DataFrame]]:
    """The rows of each line, by what it is called."""
    by, settings, many = view.figure.by, view.settings, frame["mechanism"].nunique() > 1
    names = {cell: settings.shown(cell, by) if by else "" for cell in frame["cell"].unique()}
    for (value, name), rows in frame.groupby([frame["cell"].map(names), "mechanism"], sort=False):
        yield ", ".join(filter(None, (str(value), style.style(str(name)).legend if many or not by else ""))), rows


def _looks(frame: pd.DataFrame, view: View) -> dict[str, style.Style]:
    """The look of each line of all panels: mechanisms have their own, values of `by` are on a scale."""
    if not view.figure.by:
        return {look.legend: look for look in map(style.style, frame["mechanism"].unique())}
    return dict(style.scale(list(dict.fromkeys(name for name, _ in _split(frame, view)))))


def _lines(frame: pd.DataFrame, view: View) -> Lines:
    """The marks of each line along the axis."""

    def of(rows: pd.DataFrame) -> Mark:
        return mean_mark(view.sample(rows, y))

    x, y = view.column(view.figure.x), view.figure.y

    return {
        name: {float(str(at)): view.kept(Series.name, own, partial(of, own)) for at, own in rows.groupby(x)}
        for name, rows in _split(frame, view)
    }


def _draw(ax: Axes, lines: Lines, looks: dict[str, style.Style]) -> None:
    spread = scaled(ax, sorted({x for marks in lines.values() for x in marks}))
    ax.set_yscale("log")
    least = min((mark.value for marks in lines.values() for mark in marks.values() if mark.value > 0), default=1.0)
    places = {x for marks in lines.values() for x in marks}
    for position, (name, marks) in enumerate(lines.items()):
        floored = {x: replace(mark, floor=least / 2) for x, mark in marks.items()}
        draw_marks(ax, floored, looks[name], shifted(position, len(lines), spread), True, places)


PLOT = Series()
