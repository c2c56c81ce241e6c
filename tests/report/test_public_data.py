"""What the figures of learning with public data compute before they draw."""

import pandas as pd
import pytest

from harness.report.figures.price import hues as of_mechanisms
from harness.report.figures.public_learner import kept_to
from harness.report.figures.public_points import hues as of_sizes
from harness.report.style import FIRST, PALETTE, style
from harness.transfer import private_learners


def test_what_all_but_3_beta_of_the_runs_keep_to() -> None:
    """Of 20 runs three may be worse at β = 0.05: the fourth largest is told, beyond γ and over α."""
    rows = pd.DataFrame({"error": [i / 100 for i in range(20)], "beta": 0.05, "gamma": 0.01, "alpha": 0.1})
    assert kept_to(rows, "error") == pytest.approx((0.17 - 0.01) / 0.1)


def test_lines_of_one_figure_have_colours_of_their_own() -> None:
    names = ["exponential", "A_Priv", "non_private"]
    colours = of_mechanisms(pd.DataFrame({"mechanism": names * 2}))
    assert list(colours) == names and len(set(colours.values())) == 3
    assert list(of_sizes(pd.DataFrame({"n": [10**8, 10**4]})).items()) == [(1e4, PALETTE[0]), (1e8, PALETTE[1])]


def test_older_learners_keep_their_colours() -> None:
    """What other figures show of them does not change with what is added."""
    learners = [name for name in FIRST if name in private_learners()]
    assert [style(name).colour for name in learners] == list(PALETTE[: len(learners)])
    assert "exponential" not in learners
