"""How often a trial shows any of what should not be there, beside the probability that is claimed for it."""

from math import nan

import pandas as pd
import scipy

from harness.report.figures.marks import Mark, MarkPlot
from harness.report.settings import View
from harness.sweep.table.samples import Sample

LEVEL = 0.95


class Failures(MarkPlot):
    """The share of trials in which a count is above zero, with its exact binomial interval, against β."""

    name = "failures"
    logarithmic = False
    claimed = "claimed: β"
    counts = True
    by_cell = True
    drawn = ()
    sampled = True

    def mark(self, rows: pd.DataFrame, view: View) -> Mark:
        sample = view.sample(rows, view.figure.y)
        if not sample.trials:  # a sampler or mechanism that does not say
            return Mark(nan, nan, nan, {})
        return Mark(*share_above(sample, 0), {self.claimed: float(rows["beta"].iloc[0])})

    def axis_label(self, view: View) -> str:
        return f"trials with any {view.heading(view.figure.y)}"

    def caption(self, view: View) -> str:
        return f"bars: exact {LEVEL:.0%} intervals"


def share_above(sample: Sample, most: float) -> tuple[float, float, float]:
    """The share of trials in which more than this was seen, of one or more, and the ends of its exact binomial interval."""
    test = scipy.stats.binomtest(sample.above(most), sample.trials)
    low, high = test.proportion_ci(LEVEL)
    return float(test.statistic), float(low), float(high)


PLOT = Failures()
