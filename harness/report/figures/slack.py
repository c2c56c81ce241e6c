"""What was measured over what is claimed, row by row: of claims about trials, and of what mechanisms are said to spend."""

from collections.abc import Iterator
from functools import partial

import pandas as pd

from harness.claims.engine import Event
from harness.claims.engine.event_seen import EventSeen
from harness.claims.registry import claims
from harness.report.figures.plot import by_panel
from harness.report.figures.rows import Dot, RowPlot, Rows
from harness.report.settings import View
from harness.sweep.table.cells import Cells


class Slack(RowPlot):
    """Plots how far within its bound each claim about trials was kept.

    A row for each combination of the axes in `panels`, a series for each of the spec's claims that bounds a quantity. A mark is
    one cell: the value that a verdict is about, over its bound. Left of 1 the claim was kept.
    """

    name = "slack"
    limit = "as much as is claimed"
    counts = True
    by_cell = True

    def rows(self, frame: pd.DataFrame, view: View) -> Rows:
        return {title: view.by_cell(self.name, rows, partial(_dots, view=view)) for title, rows in by_panel(frame, view)}

    def x_label(self, view: View) -> str:
        return f"{view.heading(view.figure.y)}, over what is claimed"

    def caption(self, view: View) -> str:
        return "marks: in each cell the largest value, but for the share of trials that may fail"


class MeasuredPlot(RowPlot):
    """Plots the ε that audits show of each mechanism, as a share of the ε that the mechanism is said to spend.

    A row for each mechanism that is said to spend ε, or seen to, and a series for each value of `x` and of the `panels`.

    A mark is the largest lower end for ε of its audits there, over the ε that it is said to keep to. Those of which most is
    seen come first. Right of the line it spends more than that. Where nothing is seen of several, they share the last row.
    """

    name = "measured"
    limit = "all that is said to be spent"
    logarithmic = False
    by_cell = True

    def rows(self, frame: pd.DataFrame, view: View) -> Rows:
        named = {str(name): list(_audited(rows, view)) for name, rows in frame.groupby("mechanism", sort=False)}
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

    def x_label(self, view: View) -> str:
        return "ε measured / ε certified, or declared"

    def caption(self, view: View) -> str:
        return "marks: lower ends for ε, each as sure as its audit"


def _dots(rows: Cells, view: View) -> list[Dot]:
    dots = []
    stated = [claim for name in view.spec.claims if isinstance((claim := claims()[name]).decider, Event)]
    places = [each.place for each in stated]
    for stated_bound in stated:
        place = stated_bound.place if places.count(stated_bound.place) == 1 else stated_bound.id
        for claim, part in stated_bound.variants(rows):
            for question in claim.questions(part):
                if isinstance(seen := question.near, EventSeen) and seen.bound:
                    share = seen.decider.measured(seen) / seen.bound
                    dots.append(Dot(f"{place}{claim.id.removeprefix(stated_bound.id)}", share, share, share))
    return dots


def _audited(rows: pd.DataFrame, view: View) -> Iterator[Dot]:
    axes = (view.figure.x, *view.figure.panels)
    for cell, of_cell in rows.groupby("cell", sort=False):
        share = view.once(MeasuredPlot.name, of_cell, _share, ["lower", "claimed"])
        if share is not None:
            yield Dot(view.settings.where(str(cell), axes), share, share, share)


def _share(rows: pd.DataFrame) -> float | None:
    """The largest lower end over what is said; None where nothing is, or nothing is seen of what is said to be nothing."""
    claiming = rows[rows["claimed"].notna() & ((rows["claimed"] > 0) | (rows["lower"] > 0))]
    return float((claiming["lower"] / claiming["claimed"].where(claiming["claimed"] > 0, 1)).max()) if len(claiming) else None


PLOT = (MeasuredPlot(), Slack())
