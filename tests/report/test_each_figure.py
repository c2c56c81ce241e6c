"""Each plot, by the spec with the shortest table: its colours and names, that it is true of its rows, read in a column and told
in numbers, where it is drawn quickly. At night every plot, and each figure. They are together because to draw takes longest,
and is done once.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring

import numpy as np
import pytest
from matplotlib.artist import Artist
from matplotlib.axis import Axis
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text

from harness.registry import parts
from harness.report.figures.marks import BAND
from harness.report.figures.page import PAGES, SMALLEST
from harness.report.looks import LOOKS, PLACES
from harness.report.style import MARKERS, lightness, style
from tests.report.pictured import SHADE, legend, sampled, saved
from tests.support.committed import SHORT_OF, SPECS


def named(figure: Figure) -> dict[str, Artist]:
    """What the legend names, by the name without what else it says."""
    handles = [each for legend in figure.legends for each in legend.legend_handles if each is not None]
    texts = [text.get_text() for legend in figure.legends for text in legend.get_texts()]
    return {text.replace("\n", " ").split(" (spends")[0]: handle for text, handle in zip(texts, handles, strict=True)}


def beside(figure: Figure) -> dict[str, str]:
    """The colours of names that stand beside lines."""
    return {text.get_text().replace("\n", " "): to_hex(text.get_color()) for ax in figure.axes for text in ax.texts}


def look_of(handle: Artist) -> tuple[str, object, object]:
    """What grey print shows of an entry, but for its lightness; and its colour."""
    if isinstance(handle, Line2D):
        return to_hex(handle.get_color()).upper(), str(handle.get_marker()), (handle.get_linestyle(), handle.get_linewidth())
    assert isinstance(handle, Patch)
    return to_hex(handle.get_facecolor()).upper(), handle.get_hatch(), "area"


def refuse_confusion(figure: Figure, known: dict[str, set[str]]) -> None:
    """Raises AssertionError where a name has not the colour of the table, two have one, or entries look alike in grey."""
    entries = named(figure)
    for name in entries.keys() & known.keys():
        handle = entries[name]
        if isinstance(handle, Line2D):
            assert look_of(handle)[0] in known[name], name
    for name, colour in beside(figure).items():
        assert name not in known or to_hex(colour).upper() in known[name], name
    told = [colour for name, colour in beside(figure).items() if name in known]
    assert len(set(told)) == len(told), "two names beside lines are of one hue"
    for (one, first), (other, second) in combinations(entries.items(), 2):
        (one_colour, *one_form), (other_colour, *other_form) = look_of(first), look_of(second)
        changed = one.startswith(f"{other} with ") or other.startswith(f"{one} with ")
        assert one_colour != other_colour or changed or not {one, other} <= known.keys(), f"{one} and {other} are of one hue"
        shade = abs(lightness(one_colour) - lightness(other_colour))
        assert one_form != other_form or shade > SHADE, f"{one} and {other} look alike in grey"


def known_colours() -> dict[str, set[str]]:
    """By name, the colour of the table; of names that several have, theirs."""
    found = defaultdict(set)
    for name in (*LOOKS, *PLACES):
        found[style(name).legend].add(style(name).colour.upper())
    return found


def pale(figure: Figure) -> bool:
    """Whether any panel has a band where a bound lies on another's."""
    lines = (line for ax in figure.axes for line in ax.get_lines())
    return any(line.get_linewidth() == BAND and np.isfinite(np.asarray(line.get_ydata(), float)).any() for line in lines)


def numbered(axis: Axis) -> int:
    """How many numbers or names stand beside an axis, within what is seen of it."""
    low, high = sorted(axis.get_view_interval())
    places, minor = (list(map(float, at)) for at in (axis.get_majorticklocs(), axis.get_minorticklocs()))
    said = [*axis.get_major_formatter().format_ticks(places), *axis.get_minor_formatter().format_ticks(minor)]
    return sum(low <= place <= high and bool(text) for place, text in zip([*places, *minor], said, strict=True))


