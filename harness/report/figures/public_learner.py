"""The error of classifiers against n: which construction learns, and from which n on."""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from harness.report import style
from harness.report.figures.joined import over
from harness.report.figures.marks import SHARED, TWO, entries, logarithmic
from harness.report.figures.plot import Panel, Plot, panels_of
from harness.report.settings import View


class PublicLearner(Plot):
    """The quantile of the error that a share 3β of all runs exceeds, over α; below the line the construction learns."""

    name: ClassVar[str] = "public_learner"
    by_cell: ClassVar[bool] = True

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        label = "error beyond γ that all but 3β\nof the runs keep to, over α"
        return panels_of(frame, view, label, _lines, view=view)

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        return entries(frame)

    def caption(self, view: View) -> str:
        return "below 1 it learns; runs that output nothing have error 1"


def kept_to(rows: pd.DataFrame, measured: str) -> float:
    """(The quantile of the error at 1 − 3β, less γ) over α."""
    first = rows.iloc[0]
    level = max(0.0, 1 - 3 * float(first["beta"]))
    quantile = float(rows[measured].astype(float).quantile(level, interpolation="higher"))
    return (quantile - float(first["gamma"])) / float(first["alpha"])


def _lines(ax: Axes, rows: pd.DataFrame, view: View) -> None:
    x, of = view.column(view.figure.x), partial(kept_to, measured=view.figure.y)
    values = sorted(rows[x].unique())
    logarithmic(ax, values)
    ax.axhline(1, color=SHARED, linewidth=1, zorder=1)
    for name, of_mechanism in rows.groupby("mechanism", sort=False):
        points = [(at, view.once(PublicLearner.name, each, of, [view.figure.y])) for at, each in of_mechanism.groupby(x)]
        xs, kept = over(values, *np.array(points, np.float64).T)
        kept[~(kept > 0)] = np.nan
        look, joined = style.style(str(name)), 1.3 * (len(points) > TWO)
        ax.plot(xs, kept, color=look.colour, marker=look.marker, ms=4.5, linewidth=joined, zorder=3)


PLOT = PublicLearner()
