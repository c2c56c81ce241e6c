"""The error of classifiers on a fresh query, as its mean over trials, beside what is claimed of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import cycle
from typing import Any, Literal

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from harness.report import numerals, style
from harness.report.figures.joined import over
from harness.report.figures.marks import ARROW, DASHES, FEW, SHARED, Mark
from harness.report.figures.means import LEVEL, Means
from harness.report.figures.plot import Panel, by_panel, panels_of
from harness.report.settings import View
from harness.sweep.table.samples import Sample

EACH = "misclassification_rate"
"""Of what answers each query by itself, this is an estimate of the same without bias."""

Dashes = Literal["--", ":", "-."] | tuple[int, tuple[float, ...]]
LINES: tuple[Dashes, ...] = (*DASHES, (0, (5, 1, 1, 1, 1, 1)), (0, (1, 3)))
"""Of the bounds of a first, second, and further claim."""

SIDE = 0.02  # of the axis: marks of different mechanisms stand side by side


class Classifiers(Means):
    """Plots a classifier's mean error; one line for mechanisms of equal means; below one wrong label in all trials an arrow."""

    name = "classifiers"
    drawn = (EACH,)
    sampled = True

    def sample(self, rows: pd.DataFrame, view: View) -> Sample:
        claimed, by_query = super().sample(rows, view), view.sample(rows, EACH)
        return claimed if claimed.trials == by_query.trials else by_query

    def mark(self, rows: pd.DataFrame, view: View) -> Mark:
        trials = view.sample(rows, EACH).trials
        return replace(super().mark(rows, view), floor=1.0 / (float(rows["m"].iloc[0]) * trials))

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        first = view.figure.panels[0] if view.figure.panels else "cell"  # the rows of panels
        ordered = frame.sort_values(first, kind="stable") if first in frame else frame
        shown, dashes = list(_alike(frame, self, view)), _dashes(frame, self, view)
        return panels_of(ordered, view, self.axis_label(view), _draw, of=self, view=view, shown=shown, dashes=dashes)

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        handles: list[Artist] = []
        for name, others in _alike(frame, self, view).items():
            look = style.style(name)
            label = "; ".join([look.legend, *(style.style(other).legend for other in others)])
            handles.append(Line2D([], [], color=look.colour, marker=look.marker, ms=5, label=label))
        for name, dashes in _dashes(frame, self, view).items():
            handles.append(Line2D([], [], color=SHARED, linestyle=dashes, label=name))
        below = "less than one wrong label in all trials"
        return [*handles, Line2D([], [], color=SHARED, marker=ARROW, linestyle="none", ms=7, label=below)]

    def axis_label(self, view: View) -> str:
        return "error on a fresh query"

    def caption(self, view: View) -> str:
        return f"bars: {LEVEL:.0%} intervals of the mean"


def _marks(rows: pd.DataFrame, of: Classifiers, view: View) -> dict[str, dict[float, Mark]]:
    """By mechanism and place on the axis."""
    x = view.column(view.figure.x)
    return {
        str(name): {float(str(at)): of.marked(each, view) for at, each in own.groupby(x)}
        for name, own in rows.groupby("mechanism", sort=False)
    }


def _alike(frame: pd.DataFrame, of: Classifiers, view: View) -> dict[str, list[str]]:
    """The mechanisms that have a line, each with those whose means are the same as its own in all panels."""
    values = {
        str(name): np.array([of.marked(rows, view).value for _, rows in own.groupby("cell")])
        for name, own in frame.groupby("mechanism", sort=False)
    }
    groups: dict[str, list[str]] = {}
    for name, of_name in values.items():
        same = next((each for each in groups if len(of_name) == len(values[each]) and np.allclose(of_name, values[each])), None)
        if same is None:
            groups[name] = []
        else:
            groups[same].append(name)
    return groups


def _bounds(rows: pd.DataFrame, of: Classifiers, view: View) -> dict[str, dict[float, float]]:
    """What is claimed, by the claim and the place on the axis."""
    bounds: dict[str, dict[float, float]] = {}
    for marks in _marks(rows, of, view).values():
        for x, mark in marks.items():
            for claim, bound in mark.bounds.items():
                bounds.setdefault(claim, {})[x] = bound
    return bounds


def _dashes(frame: pd.DataFrame, of: Classifiers, view: View) -> dict[str, Dashes]:
    """How the bounds of each claim are drawn, the same in all panels."""
    names = dict.fromkeys(name for _, rows in by_panel(frame, view) for name in _bounds(rows, of, view))
    return dict(zip(names, cycle(LINES), strict=False))


def _draw(
    ax: Axes, rows: pd.DataFrame, of: Classifiers, view: View, shown: Sequence[str], dashes: Mapping[str, Dashes]
) -> None:
    ax.set_yscale("log")
    for claim, bounds in _bounds(rows, of, view).items():
        ax.plot(list(bounds), list(bounds.values()), linestyle=dashes[claim], color=SHARED, linewidth=1.3, zorder=2)
    every = _marks(rows, of, view)
    places = sorted({at for marks in every.values() for at in marks})
    if len(places) <= FEW:
        ax.set_xticks(places, labels=[numerals.number(at) for at in places])
    step = SIDE * (places[-1] - places[0])
    for position, name in enumerate(shown):
        points = pd.DataFrame([vars(mark) | {"x": at} for at, mark in every.get(name, {}).items()])
        if not len(points):
            continue
        shift, look = step * (position - (len(shown) - 1) / 2), style.style(name)
        seen, below = (points[(points["value"] >= points["floor"]) == large] for large in (True, False))
        bars = np.abs(seen[["low", "high"]].to_numpy(float).T - seen["value"].to_numpy(float))
        x, *line = over(places, seen["x"], seen["value"], *bars)
        look_of_line: dict[str, Any] = {"color": look.colour, "marker": look.marker, "ms": 4.5, "linewidth": 1.1}
        ax.errorbar(x + shift, line[0], line[1:], capsize=2, zorder=3, **look_of_line)
        ax.plot(below["x"] + shift, below["floor"], linestyle="none", marker=ARROW, ms=7, color=look.colour, zorder=3)


PLOT = Classifiers()
