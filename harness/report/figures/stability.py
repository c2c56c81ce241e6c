"""How far a score moves when one example is replaced, along n′, a line a rule of steps, each with its power of n′."""

import json
from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from harness.claims.btt18a.sgd_rate import changes
from harness.claims.engine.exponents import slope
from harness.report import style
from harness.report.figures.marks import SHARED
from harness.report.figures.plot import Panel, Plot, by_panel
from harness.report.settings import View

ERROR = 0.05  # of the bars
STEPS = {"constant": "constant steps", "sqrt": "steps ∝ 1/√t", "inverse": "steps 1/(γt)", "": "other learners"}
"""What a learner says of its steps, in words; those that say nothing are last."""


class Stability(Plot):
    """Measured on average (BTT18a Definition 5.7); losses are told apart by their markers, closed forms are dashed lines."""

    name: ClassVar[str] = "stability"

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        own = _on_average(frame)
        return [
            Panel(title, view.heading("change"), partial(_lines, rows=rows, every=own)) for title, rows in by_panel(own, view)
        ]

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        own = _on_average(frame)
        steps, losses = _rules(own), _losses(own)
        handles: list[Artist] = [
            Line2D([], [], color=style.PALETTE[i], linewidth=1.2, label=STEPS.get(name, name)) for i, name in enumerate(steps)
        ]
        handles += [
            Line2D([], [], color=SHARED, marker=style.MARKERS[i], ms=5, linestyle="none", label=f"{name} loss")
            for i, name in enumerate(losses)
            if name
        ]
        if own["closed"].notna().any():
            handles.append(Line2D([], [], color=SHARED, linestyle="--", linewidth=1.1, label="α in closed form"))
        return handles

    def caption(self, view: View) -> str:
        return "bars: 95% intervals; beside each line its power of n′, printed as −1"


def _on_average(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows that measure Definition 5.7."""
    return frame[frame["mechanism"] == "on_average"]


def _said(learner: str) -> dict[str, Any]:
    """A learner's parameters."""
    found: dict[str, Any] = json.loads(learner)
    return found


def _rules(rows: pd.DataFrame) -> list[str]:
    """The rules of steps, in the order in which they appear."""
    return list(dict.fromkeys(str(_said(each).get("steps", "")) for each in rows["learner_parameters"].unique()))


def _losses(rows: pd.DataFrame) -> list[str]:
    """The losses, likewise."""
    return list(dict.fromkeys(str(_said(each).get("loss", "")) for each in rows["learner_parameters"].unique()))


def _lines(ax: Axes, rows: pd.DataFrame, every: pd.DataFrame) -> None:
    ax.set_xscale("log")
    ax.set_yscale("log")
    steps, losses = _rules(every), _losses(every)
    for learner, own in rows.groupby("learner_parameters", sort=False):
        said, points = _said(str(learner)), changes(own, ERROR)
        colour = style.PALETTE[steps.index(str(said.get("steps", "")))]
        marker = style.MARKERS[losses.index(str(said.get("loss", "")))]
        x, mean = points.index.to_numpy(float), points["mean"].to_numpy(float)
        bars = np.abs(points[["low", "high"]].to_numpy(float).T - mean)
        ax.errorbar(x, mean, bars, color=colour, marker=marker, ms=4.5, linewidth=1.1, capsize=2, zorder=3)
        closed = own.groupby("s")["closed"].first().dropna()
        ax.plot(closed.index, closed, color=colour, linestyle="--", linewidth=1.1, zorder=2)
        if len(points) > 1 and (mean > 0).all():
            power = f" {slope(points)[0]:.2f}".replace("-", "−")
            ax.annotate(
                power, (x[-1], mean[-1]), color=colour, fontsize=8, va="center", xytext=(3, 0), textcoords="offset points"
            )
    ax.margins(x=0.12)


PLOT = Stability()
