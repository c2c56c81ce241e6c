"""The error of classifiers against n: which construction learns, and from which n on."""

from collections.abc import Sequence
from functools import partial
from math import ceil, nan
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from harness.report import style
from harness.report.figures.joined import over
from harness.report.figures.marks import SHARED, TWO, entries, logarithmic
from harness.report.figures.plot import Panel, Plot, panels_of
from harness.report.settings import View
from harness.sweep.table.samples import Sample


class PublicLearner(Plot):
    """Plots the quantile of the error that a share 3β of all runs exceeds, over α; below the line the mechanism learns."""

    name: ClassVar[str] = "public_learner"
    by_cell: ClassVar[bool] = True

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        label = "error beyond γ that all but 3β\nof the runs keep to, over α"
        return panels_of(frame, view, label, _lines, view=view)

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        return entries(frame)

    def caption(self, view: View) -> str:
        return "below 1 it learns; runs that output nothing have error 1"


def kept_to(first: "pd.Series[Any]", errors: Sample) -> float:
    """The (1 − 3β)-quantile of the errors that are not null, less γ, over α; NaN where all are. first: with β, γ and α."""
    level = max(0.0, 1 - 3 * float(first["beta"]))
    quantile = errors.ranked(ceil(level * (errors.trials - 1))) if errors.trials else nan
    return (quantile - float(first["gamma"])) / float(first["alpha"])


def _lines(ax: Axes, rows: pd.DataFrame, view: View) -> None:
    x = view.column(view.figure.x)
    values = sorted(rows[x].unique())
    logarithmic(ax, values)
    ax.axhline(1, color=SHARED, linewidth=1, zorder=1)
    for name, of_mechanism in rows.groupby("mechanism", sort=False):
        samples = ((at, each, view.sample(each, view.figure.y)) for at, each in of_mechanism.groupby(x))
        points = [(at, view.kept(PublicLearner.name, each, partial(kept_to, each.iloc[0], own))) for at, each, own in samples]
        xs, kept = over(values, *np.array(points, np.float64).T)
        kept[~(kept > 0)] = np.nan
        look, joined = style.style(str(name)), 1.3 * (len(points) > TWO)
        ax.plot(xs, kept, color=look.colour, marker=look.marker, ms=4.5, linewidth=joined, zorder=3)


PLOT = PublicLearner()
