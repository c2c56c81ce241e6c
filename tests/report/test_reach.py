"""The plot of how far an attack reaches."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from scipy.stats import norm

from harness.arrays import Reals
from harness.report.figures.marks import SHARED
from harness.report.figures.plot import plots
from harness.report.figures.reach import draw_reach, times_quantiles
from harness.report.settings import View
from harness.report.style import style
from tests.support.committed import sweep_of

ROWS = pd.DataFrame(
    {
        "mechanism": "all_averages",
        "p": 10**6,
        "c": 0.25,
        "root": [100.0, 200.0, 400.0],
        "alpha": [0.25, 0.125, 0.0625],
        "low": [9, 18, 36],
        "high": [11, 22, 44],
        "least": [10.0, 20.0, 40.0],
    }
)


def line(rows: pd.DataFrame, x: str) -> Reals:
    """x and y of the dashed line, (2, points)."""
    ax = Figure().subplots()
    draw_reach(ax, rows, x, "least")
    (found,) = [each for each in ax.get_lines() if each.get_linestyle() == "--"]
    return np.array([found.get_xdata(), found.get_ydata()], np.float64)


@pytest.mark.parametrize(("x", "power"), [("root", 1), ("alpha", -2)])
def test_beside_the_points_is_a_line_of_the_claimed_power_at_their_level(x: str, power: int) -> None:
    at, height = line(ROWS, x)
    assert height[2] / height[0] == pytest.approx((at[2] / at[0]) ** power)
    assert np.log(height).mean() == pytest.approx(np.log(20))


def test_a_search_without_an_end_is_left_out() -> None:
    assert line(ROWS.assign(least=ROWS["least"].where(ROWS["root"] < 300)), "root").shape == (2, 2)


def test_without_what_is_hidden_by_the_logarithm_rows_stand_as_the_deviations_that_they_need() -> None:
    """Of 40 rows and 2 public ones, 3 of which are named; of one row in n where they are hidden behind."""
    rows = ROWS.assign(m=2, least=[40.0, 80.0, np.nan])
    found = times_quantiles(rows, "least")
    assert found[0] == pytest.approx(42 * (norm.isf(1 / 42**2) - norm.isf(3 / 42)))
    assert found[1] > found[0] and np.isnan(found[2])
    hidden = times_quantiles(rows.assign(mechanism="rounded_averages"), "least")
    assert hidden[0] == pytest.approx(42 * (norm.isf(1 / 42**2) - norm.isf(1 / 40)))


def test_bars_go_from_what_was_shown_to_be_too_few_to_what_is_enough_and_a_line_alone_has_the_colour_of_its_points() -> None:
    ax = Figure().subplots()
    draw_reach(ax, ROWS.assign(low=[0, 18, 36]), "root", "least")
    (box,) = ax.containers
    ends = [(float(part[0][1]), float(part[1][1])) for part in box.lines[2][0].get_segments()]  # type: ignore[attr-defined]
    assert ends == [(1.0, 11.0), (18.0, 22.0), (36.0, 44.0)]  # below one there is no row
    points = [line for line in ax.get_lines() if line.get_marker() == style("all_averages").marker and len(line.get_xdata())]  # type: ignore[arg-type]
    assert np.concatenate([np.asarray(line.get_xdata(), float) for line in points]).tolist() == [100, 200, 400]
    plot, view = plots()["reach"], View.of(sweep_of("tracing_public"))
    (line,) = plot.legend(ROWS, view)[1:]
    assert to_hex(line.get_color()) == to_hex(style("all_averages").colour)  # type: ignore[attr-defined]
    two = pd.concat([ROWS, ROWS.assign(mechanism="rounded_averages")])
    assert to_hex(plot.legend(two, view)[2].get_color()) == to_hex(SHARED)  # type: ignore[attr-defined]
