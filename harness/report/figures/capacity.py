"""How many queries are answered within an error: sweeps along m, seen from the other side.

At a rate beside how many advanced composition answers, or with at most T errors against n.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from math import inf
from typing import Any, ClassVar, Literal

import numpy as np
import pandas as pd
from matplotlib import rcParams
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from harness.arrays import Reals
from harness.claims.btt18.ac import BASELINE
from harness.claims.engine import Capacity as Claimed
from harness.claims.engine.capacity import answered, common_targets
from harness.claims.registry import claims
from harness.report import style
from harness.report.figures.joined import over
from harness.report.figures.marks import SHARED, Mark, entries, entry, logarithmic
from harness.report.figures.means import LEVEL, mean_mark
from harness.report.figures.plot import Panel, Plot, by_panel, panels_of
from harness.report.settings import View

CLAIMED = "#999999"
BAND = "#CCCCCC"
RATE = "misclassification_rate"
INTERPOLATED = "between the values of m that were tried, the logarithms are interpolated"
Sweep = tuple[Reals, Reals]
Dashes = Literal[":", "-."]
SLOPES: tuple[tuple[float, Dashes, str], ...] = (
    (1.0, ":", "slope 1, as M = Ω̃(εn/V)"),
    (2 / 3, "-.", "slope 2/3, as paying for each query"),
)


class CapacityPlot(Plot):
    """Plots how many times as many queries as advanced composition a mechanism answers at a rate of errors, from sweeps of m.

    A row of panels for each group.
    The mechanism of whom a factor is claimed is shown with what is claimed, with the factor between the bounds, and with the
    largest and the least factor in numbers; of others only what is measured is.
    """

    name: ClassVar[str] = "capacity"
    counts: ClassVar[bool] = True
    by_cell: ClassVar[bool] = True
    shared_y: ClassVar[Literal["all", "row"]] = "row"
    named: ClassVar[float] = inf  # lines end far from the side

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        return [
            Panel(
                ", ".join(filter(None, (title, group))),
                "times as many queries as\nadvanced composition",
                partial(_factors, rows=rows, names=names, view=view),
            )
            for group, names in _groups(frame, view).items()
            for title, rows in by_panel(frame, view)
        ]

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        shown = list(dict.fromkeys(name for names in _groups(frame, view).values() for name in names))
        handles: list[Artist] = [entry(style.style(name)) for name in shown]
        if _ours(view) in shown:
            handles.append(Line2D([], [], color=SHARED, linestyle="--", label="by the bounds in place of what is measured"))
            handles.append(Line2D([], [], color=CLAIMED, linestyle=":", linewidth=1.6, label="the claimed factor 1/α"))
        handles.append(Line2D([], [], color=SHARED, linewidth=0.8, label="as many as advanced composition"))
        handles.append(Patch(color=BAND, linewidth=0, label=f"by the ends of the rates' {LEVEL:.0%} intervals"))
        return handles

    def caption(self, view: View) -> str:
        return INTERPOLATED

    def x_label(self, view: View) -> str:
        return "misclassification rate α"


class Free(Plot):
    """Plots for each n the m at which the mean number of queries misclassified, ⊥ included, reaches T."""

    name: ClassVar[str] = "free"
    counts: ClassVar[bool] = True
    by_cell: ClassVar[bool] = True

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        return panels_of(frame, view, "queries with at most T errors", _free, view=view)

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        return [*entries(frame), *(Line2D([], [], color=SHARED, linestyle=dashes, label=said) for _, dashes, said in SLOPES)]

    def caption(self, view: View) -> str:
        return INTERPOLATED

    def x_label(self, view: View) -> str:
        return view.heading(view.figure.by or view.figure.x)


def _ours(view: View) -> str:
    """The mechanism of whom the spec's claims say how many times as many queries it answers; empty if there is none."""
    deciders = [claims()[name].decider for name in view.spec.claims]
    return next((each.mechanism for each in deciders if isinstance(each, Claimed)), "")


def _groups(frame: pd.DataFrame, view: View) -> Mapping[str, Sequence[str]]:
    """The mechanisms of each row of panels, without the one that they are compared with."""
    groups = view.figure.groups or {"": tuple(frame["mechanism"].unique())}
    return {title: [name for name in names if name != BASELINE] for title, names in groups.items()}


def _sweep(rows: pd.DataFrame, column: str, view: View) -> Sweep:
    """m and the mean of a column, where it is above zero and no bound is vacuous, in rising m."""
    means = pd.Series({m: view.mean(column, own) for m, own in rows.groupby("m")}, dtype=float)
    means = means[means > 0]
    return np.asarray(means.index, np.float64), np.asarray(means, np.float64)


