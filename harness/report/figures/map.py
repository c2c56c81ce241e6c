"""A map over two axes: which mechanism has the least measured error, and by how much."""

from collections.abc import Mapping, Sequence
from functools import partial
from math import nan
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from harness.report import numerals, style
from harness.report.figures.areas import LETTERS, area, corner, corner_entry, factor, write_in
from harness.report.figures.least_error import LeastError
from harness.report.figures.plot import Panel, Plot, by_panel, panels_of
from harness.report.overspent import over
from harness.report.settings import View

OURS, BASELINE = "A_binClas", "noisy_majority"
TOO_FEW: dict[str, Any] = {"facecolor": "#F2F2F2", "edgecolor": "#9A9A9A", "hatch": "////", "linewidth": 0.4}
"""The look of points where too few errors were seen to compare: not that of points that were not tried."""

ENOUGH = 10  # errors over all trials of a point by which two mechanisms can be told apart


class Placed(NamedTuple):
    """The mechanism of the least mean at a point, the next, and how many times as much that errs."""

    best: str
    next: str
    times: float


class WinnersMap(Plot):
    """Each cell of the map in the colour of its winner, with that of the next best in a corner, and the factor to it.

    A line runs where the first mechanism overtakes advanced composition, by what is measured and by the bounds.
    """

    name: ClassVar[str] = "map"
    counts: ClassVar[bool] = True
    by_cell: ClassVar[bool] = True
    narrowest: ClassVar[float] = 2.9

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        assert view.figure.by is not None
        label, tints = view.heading(view.figure.by), style.tints(list(frame["mechanism"].unique()))
        return panels_of(frame, view, label, _map, view=view, tints=tints)

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        assert view.figure.by is not None
        every = [ranked for _, rows in by_panel(frame, view) for ranked in _ranked(rows, view).values()]
        shown = {name for ranked in every if ranked is not None for name in (ranked.best, ranked.next)}
        tints = style.tints(list(frame["mechanism"].unique()))
        handles: list[Artist] = [Patch(**area(name, tints), label=style.style(name).legend) for name in tints if name in shown]
        handles.append(corner_entry(LeastError.corner))
        if None in every:
            handles.append(Patch(**TOO_FEW, label=f"fewer than {ENOUGH} errors: no winner"))
        handles.append(Line2D([], [], color="black", label="from here on A_binClas beats advanced composition"))
        handles.append(Line2D([], [], color="black", linestyle="--", label="the same, by their bounds"))
        return handles

    def caption(self, view: View) -> str:
        return "numbers: error of the next best over the best's, which is missing where it is 0; blank: no such sweep"

    def of_numbers(self, view: View) -> str:
        return super().of_numbers(view).partition("; blank")[0]


def _points(rows: pd.DataFrame, view: View, of: str) -> pd.DataFrame:
    """Of each mechanism at each point, by y, x and name: the mean of a column, and the errors in all trials together."""

    def mean_and_errors(of_point: pd.DataFrame) -> tuple[float, int]:
        return view.sample(of_point, of).mean, int(view.sample(of_point, "misclassified").total)

    keys = [str(view.figure.by), view.figure.x, "mechanism"]
    points = rows.groupby(keys, sort=False)
    rows_of = [(*at, *view.kept(f"{WinnersMap.name} {of}", own, partial(mean_and_errors, own))) for at, own in points]
    return pd.DataFrame(rows_of, columns=[*keys, "mean", "errors"]).set_index(keys)


def _ranked(rows: pd.DataFrame, view: View) -> dict[tuple[float, float], Placed | None]:
    """What errs least at each point of the map, and next; None for lack of errors.

    What spends more than ε there is out of the race.
    """
    points = _points(rows[~over(rows)], view, view.figure.y)
    errors = points["errors"]
    ranked: dict[tuple[float, float], Placed | None] = {}
    for point, means in points["mean"].groupby(level=[0, 1], sort=False):
        up, across = cast(tuple[float, float], point)
        order = means.droplevel([0, 1]).sort_values()
        if len(order) < 2:
            ranked[up, across] = None
            continue
        least, following = float(order.iloc[0]), float(order.iloc[1])
        names, times = order.index, following / least if least else float("inf")
        sure = int(errors[up, across, names[1]]) >= ENOUGH
        ranked[up, across] = Placed(str(names[0]), str(names[1]), times) if sure else None
    return ranked


def _map(ax: Axes, rows: pd.DataFrame, view: View, tints: Mapping[str, str]) -> None:
    x, y = view.figure.x, str(view.figure.by)
    across, up = np.sort(rows[x].unique()), np.sort(rows[y].unique())
    for (at_y, at_x), ranked in _ranked(rows, view).items():
        column, line = int(np.searchsorted(across, at_x)), int(np.searchsorted(up, at_y))
        ax.add_patch(Rectangle((column - 0.5, line - 0.5), 1, 1, **(area(ranked.best, tints) if ranked else TOO_FEW)))
        if ranked is None:
            continue
        corner(ax, column, line, ranked.next, tints)
        if text := factor(ranked.times):
            write_in(ax, column, line, text, tints[ranked.best])
    for of, dashes in ((view.figure.y, "-"), ("bound", "--")):
        ax.plot(*_frontier(rows, view, of), color="black", linestyle=dashes, linewidth=1.6, zorder=4)
    ax.set_xlim(-0.5, len(across) - 0.5)
    ax.set_ylim(-0.5, len(up) - 0.5)
    ax.set_xticks(
        range(len(across)), [numerals.number(float(value)) for value in across], fontsize=LETTERS, rotation=45, ha="right"
    )
    ax.set_yticks(range(len(up)), [numerals.number(each) for each in up], fontsize=LETTERS)
    ax.grid(visible=False)


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


PLOT = WinnersMap()
