"""Names beside the ends of lines, in place of a legend: so many lines are told apart without looking back and forth."""

from collections.abc import Sequence
from itertools import pairwise
from math import log10
from typing import Any

import numpy as np
import scipy
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from harness.arrays import Reals
from harness.report.figures.lettering import fitted
from harness.report.figures.marks import ARROW
from harness.report.figures.plot import MANY

POINTS = 7
WIDTH = 1.35  # inches, of the names
LINE = 1.25 * POINTS / 72  # inches, from one line of a name to the next
GAP = 0.4  # of a line, between two names
NEAR = 0.6  # of the panel's width, from where on a name beside it is not far off
HEIGHT = 0.72  # of what a panel has, its axes without titles and numbers

Place = tuple[float, float]


def beside(axes: NDArray[Any], handles: Sequence[Artist], height: float, most: float = MANY) -> Sequence[Artist]:
    """Writes the names of many lines beside their ends, in the panels; gives the handles that are left for a legend.

    axes: an array of panels, row by row, that may have names. height: of a panel, in inches. most: so many lines or fewer
    stay in the legend.
    """
    lines = _many(handles, most)
    labelled = [ax for row in axes for ax in _last_of(row, lines)]
    named = {name for ax in labelled for name in ends(ax, lines)}
    if not named:
        return handles
    for ax in labelled:
        label_ends(ax, lines, height)
    return [each for each in handles if str(each.get_label()) not in named]


def _many(handles: Sequence[Artist], most: float) -> list[Line2D]:
    """Of a legend the entries of lines with marks, if there are many."""
    lines = [each for each in handles if isinstance(each, Line2D) and "None" not in (each.get_linestyle(), each.get_marker())]
    return lines if len(lines) > most else []


def ends(ax: Axes, handles: Sequence[Line2D]) -> dict[str, Place]:
    """The last point of each line that ends near the right of a panel, by label; arrows that continue a line count too."""
    low, high = ax.get_xlim()
    near = low * (high / low) ** NEAR if ax.get_xscale() == "log" else low + (high - low) * NEAR
    last: dict[str, Place] = {}
    colours = [handle.get_color() for handle in handles]
    for handle in handles:
        looks = (handle.get_color(), handle.get_marker())
        # An arrow has no marker of its own: it is told by a colour that no other line has.
        its_looks = {looks, (looks[0], ARROW)} if colours.count(looks[0]) == 1 else {looks}
        places = [
            (float(x), float(y))
            for line in ax.get_lines()
            if (line.get_color(), line.get_marker()) in its_looks
            for x, y in zip(np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata(), float), strict=True)
            if np.isfinite(y)
        ]
        if places and max(places)[0] >= near:
            last[str(handle.get_label())] = max(places)
    return last


def label_ends(ax: Axes, handles: Sequence[Line2D], height: float) -> None:
    """Writes the name of each line beside its end, in its colour, none over another.

    height: of the panel, in inches. Its vertical axis keeps the limits that it has now.
    """
    low, high = ax.get_ylim()
    log = ax.get_yscale() == "log"
    colours = {str(handle.get_label()): handle.get_color() for handle in handles}
    places = sorted(ends(ax, handles).items(), key=lambda item: item[1][1])
    texts = {name: fitted(name, WIDTH, POINTS, most=2) for name, _ in places}
    sizes = [(1 + GAP + text.count("\n")) * LINE / (HEIGHT * height) for text in texts.values()]
    up = [log10(y / low) / log10(high / low) if log else (y - low) / (high - low) for _, (_, y) in places]
    leader = {"arrowstyle": "-", "linewidth": 0.6, "shrinkA": 0, "shrinkB": 4, "relpos": (0, 0.5)}
    for (name, end), raised in zip(places, spaced(up, sizes), strict=True):
        colour, place = colours[name], (1.05, raised)
        look: dict[str, Any] = {"color": colour, "fontsize": POINTS, "va": "center", "arrowprops": {**leader, "color": colour}}
        ax.annotate(texts[name], end, place, textcoords="axes fraction", **look)
    ax.set_ylim(low, high)


def spaced(heights: Sequence[float], sizes: Sequence[float]) -> Reals:
    """Moves heights, rising shares of 1, as little as is needed for labels of these sizes not to overlap and to end below 1.

    They also begin above 0, where there is room for all.
    """
    apart = np.cumsum([0.0, *((one + other) / 2 for one, other in pairwise(sizes))])
    highest = 1 - sizes[-1] / 2 - apart[-1]
    spaced: Reals = (
        np.clip(scipy.optimize.isotonic_regression(np.asarray(heights) - apart).x, min(sizes[0] / 2, highest), highest) + apart
    )
    return spaced


def _last_of(row: NDArray[Any], lines: Sequence[Line2D]) -> list[Axes]:
    """Of panels side by side those in which a line ends that does not in the next."""
    by_panel = [ends(ax, lines).keys() for ax in row]
    return [ax for ax, own, following in zip(row, by_panel, [*by_panel[1:], set()], strict=True) if own - following]
