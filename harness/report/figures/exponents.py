"""Powers of an axis, seen and printed: of rates, along each axis moved alone from one point, and of the stability of scores."""

import json
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from matplotlib import rcParams
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from harness.claims.btt18a.sgd import changes
from harness.claims.engine.exponents import Exponents, Form, points_along, slope
from harness.claims.registry import claims
from harness.report import numerals, style
from harness.report.figures.joined import over
from harness.report.figures.marks import SHARED, entries, entry, logarithmic
from harness.report.figures.plot import Panel, Plot
from harness.report.settings import View

ERROR = 0.05  # of the bars
LARGEST = 6  # denominator of a printed power
STEPS = {"constant": "constant steps", "sqrt": "steps ∝ 1/√t", "inverse": "steps 1/(γt)", "": "other learners"}
"""What a learner says of its steps, in words; those that say nothing are last."""


class Powers(Plot):
    """Plots rates along an axis beside a line of the printed power.

    Beside the points the printed power, and the same with the logarithms of the fixed point, at the level of the points.
    """

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


class Stability(Plot):
    """Plots how far a score moves when one example is replaced, along n′, a line a rule of steps, each with its power of n′.

    Measured on average (BTT18a Definition 5.7): a panel a loss, and beside it the closed form where there is one."""

    name: ClassVar[str] = "stability"
    by_cell: ClassVar[bool] = True

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        on_average = _on_average(frame)
        return [
            Panel(f"{loss} loss" if loss else "", view.heading("change"), partial(_stability, rows=rows, view=view))
            for loss, rows in on_average.groupby(
                on_average["learner_parameters"].map(partial(_parameter, key="loss")), sort=False
            )
        ]

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        on_average = _on_average(frame)
        handles: list[Artist] = [entry(_look(rule), 4.5) for rule in _rules(on_average)]
        if on_average["closed"].notna().any():
            handles.append(Line2D([], [], color=SHARED, linestyle="--", linewidth=1.1, label="α in closed form"))
        return handles

    def caption(self, view: View) -> str:
        return "bars: 95% intervals; numbers: the powers of n′, printed as −1"


def _title(rows: pd.DataFrame, axis: str, form: Form | None, view: View) -> str:
    """Along which axis, with the printed power of it and the slope that the points of each mechanism have."""
    words = [f"along {view.settings.column(axis).symbol}"]
    if form and axis in form.powers:
        words.append(f"printed power {Fraction(form.powers[axis]).limit_denominator(LARGEST)}")
    sweeps = [_points(own, axis, view) for _, own in rows.groupby("mechanism", sort=False)]
    words += [f"seen {slope(points)[0]:.2f}" for points in sweeps if (points["mean"] > 0).all()]
    return ", ".join(words).replace("-", "−")


def printed(view: View) -> Form | None:
    """The form of a rate, as printed, from the last of the spec's claims that is about powers; None if no claim is."""
    deciders = [claims()[name].decider for name in view.spec.claims]
    return next((each.form for each in reversed(deciders) if isinstance(each, Exponents)), None)


def alone(frame: pd.DataFrame, axis: str, axes: Sequence[str]) -> pd.DataFrame:
    """The rows of cells that differ along one axis only: every other axis has its most frequent value among the cells."""
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


def _on_average(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows that measure Definition 5.7; all of a table that has none of them."""
    on_average = frame[frame["mechanism"] == "on_average"]
    return on_average if len(on_average) else frame


def _parameter(learner: str, key: str) -> str:
    """A parameter of a learner; empty where it has none of this name."""
    return str(json.loads(learner).get(key, ""))


def _rules(rows: pd.DataFrame) -> list[str]:
    """The rules of steps, in the order in which they appear."""
    return list(dict.fromkeys(_parameter(each, "steps") for each in rows["learner_parameters"].unique()))


def _look(rule: str) -> style.Style:
    """Of a rule of steps, on a scale by the order in which they are known; of one of a user's own, at its end."""
    looks = style.scale([*STEPS.values(), rule])
    return looks[STEPS.get(rule, rule)]


def _stability(ax: Axes, rows: pd.DataFrame, view: View) -> None:
    logarithmic(ax)
    for learner, of_learner in rows.groupby("learner_parameters", sort=False):
        look = _look(_parameter(str(learner), "steps"))
        by_size = view.by_value(Stability.name, of_learner, "s", partial(changes, error=ERROR), ["mean_square"])
        points = pd.concat(by_size.values())
        colour, x, mean = look.colour, points.index.to_numpy(float), points["mean"].to_numpy(float)
        bars = np.abs(points[["low", "high"]].to_numpy(float).T - mean)
        across, *line = over(rows["s"].unique(), x, mean, *bars)
        ax.errorbar(across, line[0], line[1:], color=colour, marker=look.marker, ms=4.5, linewidth=1.1, capsize=2, zorder=3)
        closed = of_learner.groupby("s")["closed"].first().dropna()
        ax.plot(closed.index, closed, color=colour, linestyle="--", linewidth=1.1, zorder=4)
        if len(points) > 1 and (mean > 0).all():
            power = f"{slope(points)[0]:.2f}".replace("-", "−")
            beside: dict[str, Any] = {"textcoords": "offset points", "va": "center", "fontsize": rcParams["xtick.labelsize"]}
            ax.annotate(power, (x[-1], mean[-1]), xytext=(5, 0), color=colour, **beside)
    ax.margins(x=0.16)


PLOT = (Powers(), Stability())
