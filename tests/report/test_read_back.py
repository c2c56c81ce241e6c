"""What is read back from a figure is what was drawn: places, values, ends of bars, what is claimed, squares of maps, rows."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Polygon, Rectangle

from harness.report.figures.page import Thinned
from harness.report.figures.plot import INTERVAL, Panel
from harness.report.figures.seen import Reading, SeenMark, few

DOWN, UP, LEFT = (rf"$\{way}arrow$" for way in ("down", "up", "left"))
HANDLES: list[Artist] = [
    Line2D([], [], color="red", marker="o", label="red"),
    Line2D([], [], color="blue", marker="s", label="blue"),
    Line2D([], [], color="blue", linestyle=":", label="its other bound"),
    Line2D([], [], color="blue", linestyle="--", label="its bound"),
    Line2D([], [], color="gray", linestyle="--", label="bound of all"),
]


def reading(places: Sequence[float] = (), names: Sequence[str] = (), handles: Sequence[Artist] = HANDLES) -> Reading:
    """Of a table with these values along the horizontal axis, or these rows."""
    plot: Any = SimpleNamespace(names=lambda frame, view: list(names), legend=lambda frame, view: handles)
    view: Any = SimpleNamespace(figure=SimpleNamespace(x="n"), column=lambda axis: axis)
    return Reading(plot, pd.DataFrame({"n": [*places]}), view)


def seen(
    draw: Callable[[Axes], object], places: Sequence[float] = (), names: Sequence[str] = (), handles: Sequence[Artist] = HANDLES
) -> list[SeenMark]:
    """The marks of one panel, of linear axes from 0 to 10."""
    figure = Figure((4, 4))
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, 10), ylim=(0, 10))
    draw(ax)
    return reading(places, names, handles).of(figure, [Panel("a panel", "what\nit shows", lambda ax: None)])


def test_marks_are_read_with_their_series_their_place_and_the_ends_of_their_bars() -> None:
    """Beside a place by up to a seventh a mark is at it; where there is none it has its own."""

    def draw(ax: Axes) -> None:
        ax.errorbar([2.2, 5.0], [3.0, 7.25], [[1, 0.5], [2, 0.25]], color="blue", marker="s", capsize=2)
        ax.plot([8, 2 / 1.14, 4.9], [1, 2, 3], "o", color="red")

    marks = seen(draw, places=(2, 5, 9))
    assert [(mark.series, mark.x, mark.value, mark.interval) for mark in marks] == [
        ("blue", "2", "3", "[2, 5]"),
        ("blue", "5", "7.25", "[6.75, 7.5]"),
        ("red", "2", "2", ""),
        ("red", "5", "3", ""),
        ("red", "9", "1", ""),
    ]
    assert {(mark.panel, mark.what, mark.row, mark.text) for mark in marks} == {("a panel", "what it shows", "", "")}
    assert marks[0].point == pytest.approx((0.22, 0.7)) and marks[4].point == pytest.approx((0.8, 0.9))


def test_a_mark_that_is_far_from_all_places_of_the_table_has_its_own() -> None:
    own = seen(lambda ax: ax.add_line(Line2D([3, 7.9], [1, 1], linestyle="none", marker="o", color="red")), places=(2, 5, 9.5))
    assert [(mark.x, mark.place) for mark in own] == [("3", 3.0), ("7.9", 7.9)]


def test_arrows_say_that_it_is_more_or_nothing_and_what_stands_at_a_height_has_no_value() -> None:
    def draw(ax: Axes) -> None:
        ax.errorbar([1], [2.0], [[1], [1]], color="red", linestyle="none", capsize=2)
        ax.plot([1], [2.0], marker=DOWN, color="red", linestyle="none")
        ax.plot([3], [4.0], marker=UP, color="red", linestyle="none")
        ax.plot([5], [0.25], "o", color="red", transform=ax.get_xaxis_transform())
        ax.plot([7, np.nan], [np.inf, 1], "o", color="red")

    marks = seen(draw)
    assert [(mark.x, mark.value, mark.interval) for mark in marks] == [("1", "0", ""), ("3", "> 4", ""), ("5", "–", "")]
    assert marks[2].point == pytest.approx((0.5, 0.75))


def test_what_is_claimed_is_of_lines_of_ones_own_colour_and_of_those_that_all_share() -> None:
    """At a point of such a line, or anywhere on one that is level; where a mark is hollow nothing is."""

    def draw(ax: Axes) -> None:
        ax.plot([2, 5], [1, 1], "s", color="blue")
        ax.plot([2, 4], [2, 2], "o", color="red")
        ax.plot([6], [2], "o", color="blue", markerfacecolor="white")
        ax.plot([2, 5, 8], [6, 7, np.nan], "--", color="blue")
        ax.plot([1, 4.5], [9, 9], "--", color="gray")
        ax.plot([0, 1], [8, 8], "--", color="gray", transform=ax.get_yaxis_transform())
        ax.plot([4, 4], [0, 10], "--", color="gray")

    by_place = {(mark.series, mark.x): dict(mark.claimed) for mark in seen(draw)}
    assert by_place == {
        ("blue", "2"): {"bound of all": "8", "its bound": "6"},
        ("blue", "5"): {"bound of all": "8", "its bound": "7"},
        ("blue", "6"): {"bound": "none"},
        ("red", "2"): {"bound of all": "8"},
        ("red", "4"): {"bound of all": "8"},
    }


def test_rows_down_the_side_are_read_along_the_other_axis() -> None:
    """With intervals that stand alone, and with what is written where there is none."""

    def draw(ax: Axes) -> None:
        ax.set_ylim(3.5, -0.5)
        ax.errorbar([4.0], [1.2], xerr=[[1], [3]], color="red", marker="o", capsize=2)
        ax.plot([6, 6], [-1, 3.4], "--", color="gray")
        ax.plot([2.0, 5.0], [0, 0], "|-", color="black", gid=INTERVAL)
        ax.text(5, 0, "2 to 5")
        ax.annotate("nothing", (1, 2.1))
        ax.annotate("", (1, 3))

    marks = seen(draw, names=("first", "second", "third", "last"))
    told = [(mark.row, mark.series, mark.value, mark.interval, mark.text) for mark in marks]
    assert told == [
        ("first", "", "", "[2, 5]", "2 to 5"),
        ("second", "red", "4", "[3, 7]", ""),
        ("third", "", "", "", "nothing"),
    ]
    assert {mark.x + mark.what for mark in marks} == {""} and marks[0].point == pytest.approx((0.5, 0.125))
    assert marks[2].point == pytest.approx((0.0, 0.65))


def test_a_mark_a_little_below_the_last_row_is_of_that_row() -> None:
    def draw(ax: Axes) -> None:
        ax.set_ylim(2, -0.5)
        ax.plot([1, 2], [0.9, 1.7], "o", color="red")

    assert [(mark.row, mark.value) for mark in seen(draw, names=("first", "last"))] == [("last", "1"), ("last", "2")]


def test_squares_of_a_map_are_read_with_who_is_next_and_by_what_factor() -> None:
    def draw(ax: Axes) -> None:
        ax.set(xlim=(-0.5, 1.5), ylim=(-0.5, 1.5))
        ax.add_patch(Rectangle((-0.5, -0.5), 1, 1, facecolor="red"))
        ax.add_patch(Rectangle((0.5, -0.5), 1, 1, facecolor="red", hatch="//"))
        ax.add_patch(Rectangle((0.5, 0.5), 1, 1, facecolor="white"))
        ax.add_patch(Rectangle((-0.5, 0.5), 1, 0.5, facecolor="red"))
        ax.add_patch(Polygon([(0.5, -0.5), (0.5, 0), (0, -0.5)], facecolor="blue"))
        ax.text(0, 0, "0.25\n1.5×")
        ax.text(1, 0, "0.5")
        ax.set_xticks([0, 1], ["10", "20"])
        ax.set_yticks([0, 1])
        ax.yaxis.set_major_formatter(Thinned(["low", ""], ["low", "high"]))

    areas = [
        Patch(facecolor="red", label="first"),
        Patch(facecolor="red", hatch="//", label="dashed"),
        Patch(facecolor="blue", label="next"),
    ]
    told = [(mark.row, mark.x, mark.series, mark.value, mark.text) for mark in seen(draw, handles=areas)]
    assert told == [
        ("low", "10", "first", "0.25", "1.5× next"),
        ("low", "20", "dashed", "0.5", ""),
        ("high", "20", "", "", ""),
    ]


def test_a_panel_without_a_title_has_that_of_the_panel_above_it() -> None:
    """Of those of its own column the nearest; where there is none it has none."""
    figure = Figure((4, 4))
    places = {"top": (0.1, 0.7), "middle": (0.11, 0.4), "right": (0.6, 0.7), "": (0.1, 0.1), "below": (0.1, 0.0)}
    panels = []
    for title, (x, y) in places.items():
        ax = figure.add_axes((x, y, 0.2, 0.2))
        ax.plot([0.5], [0.5], "o", color="red")
        panels.append(Panel(f"{title}\nof them" if title == "middle" else title, "", lambda ax: None))
    bare = figure.add_axes((0.6, 0.9, 0.2, 0.05))
    bare.plot([0.5], [0.5], "o", color="red")
    panels.append(Panel("", "", lambda ax: None))
    hidden = figure.add_axes((0.9, 0.9, 0.05, 0.05))
    hidden.set_axis_off()
    titles = [mark.panel for mark in reading().of(figure, panels)]
    assert titles == ["top", "middle, of them", "right", "middle, of them", "below", ""]


def mark(value: str, series: str = "red", row: str = "") -> SeenMark:
    return SeenMark("", "", row, "", series, value, "", {}, "", (0, 0), 0)


@pytest.mark.parametrize(
    ("marks", "said"),
    [
        ([mark(str(place)) for place in range(6)], True),
        ([mark(str(place)) for place in range(7)], False),
        ([mark("1") for _ in range(9)], True),
        ([mark("") for _ in range(9)], False),
        ([mark(str(place), series=str(place // 2)) for place in range(10)], True),
        ([mark(str(place), series=str(place // 3)) for place in range(9)], False),
        ([mark(str(place), series=str(place), row="a row") for place in range(9)], False),
    ],
)
def test_few_marks_are_told_as_well_by_a_table(marks: list[SeenMark], said: bool) -> None:
    assert few(marks) == said


def test_a_line_of_marks_is_that_of_its_panel_its_quantity_its_row_and_its_series() -> None:
    assert SeenMark("a", "b", "c", "d", "e", "f", "g", {}, "h", (0, 0), 0).line == ("a", "b", "c", "e")
