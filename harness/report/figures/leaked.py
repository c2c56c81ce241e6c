"""The δ that a run of A_SL-Quer spends at least, whatever ε is, as a share of the δ that is claimed."""

import pandas as pd

from harness.report.figures.marks import Mark, MarkPlot
from harness.report.settings import View


class Leaked(MarkPlot):
    """Of a whole run, with a bar down to what a single query at distance 0 leaks."""

    name = "leaked"
    claimed = "claimed"

    def mark(self, rows: pd.DataFrame, view: View) -> Mark:
        first = rows.iloc[0]
        query, run = float(first["leak_query"] / first["delta"]), float(first["leak_run"] / first["delta"])
        return Mark(run, query, run, {self.claimed: 1.0})

    def axis_label(self, view: View) -> str:
        return "δ spent at least / δ claimed, at every ε"

    def caption(self, view: View) -> str:
        return "marks: a whole run, bars: down to one query"


PLOT = Leaked()
