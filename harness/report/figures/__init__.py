"""A figure of a table: what was measured with intervals, what is claimed, and where a claim says nothing."""

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO

import pandas as pd
from matplotlib.figure import Figure
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from harness.report import style
from harness.report.figures.caption import Caption, caption_of
from harness.report.figures.layout import laid_out
from harness.report.figures.page import PAGES, SLIDE, PageLayout
from harness.report.figures.plot import Panel, plots
from harness.report.figures.svg import slim
from harness.report.figures.values import MarkValues, values
from harness.report.settings import View
from harness.report.stored import FORMATS
from harness.sweep.files.ownership import MAKER
from harness.sweep.table.long import Spread
from harness.sweep.table.table import Table

COLOURS = 128  # of a PNG
METADATA = {"png": None, "pdf": {"Creator": MAKER, "CreationDate": None}, "svg": {"Date": None}}
SCREEN = ("png", "svg")
"""What is as wide as a slide, whatever a spec asks for."""


def shown(table: Table, view: View) -> tuple[pd.DataFrame, View]:
    """The rows and the view to draw a table's figure from: all rows, or of a long table the distinct ones if these do."""
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
    caption = Caption.of(frame, view)
    with style.used():
        for suffix in formats:
            if suffix == "tex":
                made[suffix] = caption_of(caption.text(), view).encode()
                continue
            page, file = width or ("slide" if suffix in SCREEN else view.figure.width), BytesIO()
            if page not in figures:
                figures[page] = laid_out(frame, PAGES[page], caption)
            figure, panels = figures[page]
            figure.savefig(file, format=suffix, metadata=METADATA[suffix])
            figure.set_layout_engine(None)  # all is in its place for the next format
            made[suffix] = lighten(file) if suffix == "png" else file.getvalue()
            if suffix == "svg":
                made[suffix] = slim(made[suffix], values(figure, panels, frame, view))
    return made


def values_of(frame: pd.DataFrame, view: View) -> MarkValues:
    """The numbers that a table's figure shows: a row a mark."""
    with style.used():
        figure, panels = laid_out(frame, PAGES["slide"], Caption.of(frame, view))
    return values(figure, panels, frame, view)


def lighten(png: BytesIO) -> bytes:
    """Compresses a PNG to a palette of few colours, a third of its size, and writes into its metadata what made it."""
    with Image.open(png) as image:
        few = image.convert("RGB").quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    metadata, written = PngInfo(), BytesIO()
    metadata.add_text("Software", MAKER)
    few.save(written, "png", optimize=True, pnginfo=metadata)
    return written.getvalue()


def drawn(frame: pd.DataFrame, view: View, page: PageLayout = SLIDE) -> Figure:
    """The matplotlib figure of a table's rows, drawn as the spec asks. page: the sizes of the page and of its letters."""
    return laid_out(frame, page, Caption.of(frame, view))[0]
