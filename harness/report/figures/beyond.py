"""How often more queries are misclassified than the main theorem's cutoff T, beside the 2β that is claimed for it."""

import pandas as pd

from harness.claims.btt18.t3_2 import three_b
from harness.report.figures.failures import LEVEL, share_above
from harness.report.figures.marks import Mark, MarkPlot
from harness.report.settings import View


class Beyond(MarkPlot):
    """The share of trials in which a count is above T, with its exact binomial interval, against 2β.

    Where T would be all m queries, because it is at least 1, the count is held against 3B as it is.
    """

    name = "beyond"
    counts = True
    by_cell = True
    drawn = ()
    sampled = True
    claimed = "claimed: 2β"

    def mark(self, rows: pd.DataFrame, view: View) -> Mark:
        first = rows.iloc[0]
        allowed = float(first["T"]) if first["T"] < first["m"] else three_b(first)
        return Mark(*share_above(view.sample(rows, view.figure.y), allowed), {self.claimed: 2 * float(first["beta"])})

    def axis_label(self, view: View) -> str:
        return "trials with more errors than T"

    def caption(self, view: View) -> str:
        return f"bars: exact {LEVEL:.0%} intervals"


PLOT = Beyond()
