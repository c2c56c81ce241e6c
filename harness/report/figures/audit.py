"""An audit: the ε that an event shows in the code, with its interval, beside the exact number."""

import pandas as pd

from harness.claims.engine.agreement import clopper_pearson, least_eps
from harness.report.figures.marks import Mark, MarkPlot
from harness.report.settings import View
from harness.report.style import style

LEVEL = 0.95


class Audit(MarkPlot):
    """Plots the ε that an audit's event asks for by its counts on both neighbouring tables, with Clopper–Pearson intervals.

    Counts are pooled over trials. The event's own probabilities are known.
    """

    name = "audit"
    by_cell = True
    drawn = ("runs", "hits", "hits_neighbour")

    def mark(self, rows: pd.DataFrame, view: View) -> Mark:
        first, runs = rows.iloc[0], int(rows["runs"].sum())
        counts = int(rows["hits"].sum()), int(rows["hits_neighbour"].sum())
        here, there = (clopper_pearson(count, runs, (1 - LEVEL) / 2) for count in counts)
        delta = float(first["delta"])
        value = least_eps(counts[0] / runs, counts[1] / runs, delta)
        low, high = least_eps(here[0], there[1], delta), least_eps(here[1], there[0], delta)
        exact = least_eps(float(first["p"]), float(first["q"]), delta)
        return Mark(value, low, high, {f"exact, {style(str(first['mechanism'])).legend}": exact})

    def axis_label(self, view: View) -> str:
        return "ε that the event asks for"

    def caption(self, view: View) -> str:
        return f"bars: {LEVEL:.0%} intervals"


PLOT = Audit()
