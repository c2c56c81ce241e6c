"""What a run really spends, as a share of what is claimed: along an axis, or row by row."""

from collections.abc import Mapping
from typing import ClassVar

import pandas as pd

from harness.report import style
from harness.report.figures.marks import Mark, MarkPlot
from harness.report.figures.plot import by_panel
from harness.report.figures.rows import Dot, RowPlot, Rows
from harness.report.settings import View


class Spent(MarkPlot):
    """Plots the certified upper bound of the ε spent at the claimed δ, with a bar down to what an attack shows to be spent.

    ends: the columns of the bar's lower end and of the mark. of: that of what is claimed.
    """

    name = "spent"
    logarithmic = False
    claimed = "claimed"
    ends: ClassVar[tuple[str, str]] = ("spent_lower", "spent_upper")
    of: ClassVar[str] = "eps"

    def mark(self, rows: pd.DataFrame, view: View) -> Mark:
        first = rows.iloc[0]
        lower, upper = (float(first[end] / first[self.of]) for end in self.ends)
        return Mark(upper, lower, upper, {self.claimed: 1.0})

    def axis_label(self, view: View) -> str:
        return "ε spent / ε claimed, at the claimed δ"

    def caption(self, view: View) -> str:
        return "marks: certified upper bound, bars: down to what an attack shows"


class Leaked(Spent):
    """Plots the δ that a whole run of A_SL-Quer spends at least, whatever ε is.
    A bar goes down to what a single query at distance 0 leaks.
    """

    name = "leaked"
    logarithmic = True
    ends = ("leak_query", "leak_run")
    of = "delta"

    def axis_label(self, view: View) -> str:
        return "δ spent at least / δ claimed, at every ε"

    def caption(self, view: View) -> str:
        return "marks: a whole run, bars: down to one query"


class MostSpent(RowPlot):
    """Plots the largest share of ε that is spent along `x`, for many settings, each a row.
    A row is a combination of the axes in `panels`, a series a mechanism.

    What is certified bounds the largest share from above at every x, and so does the largest that is certified for the largest;
    the largest that an attack shows bounds it from below.
    """

    name = "most_spent"
    limit = "claimed"
    logarithmic = False

    def rows(self, frame: pd.DataFrame, view: View) -> Rows:
        return {
            title: [_dot(str(name), own) for name, own in rows.groupby("mechanism", sort=False)]
            for title, rows in by_panel(frame, view)
        }

    def looks(self, frame: pd.DataFrame, view: View) -> Mapping[str, tuple[str, str]]:
        """The looks that the same mechanisms have where they are drawn along x."""
        return {at.legend: (at.colour, at.marker) for at in map(style.style, frame["mechanism"].unique())}

    def x_label(self, view: View) -> str:
        symbol = view.settings.symbol(view.figure.x)
        return f"ε spent / ε claimed, at the {symbol} where it is most"

    def caption(self, view: View) -> str:
        return SPENT.caption(view)


def _dot(name: str, rows: pd.DataFrame) -> Dot:
    lower, upper = (float((rows[end] / rows[Spent.of]).max()) for end in Spent.ends)
    return Dot(style.style(name).legend, upper, lower, upper)


SPENT = Spent()
PLOT = (SPENT, Leaked(), MostSpent())
