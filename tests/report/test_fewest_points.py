"""The map of the fewest points."""

from unittest.mock import Mock

import numpy as np
import pandas as pd

from harness.report.figures.map import FewestPoints, short
from harness.trials.release_complexity import KIND


def test_it_shows_what_needs_fewest_and_whether_the_next_may_need_as_few() -> None:
    """At α = 0.1 the intervals of a and b meet, at 0.2 they do not; at 0.4 b has none. The base is left out."""
    searched = {
        (0.1, "b"): (80, 100, 120),
        (0.1, "a"): (100, 110, 130),
        (0.2, "b"): (40, 45, 50),
        (0.2, "a"): (20, 25, 40),
        (0.4, "a"): (5, 7, 9),
        (0.4, "b"): (10**6, np.nan, np.nan),
        **{(alpha, "exact_averages"): (1, 2, 3) for alpha in (0.1, 0.2, 0.4)},
    }
    rows = pd.DataFrame(
        [
            {"alpha": alpha, "p": 3, "mechanism": name, "low": low, "least": least, "high": high}
            for (alpha, name), (low, least, high) in searched.items()
        ]
    )
    view = Mock(figure=Mock(x="alpha", by="p"), settings=Mock(trials=KIND), column=lambda axis: axis)
    found, axes = FewestPoints().best(rows, view)
    assert (axes.x, axes.y, axes.measured) == ("alpha", "p", "least")
    assert found["alpha"].tolist() == [0.1, 0.2, 0.4] and found["least"].tolist() == [100, 25, 7]
    assert found["mechanism"].tolist() == ["b", "a", "a"] and found["next"].tolist() == ["a", "b", ""]
    np.testing.assert_allclose(found["times"], [1.1, 1.8, np.nan])
    assert found["alike"].tolist() == [True, False, False]


def test_a_number_takes_little_room() -> None:
    assert [short(each) for each in (0.0012, 0.123, 9.87, 99.0, 320.4, 3196.2, 12345.0)] == [
        *("0.001", "0.12", "9.9", "99", "320", "3200", "1.2·10⁴")
    ]
