"""Numbers beside axes: powers of ten, or 1, 2 and 5 of each where there are few, and never as an offset."""

import pytest
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure

from harness.report.figures.ticks import set_ticks


def axes(low: float, high: float, scale: str) -> Axes:
    """Both axes over a range."""
    ax = Figure(figsize=(8, 8)).subplots()
    ax.set(xscale=scale, yscale=scale, xlim=(low, high), ylim=(low, high))
    set_ticks(ax)
    return ax


def told(axis: Axis, minor: bool = False) -> dict[float, str]:
    """What is written at places within the view."""
    low, high = sorted(axis.get_view_interval())
    places = [float(place) for place in (axis.get_minorticklocs() if minor else axis.get_majorticklocs())]
    formatter = axis.get_minor_formatter() if minor else axis.get_major_formatter()
    texts = formatter.format_ticks(places)
    return {place: text for place, text in zip(places, texts, strict=True) if low <= place <= high and text}


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (1e-3, 1e4, {1e-3: "10⁻³", 1e-2: "0.01", 0.1: "0.1", 1.0: "1", 10.0: "10", 100.0: "100", 1e3: "1000", 1e4: "10⁴"}),
        (0.9, 60.0, {1.0: "1", 10.0: "10"}),
        (0.9, 45.0, {1.0: "1", 2.0: "2", 5.0: "5", 10.0: "10", 20.0: "20"}),
        (150.0, 2500.0, {200.0: "200", 500.0: "500", 1e3: "1000", 2e3: "2000"}),
        (2.0, 10.0, {2.0: "2", 5.0: "5", 10.0: "10"}),
        (0.2, 1.0, {0.2: "0.2", 0.5: "0.5", 1.0: "1"}),
        (3e-6, 2.5e-5, {5e-6: "5·10⁻⁶", 1e-5: "10⁻⁵", 2e-5: "2·10⁻⁵"}),
    ],
)
def test_logarithmic_axes_have_powers_of_ten_or_one_two_and_five_of_them(
    low: float, high: float, expected: dict[float, str]
) -> None:
    ax = axes(low, high, "log")
    for axis in (ax.xaxis, ax.yaxis):
        assert {float(f"{at:.9g}"): text for at, text in told(axis).items()} == expected
        assert told(axis, minor=True) == {}


def test_an_axis_too_narrow_for_these_has_round_numbers() -> None:
    ax = axes(10.5, 13.5, "log")
    assert [float(f"{at:.9g}") for at in told(ax.xaxis)] == [11.2, 12.0, 12.8]
    assert list(told(ax.xaxis).values()) == ["11.2", "12", "12.8"]


def test_linear_axes_have_whole_numbers_and_powers_of_ten_where_they_are_large() -> None:
    small = axes(9000.1, 9000.4, "linear")
    assert small.xaxis.get_major_formatter().get_useOffset() is False  # type: ignore[attr-defined]
    assert all("+" not in text for text in told(small.xaxis).values())
    assert told(axes(0, 9999, "linear").yaxis)[4000.0] == "4000"
    assert told(axes(0, 40_000, "linear").yaxis)[20_000.0] == "2·10⁴"
    assert told(axes(-40_000, 0, "linear").yaxis)[-20_000.0] == "-2·10⁴"


@pytest.mark.parametrize("scale", ["log", "linear"])
def test_ticks_that_were_given_stay(scale: str) -> None:
    ax = Figure().subplots()
    ax.set(xscale=scale, yscale=scale, xlim=(1, 50_000), ylim=(1, 50_000))
    ax.set_xticks([3, 7], labels=["three", "seven"])
    ax.minorticks_off()
    set_ticks(ax)
    assert told(ax.xaxis) == {3.0: "three", 7.0: "seven"}


def test_an_exact_number_in_one_place_is_drawn_without_a_complaint() -> None:
    """Its bar has no length; matplotlib has its ends where logarithms of them are again numbers, and warned of the axis."""
    ax = Figure().subplots()
    ax.set(xscale="log", yscale="log")
    ax.errorbar([1000], [0.05], [[0.0], [0.0]], capsize=2)
    set_ticks(ax)
    assert "0.05" in told(ax.yaxis).values()
