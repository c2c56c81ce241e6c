"""What the figures of learning with public data compute before they draw."""

import numpy as np
import pandas as pd
import pytest

from harness.report.figures.public_learner import kept_to
from harness.report.figures.public_points import of_sizes
from harness.report.style import SCALE
from harness.sweep.table.samples import Sample


def test_what_all_but_3_beta_of_the_runs_keep_to() -> None:
    """Of 20 runs three may be worse at β = 0.05: the fourth largest is told, beyond γ and over α."""
    first, errors = pd.Series({"beta": 0.05, "gamma": 0.01, "alpha": 0.1}), Sample.single(np.arange(20) / 100)
    assert kept_to(first, errors) == pytest.approx((0.17 - 0.01) / 0.1)


def test_sizes_are_on_a_scale_from_dark_to_light() -> None:
    looks = of_sizes(pd.DataFrame({"n": [10**8, 10**4]}))
    assert [(n, look.colour, look.legend) for n, look in looks.items()] == [
        (1e4, SCALE[0], "n = 10⁴"),
        (1e8, SCALE[-1], "n = 10⁸"),
    ]
