"""A figure of a table: what was measured with intervals, what is claimed, and where a claim says nothing."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from itertools import pairwise
from math import ceil
from typing import Any, Literal

import matplotlib as mpl
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from harness.registry import parts
from harness.report import numerals, style
from harness.report.figures import direct
from harness.report.figures.legend import Quarter, legend
from harness.report.figures.lettering import fitted, write_out
from harness.report.figures.page import LEVEL, LINE, PAGES, SLIDE, PageLayout, panel_order, thinned
from harness.report.figures.plot import Panel, Plot
from harness.report.figures.privacy import told_of_privacy
from harness.report.figures.rows import LINES, room_beside
from harness.report.figures.seen import Reading
from harness.report.figures.svg import slim
from harness.report.figures.ticks import set_ticks
from harness.report.figures.values import MarkValues, values
from harness.report.headline import headline
from harness.report.mathematics import typeset
from harness.report.settings import Settings, View
from harness.report.stored import FORMATS
from harness.sweep.files.ownership import MAKER
from harness.sweep.table.cells import Cells
from harness.sweep.table.long import Spread
from harness.sweep.table.table import Table
from harness.text import one_line

COLOURS = 128  # of a PNG
METADATA = {"png": None, "pdf": {"Creator": MAKER, "CreationDate": None}, "svg": {"Date": None}}
SCREEN = ("png", "svg")
"""What is as wide as a slide, whatever a spec asks for."""
NAMED = 0.55  # of a figure's width, that an axis has beside names of rows
BELOW = 1.3  # inches of a figure that are not its panels' where it is as high as its page
GAP = 0.06  # inches between the names of two rows
INSTANCE = {"concept": "class", "distribution": "distribution", "learner": "learner", "analyst": "analyst"}
"""Axes of names that say what was learned from, whoever answers; and what a caption calls them."""
FEW = 4  # names in a caption that are said with their parameters; of one name only two
FIRST = ("n", "m", "V", "T", "ε", "δ", "β", "γ")  # of what all panels share; the others follow


def plots() -> Mapping[str, Plot]:
    """Every plot by name."""
    return parts("plot")


def shown(table: Table, view: View) -> tuple[pd.DataFrame, View]:
    """The rows and the view that a table's figure is drawn from: all rows; of a long one those that its plot needs first."""
    cells = table.cells
    if isinstance(cells, Spread) and plots()[view.figure.plot].by_cell:
        return cells.distinct, replace(view, spread=cells)
    return table.frame(), view


def rendered(frame: pd.DataFrame, view: View, formats: Sequence[str] = FORMATS, width: str | None = None) -> dict[str, bytes]:
    """A table's figure as bytes by format: PNG, PDF, SVG, and the caption in LaTeX.

    width: of all pictures, one of PAGES. By default a PDF is as wide as the spec asks; what is for screens is a slide. Nothing
    is written, so that nothing is left of a drawing that is killed.
    """
    made, figures = dict[str, bytes](), dict[str, tuple[Figure, Sequence[Panel]]]()
    with style.used():
        for suffix in formats:
            if suffix == "tex":
                made[suffix] = caption_of(described(frame, view), view).encode()
                continue
            page, file = width or ("slide" if suffix in SCREEN else view.figure.width), BytesIO()
            if page not in figures:
                figures[page] = _laid_out(frame, view, PAGES[page])
            figure, panels = figures[page]
            figure.savefig(file, format=suffix, metadata=METADATA[suffix])
            figure.set_layout_engine(None)  # all is in its place for the next format
            made[suffix] = lighten(file) if suffix == "png" else file.getvalue()
            if suffix == "svg":
                made[suffix] = slim(made[suffix], _values(figure, panels, frame, view))
    return made


def values_of(frame: pd.DataFrame, view: View) -> MarkValues:
    """The numbers that a table's figure shows: a row a mark."""
    with style.used():
        figure, panels = _laid_out(frame, view, PAGES["slide"])
    return _values(figure, panels, frame, view)


def _values(figure: Figure, panels: Sequence[Panel], frame: pd.DataFrame, view: View) -> MarkValues:
    plot = plots()[view.figure.plot]
    return values(Reading(plot, frame, view).of(figure, panels), plot, frame, view)


def lighten(png: BytesIO) -> bytes:
    """A PNG with as few colours as it needs, a third of its size, and with what made it."""
    with Image.open(png) as image:
        few = image.convert("RGB").quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    metadata, written = PngInfo(), BytesIO()
    metadata.add_text("Software", MAKER)
    few.save(written, "png", optimize=True, pnginfo=metadata)
    return written.getvalue()


def caption_of(text: str, view: View) -> str:
    """The content of a figure's caption file: the caption, and in a comment a digest of what the spec asked to be drawn."""
    digest = sha256(view.figure.model_dump_json(exclude_defaults=True).encode()).hexdigest()[:12]
    return f"{typeset(text)}\n% drawn as {digest}\n"


