"""How often trials fail, beside the probability that is claimed for it: along an axis, or row by row."""

from math import nan
from typing import Any

import pandas as pd
import scipy

from harness.claims.btt18.t3_2 import three_b
from harness.report import numerals, style
from harness.report.figures.marks import Mark, MarkPlot
from harness.report.figures.plot import by_panel
from harness.report.figures.privacy import spending
from harness.report.figures.rows import Dot, RowPlot, Rows
from harness.report.settings import View
from harness.sweep.table.samples import Sample

LEVEL = 0.95


class Failures(MarkPlot):
    """Plots the share of trials in which the figure's y, a count, is above 0, with exact binomial intervals, beside β."""

    name = "failures"
    logarithmic = False
    claimed = "claimed: β"
    counts = True
    by_cell = True
    drawn = ()
    sampled = True

    def allowed(self, first: "pd.Series[Any]") -> tuple[float, float]:
        """The count above which a trial fails, and the share of trials that may."""
        return 0.0, float(first["beta"])

    def mark(self, rows: pd.DataFrame, view: View) -> Mark:
        sample = view.sample(rows, view.figure.y)
        if not sample.trials:  # a sampler or mechanism that does not say
            return Mark(nan, nan, nan, {})
        most, share = self.allowed(rows.iloc[0])
        return Mark(*share_above(sample, most), {self.claimed: share})

    def axis_label(self, view: View) -> str:
        return f"trials with any {view.heading(view.figure.y)}"

    def caption(self, view: View) -> str:
        return f"bars: exact {LEVEL:.0%} intervals"


class Beyond(Failures):
    """Plots the share of trials with more errors than the main theorem's cutoff T, with exact binomial intervals, beside 2β.

    Where T would be all m queries, because it is at least 1, the count is held against 3B as it is.
    """

    name = "beyond"
    logarithmic = True
    claimed = "claimed: 2β"

    def allowed(self, first: "pd.Series[Any]") -> tuple[float, float]:
        return float(first["T"]) if first["T"] < first["m"] else three_b(first), 2 * float(first["beta"])

    def axis_label(self, view: View) -> str:
        return "trials with more errors than T"


class Shares(RowPlot):
    """Plots the share of trials in which the figure's y is above 0, as rows of dots, a series for each value of x; a line at β.

    A row for each mechanism and combination of the axes in `panels`, a series for each value of `x`.
    """

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


def share_above(sample: Sample, most: float) -> tuple[float, float, float]:
    """The share of trials with more than `most`, of one trial or more, and the ends of its exact binomial interval."""
    test = scipy.stats.binomtest(sample.above(most), sample.trials)
    low, high = test.proportion_ci(LEVEL)
    return float(test.statistic), float(low), float(high)


def _dots(rows: pd.DataFrame, view: View) -> list[Dot]:
    """The marks of one mechanism, in rising x."""
    heading = view.heading(view.figure.x)
    marks = ((x, FAILURES.marked(own, view)) for x, own in rows.groupby(view.column(view.figure.x)))
    return [Dot(f"{heading}: {numerals.number(float(str(x)))}", mark.value, mark.low, mark.high) for x, mark in marks]


FAILURES = Failures()
PLOT = (FAILURES, Beyond(), Shares())
