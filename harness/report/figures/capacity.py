"""How many queries each mechanism answers at a misclassification rate, and how many times as many as advanced composition."""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Literal

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from harness.claims.btt18.ac import BASELINE
from harness.claims.engine.capacity import answered, common_targets
from harness.report import style
from harness.report.figures.marks import SHARED
from harness.report.figures.means import LEVEL, mean_interval
from harness.report.figures.plot import Panel, Plot, by_panel
from harness.report.settings import View

Reals = NDArray[np.float64]
CLAIMED = "#999999"


class Capacity(Plot):
    """A sweep along m, seen from the other side: m against the rate. Above, each cell is a point; below, the ratio between."""

    name: ClassVar[str] = "capacity"
    shared_y: ClassVar[Literal["all", "row"]] = "row"
    stacked: ClassVar[int] = 2

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        groups = list(by_panel(frame, view))
        above = [Panel(title, "queries answered", partial(_queries, rows=rows)) for title, rows in groups]
        below = [Panel("", "times as many as\nadvanced composition", partial(_factors, rows=rows)) for _, rows in groups]
        return [*above, *below]

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        looks = [style.style(name) for name in frame["mechanism"].unique()]
        handles: list[Artist] = [Line2D([], [], color=at.colour, marker=at.marker, ms=5, label=at.legend) for at in looks]
        handles.append(Line2D([], [], color=SHARED, linestyle="--", label="by its bound in place of what is measured"))
        handles.append(Line2D([], [], color=CLAIMED, linestyle=":", linewidth=1.6, label="the claimed factor 1/α"))
        return handles

    def caption(self, view: View) -> str:
        return f"bars: {LEVEL:.0%} intervals of the mean rate"

    def x_label(self, view: View) -> str:
        return "misclassification rate"


def _sweep(rows: pd.DataFrame, column: str) -> tuple[Reals, Reals]:
    """m and the mean of a column, where it is above zero and no bound is vacuous, in rising m."""
    means = rows.groupby("m")[column].mean().astype(float)
    means = means[means > 0]
    return np.asarray(means.index, np.float64), np.asarray(means, np.float64)


def _queries(ax: Axes, rows: pd.DataFrame) -> None:
    ax.set_xscale("log")
    ax.set_yscale("log")
    for name, own in rows.groupby("mechanism", sort=False):
        look = style.style(str(name))
        m, rate = _sweep(own, "misclassification_rate")
        ends = np.array([mean_interval(own.loc[own["m"] == at, "misclassification_rate"].to_numpy(float)) for at in m])
        bars = np.abs(ends.T - rate) if len(m) else None
        ax.errorbar(rate, m, xerr=bars, color=look.colour, marker=look.marker, ms=4.5, linewidth=1.1, capsize=2, zorder=3)
        claimed_m, claimed = _sweep(own, "bound")
        ax.plot(claimed, claimed_m, linestyle="--", linewidth=1.2, color=look.colour, zorder=2)


def _factors(ax: Axes, rows: pd.DataFrame) -> None:
    ax.set_yscale("log")
    ax.axhline(1, color=SHARED, linewidth=0.8, zorder=1)
    baseline = rows[rows["mechanism"] == BASELINE]
    reached: list[Reals] = []
    for name, own in rows[rows["mechanism"] != BASELINE].groupby("mechanism", sort=False):
        look = style.style(str(name))
        for column, dashes in (("misclassification_rate", "-"), ("bound", "--")):
            (m, rate), (base_m, base_rate) = _sweep(own, column), _sweep(baseline, column)
            if len(m) and len(base_m):
                targets = common_targets(rate, base_rate)
                factor = answered(m, rate, targets) / answered(base_m, base_rate, targets)
                ax.plot(targets, factor, linestyle=dashes, color=look.colour, linewidth=1.4, zorder=3)
                reached.append(targets)
    if reached:
        alpha = np.concatenate(reached)
        alpha.sort()
        ax.plot(alpha, 1 / alpha, linestyle=":", linewidth=1.6, color=CLAIMED, zorder=2)


PLOT = Capacity()
