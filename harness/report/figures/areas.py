"""Areas of a map: a mechanism's hue, in its own step of lightness and with its own hatching, which grey print tells apart."""

from collections.abc import Mapping
from math import isfinite
from typing import Any

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon

from harness.report import style
from harness.report.figures.marks import SHARED

LETTERS = 7  # points

CORNER = 0.36
"""Of an area, each way."""


def area(name: str, tints: Mapping[str, str]) -> dict[str, Any]:
    """The look of a mechanism's area, also in the legend. tints: of all that may be on the map."""
    hatch = style.style(name).hatch
    return {"facecolor": tints[name], "edgecolor": "white", "hatch": hatch, "linewidth": 0.6}


def corner(ax: Axes, x: float, y: float, name: str, tints: Mapping[str, str]) -> None:
    """The lower right corner of an area of a map, in the look of another mechanism."""
    right, low = x + 0.5, y - 0.5
    ax.add_patch(Polygon([(right, low), (right - CORNER, low), (right, low + CORNER)], **area(name, tints)))


def corner_entry(says: str) -> Line2D:
    """What the legend says of corners."""
    return Line2D([], [], color=SHARED, marker=(3, 0, -45), linestyle="none", label=says)


def write_in(ax: Axes, x: float, y: float, number: str, ground: str) -> None:
    """A number in an area of a map, on a ground of the area's colour without hatching."""
    box = {"boxstyle": "square,pad=0.1", "facecolor": ground, "edgecolor": "none"}
    ax.text(x, y, number, ha="center", va="center", fontsize=LETTERS, bbox=box)


def factor(times: float) -> str:
    """By how much the next best errs more, for an area; "" where the best errs not at all."""
    return "" if not isfinite(times) else f"×{times:.2g}" if times < 99.5 else f"×{times:.0f}"
