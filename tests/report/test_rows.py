"""Figures with a row a setting: how far within its bound each claim is kept, and how often trials fail."""

from typing import TYPE_CHECKING

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.stats import binomtest

from harness.report.figures import drawn
from harness.report.figures.rows import ARROW
from harness.report.settings import View
from harness.report.style import MARKERS

if TYPE_CHECKING:
    from tests.support.project import Project

TRIALS = 20
LEARNERS = {"m": "[20, 50]", "n": "1e9", "learner": "[leftmost, midpoint]", "mechanisms": "[A_binClas]", "trials": str(TRIALS)}


def marks(ax: Axes, marker: str) -> list[tuple[int, float]]:
    """The row and the value of each mark, from above and from the left."""
    lines = [line for line in ax.get_lines() if line.get_marker() == marker]
    points = [(y, x) for line in lines for x, y in zip(*map(np.atleast_1d, line.get_data()), strict=True)]
    return sorted((round(float(y)), float(x)) for y, x in points)


def names(ax: Axes) -> list[str]:
    return [label.get_text() for label in ax.get_yticklabels()]


def legend(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.legends[0].get_texts()]


@pytest.mark.at_once("True")
@pytest.mark.parametrize("kept", [True, False])
def test_what_is_measured_stands_over_what_is_claimed_in_each_cell(project: "Project", kept: bool) -> None:
    """The rates of 20 trials are in steps; 2β = 0.1 of them may fail, so that the second largest is what is measured."""
    figure = "{plot: slack, x: m, panels: [learner]}"
    sweep = project.sweep(**LEARNERS, claims="['BTT18:T3.2']", figure=figure)
    frame = project.run(sweep).table.frame()
    scale = 0.01 if kept else 2.0
    rates = scale * frame["bound"] * (1 + frame["trial"]) * np.where(frame["learner"] == "midpoint", 0.5, 1.0)
    shown = drawn(frame.assign(misclassification_rate=rates), View.of(sweep))
    (ax,) = shown.get_axes()
    assert names(ax) == ["leftmost", "midpoint"]
    expected = [(row, scale * half * (TRIALS - 1)) for row, half in enumerate((1.0, 0.5)) for _ in range(2)]
    np.testing.assert_allclose(marks(ax, MARKERS[0]), expected)
    assert all((value < 1) == kept for _, value in marks(ax, MARKERS[0]))
    (limit,) = [line for line in ax.get_lines() if line.get_linestyle() == "--"]
    assert list(np.asarray(limit.get_xdata())) == [1, 1]
    assert legend(shown) == ["BTT18 Theorem 3.2", "as much as is claimed"]


def test_nothing_measured_is_an_arrow_and_a_vacuous_claim_has_no_mark(project: "Project") -> None:
    figure = "{plot: slack, x: m, panels: [n]}"
    sweep = project.sweep(**LEARNERS | {"n": "[4e5, 1e9]", "learner": "leftmost"}, claims="['BTT18:T3.2']", figure=figure)
    shown = drawn(project.run(sweep).table.frame().assign(misclassification_rate=0.0), View.of(sweep))
    (ax,) = shown.get_axes()
    assert names(ax) == ["n = 4·10⁵", "n = 10⁹"]
    assert [row for row, _ in marks(ax, ARROW)] == [1, 1] and marks(ax, MARKERS[0]) == []
    assert "0 in all trials" in legend(shown)


@pytest.mark.law
def test_shares_of_trials_that_fail_stand_in_a_row_for_each_mechanism(project: "Project") -> None:
    figure = "{plot: shares, x: m, y: misclassified}"
    sweep = project.sweep(
        **LEARNERS | {"learner": "leftmost", "mechanisms": "[A_binClas, majority]"}, figure=figure, claims="[]"
    )
    frame = project.run(sweep).table.frame()
    failing = np.where(frame["mechanism"] == "majority", 5, 0) + np.where(frame["m"] == 50, 2, 0)
    shown = drawn(frame.assign(misclassified=(frame["trial"] < failing).astype(int)), View.of(sweep))
    (ax,) = shown.get_axes()
    assert names(ax) == ["A_binClas", "majority, not private"]
    assert marks(ax, MARKERS[0]) == [(0, 0.0), (1, 5 / TRIALS)]
    assert marks(ax, MARKERS[1]) == [(0, 2 / TRIALS), (1, 7 / TRIALS)]
    ends = {tuple(np.round(part[:, 0], 9)) for bars in ax.containers for part in bars.lines[2][0].get_segments()}  # type: ignore[attr-defined]
    intervals = [binomtest(count, TRIALS).proportion_ci(0.95) for count in (0, 2, 5, 7)]
    assert ends == {(round(each.low, 9), round(each.high, 9)) for each in intervals}
    assert legend(shown) == ["queries m: 20", "queries m: 50", "claimed: β"]