def _ends(rows: pd.DataFrame, m: Reals, view: View) -> tuple[Sweep, Sweep]:
    """The ends of the intervals of the mean rates at each m, as two sweeps."""
    intervals = {at: view.kept("capacity ends", own, partial(_mark, own, view)) for at, own in rows.groupby("m")}
    ends = [(intervals[at].low, intervals[at].high) for at in m]
    low, high = np.maximum(np.array(ends).T, np.finfo(float).tiny)  # 0 has no logarithm
    return (m, low), (m, high)


def _mark(rows: pd.DataFrame, view: View) -> Mark:
    return mean_mark(view.sample(rows, RATE))


def _factor(ours: Sweep, baseline: Sweep, targets: Reals) -> Reals:
    return answered(*ours, targets) / answered(*baseline, targets)


def _factors(ax: Axes, rows: pd.DataFrame, names: Sequence[str], view: View) -> None:
    logarithmic(ax)
    ax.axhline(1, color=SHARED, linewidth=0.8, zorder=1)
    baseline, ours = rows[rows["mechanism"] == BASELINE], _ours(view)
    reached: list[Reals] = []
    for name in names:
        of_mechanism, look = rows[rows["mechanism"] == name], style.style(name)
        for column in (RATE, "bound") if name == ours else (RATE,):
            sweep, base = _sweep(of_mechanism, column, view), _sweep(baseline, column, view)
            if not len(sweep[0]) or not len(base[0]):
                continue
            targets = common_targets(sweep[1], base[1])
            factor = _factor(sweep, base, targets)
            if column == RATE:
                (low, high), (base_low, base_high) = _ends(of_mechanism, sweep[0], view), _ends(baseline, base[0], view)
                least, most = _factor(high, base_low, targets), _factor(low, base_high, targets)
                ax.fill_between(targets, least, most, color=look.colour, alpha=0.2, linewidth=0, zorder=2)
            marked: dict[str, Any] = {"marker": look.marker, "markevery": 4, "ms": 5} if column == RATE else {"linestyle": "--"}
            ax.plot(targets, factor, color=look.colour, linewidth=1.6, zorder=3, **marked)
            if name == ours:
                reached.append(targets)
                if column == RATE:
                    _number(ax, targets, factor, look.colour)
    if reached:
        alpha = np.sort(np.concatenate(reached))
        ax.plot(alpha, 1 / alpha, linestyle=":", linewidth=1.6, color=CLAIMED, zorder=2)
        ax.margins(y=0.2)  # for the numbers, in a column too


def _number(ax: Axes, targets: Reals, factor: Reals, colour: str) -> None:
    """Write the largest and the least factor beside the line."""
    for place, up in ((np.nanargmax(factor), True), (np.nanargmin(factor), False)) if np.isfinite(factor).any() else ():
        ax.annotate(
            f"×{factor[place]:.2g}",
            (targets[place], factor[place]),
            (0, 6 if up else -6),
            textcoords="offset points",
            ha="center",
            va="bottom" if up else "top",
            fontsize=rcParams["xtick.labelsize"],
            color=colour,
        )


def capacities(rows: pd.DataFrame, view: View) -> tuple[Reals, Reals]:
    """For each n the largest m at which at most T queries are misclassified in the mean, as n and m.
    An n of which no m that was tried reaches T is left out.
    """
    points = []
    for _, of_n in rows.groupby("n"):
        means = [(float(str(m)), view.mean("misclassified", each)) for m, each in of_n.groupby("m")]
        m, errors = np.array([each for each in means if each[1] > 0], np.float64).reshape(-1, 2).T
        if len(m):
            first = of_n.iloc[0]
            capacity = answered(m, errors, np.array([first["T_target"]], np.float64))
            points.append((float(first["n"]), float(capacity[0])))
    n, m = np.array(points).reshape(-1, 2).T
    return n[np.isfinite(m)], m[np.isfinite(m)]


def _free(ax: Axes, rows: pd.DataFrame, view: View) -> None:
    logarithmic(ax)
    for name, of_mechanism in rows.groupby("mechanism", sort=False):
        look = style.style(str(name))
        n, m = capacities(of_mechanism, view)
        ax.plot(*over(rows["n"].unique(), n, m), color=look.colour, marker=look.marker, ms=5, linewidth=1.2, zorder=3)
        for slope, dashes, _ in SLOPES if len(n) else ():
            ax.plot(n, m[0] * (n / n[0]) ** slope, color=look.colour, linestyle=dashes, linewidth=1, zorder=1)


PLOT = (CapacityPlot(), Free())
