"""The most of its ε that a run spends along an axis, row by row: the plot `spent` for many settings."""

from collections.abc import Mapping

import pandas as pd

from harness.report import style
from harness.report.figures.plot import by_panel
from harness.report.figures.rows import Dot, RowPlot, Rows
from harness.report.settings import View


class MostSpent(RowPlot):
    """A row for each combination of the axes in `panels`, a series for each mechanism: the largest share of ε along `x`.

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
        """Those that the same mechanisms have where they are drawn along x."""
        return {at.legend: (at.colour, at.marker) for at in map(style.style, frame["mechanism"].unique())}

    def limit_at(self, frame: pd.DataFrame) -> float:
        return 1.0

    def x_label(self, view: View) -> str:
        symbol = view.settings.symbol(view.figure.x)
        return f"ε spent / ε claimed, at the {symbol} where it is most"

    def caption(self, view: View) -> str:
        return "marks: certified upper bound, bars: down to what an attack shows"


def _dot(name: str, rows: pd.DataFrame) -> Dot:
    upper, lower = (float((rows[column] / rows["eps"]).max()) for column in ("spent_upper", "spent_lower"))
    return Dot(style.style(name).legend, upper, lower, upper)


PLOT = MostSpent()