def refuse_untrue(figure: Figure) -> None:
    """Raises AssertionError where a band is in the figure or in the legend alone, or an axis has less than two numbers."""
    entries = legend(figure) if figure.legends else []
    assert pale(figure) == any(entry.startswith("pale: ") for entry in entries)
    figure.draw_without_rendering()
    for ax in figure.axes:
        for name, axis in (("x", ax.xaxis), ("y", ax.yaxis)):
            several = axis.get_view_interval()[0] != axis.get_view_interval()[1] and ax.get_lines()
            assert not several or numbered(axis) > 1 or single(axis), f"{ax.get_title()}: {name}"


def single(axis: Axis) -> bool:
    """Whether all of an axis is one value, or one row."""
    places = axis.get_majorticklocs()
    return len(places) == 1 and axis.get_scale() == "linear"


def letters(artist: Artist) -> Iterator[Text]:
    """Every text that is seen."""
    for each in artist.findobj(Text):
        if isinstance(each, Text) and each.get_visible() and each.get_text().strip():
            yield each


def refuse_unreadable(path: Path, width: str) -> None:
    """Raises AssertionError where a figure is not as wide as its page, has small letters, or a title that is the caption's."""
    figure, page = sampled(path, width), PAGES[width]
    assert figure.get_figwidth() == page.inches and figure.get_figheight() <= page.high, path.stem
    assert all(float(text.get_fontsize()) >= SMALLEST for text in letters(figure)), path.stem
    assert bool(figure.get_suptitle()) == bool(figure.texts) == page.titled
    labels = [label for ax in figure.axes for label in (ax.title, ax.xaxis.label, ax.yaxis.label, *ax.texts)]
    for text in filter(Text.get_text, [*labels, *(text for each in figure.legends for text in each.get_texts())]):
        box = text.get_window_extent()
        assert box.x0 > -2 and box.x1 < figure.bbox.width + 2, f"{path.stem}: {text.get_text()} is cut"
    assert all(apart(ax.get_yticklabels()) for ax in figure.axes), path.stem


def apart(names: Iterable[Text]) -> bool:
    """Whether no two names of rows, or numbers of an axis, stand in one another."""
    boxes = sorted((box.y0, box.y1) for box in (name.get_window_extent() for name in names if name.get_text()))
    return all(lower[1] <= upper[0] + 1 for lower, upper in pairwise(boxes))


ON_TOP = {"stability", "capacity", "widths"}
"""Plots in which a line of what is claimed is not below the marks: one would hide the other where both are one."""

OF_SIZES = {"public_points"}
"""In which marks are the smaller the later they are drawn, as none is to hide another."""


def refuse_faint(plot: str, figure: Figure) -> None:
    """Raises AssertionError where a line or mark is thin or thick, the legend's are of other sizes, or a claim hides a mark."""
    drawn = [line for ax in figure.axes for line in ax.get_lines() if np.isfinite(np.asarray(line.get_ydata(), float)).any()]
    marks = [line for line in drawn if line.get_marker() in MARKERS]
    plain = [line for line in drawn if line.get_marker() in ("None", "none", "", None)]
    lines = [line for line in (*plain, *marks) if line.get_linestyle() != "None"]
    thick = {BAND} | ({4.0} if plot == "least" else set())
    assert all(
        line.get_linewidth() == 0 or 0.8 <= line.get_linewidth() <= 1.6 for line in lines if line.get_linewidth() not in thick
    )
    assert all(3 <= float(line.get_markersize()) <= 7 for line in marks)
    for handle in (each for box in figure.legends for each in box.legend_handles if isinstance(each, Line2D)):
        like_it = [line for line in marks if look_of(line)[:2] == look_of(handle)[:2]] if plot not in OF_SIZES else []
        assert all(abs(float(line.get_markersize()) - float(handle.get_markersize())) <= 0.5 for line in like_it), plot
        same = [line for line in lines if line.get_linestyle() == handle.get_linestyle()]
        no_mark = handle.get_marker() in ("None", "none", "", None)
        assert not (no_mark and same) or any(abs(line.get_linewidth() - handle.get_linewidth()) <= 0.5 for line in drawn), plot
    claimed = [line.get_zorder() for line in lines if line.get_linestyle() in ("--", ":", "-.")]
    if claimed and marks and plot not in ON_TOP:
        assert max(claimed) <= min(line.get_zorder() for line in marks) - 0.9, plot  # a step, or nearly


