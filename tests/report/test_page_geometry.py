"""Where the parts of a figure stand: how high panels are, which share their axes, and how much room what is above them has.

Of panels of a made-up plot, so that every number can be reckoned by hand: a panel asks for 3.2 by 2.6 inches.
"""

from collections.abc import Sequence
from math import inf
from typing import ClassVar, Literal

import pandas as pd
import pytest
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from harness.report import style
from harness.report.figures import layout
from harness.report.figures.caption import Caption
from harness.report.figures.page import PAGES, SLIDE
from harness.report.figures.plot import Panel, Plot
from harness.report.settings import View
from tests.support.committed import sweep_of

NO_ROWS = pd.DataFrame({"mechanism": [], "cell": []})
ONE, TWO = "A short title", "A title " + "of many words " * 8
Extents = Sequence[tuple[float, float] | None]


class Made(Plot):
    """So many panels, each with a line over its extent."""

    name: ClassVar[str] = "made"

    def __init__(self, extents: Extents, shared_y: Literal["all", "row"] = "all", high: float = 0.0) -> None:
        self.extents, self.high = extents, high
        self.shared_y, self.tall = shared_y, high > 0  # type: ignore[misc]

    def size(self, frame: pd.DataFrame, view: View) -> tuple[float, float]:
        return (3.2, self.high) if self.tall else super().size(frame, view)

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        return [Panel(f"panel {place}", "y", self.line(place), extent) for place, extent in enumerate(self.extents)]

    def line(self, place: int) -> "Drawer":
        return Drawer(self.extents[place] or (1.0, 2.0), place)

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        return []

    def caption(self, view: View) -> str:
        return ""


class Drawer:
    """A line over an extent, the higher the later."""

    def __init__(self, extent: tuple[float, float], place: int) -> None:
        self.extent, self.place = extent, place

    def __call__(self, ax: Axes) -> None:
        ax.plot(self.extent, (self.place, self.place + 1))


@pytest.fixture
def laid_out(monkeypatch: pytest.MonkeyPatch) -> "Layer":
    return Layer(monkeypatch)


class Layer:
    """Lays out a made-up plot, under a title and a caption."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.patch = patch

    def __call__(self, plot: Plot, width: str, title: str = ONE, caption: str = "what they share") -> Figure:
        view = View.of(sweep_of("quickstart"))
        self.patch.setattr(layout, "plots", lambda: {view.figure.plot: plot})
        self.patch.setattr(layout, "by_panel", lambda frame, view: ())
        self.patch.setattr(layout, "told_of_privacy", lambda frame, rows, panels: ({}, [""] * len(panels)))
        with style.used():
            return layout.laid_out(NO_ROWS, PAGES[width], Shared(view, title, caption, ""))[0]


class Shared(Caption):
    """What panels share, and nothing of how they are drawn."""

    def beneath(self, room: int) -> str:
        assert room == 16 * PAGES["slide"].inches  # letters of the smaller size that are as long as a slide is wide
        return self.shared


@pytest.mark.at_once("slide-1-1-3.033333333333333", "slide-3-1-2.88", "column-1-1-2.1666666666666665", "column-2-1-1.605")
@pytest.mark.parametrize(
    ("width", "count", "lines", "height"),
    [
        ("column", 1, 1, 2.6 * 7.5 / 9),  # as high as it asks to be, in letters of its page
        ("column", 2, 1, 0.9 * 1.45 + 0.3),  # no higher than nine tenths of its breadth, and what has no letters
        ("column", 3, 2, 0.9 * 1.45 + 0.3),
        ("text", 2, 1, 2.6 * 8 / 9),
        ("text", 3, 1, 0.9 * 1.7 + 0.3),
        ("text", 4, 2, 2.6 * 8 / 9),
        ("slide", 1, 1, 2.6 * 10.5 / 9),
        ("slide", 3, 1, 0.9 * 8.6 / 3 + 0.3),
    ],
)
def test_panels_are_as_high_as_they_ask_for_or_as_their_breadth_allows(
    laid_out: Layer, width: str, count: int, lines: int, height: float
) -> None:
    figure = laid_out(Made([None] * count), width)
    inches = lines * height + 0.3
    assert figure.get_figwidth() == PAGES[width].inches
    head = (13 + 9) * 1.25 / 72 if width == "slide" else 0.0  # a line of each
    assert figure.get_figheight() == pytest.approx(inches + head)
    if width != "slide":
        assert figure.texts == [] and figure.get_suptitle() == ""


@pytest.mark.parametrize(("width", "inches"), [("column", 9.0 - 1.0), ("text", 8.8 - 1.0), ("slide", 30.3 + 22 * 1.25 / 72)])
def test_a_figure_is_no_higher_than_its_page_unless_it_is_a_slide(laid_out: Layer, width: str, inches: float) -> None:
    """Of a plot whose one panel asks for 30 inches, an inch of a page is left; so it is where panels stand in several rows."""
    figure = laid_out(Made([None], high=30.0), width)
    assert figure.get_figheight() == pytest.approx(inches) and SLIDE.high == inf
    if width != "slide":
        several = laid_out(Made([None] * 7, high=30.0), width)
        assert len({round(ax.get_position().y0, 6) for ax in several.axes}) > 1
        assert several.get_figheight() == pytest.approx(inches)


@pytest.mark.at_once("one line-one line", "two lines-two lines")
@pytest.mark.parametrize("title", [ONE, TWO], ids=["one line", "two lines"])
@pytest.mark.parametrize("caption", ["few words", "few words\nand more"], ids=["one line", "two lines"])
def test_a_title_and_what_panels_share_stand_above_one_another_and_close(laid_out: Layer, title: str, caption: str) -> None:
    """Within the figure, and never over a panel's title; nothing between them is as high as three of their lines."""
    figure = laid_out(Made([None] * 2), "slide", title, caption)
    figure.draw_without_rendering()
    lines = 1 + figure.get_suptitle().rstrip("\n").count("\n")
    assert lines == (1 if title == ONE else 2)
    high, below = figure.get_figheight(), figure.texts[1].get_window_extent()
    of_panel = max(ax.title.get_window_extent().y1 for ax in figure.axes)
    letters = 13 * 1.25 / 72
    assert 0.05 < high - below.y1 / figure.dpi - lines * letters < letters / 2  # the title's lines fit above it
    assert 0 <= (below.y0 - of_panel) / figure.dpi < 2 * letters
    assert figure.get_figheight() == pytest.approx(
        0.3 + 2.6 * 10.5 / 9 + (13 * lines + 9 * (1 + caption.count("\n"))) * 1.25 / 72
    )


