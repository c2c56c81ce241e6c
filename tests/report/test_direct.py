"""Names beside the ends of many lines: at their ends, none over another, and then in no legend."""

from itertools import pairwise

import numpy as np
import pytest
from matplotlib.figure import Figure

from harness.report.figures.direct import beside, label_ends, spaced
from harness.report.figures.direct import ends as ends_of
from harness.report.figures.marks import ARROW
from harness.report.figures.plot import MANY
from harness.report.style import MARKERS, SCALE


def panels(ends: list[list[float]]) -> tuple[Figure, object, list[object]]:
    """A figure with a panel for each list, of lines that end at these heights; nan: there is no such line."""
    figure = Figure(figsize=(8, 4))
    axes = figure.subplots(1, len(ends), sharey=True, squeeze=False)
    for ax, heights in zip(axes.flat, ends, strict=True):
        ax.set_yscale("log")
        for i, height in enumerate(heights):
            if np.isfinite(height):
                ax.plot([1, 2, 3], [1, 1, height], color=SCALE[i], marker=MARKERS[i])
    handles = [
        Figure().subplots().plot([], [], color=SCALE[i], marker=MARKERS[i], label=f"name {i}")[0] for i in range(len(ends[0]))
    ]
    return figure, axes, list(handles)


def said(ax: object) -> list[str]:
    return sorted(text.get_text() for text in ax.texts)  # type: ignore[attr-defined]


def test_the_last_panel_has_the_names_and_the_legend_none() -> None:
    heights = [1.0, 2.0, 4.0, 8.0, 16.0]
    figure, axes, handles = panels([heights, heights])
    assert beside(axes, handles, 2.6) == []  # type: ignore[arg-type]
    left, right = figure.get_axes()
    assert said(left) == [] and said(right) == [f"name {i}" for i in range(5)]
    points = {text.get_text(): text.xy for text in right.texts}  # type: ignore[attr-defined]
    assert points == {f"name {i}": (3.0, height) for i, height in enumerate(heights)}


def test_lines_that_only_one_panel_has_are_named_there_and_what_ends_early_stays_in_the_legend() -> None:
    figure, axes, handles = panels([[1.0, 2.0, 4.0, np.nan, np.nan], [1.0, np.nan, np.nan, 2.0, np.nan]])
    rest = beside(axes, handles, 2.6)  # type: ignore[arg-type]
    assert [each.get_label() for each in rest] == ["name 4"]
    left, right = figure.get_axes()
    assert said(left) == ["name 0", "name 1", "name 2"] and said(right) == ["name 0", "name 3"]


def test_few_lines_keep_their_legend() -> None:
    _, axes, handles = panels([[1.0, 2.0, 4.0, 8.0][:MANY]])
    assert list(beside(axes, handles, 2.6)) == handles  # type: ignore[arg-type]


def test_a_plot_may_have_even_two_lines_named() -> None:
    figure, axes, handles = panels([[1.0, 2.0]])
    assert beside(axes, handles, 2.6, most=1) == []  # type: ignore[arg-type]
    assert said(figure.get_axes()[0]) == ["name 0", "name 1"]


def test_a_line_that_ends_in_an_arrow_is_named_beside_it() -> None:
    figure, axes, handles = panels([[1.0, 2.0, 4.0, 8.0, np.nan]])
    (ax,) = figure.get_axes()
    ax.plot([3], [0.5], color=SCALE[4], marker=ARROW, linestyle="none")
    assert beside(axes, handles, 2.6) == []  # type: ignore[arg-type]
    assert {text.get_text(): text.xy for text in ax.texts}["name 4"] == (3.0, 0.5)  # type: ignore[attr-defined]


@pytest.mark.parametrize("at", [[0.1, 0.3, 0.9], [0.5, 0.5, 0.5], [0.95, 0.97, 1.0], [0.0, 0.3, 0.31]])
def test_names_stand_apart_and_near_their_lines(at: list[float]) -> None:
    sizes = [0.1, 0.2, 0.1]
    found = spaced(at, sizes)
    for (one, here), (other, there) in pairwise(zip(found, sizes, strict=True)):
        assert other - one >= (here + there) / 2 - 1e-9
    assert sizes[0] / 2 - 1e-9 <= found[0] and found[-1] + sizes[-1] / 2 <= 1 + 1e-9
    if at[0] == 0.1:
        np.testing.assert_allclose(found, at)


def test_a_name_at_the_top_ends_at_the_top_of_its_panel_and_one_at_the_bottom_begins_there() -> None:
    for size in (0.1, 0.25):
        assert spaced([1.0], [size]).tolist() == [1 - size / 2] and spaced([0.0], [size]).tolist() == [size / 2]
    np.testing.assert_allclose(spaced([0.9, 0.95, 1.0], [0.1, 0.2, 0.3]), [0.45, 0.6, 0.85])


@pytest.mark.parametrize(("scale", "reach"), [("log", (1.0, 1000.0)), ("log", (0.01, 100.0)), ("linear", (1.0, 11.0))])
def test_what_ends_in_the_last_two_fifths_of_a_panel_ends_near_its_side(scale: str, reach: tuple[float, float]) -> None:
    ax = Figure().subplots()
    ax.set_xscale(scale)
    low, high = reach
    for place, share in enumerate((0.58, 0.62)):
        end = low * (high / low) ** share if scale == "log" else low + (high - low) * share
        ax.plot([low, end], [1, 2 + place], color=SCALE[place], marker=MARKERS[place], label=f"name {place}")
    ax.set_xlim(*reach)
    assert list(ends_of(ax, ax.get_lines())) == ["name 1"]


@pytest.mark.parametrize(("scale", "heights"), [("linear", [1.0, 4.0, 7.0]), ("log", [1.0, 10.0, 100.0])])
def test_names_that_are_far_apart_stand_at_the_height_of_their_lines_on_either_scale(scale: str, heights: list[float]) -> None:
    ax = Figure(figsize=(8, 4)).subplots()
    lines = [ax.plot([1, 2], [at, at], color=SCALE[i], marker=MARKERS[i], label=f"name {i}")[0] for i, at in enumerate(heights)]
    low, high = (-2.0, 10.0) if scale == "linear" else (0.01, 1e4)
    ax.set(yscale=scale, ylim=(low, high))
    label_ends(ax, lines, 2.6)
    assert ax.get_ylim() == (low, high)
    shares = {text.get_text(): text.get_position()[1] for text in ax.texts}
    expected = [(at + 2) / 12 if scale == "linear" else (np.log10(at) + 2) / 6 for at in heights]
    assert [shares[f"name {i}"] for i in range(3)] == pytest.approx(expected)
    assert all(text.xy == (2.0, at) for text, at in zip(ax.texts, heights, strict=True))  # type: ignore[attr-defined]
