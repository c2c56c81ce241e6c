"""How far a score moves when one example is replaced, along n′, a line a rule of steps, each with its power of n′."""

import json
from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from matplotlib import rcParams
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from harness.claims.btt18a.sgd import changes
from harness.claims.engine.exponents import slope
from harness.report import style
from harness.report.figures.joined import over
from harness.report.figures.marks import SHARED, entry, logarithmic
from harness.report.figures.plot import Panel, Plot
from harness.report.settings import View

ERROR = 0.05  # of the bars
STEPS = {"constant": "constant steps", "sqrt": "steps ∝ 1/√t", "inverse": "steps 1/(γt)", "": "other learners"}
"""What a learner says of its steps, in words; those that say nothing are last."""


class Stability(Plot):
    """Measured on average (BTT18a Definition 5.7): a panel a loss, and beside it the closed form where there is one."""

    name: ClassVar[str] = "stability"
    by_cell: ClassVar[bool] = True

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        on_average = _on_average(frame)
        return [
            Panel(f"{loss} loss" if loss else "", view.heading("change"), partial(_lines, rows=rows, view=view))
            for loss, rows in on_average.groupby(on_average["learner_parameters"].map(partial(_said, key="loss")), sort=False)
        ]

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        on_average = _on_average(frame)
        handles: list[Artist] = [entry(_look(rule), 4.5) for rule in _rules(on_average)]
        if on_average["closed"].notna().any():
            handles.append(Line2D([], [], color=SHARED, linestyle="--", linewidth=1.1, label="α in closed form"))
        return handles

    def caption(self, view: View) -> str:
        return "bars: 95% intervals; numbers: the powers of n′, printed as −1"


def _on_average(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows that measure Definition 5.7; all of a table that has none of them."""
    on_average = frame[frame["mechanism"] == "on_average"]
    return on_average if len(on_average) else frame


def _said(learner: str, key: str) -> str:
    """A parameter of a learner; empty where it has none of this name."""
    return str(json.loads(learner).get(key, ""))


def _rules(rows: pd.DataFrame) -> list[str]:
    """The rules of steps, in the order in which they appear."""
    return list(dict.fromkeys(_said(each, "steps") for each in rows["learner_parameters"].unique()))


def _look(rule: str) -> style.Style:
    """Of a rule of steps, on a scale by the order in which they are known; of one of a user's own, at its end."""
    looks = style.scale([*STEPS.values(), rule])
    return looks[STEPS.get(rule, rule)]


def _lines(ax: Axes, rows: pd.DataFrame, view: View) -> None:
    logarithmic(ax)
    for learner, of_learner in rows.groupby("learner_parameters", sort=False):
        look = _look(_said(str(learner), "steps"))
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


PLOT = Stability()
