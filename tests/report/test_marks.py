"""Marks with intervals and the lines of what is claimed, one function after the other, on axes of their own."""

from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from harness.claims.btt18.t3_2 import three_b
from harness.report.figures import marks
from harness.report.figures.marks import ARROW, Mark, draw_marks, logarithmic, scaled, shifted, tip_bounds
from harness.report.figures.plot import plots
from harness.report.style import Style
from tests.report.held import bars, data, lines, marked
from tests.support.committed import rows_of

LOOK = Style("#112233", "s", "mine")


def axes(scale: str = "linear") -> Axes:
    ax = Figure(figsize=(6, 4)).subplots()
    ax.set(xscale=scale, yscale=scale)
    return ax


def mark(value: float, *bounds: float, hollow: bool = False, floor: float = 0.25) -> Mark:
    """With an interval of a tenth to either side."""
    named = {f"bound {place}": bound for place, bound in enumerate(bounds)}
    return Mark(value, value * 0.9, value * 1.1, named, hollow, floor)


@pytest.mark.parametrize(
    ("count", "spread", "most", "step"),
    [
        *[(1, True, 1.12, 1.12), (2, True, 1.12, 1.12), (3, True, 1.12, 1.12), (5, True, 1.12, 1.12**0.5)],
        *[(3, False, 1.12, 1.0), (3, True, 1.05, 1.05), (9, True, 1.05, 1.12**0.25)],
    ],
)
def test_marks_stand_beside_their_place_by_equal_factors_and_many_take_no_more_room_than_three(
    count: int, spread: bool, most: float, step: float
) -> None:
    factors = [shifted(position, count, spread, most) for position in range(count)]
    assert np.prod(factors) == pytest.approx(1)
    np.testing.assert_allclose(factors, step ** (np.arange(count) - (count - 1) / 2))


@pytest.mark.parametrize(
    ("values", "spread"),
    [([1.0, 4.9], False), ([1.0, 5.0], False), ([1.0, 5.1], True), ([2.0, 3.0, 9.0], False), ([3.0], False)],
)
def test_an_axis_is_logarithmic_where_its_ends_are_further_apart_than_a_factor_of_five(
    values: list[float], spread: bool
) -> None:
    ax = axes()
    assert scaled(ax, values) is spread and ax.get_xscale() == ("log" if spread else "linear")
    if not spread:
        assert ax.get_xticks().tolist() == values
        ax.plot(values, [1.0] * len(values))
        low, high = ax.get_xlim()
        beside = 0.25 if len(values) <= 2 else 0.05
        assert len(values) == 1 or (values[0] - low) / (values[-1] - values[0]) == pytest.approx(beside)
        assert len(values) == 1 or (high - values[-1]) / (values[-1] - values[0]) == pytest.approx(beside)


def test_few_values_have_ticks_of_their_own_on_a_logarithmic_axis_and_seven_have_not() -> None:
    for count in (1, 2, 6, 7):
        ax, values = axes(), [3.0 * 10**place for place in range(count)]
        logarithmic(ax, values[::-1])
        assert (ax.get_xticks().tolist() == values) == (count <= 6)
        assert ax.get_xscale() == ax.get_yscale() == "log"


def test_marks_have_bars_a_hollow_face_where_nothing_is_claimed_and_an_arrow_at_nothing() -> None:
    ax = axes("log")
    draw_marks(
        ax, {1.0: mark(2.0), 2.0: mark(3.0, hollow=True), 4.0: mark(0.0), 8.0: mark(np.nan)}, LOOK, 1.1, True, [1, 2, 3, 4, 8]
    )
    ((_, points),) = bars(ax)
    np.testing.assert_allclose(points, [[1.1, 1.8, 2.0, 2.2], [2.2, 2.7, 3.0, 3.3]])
    faces = {tuple(data(line)[0]): line.get_markerfacecolor() for line in ax.get_lines() if line.get_marker() == "s"}
    assert {place: to_hex(face) for place, face in faces.items()} == {(1.1, 2.0): "#112233", (2.2, 3.0): "#ffffff"}
    assert marked(ax, ARROW)["#112233"].tolist() == [[4.4, 0.25]]
    joined = ax.containers[0].lines[0]  # type: ignore[attr-defined]
    assert np.isnan(np.asarray(joined.get_ydata(), float)).tolist() == [False, False, True, True, True]
    assert joined.get_linewidth() == 1.1


def test_on_a_linear_axis_nothing_is_a_mark_and_two_points_are_not_joined() -> None:
    ax = axes()
    draw_marks(ax, {1.0: mark(0.0), 2.0: mark(-1.0)}, LOOK, 1.0, False)
    assert marked(ax, "s")["#112233"].tolist() == [[1, 0], [2, -1]] and marked(ax, ARROW) == {}
    assert ax.containers[0].lines[0].get_linewidth() == 0  # type: ignore[attr-defined]