def written(svg: bytes) -> Any:
    """What an SVG says of its own numbers."""
    return json.loads(next(each.text or "" for each in fromstring(svg).iter() if each.tag.endswith("metadata")))


QUICK = (
    "reach",
    "needed",
    "means",
    "privacy_price",
    "least",
    "measured",
    "price",
)
"""Plots whose figures take a second at most; the others are drawn every night."""
each_plot, quick = pytest.mark.parametrize("plot", sorted(parts("plot"))), pytest.mark.at_once(*QUICK)


def test_there_is_a_figure_of_every_plot() -> None:
    assert set(SHORT_OF) == set(parts("plot"))


@quick
@each_plot
def test_each_plot_gives_names_the_colours_of_the_table(plot: str) -> None:
    refuse_confusion(sampled(SHORT_OF[plot], "column"), known_colours())


@quick
@each_plot
def test_each_plot_is_true_of_its_rows(plot: str) -> None:
    refuse_untrue(sampled(SHORT_OF[plot], "column"))


@quick
@each_plot
def test_each_plot_has_marks_above_lines_both_as_thick_as_in_the_legend(plot: str) -> None:
    refuse_faint(plot, sampled(SHORT_OF[plot], "column"))


@quick
@each_plot
def test_each_plot_is_read_in_a_column(plot: str) -> None:
    refuse_unreadable(SHORT_OF[plot], "column")


@quick
@each_plot
def test_every_plot_is_read_back_and_each_row_is_of_its_columns(plot: str) -> None:
    """As the SVG of a column has them, which has no style, and each number where it is."""
    _, made = saved(SHORT_OF[plot], "column")
    root = fromstring(made)
    tags = [(each.tag.rpartition("}")[2], each.attrib) for each in root.iter()]
    assert not {"style", "script", "image"} & {tag for tag, _ in tags} and not any("style" in given for _, given in tags)
    used = set(re.findall(r'(?:url\(#|href="#)([^")]+)', made.decode()))
    assert used <= {given["id"] for _, given in tags if "id" in given}
    said = written(made)
    width, height = (float(each) for each in root.attrib["viewBox"].split()[2:])
    at = np.array(said["at"], float)
    assert len(at) == len(said["rows"]) and (at >= 0).all() and (at <= np.round([width, height], 1)).all()
    assert said["rows"] and all(len(row) == len(said["columns"]) for row in said["rows"])
    assert len(set(said["columns"])) == len(said["columns"]) or plot == "means"
    told = [any(cells) for cells in zip(*said["rows"], strict=True)]
    assert all(told), said["columns"]


@pytest.mark.at_once("means")
@each_plot
def test_the_numbers_are_the_same_where_a_figure_is_narrow(plot: str) -> None:
    """Also where an axis has no room for all of its own."""
    path = SHORT_OF[plot]
    (_, wide), (_, narrow) = (saved(path, width) for width in ("slide", "column"))
    assert written(wide)["rows"] == written(narrow)["rows"]


@pytest.mark.law
@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_each_figure_gives_names_the_colours_of_the_table_and_has_few_lines(path: Path) -> None:
    figure = sampled(path)
    refuse_confusion(figure, known_colours())
    for ax in figure.axes:
        marked = [line for line in ax.get_lines() if line.get_marker() in MARKERS]
        assert len({(line.get_color(), line.get_marker()) for line in marked}) < 10


@pytest.mark.law
@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_each_figure_is_true_of_its_rows(path: Path) -> None:
    refuse_untrue(sampled(path))


@pytest.mark.law
@pytest.mark.parametrize("width", PAGES)
@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_each_figure_is_read_at_each_width(path: Path, width: str) -> None:
    refuse_unreadable(path, width)
