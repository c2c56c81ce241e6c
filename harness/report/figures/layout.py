"""How a figure is laid out: its panels on a page, what they are named by, the legend, and the title above them."""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil
from typing import Any, Literal

import matplotlib as mpl
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from harness.report.figures import direct
from harness.report.figures.caption import Caption
from harness.report.figures.legend import Quarter, legend
from harness.report.figures.lettering import fitted, write_out
from harness.report.figures.page import LEVEL, LINE, PageLayout, panel_order, thinned
from harness.report.figures.plot import Panel, Plot, by_panel, plots
from harness.report.figures.privacy import told_of_privacy
from harness.report.figures.rows import LINES, room_beside
from harness.report.figures.ticks import set_ticks
from harness.report.settings import View

NAMED = 0.55  # of a figure's width, that an axis has beside names of rows
BELOW = 1.3  # inches of a figure that are not its panels' where it is as high as its page
GAP = 0.06  # inches between the names of two rows


def laid_out(frame: pd.DataFrame, page: PageLayout, caption: Caption) -> tuple[Figure, Sequence[Panel]]:
    """Draws the figure of some rows; gives it, and its panels in the order of its axes. caption: the caption of the rows."""
    with mpl.rc_context(dict[Any, Any](page.settings)):
        return _drawn(frame, page, caption)


def _drawn(frame: pd.DataFrame, page: PageLayout, caption: Caption) -> tuple[Figure, Sequence[Panel]]:
    view = caption.view
    plot = plots()[view.figure.plot]
    panels = plot.panels(frame, view)
    columns = page.columns(len(panels), plot.stacked, plot.narrowest)
    order = panel_order(len(panels), plot.stacked, columns)
    figure, axes, height = _panelled(panels, order, columns, _natural(plot, frame, view, page), plot, page)
    taken = [ax for ax, place in zip(axes.flat, order, strict=False) if place is not None]
    panels = [panels[place] for place in order if place is not None]
    handles = plot.legend(frame, view)
    if columns <= page.beside:
        rows = axes[:1] if plot.stacked else axes
        handles = direct.beside(rows, handles, height, plot.named)
    marked, notes = told_of_privacy(frame, dict(by_panel(frame, view)), panels)
    for ax, panel, note in zip(taken, panels, notes, strict=True):
        room = page.inches / columns - LEVEL
        title = filter(None, (fitted(each, room, page.panel, most=4) for each in (panel.title, note)))
        ax.set_title("\n".join(title), fontsize=page.panel)
        if ax in axes[:, 0]:
            ax.set_ylabel(fitted(panel.y_label, height - LEVEL, page.label, most=4))
    quarter = Quarter.of([ax for ax in axes.flat if ax not in taken], page.inches / columns, height)
    for ax in _lowest(axes, taken) if plot.shared_x else ():
        ax.tick_params(labelbottom=True)
        beyond = max(ax.get_ylabel().count("\n") for ax in axes[:, 0]) - 1  # lines of a label that take from the panels' width
        narrow = max(0, beyond) * page.label * LINE / 72
        room = NAMED * page.inches if plot.tall else (page.inches - narrow) / columns - LEVEL
        ax.set_xlabel(fitted(plot.x_label(view), room, page.label))
    lines = legend(figure, handles, page, marked, quarter)
    inches = axes.shape[0] * height + 0.2 * lines + 0.3
    if page.titled:
        _head(figure, caption, page, inches)
    else:
        figure.set_size_inches(page.inches, min(inches, page.high))  # a long legend takes from the panels
        thinned(figure, taken)
    write_out(figure)
    return figure, panels


def _natural(plot: Plot, frame: pd.DataFrame, view: View, page: PageLayout) -> float:
    """How high a panel asks to be, in inches: so high that the names of its rows are read to their ends."""
    natural, names = plot.size(frame, view)[1], plot.names(frame, view)
    lines = [fitted(name, room_beside(page.inches), page.tick, most=LINES).count("\n") + 1 for name in names]
    return max(natural, len(names) * (max(lines, default=1) * page.tick * LINE / 72 + GAP) + LEVEL)


def _panelled(
    panels: Sequence[Panel], order: Sequence[int | None], columns: int, natural: float, plot: Plot, page: PageLayout
) -> tuple[Figure, NDArray[Any], float]:
    """The figure with its panels drawn, their axes row by row, and how high a panel is, in inches.

    order: which panel stands at each place.
    """
    lines = -(-len(order) // columns)
    broad = (page.inches - LEVEL) / columns
    height = natural if plot.tall else min(natural * page.label / 9, 0.9 * broad + 0.3)
    height = min(height, (page.high - BELOW) / lines)
    figure = Figure(figsize=(page.inches, height * lines + 1), layout="constrained")
    drawn = [None if place is None else panels[place] for place in order]
    apart = plot.shared_x and lines > 1 and disjoint(drawn, columns)
    share_x: Literal["col"] | bool = "col" if apart else plot.shared_x
    share_y: Literal["col", "all", "row"] = "col" if apart else plot.shared_y
    axes = figure.subplots(lines, columns, sharex=share_x, sharey=share_y, squeeze=False)
    taken = [(ax, panel) for ax, panel in zip(axes.flat, drawn, strict=False) if panel is not None]
    for ax, panel in taken:
        panel.draw(ax)
    for ax, _ in taken:  # axes that are shared have their last limits now
        set_ticks(ax)
    return figure, axes, height


def disjoint(panels: Sequence[Panel | None], columns: int) -> bool:
    """Whether columns of panels cover disjoint ranges of x, so that on one shared axis each column would be partly empty."""
    reaches = [[panel.extent for panel in panels[column::columns] if panel] for column in range(columns)]
    extents = [[extent for extent in own if extent] for own in reaches]
    if columns == 1 or not all(extents):
        return False
    ends = sorted((min(low for low, _ in own), max(high for _, high in own)) for own in extents)
    return all(high < low for (_, high), (low, _) in pairwise(ends))


def _lowest(axes: NDArray[Any], taken: Sequence[Axes]) -> list[Axes]:
    """The lowest panel of each column."""
    return [[ax for ax in column if ax in taken][-1] for column in axes.T]


def _head(figure: Figure, caption: Caption, page: PageLayout, inches: float) -> None:
    """The title, and what all panels share below it, in lines as long as the figure is wide; inches: of all below these."""
    title = fitted(caption.title, page.inches - 0.3, page.title, "bold")
    beneath = fitted(caption.beneath(int(16 * page.inches)), page.inches - 0.1, page.tick)
    head = (page.title * (1 + title.count("\n")) + page.tick * (1 + beneath.count("\n"))) * LINE / 72
    figure.set_size_inches(page.inches, inches + head)
    lines = 1 + title.count("\n") + (1 + beneath.count("\n")) * page.tick / page.title
    figure.suptitle(title + "\n" * ceil(lines - 1 - title.count("\n")), fontsize=page.title, fontweight="bold")
    top = 1 - (0.08 + page.title * LINE / 72 * (1 + title.count("\n"))) / (inches + head)
    figure.text(0.5, top, beneath, ha="center", va="top", fontsize=page.tick, color="#444444")
