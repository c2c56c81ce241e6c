"""A figure of a table: what was measured with intervals, what is claimed, and where a claim says nothing."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from io import BytesIO
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from harness.registry import parts
from harness.report import numerals, style
from harness.report.figures import direct
from harness.report.figures.latex import in_latex
from harness.report.figures.lettering import fitted, write_out
from harness.report.figures.plot import Panel, Plot
from harness.report.figures.privacy import told_of_privacy
from harness.report.figures.ticks import set_ticks
from harness.report.pictures import of_few_colours
from harness.report.settings import Settings, View
from harness.report.stored import FORMATS
from harness.sweep.cells import Cells
from harness.sweep.ours import MAKER
from harness.text import one_line

COLOURS = 128  # of a PNG
METADATA = {"png": None, "pdf": {"Creator": MAKER, "CreationDate": None}}
ACROSS = 8.1  # inches, all columns: wider figures are too small when printed
LINE_HEIGHT = 0.183  # inches, of the title
LONG = 40  # letters of a panel's title that would run into the next
INSTANCE = {"concept": "class", "distribution": "distribution", "learner": "learner", "analyst": "analyst"}
"""Axes of names that say what was learned from, whoever answers; and what a caption calls them."""
FEW = 4  # names in a caption that are said with their parameters; of one name only two
FIRST = ("n", "m", "V", "T", "ε", "δ", "β", "γ")  # of what all panels share; the others follow


def plots() -> Mapping[str, Plot]:
    """Every plot by name."""
    return parts("plot")


def rendered(frame: pd.DataFrame, view: View, formats: Sequence[str] = FORMATS) -> dict[str, bytes]:
    """A table drawn as its spec asks, as what a file of each format would hold: a PNG, a PDF, and the caption in LaTeX.

    Nothing is written, so that nothing is left of a drawing that is killed.
    """
    made = dict[str, bytes]()
    with style.used():
        figure = drawn(frame, view) if {*formats} != {"tex"} else Figure()
        for suffix in formats:
            if suffix == "tex":
                made[suffix] = caption_of(described(frame, view), view).encode()
                continue
            file = BytesIO()
            figure.savefig(file, format=suffix, metadata=METADATA[suffix])
            figure.set_layout_engine(None)  # all is in its place for the next format
            made[suffix] = lighten(file) if suffix == "png" else file.getvalue()
    return made


def lighten(png: BytesIO) -> bytes:
    """A PNG with as few colours as it needs, a third of its size, which says what made it."""
    with Image.open(png) as image:
        few = of_few_colours(image, COLOURS)
    said, written = PngInfo(), BytesIO()
    said.add_text("Software", MAKER)
    few.save(written, "png", optimize=True, pnginfo=said)
    return written.getvalue()


def caption_of(said: str, view: View) -> str:
    """What stands in a figure's caption file: what it says, and in a comment a digest of what the spec asked to be drawn."""
    asked = sha256(view.figure.model_dump_json(exclude_defaults=True).encode()).hexdigest()[:12]
    return f"{in_latex(said)}% drawn as {asked}\n"


def described(rows: pd.DataFrame | Cells, view: View) -> str:
    """The caption: the message, the question, what to see, and the instance with how it is drawn."""
    plot = plots()[view.figure.plot]
    shared = _caption(Cells.of(rows), view, plot, room=0).replace("\n", "; ")
    instance = "; ".join([*_instance(view.settings), shared])
    said = (view.spec.title, view.spec.question, view.figure.see, f"Instance: {instance}")
    sentences = [one_line(each) for each in said if each]
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


