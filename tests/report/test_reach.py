"""The plot of how far an attack reaches."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from scipy.stats import norm

from harness.arrays import Reals
from harness.report.figures.reach import draw_reach, times_quantiles

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
