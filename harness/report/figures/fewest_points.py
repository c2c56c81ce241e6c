"""A map over two axes: which private mechanism needs fewest points, how many, and which is next by what factor."""

from typing import ClassVar

import pandas as pd

from harness.report.figures.complexity import number_needed, price_of
from harness.report.figures.least_error import BestMap, MapColumns, ranked
from harness.report.settings import View


class FewestPoints(BestMap):
    """Of a search: the least n*, which is the middle of an interval, and what is next; ≈ where the intervals meet."""

    name: ClassVar[str] = "fewest_points"
    corner: ClassVar[str] = "corner: the next best; ×: how many times as many it needs"

    def best(self, rows: pd.DataFrame, view: View) -> tuple[pd.DataFrame, MapColumns]:
        of = price_of(view)
        axes = MapColumns(view.column(view.figure.x), view.column(str(view.figure.by)), of.number)
        searched = rows[(rows["mechanism"] != of.base) & rows[of.high].notna()]
        least = searched.groupby([axes.y, axes.x])[of.number].transform("min")
        best = ranked(searched, searched[of.number] == least, *axes)
        keys = [axes.y, axes.x, "next"]
        lows = searched[[axes.y, axes.x, "mechanism", of.low]].set_axis([*keys, "from"], axis=1)
        after = best[[*keys, of.high]].merge(lows, on=keys, how="left")
        return best.assign(alike=after["from"] < after[of.high]), axes

    def caption(self, view: View) -> str:
        return f"numbers: {number_needed(view)}, by the best; ×: how many times as many the next best needs, ≈: intervals meet"


PLOT = FewestPoints()
