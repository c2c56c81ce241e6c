"""How far an attack reaches: what was found, with its interval, beside a line of the claimed power."""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from harness.report import style
from harness.report.figures.marks import SHARED
from harness.report.figures.plot import Panel, Plot, by_panel
from harness.report.settings import View

POWERS = {"root": 1.0, "alpha": -2.0}
"""Claimed, by what stands on the horizontal axis."""

LINES = {"root": "in proportion to √p/α", "alpha": "in proportion to 1/α²"}

FAR = 20.0
"""Of √p·α over c, from which on r is several times t: the line of r is at the level of such points."""

ACROSS = {"p": "root", "alpha": "alpha"}
"""What stands on the horizontal axis, by the axis that a spec names: along p n is found, along α m."""

FOUND = {"root": "private rows", "alpha": "public rows"}


class Reach(Plot):
    """`y` between `low` and `high`: private rows against √p/α, public ones against α; beside them the power that is claimed."""

    name: ClassVar[str] = "reach"

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        x, y = ACROSS[view.figure.x], view.figure.y
        label = f"{FOUND[x]} from which on the attack fails"
        return [Panel(title, label, partial(draw_reach, rows=rows, x=x, y=y)) for title, rows in by_panel(frame, view)]

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        looks = [style.style(name) for name in frame["mechanism"].unique()]
        handles: list[Artist] = [
            Line2D([], [], color=at.colour, marker=at.marker, ms=5, linestyle="none", label=at.legend) for at in looks
        ]
        return [*handles, Line2D([], [], color=SHARED, linestyle="--", label=LINES[ACROSS[view.figure.x]])]

    def x_label(self, view: View) -> str:
        return view.heading(ACROSS[view.figure.x])

    def caption(self, view: View) -> str:
        return "bars: it is within them but for the search's stated chance"


def draw_reach(ax: Axes, rows: pd.DataFrame, x: str, y: str) -> None:
    """Points with their intervals, and the line, on logarithmic axes."""
    ax.set_xscale("log")
    ax.set_yscale("log")
    for name, own in rows.groupby("mechanism", sort=False):
        look, own = style.style(str(name)), own.sort_values(x).dropna(subset=[y])
        at, middle, low, high = (own[column].to_numpy(float) for column in (x, y, "low", "high"))
        bars = np.stack([middle - np.maximum(low, 1), high - middle])
        ax.errorbar(at, middle, bars, color=look.colour, marker=look.marker, ms=5, linestyle="none", capsize=2, zorder=3)
        power, far = POWERS[x] * np.log(at), (own["p"] ** 0.5 * own["alpha"] >= FAR * own["c"]).to_numpy() | (x != "root")
        ax.plot(at, np.exp(power + (np.log(middle) - power)[far].mean()), color=SHARED, linestyle="--", linewidth=1.1, zorder=2)


PLOT = Reach()
