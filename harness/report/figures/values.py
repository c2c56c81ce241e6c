"""The numbers of a figure as a table: a row a mark, without the columns that say nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from harness.report.figures.plot import Panel, Plot, plots
from harness.report.figures.seen import BOUND, DASHED, HOLLOW, NO_MARKER, Reading, SeenMark, few
from harness.report.settings import View

INTERVAL = "interval"
SAID_ONCE = ("panel", "what", "series")
"""Columns that say nothing where they say one thing everywhere."""


@dataclass(frozen=True)
class MarkValues:
    """The marks of a figure as a table. headings: of the columns; rows: one a mark; points: where it is.
    few: see `seen.few`.
    """

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    points: Sequence[tuple[float, float]]
    few: bool

    @property
    def numbers(self) -> set[str]:
        """The headings of columns that are numbers."""
        columns = dict(zip(self.headings, zip(*self.rows, strict=True), strict=True)) if self.rows else {}
        return {name for name, cells in columns.items() if all(not cell or cell[0] in "0123456789[>–−-" for cell in cells)}

    @property
    def grouped(self) -> int:
        """How many first columns are said once for all rows that share them."""
        return len(self.headings[:2]) if len(self.headings) > 2 else 0


def values(figure: Figure, panels: Sequence[Panel], frame: pd.DataFrame, view: View) -> MarkValues:
    """The values of a figure's marks as a table, by panel, then along the horizontal axis. frame: the rows plotted."""
    plot = plots()[view.figure.plot]
    marks = Reading(plot, frame, view).of(figure, panels)
    columns = {
        "panel": "setting",
        "what": "quantity",
        "row": "setting",
        "x": plot.x_label(view) if plot.shared_x else "at",
        "series": "series",
        "value": _measured(marks, plot, view),
        "interval": INTERVAL,
    }
    beside = "number"
    if not any(mark.value for mark in marks):  # intervals alone
        columns["interval"] = columns["value"]
    if any(mark.row and mark.x for mark in marks):  # a map
        columns |= {"row": view.heading(str(view.figure.by)), "value": "number"}
        beside = "next best"
    columns_of = {key: [str(getattr(mark, key)) for mark in marks] for key in columns}
    shown_columns = [
        (columns[key], cells) for key, cells in columns_of.items() if not (key in SAID_ONCE and len(set(cells)) == 1)
    ]
    shown_columns += [*_bounds(marks, _claimed(plot, frame, view)).items(), (beside, [mark.text for mark in marks])]
    shown = [(heading, cells) for heading, cells in shown_columns if any(cells)]
    rows = list(zip(*(cells for _, cells in shown), strict=True))
    return MarkValues([heading for heading, _ in shown], rows, [mark.point for mark in marks], few(marks))


def _bounds(marks: Sequence[SeenMark], one: str) -> dict[str, list[str]]:
    """What is claimed at each mark, by the name of the bound. one: what it is called where no mark has more than one."""
    if all(len(mark.claimed) <= 1 for mark in marks):
        return {one: [next(iter(mark.claimed.values()), "") for mark in marks]}
    names = dict.fromkeys(name for mark in marks for name, value in mark.claimed.items() if value != HOLLOW)
    return {
        name: [HOLLOW if HOLLOW in mark.claimed.values() else mark.claimed.get(name, "") for mark in marks] for name in names
    }


def _measured(marks: Sequence[SeenMark], plot: Plot, view: View) -> str:
    """What the values are of, where they are all of one thing."""
    whats = {mark.what for mark in marks}
    if any(mark.row for mark in marks):
        return plot.x_label(view)
    return whats.pop() if len(whats) == 1 else "value"


def _claimed(plot: Plot, frame: pd.DataFrame, view: View) -> str:
    """What the legend calls the one line of what is claimed."""
    handles = [each for each in plot.legend(frame, view) if isinstance(each, Line2D)]
    labels = [str(each.get_label()) for each in handles if each.get_linestyle() in DASHED and each.get_marker() in NO_MARKER]
    return labels[0] if len(labels) == 1 and labels[0] != HOLLOW else BOUND
