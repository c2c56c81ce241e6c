"""The numbers of a figure as a table: a row a mark, without the columns that say nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
from matplotlib.lines import Line2D

from harness.report.figures.plot import Plot
from harness.report.figures.seen import DASHED, HOLLOW, NO_MARKER, Seen, few
from harness.report.settings import View

BOUND = "bound"
INTERVAL = "interval"


@dataclass(frozen=True)
class Values:
    """headings: of the columns; rows: of each mark what they say, and at: where it is in the figure. few: see `seen.few`."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    at: Sequence[tuple[float, float]]
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


def values(marks: Sequence[Seen], plot: Plot, frame: pd.DataFrame, view: View) -> Values:
    """Marks, in the order of the figure's panels and of its horizontal axis."""
    columns = {
        "panel": "setting",
        "what": "quantity",
        "row": "setting",
        "x": plot.x_label(view) if plot.shared_x else "at",
        "series": "series",
        "value": _measured(marks, plot, view),
        "interval": INTERVAL,
        "claimed": _claimed(plot, frame, view),
        "said": "number",
    }
    if not any(mark.value for mark in marks):  # intervals alone
        columns["interval"] = columns["value"]
    if any(mark.row and mark.x for mark in marks):  # a map
        columns |= {"row": view.heading(str(view.figure.by)), "value": "number"}
    cells = {key: [str(getattr(mark, key)) for mark in marks] for key in columns}
    shown = [key for key, own in cells.items() if any(own) and not (key in ("panel", "what", "series") and len(set(own)) == 1)]
    rows = list(zip(*(cells[key] for key in shown), strict=True))
    return Values([columns[key] for key in shown], rows, [mark.at for mark in marks], few(marks))


def _measured(marks: Sequence[Seen], plot: Plot, view: View) -> str:
    """What the values are of, where they are all of one thing."""
    whats = {mark.what for mark in marks}
    if any(mark.row for mark in marks):
        return plot.x_label(view)
    return whats.pop() if len(whats) == 1 else "value"


def _claimed(plot: Plot, frame: pd.DataFrame, view: View) -> str:
    """What the legend calls the one line of what is claimed."""
    handles = [each for each in plot.legend(frame, view) if isinstance(each, Line2D)]
    said = [str(each.get_label()) for each in handles if each.get_linestyle() in DASHED and each.get_marker() in NO_MARKER]
    return said[0] if len(said) == 1 and said[0] != HOLLOW else BOUND
