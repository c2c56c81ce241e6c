"""How small constants can be: of each the interval of its least value, as a share of what is printed."""

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

import pandas as pd
from matplotlib import rcParams
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.textpath import text_to_path

from harness.report import style
from harness.report.figures.lettering import fitted
from harness.report.figures.plot import INTERVAL, Panel, Plot
from harness.report.figures.rows import LINES, room_beside
from harness.report.numerals import number
from harness.report.settings import View
from harness.report.style import FONT
from harness.theory.factors import SetName

PRINTED = "#999999"
OF_INSTANCES = (("T", "T_target"), ("T", "T"), ("α", "alpha_target"))
LEAST, MOST = 0.02, 4.0
"""The ends of the axis, where no interval is lower."""
NAMES = 0.45
"""The share of a figure's width that names take, with what is beside them."""
APART = 7  # points from an interval to its number


class LeastPlot(Plot):
    """Plots the least values of constants: a bar for each cell, from too small to enough.
    An arrow stands where nothing is shown to be too small.
    """

    name = "least"
    narrowest = 5.0
    tall = True

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        return [Panel("", "", partial(_drawn, rows=_of_cells(frame), names=self.names(frame, view)))]

    def names(self, frame: pd.DataFrame, view: View) -> Sequence[str]:
        rows = _of_cells(frame)
        return [_said(row, rows) for _, row in rows.iterrows()]

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        rows, colour = _of_cells(frame), style.style(str(frame["mechanism"].iloc[0])).colour
        enough = Line2D([], [], color=colour, marker="<", linestyle="-", linewidth=1, label="enough at every value tried")
        return [
            Line2D([], [], color=colour, linewidth=4, label="the least value is in here"),
            *([enough] if (rows["low"] == 0).any() else []),
            Line2D([], [], color=PRINTED, linestyle="--", label="as printed"),
        ]

    def caption(self, view: View) -> str:
        return "numbers: printed over the middle of the interval"

    def x_label(self, view: View) -> str:
        return "constant / printed value"


def _of_cells(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.groupby(["cell", "mechanism"], sort=False).first().reset_index()


def _said(row: "pd.Series[Any]", rows: pd.DataFrame) -> str:
    """The constant, its set, and of the instance what the figure's rows may differ in."""
    of_set = SetName.read(str(row["constants"]))
    columns = [(name, of) for name, of in OF_INSTANCES if of in row and (of != "T" or rows[of].nunique() > 1)]
    words = [f"{name} = {number(float(row[of]))}" for name, of in columns if pd.notna(row[of])]
    where = [_where(row, rows)] if "p" in row and rows["distribution_parameters"].nunique() > 1 else []
    return ", ".join([f"{row['constant']} of {of_set.base}", *([str(of_set.change)] if of_set.change else []), *words, *where])


def _where(row: "pd.Series[Any]", rows: pd.DataFrame) -> str:
    """The distribution, with those of its parameters in which it differs from others of the same name."""
    parameters = json.loads(row["distribution_parameters"])
    others = [json.loads(each) for each in rows.loc[rows["distribution"] == row["distribution"], "distribution_parameters"]]
    differing = [f"{name} {value}" for name, value in parameters.items() if any(other.get(name) != value for other in others)]
    return " ".join([str(row["distribution"]), *differing])


def _drawn(ax: Axes, rows: pd.DataFrame, names: Sequence[str]) -> None:
    points, room = float(rcParams["ytick.labelsize"]), room_beside(float(ax.figure.bbox.width) / ax.figure.dpi)
    ax.set_xscale("log")
    ax.axvline(1, color=PRINTED, linestyle="--", linewidth=1.2, zorder=1)
    ax.set_yticks(
        [-place for place in range(len(rows))], [fitted(each, room, points, most=LINES) for each in names], fontsize=points
    )
    ax.set_ylim(-len(rows) + 0.4, 0.8)
    ax.set_xlim(min(LEAST, 0.6 * float((rows["low"] / rows["printed"])[rows["low"] > 0].min())), MOST)
    for place, (_, row) in enumerate(rows.iterrows()):
        _line(ax, -place, row)


def _line(ax: Axes, y: float, row: "pd.Series[Any]") -> None:
    colour, printed = style.style(str(row["mechanism"])).colour, float(row["printed"])
    low, high = (float(row[end]) / printed if pd.notna(row[end]) else None for end in ("low", "high"))
    if low and high:
        ax.plot([low, high], [y, y], color=colour, linewidth=4, marker="o", markersize=3.5, zorder=3, gid=INTERVAL)
        factor = f"{number(float(f'{float(row.over):.3g}'))}×"
        taken = _taken(ax, factor)
        left = high < 1 < high * taken and low > ax.get_xlim()[0] * taken
        place, by = (low, -APART) if left else (high, APART)
        ax.annotate(
            factor,
            (place, y),
            (by, 0),
            textcoords="offset points",
            ha="right" if left else "left",
            va="center",
            fontsize=rcParams["ytick.labelsize"],
            zorder=4,
        )
    elif low:
        ax.annotate("", (ax.get_xlim()[1] * 0.95, y), (1.1, y), arrowprops={"arrowstyle": "->", "color": colour})
        ax.text(0.9, y, "nothing tried is enough", ha="right", va="center", fontsize=rcParams["ytick.labelsize"])
    elif high:
        ax.annotate("", (ax.get_xlim()[0] * 1.1, y), (0.9, y), arrowprops={"arrowstyle": "->", "color": colour})
        ax.text(0.9, y + 0.28, "nothing here challenges it", ha="right", va="center", fontsize=rcParams["ytick.labelsize"])


def _taken(ax: Axes, text: str) -> float:
    """The factor, along the axis, that a number takes with what is between it and its interval."""
    low, high = ax.get_xlim()
    font = FontProperties(family=FONT, size=float(rcParams["ytick.labelsize"]))
    wide = text_to_path.get_text_width_height_descent(text, font, ismath=False)[0] + 2 * APART
    return float((high / low) ** (wide / (72 * (1 - NAMES) * float(ax.figure.bbox.width) / ax.figure.dpi)))


PLOT = LeastPlot()