def test_what_is_claimed_is_a_line_and_at_one_place_or_at_two_a_short_one_each() -> None:
    def drawn(of: dict[float, Mark], scale: str = "linear") -> Axes:
        ax = axes(scale)
        marks._draw_bounds(ax, of, ["bound 0", "bound 1"], "#112233", 2.0, "s")
        return ax

    three = drawn({1.0: mark(1, 5.0, 6.0), 2.0: mark(1, 7.0), 3.0: mark(1, 8.0, np.nan)})
    assert lines(three)[0].tolist() == [[1, 5], [2, 7], [3, 8]] and lines(three, ":")[0].tolist() == [[1, 6]]
    tips = [np.asarray(each.get_offsets()).tolist() for each in three.collections]
    assert tips == [[[1, 5], [3, 8]], [[1, 6], [1, 6]]]
    one = drawn({4.0: mark(1, 5.0)})
    assert lines(one)[0].tolist() == [[0.42, 5], [0.58, 5]] and one.get_lines()[0].get_transform() == one.get_yaxis_transform()
    two = drawn({1.0: mark(1, 5.0), 11.0: mark(1, 6.0)})
    np.testing.assert_allclose(lines(two)[0], [[0.2, 5], [1.8, 5]])
    np.testing.assert_allclose(lines(two)[1], [[10.2, 6], [11.8, 6]])
    level = drawn({1.0: mark(1, 5.0), 11.0: mark(1, 5.0)})
    assert lines(level)[0].tolist() == [[1, 5], [11, 5]]
    far = drawn({1.0: mark(1, 5.0), 100.0: mark(1, 6.0)}, "log")
    np.testing.assert_allclose(lines(far)[0][:, 0], [100**-0.08, 100**0.08])


def test_tips_are_at_the_first_and_last_that_is_finite() -> None:
    ax = axes()
    tip_bounds(ax, {3.0: 1.0, 1.0: np.inf, 2.0: 4.0, 5.0: np.nan}, "s", "#112233")
    assert np.asarray(ax.collections[0].get_offsets()).tolist() == [[2, 4], [3, 1]]
    tip_bounds(ax, {1.0: np.nan}, "s", "#112233")
    assert len(np.asarray(ax.collections[1].get_offsets())) == 0


def test_a_bound_that_lies_on_that_of_an_earlier_mechanism_has_a_band() -> None:
    """To a twentieth; of lines of three points at least, and of four mechanisms at most."""
    first = {x: mark(1, 10.0) for x in (1.0, 2.0, 3.0)}
    second = {1.0: mark(1, 10.4), 2.0: mark(1, 11.0), 3.0: mark(1, 30.0, 9.6)}
    bands = marks._bands({"a": first, "b": second, "c": {1.0: mark(1, 10.0), 2.0: mark(1, 10.0)}})
    assert list(bands) == ["b"]
    np.testing.assert_array_equal(list(bands["b"].values()), [10.4, np.nan, 9.6])
    assert list(marks._bands(dict.fromkeys("abcd", first))) == ["b", "c", "d"]
    assert marks._bands(dict.fromkeys("abcde", first)) == {}


def test_one_bound_of_all_is_taken_from_where_any_has_it_in_rising_order() -> None:
    merged = marks._merged([{2.0: mark(1, 5.0), 3.0: mark(1)}, {1.0: mark(1, 4.0, 9.0)}])
    assert list(merged) == [1.0, 2.0] and [each.bounds for each in merged.values()] == [{"": 4.0}, {"": 5.0}]
    assert marks._bounds([mark(1, 5.0, np.inf), mark(1, 6.0, 7.0), mark(1, np.nan)]) == ["bound 0", "bound 1"]


def test_the_ground_is_grey_half_way_to_the_next_point_where_something_is_claimed() -> None:
    """Of all that have a cutoff: where one of them says something it is not; where none does anywhere hollow points tell."""
    view = Mock(has_cutoff=lambda rows: rows["mechanism"].iloc[0] != "free")
    frame = pd.DataFrame({"mechanism": ["a", "b", "free"]})

    def grey(**hollow: list[bool]) -> list[tuple[float, float]]:
        of = {
            name: {x: mark(1.0, hollow=each) for x, each in zip((1.0, 4.0, 16.0), given, strict=True)}
            for name, given in hollow.items()
        }
        return [(round(low, 9), round(high, 9)) for low, high in marks._vacuous(of, frame, view)]

    assert grey(a=[True, False, False]) == [(0.5, 2.0)] and grey(a=[False, False, True]) == [(8.0, 32.0)]
    assert grey(a=[True, True, False]) == [(0.5, 2.0), (2.0, 8.0)] and grey(a=[True] * 3) == grey(a=[False] * 3) == []
    assert grey(a=[True, True, False], b=[True, False, False], free=[False] * 3) == [(0.5, 2.0)]


def test_a_trial_fails_beyond_the_cutoff_or_where_that_is_all_queries_beyond_three_times_b() -> None:
    row = rows_of("small_beta").iloc[0]
    few, every = row.copy(), row.copy()
    few["T"], every["T"] = 5.0, float(row["m"])
    beyond = plots()["beyond"]
    assert beyond.allowed(few) == (5.0, 2 * row["beta"])  # type: ignore[attr-defined]
    assert beyond.allowed(every) == (three_b(every), 2 * row["beta"]) and three_b(every) != row["m"]  # type: ignore[attr-defined]
    assert plots()["failures"].allowed(every) == (0.0, row["beta"])  # type: ignore[attr-defined]
