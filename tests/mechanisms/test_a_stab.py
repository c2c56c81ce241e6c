"""A_stab against the law of one Laplace variable."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, laplace

from harness.mechanisms.a_stab import a_stab, printed_threshold


@pytest.mark.parametrize(
    ("dist", "threshold", "eps"), [(0, 0.0, 1.0), (3, 5.5, 1.0), (3, 5.5, 0.2), (40, 30.0, 0.1), (0, 4.6, 1.0)]
)
def test_the_answer_is_released_with_the_laplace_tail(dist: int, threshold: float, eps: float) -> None:
    """P(Lap(1/ε) > Γ − dist), over 200,001 runs: an exact binomial test at 2e-7 for each of the five, 1e-6 in all."""
    runs = 200_001
    released = a_stab(np.full(runs, dist), threshold, eps, np.random.default_rng(21))
    assert binomtest(int(released.sum()), runs, laplace.sf(threshold - dist, scale=1 / eps)).pvalue > 2e-7


def test_each_run_can_have_a_threshold_of_its_own() -> None:
    dist, thresholds = np.array([100, 100, 0, 200]), np.array([0.0, 1000.0, -1000.0, 201.0])
    released = a_stab(dist, thresholds, 1e6, np.random.default_rng(0))
    assert released.tolist() == [True, False, True, False]


@given(st.floats(1e-3, 1e3), st.floats(1e-12, 0.5))
def test_under_the_printed_threshold_an_unstable_answer_is_released_with_probability_half_of_delta(
    eps: float, delta: float
) -> None:
    """At distance 0, which is why (ε, δ)-DP holds there: P(Lap(1/ε) > ln(1/δ)/ε) = δ/2."""
    assert laplace.sf(printed_threshold(eps, delta), scale=1 / eps) == pytest.approx(delta / 2, rel=1e-9)
