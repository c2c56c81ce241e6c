"""Where a legend stands, in how many columns, with what it says of each sign; and the quarter that no panel takes."""

from types import SimpleNamespace
from typing import Any

import pytest
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from harness.report.figures.legend import Quarter, legend
from harness.report.figures.page import LINE, PAGES

PAGE = PAGES["column"]


def signs(*labels: str) -> list[Line2D]:
    return [Line2D([], [], label=label) for label in labels]


def drawn(labels: list[str], quarter: Quarter | None = None, page: Any = PAGE, **marked: str) -> tuple[int, Any]:
    """How many lines it takes, and the legend."""
    figure = quarter.ax.figure if quarter else Figure((page.inches, 3))
    assert isinstance(figure, Figure)
    lines = legend(figure, signs(*labels), page, marked, quarter)
    return lines, figure.legends[0] if figure.legends else None


def texts(of: Any) -> list[str]:
    return [text.get_text() for text in of.get_texts()]


def test_without_signs_there_is_no_legend() -> None:
    assert drawn([]) == (0, None)


def test_signs_are_named_also_by_what_begins_with_a_stroke_and_by_what_is_said_beside() -> None:
    lines, of = drawn(["_hidden", "b", "c"], c="declared")
    assert texts(of) == ["_hidden", "b", "c (declared)"] and lines == 2
    assert not of.get_frame_on() and {text.get_fontsize() for text in of.get_texts()} == {PAGE.tick}


@pytest.mark.parametrize(("letters", "inches"), [(4, 3.3), (10, 3.3), (16, 3.3), (24, 3.3), (10, 7.0), (40, 7.0), (3, 1.0)])
@pytest.mark.parametrize("count", [1, 3, 9])
def test_a_legend_below_has_as_many_columns_as_fit_four_at_most(letters: int, inches: float, count: int) -> None:
    """Half an inch a sign, and 0.0078 inches a letter and a point."""
    page = SimpleNamespace(inches=inches, tick=7)
    lines, of = drawn(["x" * letters] * count, page=page)
    longest = max(len(line) for text in texts(of) for line in text.split("\n"))
    wide = 0.5 + 0.0078 * 7 * longest
    columns = max(1, min(4, count, int(inches / wide)))
    assert of._ncols == columns and lines == -(-sum(1 + text.count("\n") for text in texts(of)) // columns)


def quarter(high: float, wide: float = 1.6) -> Quarter:
    figure = Figure((3.3, 3.3))
    axes = [figure.add_subplot(2, 2, place) for place in (3, 4)]
    found = Quarter.of(axes, wide, high)
    assert found is not None and found.ax is axes[0] and not axes[0].axison and figure.axes == [axes[0]]
    return found


def test_a_quarter_is_the_first_of_the_axes_that_are_not_drawn() -> None:
    assert Quarter.of([], 1, 1) is None
    found = quarter(1.5)
    assert (found.wide, found.high) == (1.6, 1.5)


@pytest.mark.parametrize("labels", [["a"], ["a", "b\nc"], ["a"] * 7])
def test_a_quarter_holds_a_legend_with_two_lines_to_spare(labels: list[str]) -> None:
    lines = sum(1 + label.count("\n") for label in labels) + 2
    needed = lines * 7 * LINE / 72
    nowhere: Any = None
    assert Quarter(nowhere, 1, needed + 1e-9).holds(labels, 7) and not Quarter(nowhere, 1, needed - 1e-9).holds(labels, 7)


def test_a_legend_stands_in_a_quarter_that_holds_it_in_one_column_and_else_below() -> None:
    lines, of = drawn(["one", "two", "three"], quarter(2.0))
    assert lines == 0 and of._ncols == 1 and texts(of) == ["one", "two", "three"]
    lines, of = drawn(["one", "two", "three"], quarter(0.2))
    assert lines == 1 and of._ncols == 3


def test_a_long_name_goes_on_below_in_a_quarter_up_to_three_lines_and_below_panels_up_to_two() -> None:
    long = "a name of many words that goes on"
    _, inside = drawn([long], quarter(3.0))
    assert texts(inside)[0].replace("\n", " ") == long and texts(inside)[0].count("\n") in (1, 2)
    longer = " ".join(["a name of many words that goes on"] * 2)
    lines, below = drawn([longer])
    assert texts(below)[0].replace("\n", " ") == longer and lines == texts(below)[0].count("\n") + 1 == 2
