"""A rate along each axis that its claim has a power of, moved alone from one point: is it a line of the printed slope?"""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import ClassVar

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from harness.claims.engine.exponents import Exponents, Form, points_along, slope
from harness.claims.registry import claims
from harness.report import numerals, style
from harness.report.figures.marks import SHARED, entries
from harness.report.figures.plot import Panel, Plot
from harness.report.settings import View

ERROR = 0.05  # of the bars
LARGEST = 6  # denominator of a printed power


class Powers(Plot):
    """Beside the points the printed power, and the same with the logarithms of the fixed point, at the level of the points."""

    name: ClassVar[str] = "exponents"
    counts: ClassVar[bool] = True
    by_cell: ClassVar[bool] = True
    shared_x: ClassVar[bool] = False

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        form, axes = printed(view), view.figure.axes
        y_label = "misclassification rate" + (" above γ" if frame["gamma"].any() else "")
        return [
            Panel(_title(rows, axis, form, view), y_label, partial(_line, rows=rows, axis=axis, form=form, view=view))
            for axis in axes
            if (rows := alone(frame, axis, axes))[axis].nunique() > 1
        ]

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        handles = entries(frame, linestyle="none")
        if printed(view):
            handles.append(Line2D([], [], color=SHARED, linestyle="--", label="printed power"))
            handles.append(Line2D([], [], color=SHARED, linestyle=":", label="the same times its logarithms"))
        return handles

    def caption(self, view: View) -> str:
        return "bars: 95% intervals of the mean; lines have the printed slope, and the level of the points"

    def of_numbers(self, view: View) -> str:
        return super().of_numbers(view).partition("; lines")[0]


def _title(rows: pd.DataFrame, axis: str, form: Form | None, view: View) -> str:
    """Along which axis, with the printed power of it and the slope that the points of each mechanism have."""
    words = [f"along {view.settings.column(axis).symbol}"]
    if form and axis in form.powers:
        words.append(f"printed power {Fraction(form.powers[axis]).limit_denominator(LARGEST)}")
    sweeps = [_points(own, axis, view) for _, own in rows.groupby("mechanism", sort=False)]
    words += [f"seen {slope(points)[0]:.2f}" for points in sweeps if (points["mean"] > 0).all()]
    return ", ".join(words).replace("-", "−")


def printed(view: View) -> Form | None:
    """The form that the last of the spec's claims about powers prints."""
    deciders = [claims()[name].decider for name in view.spec.claims]
    return next((each.form for each in reversed(deciders) if isinstance(each, Exponents)), None)


def alone(frame: pd.DataFrame, axis: str, axes: Sequence[str]) -> pd.DataFrame:
    """The rows of the cells where all the other axes have the value that most cells have."""
    cells = frame.drop_duplicates("cell")
    for other in axes:
        if other != axis:
            frame = frame[frame[other] == cells[other].mode().iloc[0]]
    return frame


def _points(rows: pd.DataFrame, axis: str, view: View) -> pd.DataFrame:
    """The rate at each point of a sweep; see `points_along`."""
    of = partial(points_along, axis=axis, error=ERROR, sampler=view.sample)
    return pd.concat(view.kept(f"{Powers.name} {axis}", own, partial(of, own)) for _, own in rows.groupby(axis))


def _line(ax: Axes, rows: pd.DataFrame, axis: str, form: Form | None, view: View) -> None:
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlabel(view.heading(axis))
    for name, of_mechanism in rows.groupby("mechanism", sort=False):
        look, points = style.style(str(name)), _points(of_mechanism, axis, view)
        x, mean = points.index.to_numpy(float), points["mean"].to_numpy(float)
        reach = np.abs(points[["low", "high"]].to_numpy(float).T - mean)
        ax.errorbar(x, mean, reach, color=look.colour, marker=look.marker, ms=5, linestyle="none", capsize=2, zorder=3)
        ax.set_xticks(x, labels=[numerals.number(value) for value in x])
        ax.xaxis.minorticks_off()
        if form and axis in form.powers and (mean > 0).all():
            power = form.powers[axis] * np.log(x)
            logarithms = form.logarithms.typical(of_mechanism.groupby(axis).first().reset_index())
            for slope, dashes in ((power, "--"), (power + logarithms, ":")):
                level = np.log(mean).mean() - slope.mean()
                ax.plot(x, np.exp(slope + level), color=SHARED, linestyle=dashes, linewidth=1.1, zorder=2)


PLOT = Powers()
