"""Maps over two axes: which mechanism has the least of something at each point, which is next, and by what factor."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import isfinite, nan
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Polygon, Rectangle

from harness.arrays import Reals
from harness.report import numerals, style
from harness.report.figures.complexity import number_needed, price_of
from harness.report.figures.marks import SHARED
from harness.report.figures.plot import Panel, Plot, by_panel
from harness.report.settings import View
from harness.report.spending import over

OURS, BASELINE = "A_binClas", "noisy_majority"
TOO_FEW: dict[str, Any] = {"facecolor": "#F2F2F2", "edgecolor": "#9A9A9A", "hatch": "////", "linewidth": 0.4}
"""The look of points where too few errors were seen to compare: not that of points that were not tried."""

ENOUGH = 10  # errors over all trials of a point by which two mechanisms can be told apart
NEAR = 1.1
"""Means within this factor of the least are as good: chance would else say which of equals is shown."""

SMALL, LARGE = 0.01, 99.5
"""Of what is less one digit is written, as a column has no room for more; what is more is no fraction."""

LETTERS = 7  # points
CORNER = 0.36
"""Of an area, each way."""

ERRS_MORE = "corner: the next best; ×: how much more it errs"
"""What the legend of a map of errors says of corners."""


class MapColumns(NamedTuple):
    """The columns that a map shows: across, up, and the number written in it."""

    x: str
    y: str
    measured: str


class BestMap(Plot):
    """The base of maps over two axes: each point in the colour of the mechanism of the least value, which is written there.

    In a corner is the colour of the next best, below the number by what factor it has more. corner: the legend of that. An
    area's hue has its own step of lightness and its own hatching, which grey print tells apart.
    """

    narrowest: ClassVar[float] = 2.9
    by_cell: ClassVar[bool] = True
    corner: ClassVar[str] = ERRS_MORE

    @abstractmethod
    def best(self, rows: pd.DataFrame, view: View) -> tuple[pd.DataFrame, MapColumns]:
        """The mechanism and number at each point of a panel's map, as from `best`; an empty name where nothing can be said."""

    def text(self, point: "pd.Series[Any]", measured: float) -> str:
        """The text that is written at a point."""
        after = ("≈" if point["alike"] else factor(float(point["times"]))) if point["next"] else ""
        return "\n".join(filter(None, (short(measured), after)))

    def lines(self, rows: pd.DataFrame, view: View) -> Iterator[tuple[str, Sequence[float], Sequence[float]]]:
        """Lines across a panel's map: dashes, and where they run."""
        yield from ()

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        assert view.figure.by is not None
        tints = style.tints(list(frame["mechanism"].unique()))
        label = view.heading(view.figure.by)
        across, up = (np.sort(frame[view.column(axis)].unique()) for axis in (view.figure.x, view.figure.by))
        draw = partial(self._map, view=view, across=across, up=up, tints=tints)
        return [Panel(title, label, partial(draw, rows=rows)) for title, rows in by_panel(frame, view)]

    def _map(self, ax: Axes, rows: pd.DataFrame, view: View, across: Reals, up: Reals, tints: Mapping[str, str]) -> None:
        """across, up: the places of all panels, which share their axes."""
        points, axes = self.best(rows, view)
        for _, point in points.iterrows():
            column, line = int(np.searchsorted(across, point[axes.x])), int(np.searchsorted(up, point[axes.y]))
            name = str(point["mechanism"])
            ax.add_patch(Rectangle((column - 0.5, line - 0.5), 1, 1, **(area(name, tints) if name else TOO_FEW)))
            if point["next"]:
                corner(ax, column, line, str(point["next"]), tints)
            if name and (text := self.text(point, float(point[axes.measured]))):
                write_in(ax, column, line, text, tints[name])
        for dashes, xs, ys in self.lines(rows, view):
            ax.plot(xs, ys, color="black", linestyle=dashes, linewidth=1.6, zorder=4)
        ax.set_xlim(-0.5, len(across) - 0.5)
        ax.set_ylim(-0.5, len(up) - 0.5)
        below = [numerals.number(float(each)) for each in across]
        ax.set_xticks(range(len(across)), below, fontsize=LETTERS, rotation=45, ha="right")
        ax.set_yticks(range(len(up)), [numerals.number(float(each)) for each in up], fontsize=LETTERS)
        ax.grid(visible=False)

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        maps = [self.best(rows, view)[0] for _, rows in by_panel(frame, view)]
        shown = {name for each in maps for column in ("mechanism", "next") for name in each[column]}
        tints = style.tints(list(frame["mechanism"].unique()))
        handles: list[Artist] = [Patch(**area(name, tints), label=style.style(name).legend) for name in tints if name in shown]
        handles.append(Line2D([], [], color=SHARED, marker=(3, 0, -45), linestyle="none", label=self.corner))
        if any((each["mechanism"] == "").any() for each in maps):
            handles.append(Patch(**TOO_FEW, label=f"fewer than {ENOUGH} errors: no winner"))
        return handles


