"""Errors, and queries without a score, against the width of the bins, with the widths of BTT18a Theorem 5.14."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar, Literal

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from harness.report import style
from harness.report.figures.plot import Panel, Plot, by_panel
from harness.report.settings import View
from harness.theory.constants.btt18a_scores import raw_width

RATE = 2.0
CHOSEN = {"closed": "Theorem 5.14's width, α in closed form", "rate": "Theorem 5.14's width, α = 2/n'"}
DASHES: Mapping[str, Literal["--", ":"]] = {"closed": "--", "rate": ":"}


class Widths(Plot):
    """The largest error above, the share of queries with ⊥ or nothing below."""

    name: ClassVar[str] = "widths"
    shared_y: ClassVar[Literal["all", "row"]] = "row"
    stacked: ClassVar[int] = 2

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        groups = list(by_panel(frame, view))
        above = [Panel(title, "largest error |ŝ − E h|", partial(_errors, rows=rows)) for title, rows in groups]
        return above + [Panel("", "share of queries without a score", partial(_missing, rows=rows)) for _, rows in groups]

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        looks = [style.style(str(name)) for name in frame["mechanism"].unique()]
        marks: list[Artist] = [Line2D([], [], color=at.colour, marker=at.marker, label=at.legend) for at in looks]
        return marks + [Line2D([], [], color="#444444", linestyle=DASHES[rule], label=said) for rule, said in CHOSEN.items()]

    def caption(self, view: View) -> str:
        return "above: mean over trials of the largest error; below: mean share"


def _chosen(ax: Axes, rows: pd.DataFrame) -> None:
    """The widths that the theorem asks for at this s, where they are at most 1."""
    first = rows.iloc[0]
    s, nu = int(first["s"]), float(first["nu"])
    for rule, alpha in (("closed", float(first["alpha"])), ("rate", RATE / s)):
        width = raw_width(alpha, s, nu)
        if width <= 1:
            ax.axvline(width, color="#444444", linestyle=DASHES[rule], linewidth=1.2)
    ax.set_xscale("log")


def _line(ax: Axes, rows: pd.DataFrame, values: "pd.Series[float]") -> None:
    for name, own in rows.assign(shown=values).groupby("mechanism", sort=False):
        look = style.style(str(name))
        means = own.groupby("width")["shown"].mean()
        ax.plot(means.index, means, color=look.colour, marker=look.marker, ms=5, linewidth=1.2)
    _chosen(ax, rows)


def _errors(ax: Axes, rows: pd.DataFrame) -> None:
    _line(ax, rows, rows["error"].astype(float))
    ax.set_yscale("log")


def _missing(ax: Axes, rows: pd.DataFrame) -> None:
    _line(ax, rows, (rows["bottoms"] + rows["unanswered"]) / rows["m"])


PLOT = Widths()
