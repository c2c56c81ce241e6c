"""The plot of how far an attack reaches."""

import pandas as pd
import pytest
from matplotlib.figure import Figure

from harness.report.figures.reach import PLOT, draw_reach

ROWS = pd.DataFrame(
    {
        "mechanism": "all_averages",
        "root": [100.0, 200.0, 400.0],
        "alpha": [0.25, 0.125, 0.0625],
        "low": [9, 18, 36],
        "high": [11, 22, 44],
        "least": [10.0, 20.0, 40.0],
    }
)


@pytest.mark.parametrize(("x", "rises"), [("root", 4.0), ("alpha", 1 / 16)])
def test_beside_the_points_is_a_line_of_the_claimed_power_at_their_level(x: str, rises: float) -> None:
    ax = Figure().subplots()
    draw_reach(ax, ROWS, x, "least")
    (line,) = [each for each in ax.get_lines() if each.get_linestyle() == "--"]
    at, height = pd.Series(line.get_xdata()), pd.Series(line.get_ydata())
    assert height[at.idxmax()] / height[at.idxmin()] == pytest.approx(rises)
    assert (height.iloc[0] * height.iloc[1] * height.iloc[2]) ** (1 / 3) == pytest.approx(20)
    assert PLOT.name == "reach"


def test_a_search_without_an_end_is_left_out() -> None:
    ax = Figure().subplots()
    rows = ROWS.assign(least=ROWS["least"].where(ROWS["root"] < 300))
    draw_reach(ax, rows, "root", "least")
    assert all(len(line.get_xdata()) <= 2 for line in ax.get_lines() if line.get_linestyle() == "--")  # type: ignore[arg-type]
