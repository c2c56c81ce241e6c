"""How far an attack reaches: what was found, with its interval, beside a line of the claimed power."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from harness.claims.bcmnuw20.t14 import quantiles
from harness.report import style
from harness.report.figures.marks import SHARED, entries, hollow_entry, logarithmic
from harness.report.figures.plot import Panel, Plot, chance_of_missing, panels_of
from harness.report.settings import View

POWERS = {"root": 1.0, "alpha": -2.0}
"""Claimed, by what stands on the horizontal axis."""

LINES = {"root": "in proportion to √p/α", "alpha": "in proportion to 1/α²"}

FAR = 20.0
"""Of √p·α over c, from which on r is several times t."""

ACROSS = {"p": "root", "alpha": "alpha"}
"""What stands on the horizontal axis, by the axis that a spec names: along p n is found, along α m."""

FOUND = {"root": "private rows", "alpha": "public rows"}


class ReachPlot(Plot):
    """Plots how far an attack reaches: `y` between `low` and `high` against √p/α or α, beside the power that is claimed."""

    name: ClassVar[str] = "reach"

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        x, y = ACROSS[view.figure.x], view.figure.y
        label = f"{FOUND[x]} from which on the attack fails"
        return panels_of(frame, view, label, draw_reach, x=x, y=y)

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        handles, names = entries(frame, linestyle="none"), frame["mechanism"].unique()
        x = ACROSS[view.figure.x]
        line = style.style(names[0]).colour if len(names) == 1 else SHARED
        handles.append(Line2D([], [], color=line, linestyle="--", label=LINES[x]))
        if not _claimed(frame, x).all():
            handles.append(hollow_entry())
        return handles

    def x_label(self, view: View) -> str:
        return view.heading(ACROSS[view.figure.x])

    def caption(self, view: View) -> str:
        return f"bars miss the number with a chance of {chance_of_missing(view)}"


class ReachLogarithms(ReachPlot):
    """Plots all rows that an attack reaches, times the deviations a row has to stand out by: Theorem 14's r without logarithm.

    With what Ω̃ hides put to it, what is left is in proportion to √p/α.
    """

    name: ClassVar[str] = "reach_logarithms"

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        bare = frame.assign(**{end: times_quantiles(frame, end) for end in ("low", "least", "high")})
        label = "rows up to which the attack succeeds, times z₁ − z₂"
        return [Panel(each.title, label, each.draw) for each in super().panels(bare, view)]

    def caption(self, view: View) -> str:
        return f"z₁ − z₂: deviations that named rows stand out by; {super().caption(view)}"


def times_quantiles(frame: pd.DataFrame, end: str) -> "pd.Series[float]":
    """The product (n + m)(z₁ − z₂) of each row, (rows,): `end` is the column with n, and `t14.quantiles` gives z₁ − z₂."""
    n = frame[end].astype(float)
    return (n + frame["m"].astype(float)) * quantiles(frame.assign(n=n), "m")


def _claimed(rows: pd.DataFrame, x: str) -> NDArray[np.bool_]:
    """At which points something is claimed; these set the level of the line."""
    return (rows["p"] ** 0.5 * rows["alpha"] >= FAR * rows["c"]).to_numpy(bool) | (x != "root")


def draw_reach(ax: Axes, rows: pd.DataFrame, x: str, y: str) -> None:
    """Draws points with their intervals, and a line for each mechanism, on logarithmic axes."""
    logarithmic(ax)
    for name, of_mechanism in rows.groupby("mechanism", sort=False):
        look, of_mechanism = style.style(str(name)), of_mechanism.sort_values(x).dropna(subset=[y])
        xs, middle, low, high = (of_mechanism[column].to_numpy(float) for column in (x, y, "low", "high"))
        bars = np.stack([middle - np.maximum(low, 1), high - middle])
        power, claimed = POWERS[x] * np.log(xs), _claimed(of_mechanism, x)
        ax.errorbar(xs, middle, bars, color=look.colour, linestyle="none", capsize=2, zorder=3)
        for some, face in ((claimed, look.colour), (~claimed, "white")):
            ax.plot(xs[some], middle[some], look.marker, ms=5, color=look.colour, mfc=face, linestyle="none", zorder=4)
        level = (np.log(middle) - power)[claimed].mean()
        ax.plot(xs, np.exp(power + level), color=look.colour, linestyle="--", linewidth=1.1, zorder=2)


PLOT = (ReachPlot(), ReachLogarithms())
