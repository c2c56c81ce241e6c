"""Errors against the width of the bins, with the widths of BTT18a Theorem 5.14."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

import pandas as pd
from matplotlib import rcParams
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from harness.report import style
from harness.report.figures.joined import over
from harness.report.figures.marks import SHARED, entries, logarithmic
from harness.report.figures.plot import Panel, Plot, panels_of
from harness.report.settings import View
from harness.theory.constants.btt18a_scores import raw_width

RATE = 2.0
CHOSEN = {"closed": "Theorem 5.14's width, α in closed form", "rate": "Theorem 5.14's width, α = 2/n'"}
DASHES: Mapping[str, Literal["--", ":"]] = {"closed": "--", "rate": ":"}
NONE = "x"
WITHOUT = ("bottoms", "unanswered")  # queries without a score
LOW = 0.04  # of the panel's height: where crosses are


class Widths(Plot):
    """Plots the largest error of scores at each width of bins that gives a score; a cross where no query has one."""

    name: ClassVar[str] = "widths"
    by_cell: ClassVar[bool] = True

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        return panels_of(frame, view, "largest error |ŝ − E h|,\nmean over trials", _draw, view=view)

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        handles = entries(frame, ms=rcParams["lines.markersize"])
        handles += [Line2D([], [], color=SHARED, linestyle=DASHES[rule], label=said) for rule, said in CHOSEN.items()]
        places = frame.groupby(["cell", "mechanism"])
        share = pd.Series([_without_score(rows, view) for _, rows in places])
        if (share == 1).any():
            others = f"; elsewhere at most {share[share < 1].max():.2g} of them have none" if (share < 1).any() else ""
            label = f"no query has a score{others}"
            handles.append(Line2D([], [], color=SHARED, linestyle="none", marker=NONE, label=label))
        return handles

    def caption(self, view: View) -> str:
        return "marks: means over trials of the largest error"


def _without_score(rows: pd.DataFrame, view: View) -> float:
    """The share of queries with ⊥ or no answer, of a mechanism in a cell."""
    return sum(view.mean(each, rows) for each in WITHOUT) / float(rows["m"].iloc[0])


def _chosen(ax: Axes, rows: pd.DataFrame) -> None:
    """The widths that the theorem asks for at this s, where they are at most 1."""
    first = rows.iloc[0]
    s, nu = int(first["s"]), float(first["nu"])
    for rule, alpha in (("closed", float(first["alpha"])), ("rate", RATE / s)):
        width = raw_width(alpha, s, nu)
        if width <= 1:
            ax.axvline(width, color=SHARED, linestyle=DASHES[rule], linewidth=1.2)


def _draw(ax: Axes, rows: pd.DataFrame, view: View) -> None:
    logarithmic(ax)
    for name, of_mechanism in rows.groupby("mechanism", sort=False):
        look = style.style(str(name))
        means = pd.Series({width: view.mean("error", each) for width, each in of_mechanism.groupby("width")})
        ax.plot(*over(rows["width"].unique(), means.index, means), color=look.colour, marker=look.marker, ms=5, linewidth=1.2)
        none = [float(str(width)) for width, each in of_mechanism.groupby("width") if _without_score(each, view) == 1]
        low = ax.get_xaxis_transform()
        ax.plot(none, [LOW] * len(none), color=look.colour, marker=NONE, linestyle="none", ms=7, transform=low)
    _chosen(ax, rows)


PLOT = Widths()
