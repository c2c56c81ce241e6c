"""How often a trial shows any of what should not be there, beside the probability that is claimed for it."""

from math import nan

import pandas as pd
import scipy

from harness.report.figures.marks import Mark, MarkPlot
from harness.report.settings import View
from harness.sweep.table.cells import counts

LEVEL = 0.95


class Failures(MarkPlot):
    """The share of trials in which a count is above zero, with its exact binomial interval, against β."""

    name = "failures"
    logarithmic = False
    claimed = "claimed: β"
    counts = True
    by_cell = True

    def mark(self, rows: pd.DataFrame, view: View) -> Mark:
        decided = rows[rows[view.figure.y].notna()]
        if decided.empty:  # a sampler or mechanism that does not say
            return Mark(nan, nan, nan, {})
        times = counts(decided)
        test = scipy.stats.binomtest(int(times[(decided[view.figure.y] > 0).to_numpy(bool)].sum()), int(times.sum()))
        low, high = test.proportion_ci(LEVEL)
        return Mark(float(test.statistic), float(low), float(high), {self.claimed: float(rows["beta"].iloc[0])})

    def axis_label(self, view: View) -> str:
        return f"trials with any {view.heading(view.figure.y)}"

    def caption(self, view: View) -> str:
        return f"bars: exact {LEVEL:.0%} intervals"


PLOT = Failures()