def drawn(frame: pd.DataFrame, view: View) -> Figure:
    """The figure of a table, as its spec asks for it."""
    plot = plots()[view.figure.plot]
    panels = plot.panels(frame, view)
    columns = len(panels) // plot.stacked if plot.stacked else 2 if len(panels) in (2, 4) else min(3, len(panels))
    lines = -(-len(panels) // columns)
    width, height = plot.size(frame, view)
    width = min(width, ACROSS / columns)
    figure = Figure(figsize=(max(5.4, 1.2 + width * columns), 1.5 + height * lines), layout="constrained")
    apart = plot.shared_x and lines > 1 and disjoint(panels, columns)
    share_x: Literal["col"] | bool = "col" if apart else plot.shared_x
    share_y: Literal["col", "all", "row"] = "col" if apart else plot.shared_y
    axes = figure.subplots(lines, columns, sharex=share_x, sharey=share_y, squeeze=False)
    for ax, panel in zip(axes.flat, panels, strict=False):
        panel.draw(ax)
    for ax in axes.flat[: len(panels)]:  # axes that are shared have their last limits now
        set_ticks(ax)
    handles = plot.legend(frame, view)
    handles = direct.beside(figure, axes[:1] if plot.stacked else axes, handles, height, plot.named)
    inches = float(figure.get_size_inches()[0])
    longest = max(len(line) for panel in panels for line in panel.title.split("\n"))
    points = 10 if longest < LONG else 8
    marked, notes = told_of_privacy(frame, view, panels)
    for ax, panel, note in zip(axes.flat, panels, notes, strict=False):
        room = inches / columns - 0.3
        title = filter(None, (fitted(panel.title, room, points), fitted(note, room, points)))
        ax.set_title("\n".join(title), fontsize=points)
        if ax in axes[:, 0]:
            ax.set_ylabel(fitted(panel.y_label, height - 0.4, 10))
    for ax in axes.flat[len(panels) :]:
        ax.remove()
    for ax in _lowest(axes, len(panels)) if plot.shared_x else ():
        ax.tick_params(labelbottom=True)
        ax.set_xlabel(fitted(plot.x_label(view), inches / columns - 0.3, 10))
    _head(figure, one_line(view.spec.title), _caption(Cells.of(frame), view, plot, room=int(16 * inches)))
    _legend(figure, handles, inches, marked)
    write_out(figure)
    return figure


def disjoint(panels: Sequence[Panel], columns: int) -> bool:
    """Whether several columns of panels have their points apart along x: on one axis each would be empty where others are."""
    reaches = [[panel.extent for panel in panels[column::columns]] for column in range(columns)]
    known = [[extent for extent in own if extent] for own in reaches]
    if columns == 1 or not all(known):
        return False
    ends = sorted((min(low for low, _ in own), max(high for _, high in own)) for own in known)
    return all(high < low for (_, high), (low, _) in pairwise(ends))


def _lowest(axes: NDArray[Any], count: int) -> list[Axes]:
    """The lowest panel of each column, of so many that are drawn row by row."""
    columns = axes.shape[1]
    return list(axes.flat[max(0, count - columns) : count])


def _head(figure: Figure, title: str, caption: str) -> None:
    """The title, and what all panels share below it, in lines as long as the figure is wide."""
    width, height = figure.get_size_inches()
    title = fitted(title, width - 0.3, 11, "bold")
    caption = fitted(caption, width - 0.1, 7.5)
    figure.suptitle(title + "\n" * (1 + caption.count("\n")), fontsize=11, fontweight="bold")
    top = 1 - (0.24 + LINE_HEIGHT * title.count("\n")) / height
    figure.text(0.5, top, caption, ha="center", va="top", fontsize=7.5, color="#444444")


def _legend(figure: Figure, handles: Sequence[Artist], width: float, marked: Mapping[str, str]) -> None:
    """What the signs mean, below all panels, in as many columns as the width in inches has room for.

    marked: what else is to be said, by what the signs mean.
    """
    if not handles:
        return
    said = [str(handle.get_label()) for handle in handles]
    labels = [fitted(f"{each} ({marked[each]})" if each in marked else each, width - 1, 8, most=2) for each in said]
    letters = max(len(line) for label in labels for line in label.split("\n"))
    fitting = max(1, int(width / (0.45 + 0.062 * letters)))  # inches a column of the legend takes
    blanks = [""] * len(handles)  # what begins with _ would be left out
    legend = figure.legend(handles, blanks, loc="outside lower center", ncols=min(4, fitting), fontsize=8, frameon=False)
    for text, label in zip(legend.get_texts(), labels, strict=True):
        text.set_text(label)


def _caption(cells: Cells, view: View, plot: Plot, room: int) -> str:
    """What the panels share, in one line of so many letters or in two."""
    heads = cells.heads
    own = [column for column in view.settings.trials.columns if column.caption]
    own.sort(key=lambda column: FIRST.index(column.symbol) if column.symbol in FIRST else len(FIRST))
    same = [column for column in own if column.is_number and heads[column.name].nunique() == 1]
    shared = [f"{column.symbol} = {numerals.number(heads[column.name].iloc[0])}" for column in same]
    shared += [f"{column.name}: {', '.join(heads[column.name].unique())}" for column in own if not column.is_number]
    counts = np.bincount(cells.numbers, cells.counts, minlength=1).astype(np.int64)
    trials = f"{counts.min():,}" + (f" to {counts.max():,}" if counts.max() > counts.min() else "")
    measured = f"{trials} trials a point; " if counts.max() > 1 else ""
    what, how = ", ".join(shared), f"{measured}{plot.caption(view)}"
    return f"{what}; {how}" if len(what) + len(how) < room else f"{what}\n{how}"
