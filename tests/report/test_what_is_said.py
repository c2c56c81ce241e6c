"""What figures say beside what they draw: names of lines and panels, zeros, and bounds that are one."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from harness.report.figures import drawn
from harness.report.figures.marks import PALE
from harness.report.figures.plot import plots
from harness.report.settings import View
from harness.report.style import style
from tests.support.committed import rows_of, sweep_of

ROOT = Path(__file__).parents[2]


def committed(name: str) -> tuple[pd.DataFrame, View]:
    """A table and what its figure is of."""
    return rows_of(name), View.of(sweep_of(name))


def titles(name: str) -> list[str]:
    frame, view = committed(name)
    return [panel.title for panel in plots()[view.figure.plot].panels(frame, view)]


def legend(name: str) -> list[str]:
    frame, view = committed(name)
    return [str(each.get_label()) for each in plots()[view.figure.plot].legend(frame, view)]


def first_panel(name: str) -> Axes:
    frame, view = committed(name)
    ax = Figure().subplots()
    plots()[view.figure.plot].panels(frame, view)[0].draw(ax)
    return ax


def test_panels_of_more_labels_say_how_many() -> None:
    each = ("intervals (labels = 3), leftmost", "intervals (labels = 3), midpoint", "intervals (labels = 6), leftmost")
    assert titles("multiclass") == list(each)


def test_panels_of_powers_say_the_printed_one_and_what_was_seen() -> None:
    found = titles("rate_exponents_agnostic")
    printed = [each.partition(", seen ")[0] for each in found]
    assert printed == [f"along {axis}, printed power {power}" for axis, power in zip("nmVε", POWERS, strict=True)]
    seen = [float(each.partition(", seen ")[2].replace("−", "-")) for each in found]
    assert seen == pytest.approx([-2 / 3, 1 / 3, 2 / 3, -2 / 3], abs=0.05)


POWERS = ("−2/3", "1/3", "2/3", "−2/3")


@pytest.mark.law
def test_names_of_what_answers_are_their_own() -> None:
    for name in ("stable_queries", "stable_adaptive"):
        assert {"Gaussian noise on all counts", "exponential mechanism"} <= set(legend(name))
    assert "plurality, not private" in legend("stable_adaptive")
    assert legend("sgd_theorem") == ["on average", "uniform over permutations, from below"]


@pytest.mark.law
def test_bounds_of_several_have_one_entry_and_that_of_one_says_whose_it_is() -> None:
    several, alone = legend("misclassification_vs_eps"), legend("soft_label_edge")
    assert several.count("its bound") == 1 and not any(each.startswith("bound,") for each in several)
    assert "bound, A_SL-Quer (histogram stability)" in alone


@pytest.mark.law
def test_a_bound_beneath_another_is_a_pale_band() -> None:
    """The majority's bound is that of A_binClas where m is large."""
    ax, grey = first_panel("misclassification_vs_m"), style("majority").colour
    bands = [line for line in ax.get_lines() if line.get_alpha() == PALE]
    shown = {str(line.get_color()): np.isfinite(np.asarray(line.get_ydata(), float)) for line in bands}
    assert shown[grey].any() and not shown[grey].all()
    assert not any(each.any() for colour, each in shown.items() if colour == style("A_binClas").colour)


def test_where_no_query_has_a_score_is_a_cross_and_no_mean() -> None:
    ax = first_panel("soft_label_width")
    (cross,) = [line for line in ax.get_lines() if line.get_marker() == "x"]
    assert list(np.asarray(cross.get_xdata(), float)) == [0.0005]
    assert legend("soft_label_width")[-1] == "no query has a score; elsewhere at most 0.001 of them have none"


def test_each_line_of_what_is_needed_has_its_name_beside_it() -> None:
    figure = drawn(*committed("public_learner_n"))
    (ax,) = figure.get_axes()
    names = sorted(text.get_text().replace("\n", " ") for text in ax.texts)
    assert names == ["exponential mechanism over H̃", "not private"]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["what its theorem asks for"]


@pytest.mark.law
def test_left_of_the_upright_line_the_least_error_is_above_alpha() -> None:
    """1/(m + 1) is α at m = 1/α − 1."""
    ax = first_panel("public_points_needed")
    (dashed,) = [line for line in ax.get_lines() if line.get_linestyle() == "--"]
    upright = next(line for line in ax.get_lines() if len(set(np.asarray(line.get_xdata(), float))) == 1)
    x, y = (np.asarray(data, float) for data in dashed.get_data())
    assert ((x < np.asarray(upright.get_xdata(), float)[0] - 1e-9) == (y > 1 + 1e-9)).all()
