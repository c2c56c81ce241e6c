"""Marks with intervals along an axis, one line a mechanism, with what is claimed of it."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, cast

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from harness.report import style
from harness.report.figures.plot import Panel, Plot, by_panel
from harness.report.settings import View

DODGE = 1.12  # marks of different mechanisms at one x stand side by side, by this factor
DASHES: tuple[Literal["--", ":", "-."], ...] = ("--", ":", "-.")  # of a first, second and third bound
FEW = 6  # so many values of an axis each get a tick of their own
TWO = 2  # points that no line joins
MANY = 4  # with more mechanisms than this, the legend does not name every bound
ARROW = r"$\downarrow$"
SHARED = "#444444"


@dataclass(frozen=True)
class Mark:
    """One mechanism at one point.

    value with [low, high]: measured. bounds: what is claimed, by the name that the legend gives it. hollow: drawn without fill,
    as nothing is claimed there. floor: where a value of zero is shown on a logarithmic axis, by an arrow.
    """

    value: float
    low: float
    high: float
    bounds: Mapping[str, float]
    hollow: bool = False
    floor: float = 0.0


class MarkPlot(Plot):
    """A plot of marks. logarithmic: whether the vertical axis is. shared_bound: what is claimed is the same for all."""

    logarithmic: ClassVar[bool] = True
    shared_bound: ClassVar[bool] = False

    @abstractmethod
    def mark(self, rows: pd.DataFrame, view: View) -> Mark:
        """The mark of the rows of one mechanism at one point."""

    @abstractmethod
    def axis_label(self, view: View) -> str:
        """What the vertical axis shows."""

    def mechanisms(self, frame: pd.DataFrame, view: View) -> Sequence[str]:
        """Those with something to show, in the order of the legend."""
        return list(frame["mechanism"].unique())

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        def panel(title: str, rows: pd.DataFrame) -> Panel:
            return Panel(title, self.axis_label(view), lambda ax: self._panel(ax, rows, view))

        return [
            panel(", ".join(filter(None, (title, group))), rows[rows["mechanism"].isin(names)])
            for title, rows in by_panel(frame, view)
            for group, names in (view.figure.groups or {"": view.spec.mechanisms}).items()
        ]

    def _panel(self, ax: Axes, frame: pd.DataFrame, view: View) -> None:
        x_column = view.column(view.figure.x)
        spread = frame[x_column].max() / frame[x_column].min() > 5
        ax.set_xscale("log" if spread else "linear")
        if not spread and frame[x_column].nunique() <= FEW:
            ax.set_xticks(sorted(frame[x_column].unique()))
        ax.set_yscale("log" if self.logarithmic else "linear")
        shown = self.mechanisms(frame, view)
        step = DODGE ** min(1.0, 2 / max(1, len(shown) - 1))  # many together take no more room than three
        for position, mechanism in enumerate(shown):
            look = style.style(mechanism)
            by_x = frame[frame["mechanism"] == mechanism].groupby(x_column)
            marks = {cast(float, x): self.mark(rows, view) for x, rows in by_x}
            if view.has_cutoff(frame[frame["mechanism"] == mechanism]):
                _shade(ax, {x: mark.hollow for x, mark in marks.items()})
            if not (self.shared_bound and position):
                colour = SHARED if self.shared_bound else look.colour
                for dashes, label in zip(DASHES, _bounds(marks.values()), strict=False):
                    claimed = [mark.bounds.get(label, np.nan) for mark in marks.values()]
                    # Where two bounds are one, that of the first mechanism is on top.
                    ax.plot(list(marks), claimed, linestyle=dashes, linewidth=1.4, color=colour, zorder=2.9 - position / 10)
            points = pd.DataFrame([vars(mark) for mark in marks.values()])
            points["x"] = np.array(list(marks)) * (step ** (position - (len(shown) - 1) / 2) if spread else 1)
            seen = points[(points["value"] > 0) | (not self.logarithmic)]
            bars = np.abs(seen[["low", "high"]].to_numpy(float).T - seen["value"].to_numpy(float))
            joined = 1.1 if len(marks) > TWO else 0.0  # between two points a line would say more than was measured
            ax.errorbar(
                *(seen["x"], seen["value"], bars), capsize=2, zorder=3, color=look.colour, linewidth=joined, elinewidth=1.1
            )
            for hollow, face in ((False, look.colour), (True, "white")):
                some = seen[seen["hollow"] == hollow]
                ax.plot(some["x"], some["value"], look.marker, ms=5, mfc=face, mec=look.colour, linestyle="none", zorder=4)
            none = points[(points["value"] == 0) & self.logarithmic]
            ax.plot(none["x"], none["floor"], linestyle="none", marker=ARROW, ms=7, color=look.colour, zorder=4)

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        """Each mechanism with its bounds, the bounds that all share, and what the other signs mean, if they occur."""
        handles: list[Artist] = []
        shared: list[Artist] = []
        zero = vacuous = False
        shown = self.mechanisms(frame, view)
        for mechanism in shown:
            look = style.style(mechanism)
            handles.append(Line2D([], [], color=look.colour, marker=look.marker, ms=5, label=look.legend))
            own = frame[frame["mechanism"] == mechanism]
            marks = [self.mark(rows, view) for _, rows in own.groupby("cell")]
            zero = zero or (self.logarithmic and any(mark.value == 0 for mark in marks))
            vacuous = vacuous or (any(mark.hollow for mark in marks) and view.has_cutoff(own))
            colour = SHARED if self.shared_bound else look.colour
            lines = [
                Line2D([], [], color=colour, linestyle=dashes, label=label)
                for dashes, label in zip(DASHES, _bounds(marks), strict=False)
            ]
            if self.shared_bound:
                shared = list(lines)
            elif len(shown) <= MANY:
                handles.extend(lines)
            elif lines:
                shared = [Line2D([], [], color=SHARED, linestyle=DASHES[0], label="its bound")]
        handles += shared
        if zero:
            handles.append(Line2D([], [], color=SHARED, marker=ARROW, linestyle="none", label="none seen in any trial"))
        if vacuous:
            handles.append(Patch(color=style.VACUOUS, alpha=0.45, linewidth=0, label="bound vacuous (points hollow)"))
        return handles


def _bounds(marks: Iterable[Mark]) -> list[str]:
    """The names of all bounds, in the order in which they first appear."""
    return list(dict.fromkeys(label for mark in marks for label in mark.bounds))


def _shade(ax: Axes, vacuous: Mapping[float, bool]) -> None:
    """Grey where the theorem of a mechanism with a cutoff says nothing: half way to the next point where it does.

    Where it says nothing anywhere, hollow points alone tell so.
    """
    logs = np.log(np.array(list(vacuous)))
    if len(logs) < 2 or all(vacuous.values()):
        return
    middles = (logs[1:] + logs[:-1]) / 2
    edges = np.exp(np.concatenate([[logs[0] - (middles[0] - logs[0])], middles, [logs[-1] + (logs[-1] - middles[-1])]]))
    for low, high, empty in zip(edges[:-1], edges[1:], vacuous.values(), strict=True):
        if empty:
            ax.axvspan(low, high, color=style.VACUOUS, alpha=0.45, linewidth=0, zorder=0)
