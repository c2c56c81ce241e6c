"""Plots that put many settings into one panel show the numbers of the table."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from harness.report.figures import drawn
from harness.report.figures.spent import MostSpent
from harness.report.settings import View
from harness.report.style import MARKERS
from tests.support.committed import rows_of, sweep_of

ROOT = Path(__file__).parents[2]


def committed(name: str) -> tuple[pd.DataFrame, View]:
    """A table and what its figure is of."""
    return rows_of(name), View.of(sweep_of(name))


def test_a_row_has_the_largest_shares_over_all_delta() -> None:
    frame, view = committed("privacy_grid")
    shown = MostSpent().rows(frame, view)
    groups = frame.groupby(["m", "T"], sort=False)
    assert len(shown) == groups.ngroups == 9
    for dots, (_, rows) in zip(shown.values(), groups, strict=True):
        for dot, (_, own) in zip(dots, rows.groupby("mechanism", sort=False), strict=True):
            assert dot.value == dot.high == pytest.approx((own["spent_upper"] / own["eps"]).max())
            assert dot.low == pytest.approx((own["spent_lower"] / own["eps"]).max()) and dot.low <= dot.value


def test_each_setting_is_a_line_of_means() -> None:
    frame, view = committed("representative_domain")
    (ax,) = drawn(frame, view).axes
    means = frame.groupby([frame["cell"].map(lambda cell: view.settings.shown(cell, "concept")), "m"], sort=False)[
        "log_X"
    ].mean()
    names = list(dict.fromkeys(means.index.get_level_values(0)))
    assert len(names) == 7
    for name, marker in zip(names, MARKERS, strict=False):
        (line,) = [each for each in ax.get_lines() if each.get_marker() == marker and len(np.atleast_1d(each.get_xdata()))]
        assert np.asarray(line.get_ydata(), float) == pytest.approx(means[name][means[name] > 0].to_numpy(float))