APART, TOUCHING = [(1.0, 2.0), (30.0, 40.0)] * 2, [(1.0, 2.0), (2.0, 40.0)] * 2


@pytest.mark.parametrize(("extents", "apart"), [(APART, True), (TOUCHING, False)])
@pytest.mark.parametrize("shared_y", ["all", "row"])
def test_columns_have_axes_of_their_own_where_their_points_are_apart(
    laid_out: Layer, extents: Extents, apart: bool, shared_y: Literal["all", "row"]
) -> None:
    upper_left, upper_right, lower_left, lower_right = laid_out(Made(extents, shared_y), "slide").axes
    assert upper_left.get_xlim() == lower_left.get_xlim() and upper_right.get_xlim() == lower_right.get_xlim()
    assert (upper_left.get_xlim() == upper_right.get_xlim()) is not apart
    assert (upper_left.get_ylim() == lower_left.get_ylim()) is (apart or shared_y == "all")
    assert (upper_left.get_ylim() == upper_right.get_ylim()) is not apart
    assert [ax.get_title() for ax in (upper_left, upper_right, lower_left, lower_right)] == [f"panel {i}" for i in range(4)]
    assert [ax.get_ylabel() for ax in (upper_left, upper_right, lower_left, lower_right)] == ["y", "", "y", ""]
    assert (upper_left.get_xlabel(), upper_right.get_xlabel()) == ("", "") and lower_left.get_xlabel() != ""


@pytest.mark.parametrize(
    ("width", "panel", "label", "tick"), [("column", 7, 7.5, 7), ("text", 7.5, 8, 7), ("slide", 10, 10.5, 9)]
)
def test_letters_have_the_size_of_their_page(laid_out: Layer, width: str, panel: float, label: float, tick: float) -> None:
    """Titles of panels, names of axes, and numbers; of a paper none is smaller than 7 points."""
    figure = laid_out(Made([None] * 2), width)
    for ax in figure.axes:
        sizes = [ax.title.get_fontsize(), ax.xaxis.label.get_fontsize(), ax.get_xticklabels()[0].get_fontsize()]
        assert sizes == [panel, label, tick]
    if width == "slide":
        assert [text.get_fontsize() for text in figure.texts] == [13, tick]
