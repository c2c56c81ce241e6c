"""What is seen in a figure, in words and numbers, in the order in which it is painted: for tests that compare whole pictures.

How thick, large or pale something is, is not told, nor where the layout puts a panel or a legend: these are judged by eye.
`python -m tests.report.told` writes pictures/ anew, a text a plot. Who means a change looks at what it changes there.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from math import isclose, isfinite
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.spines import Spine
from matplotlib.text import Annotation, Text

from harness.report import style
from harness.report.figures.caption import Caption
from harness.report.figures.layout import laid_out
from harness.report.figures.page import PAGES
from harness.report.figures.values import MarkValues, values
from harness.report.settings import View
from tests.report.pictured import few_rows
from tests.support.committed import SHORT_OF, sweep_of

NEAR = 1e-3
"""Numbers that differ by less are one: they are told with four digits."""
NUMBER = re.compile(r"(?<![\w.])[−-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.])")
NOT_DRAWN = {"", "None", "none", "nan", " "}
SEEN = Line2D | LineCollection | PathCollection | PolyCollection | Patch | Text
TEXTS = Path(__file__).parent / "pictures"
WIDE = ("complexity", "failures", "needed", "series")
"""Plots that are told as they are on a slide, with title, caption and names beside lines; others as they are in a column."""

PART = {
    "capacity": "constants == 'tight' and mechanism in ('A_binClas', 'gaussian', 'noisy_majority')",
    "classifiers": "learner == 'midpoint' or mechanism == 'non_private'",
}
"""Of tables of which much is alike, the rows that are looked at."""


def made(plot: str) -> tuple[Figure, MarkValues]:
    """The figure of a few rows of the shortest table of a plot, and the numbers that are read back from it.

    The rows are in the opposite order of the table: what a figure has in the order of its rows is in no other by chance.
    """
    path = SHORT_OF[plot]
    rows, view = few_rows(path), View.of(sweep_of(path.stem))
    rows = (rows.query(PART[plot]) if plot in PART else rows)[::-1].reset_index(drop=True)
    with style.used():
        figure, panels = laid_out(rows, PAGES["slide" if plot in WIDE else "column"], Caption.of(rows, view))
        return figure, values(figure, panels, rows, view)


def told(figure: Figure, read: MarkValues) -> list[str]:
    """All of it, line by line."""
    numbers = [" | ".join(each) for each in (read.headings, *read.rows)]
    return [*of_figure(figure), f"numbers{' that are few' if read.few else ''}", *(f"  {line!r}" for line in numbers)]


def of_figure(figure: Figure) -> list[str]:
    """Line by line: how large it is, the title, each panel, and the legend."""
    said = [f"{figure.get_figwidth():.3g} by {figure.get_figheight():.3g} inches"]
    said += [f"title {figure.get_suptitle()!r}"] if figure.get_suptitle() else []
    said += [f"text {text.get_text()!r}" for text in figure.texts]
    for place, ax in enumerate(figure.axes):
        said += [f"panel {place}", *(f"  {line}" for line in of_panel(ax))]
    for legend in figure.legends:
        said.append(f"legend of {legend._ncols} columns")  # type: ignore[attr-defined]
        texts = [text.get_text() for text in legend.get_texts()]
        said += [f"  {text!r} {look(handle)}" for text, handle in zip(texts, legend.legend_handles, strict=True) if handle]
    return said


def of_panel(ax: Axes) -> Iterator[str]:
    """Its axes, and what is drawn in it."""
    if not ax.axison:
        yield "no axes"
        return
    if ax.get_title():
        yield f"title {ax.get_title()!r}"
    for name, axis in (("x", ax.xaxis), ("y", ax.yaxis)):
        yield f"{name} {axis.get_scale()} {numbers(axis.get_view_interval())}{of_axis(axis)}"
    drawn = [each for each in ax.get_children() if isinstance(each, SEEN)]
    inner = [each for each in drawn if each not in (ax.patch, ax.title) and not isinstance(each, Spine)]
    for artist in sorted(inner, key=lambda each: each.get_zorder()):
        if artist.get_visible() and (where := place(artist, ax)):
            yield f"{look(artist)} {where}"


def of_axis(axis: Axis) -> str:
    """Its label, and the numbers or names beside it where they are seen."""
    low, high = sorted(axis.get_view_interval())
    said = [
        f" {text!r} at {number(at)}"
        for places, form in (
            (axis.get_majorticklocs(), axis.get_major_formatter()),
            (axis.get_minorticklocs(), axis.get_minor_formatter()),
        )
        for at, text in zip(places, form.format_ticks(list(map(float, places))), strict=True)
        if low <= at <= high and text
    ]
    label = axis.get_label_text()
    grid = "" if any(line.get_visible() for line in axis.get_gridlines()) else " without lines"
    return (f" {label!r}" if label else "") + ("".join(said) if ticks(axis) else "") + grid


def ticks(axis: Axis) -> bool:
    """Whether its numbers are seen."""
    return any(tick.label1.get_visible() for tick in axis.get_major_ticks())


def look(artist: Artist | None) -> str:
    """What it is, with its colours and signs."""
    if isinstance(artist, Line2D):
        joined = artist.get_linewidth() > 0 and str(artist.get_linestyle()) not in NOT_DRAWN
        form = str(artist.get_linestyle()) if joined else "no line"
        marker = str(artist.get_marker())
        every = f" every {artist.get_markevery()}" if isinstance(artist.get_markevery(), int) else ""
        face = "" if artist.get_markerfacecolor() == artist.get_color() else f" filled {colour(artist.get_markerfacecolor())}"
        marks = "" if marker in NOT_DRAWN or not artist.get_markersize() else f" marks {marker}{every}{face}"
        return f"line {colour(artist.get_color())} {form}{marks}"
    if isinstance(artist, Text):
        boxed = artist.get_bbox_patch()
        ground = f" on {colour(boxed.get_facecolor())}" if boxed and not isinstance(artist, Annotation) else ""
        aligned = f"{artist.get_horizontalalignment()} {artist.get_verticalalignment()}"
        return f"text {artist.get_text()!r} {colour(artist.get_color())} {aligned}{ground}"
    if isinstance(artist, LineCollection):
        return f"segments {colour(artist.get_colors()[0])}"
    if isinstance(artist, PathCollection):
        return f"signs {colour(np.atleast_2d(artist.get_facecolor())[0])}"
    if isinstance(artist, PolyCollection):
        return f"area {colour(np.atleast_2d(artist.get_facecolor())[0])}"
    assert isinstance(artist, Patch)
    hatch = f" hatched {artist.get_hatch()}" if artist.get_hatch() else ""
    return f"{type(artist).__name__} {colour(artist.get_facecolor())}{hatch}"


def colour(of: Any) -> str:
    return "none" if isinstance(of, str) and of == "none" else to_hex(of)


def place(artist: Artist, ax: Axes) -> str:
    """Where it is, in what its axes are numbered by, or in shares of these; empty where it is nowhere."""
    if isinstance(artist, Line2D):
        x, y = (np.asarray(each, float) for each in artist.get_data(orig=False))
        here = np.isfinite(x) & np.isfinite(y)
        whole = here[here.argmax() : len(here) - here[::-1].argmax()].all() if here.any() else True
        said = points(zip(x[here], y[here], strict=True))
        return f"{shares(artist, ax)}{said}{'' if whole else ' with gaps'}" if said else ""
    if isinstance(artist, Annotation):
        arrow = f" {artist.arrowprops.get('arrowstyle')} {colour(artist.arrowprops.get('color'))}" if artist.arrowprops else ""
        return f"for {points([artist.xy])}, {artist.anncoords} {points([artist.get_position()])}{arrow}"
    if isinstance(artist, Text):
        return f"at {points([artist.get_position()])}" if artist.get_text() else ""
    if isinstance(artist, LineCollection):
        return "; ".join(points(part) for part in artist.get_segments() if len(part))
    if isinstance(artist, PathCollection):
        return points(np.asarray(artist.get_offsets(), float))
    if isinstance(artist, PolyCollection):
        return "; ".join(points(path.vertices) for path in artist.get_paths())  # type: ignore[arg-type]
    assert isinstance(artist, Patch)
    corners = artist.get_patch_transform().transform(artist.get_path().vertices)
    return f"{shares(artist, ax)}{points(corners)}"


def shares(artist: Artist, ax: Axes) -> str:
    """Of which axes its places are shares."""
    across, up = artist.get_transform().contains_branch_seperately(ax.transData)
    return "" if across and up else "across by share " if up else "up by share " if across else "by shares "


def points(of: Iterable[Any]) -> str:
    return " ".join(",".join(number(each) for each in point) for point in of)


def numbers(of: Iterable[float]) -> str:
    return " to ".join(map(number, of))


def number(of: float) -> str:
    return f"{float(of) + 0.0:.4g}" if abs(of) > 1e-12 or not isfinite(of) else "0"


def differing(one: Sequence[str], other: Sequence[str]) -> list[tuple[str, str]]:
    """The lines that are not alike, numbers compared as numbers; of two texts of other lengths the ends."""
    longest = max(len(one), len(other))
    pairs = zip([*one, *[""] * (longest - len(one))], [*other, *[""] * (longest - len(other))], strict=True)
    return [(line, another) for line, another in pairs if not alike(line, another)]


def alike(one: str, other: str) -> bool:
    if NUMBER.split(one) != NUMBER.split(other):
        return False
    pairs = zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)
    return all(isclose(*(float(each.replace("−", "-")) for each in pair), rel_tol=NEAR, abs_tol=1e-9) for pair in pairs)


def main() -> None:
    TEXTS.mkdir(exist_ok=True)
    for plot in SHORT_OF:
        (TEXTS / f"{plot}.txt").write_text("".join(f"{line}\n" for line in told(*made(plot))), encoding="utf-8")


if __name__ == "__main__":
    main()
