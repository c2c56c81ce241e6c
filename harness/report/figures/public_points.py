"""What public points are needed for: the error over α against m·α, one line for each number of private points."""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Literal

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from harness.report import numerals, style
from harness.report.figures.joined import over
from harness.report.figures.marks import SHARED, entry, logarithmic
from harness.report.figures.means import mean_interval
from harness.report.figures.plot import Panel, Plot, by_panel
from harness.report.settings import View
from harness.sweep.table.samples import Sample

DASHED: Literal["--"] = "--"
SIZES = (7.0, 2.0, 3.0)  # points: of the first marks, how much smaller each next is, of the last: none hides another


class PublicPoints(Plot):
    """Plots the error over α against m·α: one panel a mechanism, of one α. Dashed: 1/(m + 1), the least error without atoms."""

    name: ClassVar[str] = "public_points"
    by_cell: ClassVar[bool] = True

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        label = f"{view.settings.column(view.figure.y).title or view.figure.y},\nmean as a multiple of α"
        return [
            Panel(
                ", ".join(part for part in (style.style(str(name)).legend, title) if part),
                label,
                partial(_lines, rows=own, view=view, looks=of_sizes(frame)),
            )
            for title, rows in by_panel(frame, view)
            for name, own in rows.groupby("mechanism", sort=False)
        ]

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        lines = [entry(look, 4.5) for look in of_sizes(frame).values()]
        return [*lines, Line2D([], [], color=SHARED, linestyle=DASHED, label="1/(m + 1): less is impossible, at any n")]

    def caption(self, view: View) -> str:
        return "left of the upright line, where m + 1 < 1/α, every error is above α; bars: 95% intervals of the mean"

    def of_numbers(self, view: View) -> str:
        return super().of_numbers(view).removeprefix("left of the upright line, ")

    def x_label(self, view: View) -> str:
        return "public points m, as a multiple of 1/α"


def of_sizes(frame: pd.DataFrame) -> dict[float, style.Style]:
    """A plot style for each n in the rows, by n: the colours of a scale, in the order of n."""
    sizes = {float(n): f"n = {numerals.number(float(n))}" for n in sorted(frame["n"].unique())}
    return dict(zip(sizes, style.scale(list(sizes.values())).values(), strict=True))


def _mean(errors: Sample) -> tuple[float, float, float]:
    """The mean and the ends of its interval."""
    return errors.mean, *mean_interval(errors)


def _lines(ax: Axes, rows: pd.DataFrame, view: View, looks: dict[float, style.Style]) -> None:
    logarithmic(ax)
    ax.axhline(1, color=SHARED, linewidth=0.8, zorder=1)
    alpha, public = float(rows["alpha"].iloc[0]), np.sort(rows["m"].unique()).astype(float)
    ax.axvline(1 - alpha, color=SHARED, linewidth=0.8, zorder=1)  # at m = 1/α − 1
    ax.plot(public * alpha, 1 / (public + 1) / alpha, color=SHARED, linestyle=DASHED, linewidth=1.2, zorder=2)
    for place, (n, look) in enumerate(looks.items()):
        of_n = rows[rows["n"] == n]
        samples = ((m, own, view.sample(own, view.figure.y)) for m, own in of_n.groupby("m"))
        means = {m: view.kept(PublicPoints.name, own, partial(_mean, sample)) for m, own, sample in samples}
        points = [(float(str(m)) * alpha, *(mean / alpha for mean in found)) for m, found in means.items()]
        if points:
            size = max(SIZES[0] - SIZES[1] * place, SIZES[2])
            x, mean, low, high = over(public * alpha, *np.array(points, np.float64).T)
            bars = np.stack([np.maximum(mean - low, 0), np.maximum(high - mean, 0)])
            ax.errorbar(x, mean, bars, color=look.colour, marker=look.marker, ms=size, linewidth=1.2, capsize=2, zorder=3)


PLOT = PublicPoints()
