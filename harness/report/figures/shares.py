"""How often trials fail, row by row: the plot `failures` for a horizontal axis of few values."""

import pandas as pd

from harness.report import numerals, style
from harness.report.figures.failures import PLOT as FAILURES
from harness.report.figures.plot import by_panel
from harness.report.figures.privacy import spending
from harness.report.figures.rows import Dot, RowPlot, Rows
from harness.report.settings import View


class Shares(RowPlot):
    """A row for each mechanism and combination of the axes in `panels`, a series for each value of `x`; a line at β."""

    name = "shares"
    limit = "claimed: β"
    logarithmic = False
    counts = True
    by_cell = True

    def rows(self, frame: pd.DataFrame, view: View) -> Rows:
        many = frame["mechanism"].nunique() > 1

        def label(name: str, rows: pd.DataFrame) -> str:
            return " ".join([style.style(name).legend] * many + [f"({what})" for what in spending(rows).values()])

        return {
            ", ".join(filter(None, (title, label(str(name), own)))): _dots(own, view)
            for title, rows in by_panel(frame, view)
            for name, own in rows.groupby("mechanism", sort=False)
        }

    def limit_at(self, frame: pd.DataFrame) -> float:
        return float(frame["beta"].max())

    def x_label(self, view: View) -> str:
        return FAILURES.axis_label(view)

    def caption(self, view: View) -> str:
        return FAILURES.caption(view)


def _dots(rows: pd.DataFrame, view: View) -> list[Dot]:
    """The marks of one mechanism, in rising x."""
    heading = view.heading(view.figure.x)
    marks = ((x, FAILURES.marked(own, view)) for x, own in rows.groupby(view.column(view.figure.x)))
    return [Dot(f"{heading}: {numerals.number(float(str(x)))}", mark.value, mark.low, mark.high) for x, mark in marks]


PLOT = Shares()