class LeastError(BestMap):
    """Plots a map of the mechanism with the least mean error."""

    name: ClassVar[str] = "least_error"

    def best(self, rows: pd.DataFrame, view: View) -> tuple[pd.DataFrame, MapColumns]:
        x, y, measured = view.column(view.figure.x), view.column(str(view.figure.by)), view.figure.y
        means = [(*at, view.mean(measured, own)) for at, own in rows.groupby([y, x, "mechanism"], sort=False)]
        return best(pd.DataFrame(means, columns=[y, x, "mechanism", measured]), x, y, measured), MapColumns(x, y, measured)

    def caption(self, view: View) -> str:
        return f"numbers: the mean of what errs least, the first in the legend of all within {NEAR - 1:.0%} of it (≈)"


class FewestPoints(BestMap):
    """Plots a map of a search: the mechanism of the least n*, an interval's middle, and the next; ≈ where intervals meet."""

    name: ClassVar[str] = "fewest_points"
    by_cell: ClassVar[bool] = False
    corner: ClassVar[str] = "corner: the next best; ×: how many times as many it needs"

    def best(self, rows: pd.DataFrame, view: View) -> tuple[pd.DataFrame, MapColumns]:
        of = price_of(view)
        axes = MapColumns(view.column(view.figure.x), view.column(str(view.figure.by)), of.number)
        searched = rows[(rows["mechanism"] != of.base) & rows[of.high].notna()]
        least = searched.groupby([axes.y, axes.x])[of.number].transform("min")
        best = ranked(searched, searched[of.number] == least, *axes)
        keys = [axes.y, axes.x, "next"]
        lows = searched[[axes.y, axes.x, "mechanism", of.low]].set_axis([*keys, "from"], axis=1)
        after = best[[*keys, of.high]].merge(lows, on=keys, how="left")
        return best.assign(alike=after["from"] < after[of.high]), axes

    def caption(self, view: View) -> str:
        return f"numbers: {number_needed(view)}, by the best; ×: how many times as many the next best needs, ≈: intervals meet"


class WinnersMap(BestMap):
    """Plots a map of the mechanism of the least mean error, where errors suffice to tell, with the factor to the next.

    A line runs where the first mechanism overtakes advanced composition, by what is measured and by the bounds.
    """

    name: ClassVar[str] = "map"
    counts: ClassVar[bool] = True

    def best(self, rows: pd.DataFrame, view: View) -> tuple[pd.DataFrame, MapColumns]:
        """What spends more than ε there is out of the race."""
        axes = MapColumns(view.figure.x, str(view.figure.by), "mean")
        means = _points(rows[~over(rows)], view, view.figure.y).reset_index()
        places = means.groupby([axes.y, axes.x], sort=False)
        winners = [(*cast(tuple[float, float], at), *_winner(own)) for at, own in places]
        return pd.DataFrame(winners, columns=[axes.y, axes.x, "mechanism", "next", "times", "mean"]), axes

    def text(self, point: "pd.Series[Any]", measured: float) -> str:
        return factor(float(point["times"]))

    def lines(self, rows: pd.DataFrame, view: View) -> Iterator[tuple[str, Sequence[float], Sequence[float]]]:
        for of, dashes in ((view.figure.y, "-"), ("bound", "--")):
            yield dashes, *_frontier(rows, view, of)

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        measured = Line2D([], [], color="black", label="from here on A_binClas beats advanced composition")
        claimed = Line2D([], [], color="black", linestyle="--", label="the same, by their bounds")
        return [*super().legend(frame, view), measured, claimed]

    def caption(self, view: View) -> str:
        return "numbers: error of the next best over the best's, which is missing where it is 0; blank: no such sweep"

    def of_numbers(self, view: View) -> str:
        return super().of_numbers(view).partition("; blank")[0]


def area(name: str, tints: Mapping[str, str]) -> dict[str, Any]:
    """Matplotlib's keywords for a mechanism's area on a map, or in the legend: colours, hatching. tints: the face colours."""
    hatch = style.style(name).hatch
    return {"facecolor": tints[name], "edgecolor": "white", "hatch": hatch, "linewidth": 0.6}


def corner(ax: Axes, x: float, y: float, name: str, tints: Mapping[str, str]) -> None:
    """Draws the lower right corner of an area of a map in the look of another mechanism."""
    right, low = x + 0.5, y - 0.5
    ax.add_patch(Polygon([(right, low), (right - CORNER, low), (right, low + CORNER)], **area(name, tints)))


