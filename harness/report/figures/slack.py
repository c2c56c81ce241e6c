"""How far within its bound each claim about trials was kept, setting by setting: what was measured over what is claimed."""

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
    """A row for each combination of the axes in `panels`, a series for each of the spec's claims that bounds a quantity.

    A mark is one cell: the value that a verdict is about, over its bound. Left of 1 the claim was kept.
    """

    name = "slack"
    limit = "as much as is claimed"
    counts = True
    by_cell = True

    def rows(self, frame: pd.DataFrame, view: View) -> Rows:
        return {title: view.by_cell(self.name, rows, partial(_dots, view=view)) for title, rows in by_panel(frame, view)}

    def limit_at(self, frame: pd.DataFrame) -> float:
        return 1.0

    def x_label(self, view: View) -> str:
        return f"{view.heading(view.figure.y)}, over what is claimed"

    def caption(self, view: View) -> str:
        return "marks: in each cell the largest value, but for the share of trials that may fail"


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


PLOT = Slack()
