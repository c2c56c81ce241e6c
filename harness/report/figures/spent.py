"""The ε that a run really spends at the claimed δ, as a share of the ε that is claimed."""

import pandas as pd

from harness.report.figures.marks import Mark, MarkPlot
from harness.report.settings import View


class Spent(MarkPlot):
    """The certified upper bound, with a bar down to what an attack shows to be spent at least."""

    name = "spent"
    logarithmic = False
    claimed = "claimed"

    def mark(self, rows: pd.DataFrame, view: View) -> Mark:
        first = rows.iloc[0]
        lower, upper = float(first["spent_lower"] / first["eps"]), float(first["spent_upper"] / first["eps"])
        return Mark(upper, lower, upper, {self.claimed: 1.0})

    def axis_label(self, view: View) -> str:
        return "ε spent / ε claimed, at the claimed δ"

    def caption(self, view: View) -> str:
        return "marks: certified upper bound, bars: down to what an attack shows"


PLOT = Spent()