def write_in(ax: Axes, x: float, y: float, number: str, ground: str) -> None:
    """Writes a number in an area of a map, on a ground of the area's colour without hatching."""
    box = {"boxstyle": "square,pad=0.1", "facecolor": ground, "edgecolor": "none"}
    ax.text(x, y, number, ha="center", va="center", fontsize=LETTERS, bbox=box)


def factor(times: float) -> str:
    """The factor by which the next best errs more, as text for an area of a map; "" where the best errs not at all."""
    return "" if not isfinite(times) else f"×{times:.2g}" if times < LARGE else f"×{times:.0f}"


def short(value: float) -> str:
    """A number as short text, where there is little room."""
    return f"{value:.{2 if value >= SMALL else 1}g}" if value < LARGE else numerals.number(float(f"{value:.2g}"))


def best(means: pd.DataFrame, x: str, y: str, measured: str) -> pd.DataFrame:
    """For each point of a map the first mechanism whose mean is near the least, and that mean.
    next: of the others the one of the least mean, "" of none; times: by what factor it is more, NaN of none. alike: whether it
    is near the least, too.
    """
    winners = ranked(means, means[measured] <= NEAR * means.groupby([y, x])[measured].transform("min"), x, y, measured)
    return winners.assign(alike=winners["times"] <= NEAR)


def ranked(means: pd.DataFrame, near: "pd.Series[bool]", x: str, y: str, measured: str) -> pd.DataFrame:
    """The best and the next mechanism at each point of a map, and their means' ratio. near: which means are near the least."""
    first = means[near].groupby([y, x], sort=True).first().reset_index()
    beside = means.merge(first, on=[y, x], suffixes=("", "_first"))
    others = beside[beside["mechanism"] != beside["mechanism_first"]].sort_values(measured, kind="stable")
    second = others.groupby([y, x])[["mechanism", measured]].first().rename(columns={"mechanism": "next", measured: "times"})
    ranks = first.join(second, on=[y, x])
    return ranks.assign(next=ranks["next"].fillna(""), times=ranks["times"] / ranks[measured])


def _winner(means: pd.DataFrame) -> tuple[str, str, float, float]:
    """Of mechanisms that of the least mean, the next, and how many times as much that errs; no names for lack of errors."""
    means = means.sort_values("mean", kind="stable")
    if len(means) < 2 or means["errors"].iloc[1] < ENOUGH:
        return "", "", nan, nan
    least, following = (float(each) for each in means["mean"].iloc[:2])
    return (*means["mechanism"].iloc[:2], following / least if least else float("inf"), least)


def _points(rows: pd.DataFrame, view: View, of: str) -> pd.DataFrame:
    """Of each mechanism at each point, by y, x and name: the mean of a column, and the errors in all trials together."""

    def mean_and_errors(of_point: pd.DataFrame) -> tuple[float, int]:
        return view.sample(of_point, of).mean, int(view.sample(of_point, "misclassified").total)

    keys = [str(view.figure.by), view.figure.x, "mechanism"]
    points = rows.groupby(keys, sort=False)
    rows_of = [(*at, *view.kept(f"{WinnersMap.name} {of}", own, partial(mean_and_errors, own))) for at, own in points]
    return pd.DataFrame(rows_of, columns=[*keys, "mean", "errors"]).set_index(keys)


def _frontier(rows: pd.DataFrame, view: View, of: str) -> tuple[list[float], list[float]]:
    """The stair along the left of the points from which on, in each line, A_binClas has the lower mean."""
    points, both = _points(rows, view, of), [OURS, BASELINE]
    means, errors = (points[name].unstack("mechanism").reindex(columns=both) for name in points)
    sure = errors.max(axis=1) >= ENOUGH
    across = np.sort(rows[view.figure.x].unique())
    stair_x: list[float] = []
    stair_y: list[float] = []
    for line, (_, of_row) in enumerate(means.groupby(level=0)):
        # A vacuous bound beats nothing; where both have erred too seldom nothing speaks against ours.
        ours, baseline = of_row[OURS].fillna(np.inf).to_numpy(), of_row[BASELINE].fillna(np.inf).to_numpy()
        losses = np.flatnonzero(np.isinf(ours) | ((ours > baseline) & (sure[of_row.index].to_numpy() | (of == "bound"))))
        first = int(losses[-1]) + 1 if len(losses) else 0
        places = np.searchsorted(across, of_row.index.get_level_values(1))
        edge = places[first] - 0.5 if first < len(places) else nan
        stair_x += [edge, edge]
        stair_y += [line - 0.5, line + 0.5]
    return stair_x, stair_y


PLOT = (FewestPoints(), LeastError(), WinnersMap())
