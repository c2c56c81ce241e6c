"""How wide a figure is where it is read: a column or the text of a paper, where the caption says the rest, or a slide."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path
from matplotlib.ticker import FixedFormatter, FixedLocator

from harness.arrays import Reals
from harness.report.style import FONT

SMALLEST = 7.0  # points, of any letter, at a figure's own size
LINE = 1.25  # of a letter's size, from one line to the next
LEVEL = 0.4  # inches of a panel that have no letters
APART = 0.07  # inches between two numbers below an axis


@dataclass(frozen=True)
class PageLayout:
    """The sizes of a page on which figures are, and of their letters.
    inches: how wide a figure is, to the edge. high: how high at most, in inches: a page, or what its caption leaves of one.

    across: how many panels may stand side by side.
    titled: whether the title and the settings are in the picture; else the caption has them. beside: so many panels, or fewer,
    have names beside their lines. title, panel, label, tick: points of letters.
    """

    inches: float
    high: float
    across: int
    titled: bool
    beside: int
    title: float
    panel: float
    label: float
    tick: float

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings of matplotlib for the page."""
        sizes = {"axes.labelsize": self.label, "axes.titlesize": self.panel, "legend.fontsize": self.tick}
        return {"font.size": self.tick, "xtick.labelsize": self.tick, "ytick.labelsize": self.tick, **sizes}

    def columns(self, panels: int, stacked: int, least: float) -> int:
        """How many panels stand side by side; least: how many inches each needs."""
        most = max(1, min(self.across, int((self.inches - LEVEL) / least)))
        if stacked:
            return min(panels // stacked, most)
        return min(2 if panels in (2, 4) else 3, panels, most)


PAGES: Mapping[str, PageLayout] = {
    "column": PageLayout(3.3, 9.0, 2, titled=False, beside=0, title=8, panel=7, label=7.5, tick=7),
    "text": PageLayout(5.5, 8.8, 3, titled=False, beside=2, title=9, panel=7.5, label=8, tick=7),
    "slide": PageLayout(9.0, inf, 4, titled=True, beside=4, title=13, panel=10, label=10.5, tick=9),
}
SLIDE = PAGES["slide"]


def panel_order(count: int, stacked: int, columns: int) -> list[int | None]:
    """The index of the panel at each position of the grid, row by row, and None at empty ones, where rows of panels must wrap.

    None where no panel stands: what stands below a panel stays below it, and nothing else beside.
    """
    if not stacked or columns * stacked == count:
        return list(range(count))
    whole = count // stacked
    return [
        row * whole + at if at < whole else None
        for start in range(0, whole, columns)
        for row in range(stacked)
        for at in range(start, start + columns)
    ]


class Thinned(FixedFormatter):
    """Formats the numbers below an axis, of which some are left out. whole: all of them, in order."""

    def __init__(self, shown: Sequence[str], whole: Sequence[str]) -> None:
        super().__init__(shown)
        self.whole = whole


def thinned(figure: Figure, axes: Sequence[Axes]) -> None:
    """Leaves out numbers below axes that would stand over one another: every second one, or more."""
    figure.draw_without_rendering()
    for ax in axes:
        axis, dots = ax.xaxis, figure.dpi
        low, high = sorted(axis.get_view_interval())
        places = [float(place) for place in axis.get_majorticklocs() if low <= place <= high]
        texts = axis.get_major_formatter().format_ticks(places)
        if len(places) < 3 or any(label.get_rotation() for label in axis.get_majorticklabels()):
            continue
        pixels = ax.transData.transform([(place, 1.0) for place in places])[:, 0] / dots
        step = next((step for step in range(1, len(places)) if _apart(pixels[::step], texts[::step])), len(places) - 1)
        if step > 1:
            axis.set_major_locator(FixedLocator(places[::step]))
            axis.set_major_formatter(Thinned(texts[::step], texts))


def _apart(pixels: Reals, texts: Sequence[str]) -> bool:
    """Whether texts in the middle of places, in inches, do not touch."""
    font = FontProperties(family=FONT, size=SMALLEST)
    half = [text_to_path.get_text_width_height_descent(text, font, ismath=False)[0] / 144 for text in texts]
    return bool(np.all(np.diff(pixels) > np.add(half[:-1], half[1:]) + APART))
