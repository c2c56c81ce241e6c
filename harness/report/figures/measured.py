"""How much of what a mechanism is said to spend its audits can see."""

from collections.abc import Iterator

import pandas as pd

from harness.report.figures.rows import Dot, RowPlot, Rows
from harness.report.settings import View


class MeasuredPlot(RowPlot):
    """A row for each mechanism that is said to spend ε, or seen to, and a series for each value of `x` and of the `panels`.

    A mark is the largest lower end for ε of its audits there, over the ε that it is said to keep to. Those of which most is
    seen come first. Right of the line it spends more than that. Where nothing is seen of several, they share the last row.
    """

    name = "measured"
    limit = "all that is said to be spent"
    logarithmic = False
    by_cell = True

    def rows(self, frame: pd.DataFrame, view: View) -> Rows:
        named = {str(name): list(_dots(rows, view)) for name, rows in frame.groupby("mechanism", sort=False)}
        seen = {name: dots for name, dots in named.items() if dots}
        order = sorted(seen, key=lambda name: -max(dot.value for dot in seen[name]))
        some = [name for name in order if any(dot.value > 0 for dot in seen[name])]
        unseen = [name for name in order if name not in some]
        rows = {name: seen[name] for name in some}
        if not unseen:
            return rows
        last = unseen[0] if len(unseen) == 1 else f"nothing of {len(unseen)} others"
        return rows | {last: [dot for name in unseen for dot in seen[name]]}

    def size(self, frame: pd.DataFrame, view: View) -> tuple[float, float]:
        return 5.2, 0.5 + 0.19 * len(self.rows(frame, view))

    def limit_at(self, frame: pd.DataFrame) -> float:
        return 1.0

    def x_label(self, view: View) -> str:
        return "ε measured / ε certified, or declared"

    def caption(self, view: View) -> str:
        return "marks: lower ends for ε, each as sure as its audit"


def _dots(rows: pd.DataFrame, view: View) -> Iterator[Dot]:
    axes = (view.figure.x, *view.figure.panels)
    for cell, of_cell in rows.groupby("cell", sort=False):
        share = view.once(MeasuredPlot.name, of_cell, _share, ["lower", "claimed"])
        if share is not None:
            yield Dot(view.settings.where(str(cell), axes), share, share, share)


def _share(rows: pd.DataFrame) -> float | None:
    """The largest lower end over what is said; None where nothing is, or nothing is seen of what is said to be nothing."""
    claiming = rows[rows["claimed"].notna() & ((rows["claimed"] > 0) | (rows["lower"] > 0))]
    return float((claiming["lower"] / claiming["claimed"].where(claiming["claimed"] > 0, 1)).max()) if len(claiming) else None


PLOT = MeasuredPlot()
