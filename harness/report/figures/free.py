"""How many queries are answered with at most T errors, against n: a sweep along m, seen from the other side."""

from collections.abc import Sequence
from typing import ClassVar, Literal

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from harness.arrays import Reals
from harness.claims.engine.capacity import answered
from harness.report import style
from harness.report.figures.joined import over
from harness.report.figures.marks import SHARED, entries, logarithmic
from harness.report.figures.plot import Panel, Plot, panels_of
from harness.report.settings import View

Dashes = Literal[":", "-."]
SLOPES: tuple[tuple[float, Dashes, str], ...] = (
    (1.0, ":", "slope 1, as M = Ω̃(εn/V)"),
    (2 / 3, "-.", "slope 2/3, as paying for each query"),
)


class Free(Plot):
    """For each n the m at which the mean number of queries misclassified, ⊥ included, reaches T."""

    name: ClassVar[str] = "free"
    counts: ClassVar[bool] = True
    by_cell: ClassVar[bool] = True

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        return panels_of(frame, view, "queries with at most T errors", _lines, view=view)

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        return [*entries(frame), *(Line2D([], [], color=SHARED, linestyle=dashes, label=said) for _, dashes, said in SLOPES)]

    def caption(self, view: View) -> str:
        return "between the values of m that were tried, the logarithms are interpolated"

    def x_label(self, view: View) -> str:
        return view.heading(view.figure.by or view.figure.x)


def capacities(rows: pd.DataFrame, view: View) -> tuple[Reals, Reals]:
    """n, and the largest m at which at most T queries are misclassified in the mean; without those that no m tried reaches."""
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


def _lines(ax: Axes, rows: pd.DataFrame, view: View) -> None:
    logarithmic(ax)
    for name, of_mechanism in rows.groupby("mechanism", sort=False):
        look = style.style(str(name))
        n, m = capacities(of_mechanism, view)
        ax.plot(*over(rows["n"].unique(), n, m), color=look.colour, marker=look.marker, ms=5, linewidth=1.2, zorder=3)
        for slope, dashes, _ in SLOPES if len(n) else ():
            ax.plot(n, m[0] * (n / n[0]) ** slope, color=SHARED, linestyle=dashes, linewidth=1, zorder=1)


PLOT = Free()