def described(rows: pd.DataFrame | Cells, view: View, message: str = "", as_table: bool = False) -> str:
    """The caption of a table's figure: the message, the question, what to see, and the instance with how it is drawn.

    message: the headline, where it is known already. as_table: whether it is that of a table of what is drawn, in which there
    is neither a colour nor an axis.
    """
    plot, cells = plots()[view.figure.plot], view.spread or Cells.of(rows)
    how = plot.of_numbers(view) if as_table else plot.caption(view)
    shared = _caption(cells, view, how, room=0).replace("\n", "; ")
    instance = "; ".join([*_instance(view.settings), shared])
    see = "" if as_table else view.figure.see
    texts = (message or headline(cells, view), view.spec.question, see, f"Instance: {instance}")
    sentences = [one_line(each) for each in texts if each]
    return " ".join(each if each[-1] in ".?!" else f"{each}." for each in sentences)


def _instance(settings: Settings) -> Iterator[str]:
    """What all cells together were learned from, axis by axis; of many values of one only what they name."""
    for axis in (axis for axis in INSTANCE if axis in type(settings.cells[0]).model_fields):
        cells = list(settings.by_identity)
        values, bare = (list(dict.fromkeys(said(cell, axis) for cell in cells)) for said in (settings.value, settings.bare))
        if len(values) > (2 if len(bare) == 1 else FEW):
            values = bare
        if values != ["none"]:
            yield f"{INSTANCE[axis]} {' and '.join(filter(None, (', '.join(values[:-1]), values[-1])))}"


def drawn(frame: pd.DataFrame, view: View, page: PageLayout = SLIDE) -> Figure:
    """The matplotlib figure of a table, as its spec asks for it, on a page."""
    return _laid_out(frame, view, page)[0]


def _laid_out(frame: pd.DataFrame, view: View, page: PageLayout) -> tuple[Figure, Sequence[Panel]]:
    """The figure, and its panels in the order of its axes."""
    with mpl.rc_context(dict[Any, Any](page.settings)):
        return _drawn(frame, view, page)


def _drawn(frame: pd.DataFrame, view: View, page: PageLayout) -> tuple[Figure, Sequence[Panel]]:
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
    marked, notes = told_of_privacy(frame, view, panels)
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
        cells = view.spread or Cells.of(frame)
        _head(
            figure, headline(cells, view), _caption(cells, view, plot.caption(view), room=int(16 * page.inches)), page, inches
        )
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
    """Whether columns of panels have their points apart along x: on one axis each would be empty where others are."""
    reaches = [[panel.extent for panel in panels[column::columns] if panel] for column in range(columns)]
    extents = [[extent for extent in own if extent] for own in reaches]
    if columns == 1 or not all(extents):
        return False
    ends = sorted((min(low for low, _ in own), max(high for _, high in own)) for own in extents)
    return all(high < low for (_, high), (low, _) in pairwise(ends))


def _lowest(axes: NDArray[Any], taken: Sequence[Axes]) -> list[Axes]:
    """The lowest panel of each column."""
    return [[ax for ax in column if ax in taken][-1] for column in axes.T]


def _head(figure: Figure, title: str, caption: str, page: PageLayout, inches: float) -> None:
    """The title, and what all panels share below it, in lines as long as the figure is wide; inches: of all below these."""
    title = fitted(title, page.inches - 0.3, page.title, "bold")
    caption = fitted(caption, page.inches - 0.1, page.tick)
    head = (page.title * (1 + title.count("\n")) + page.tick * (1 + caption.count("\n"))) * LINE / 72
    figure.set_size_inches(page.inches, inches + head)
    lines = 1 + title.count("\n") + (1 + caption.count("\n")) * page.tick / page.title
    figure.suptitle(title + "\n" * ceil(lines - 1 - title.count("\n")), fontsize=page.title, fontweight="bold")
    top = 1 - (0.08 + page.title * LINE / 72 * (1 + title.count("\n"))) / (inches + head)
    figure.text(0.5, top, caption, ha="center", va="top", fontsize=page.tick, color="#444444")


def _caption(cells: Cells, view: View, how: str, room: int) -> str:
    """What the panels share, in one line of so many letters or in two. how: they are drawn."""
    heads = cells.heads
    captioned = [column for column in view.settings.trials.columns if column.caption]
    captioned.sort(key=lambda column: FIRST.index(column.symbol) if column.symbol in FIRST else len(FIRST))
    same = [column for column in captioned if column.is_number and heads[column.name].nunique() == 1]
    shared = [f"{column.symbol} = {numerals.number(heads[column.name].iloc[0])}" for column in same]
    shared += [f"{column.name}: {', '.join(heads[column.name].unique())}" for column in captioned if not column.is_number]
    counts = cells.trials
    trials = f"{counts.min():,}" + (f" to {counts.max():,}" if counts.max() > counts.min() else "")
    measured = f"{trials} trials a point; " if counts.max() > 1 else ""
    what, how = ", ".join(shared), (measured + how).removesuffix("; ")
    return f"{what}; {how}" if len(what) + len(how) < room else f"{what}\n{how}"
