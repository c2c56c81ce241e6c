"""Areas of a map: a mechanism's hue, in its own step of lightness and with its own hatching, which grey print tells apart."""

from collections.abc import Mapping
from math import isfinite
from typing import Any

from matplotlib.axes import Axes

from harness.report import style

LETTERS = 7  # points


def area(name: str, tints: Mapping[str, str]) -> dict[str, Any]:
    """The look of a mechanism's area, also in the legend. tints: of all that may be on the map."""
    hatch = style.style(name).hatch
    return {"facecolor": tints[name], "edgecolor": "white", "hatch": hatch, "linewidth": 0.6}


def write_in(ax: Axes, x: float, y: float, number: str, ground: str) -> None:
    """A number in an area of a map, on a ground of the area's colour without hatching."""
    box = {"boxstyle": "square,pad=0.1", "facecolor": ground, "edgecolor": "none"}
    ax.text(x, y, number, ha="center", va="center", fontsize=LETTERS, bbox=box)


def factor(times: float) -> str:
    """By how much the next best errs more, for an area; "" where the best errs not at all."""
    return "" if not isfinite(times) else f"×{times:.2g}" if times < 99.5 else f"×{times:.0f}"
