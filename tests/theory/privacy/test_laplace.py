"""Tails of Laplace noise against scipy and against a convolution by brute force."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import laplace

from harness.theory.privacy.laplace import difference_quantile, difference_tail, log_tail


def test_the_log_tail_is_scipys_and_exact_where_scipys_probabilities_underflow() -> None:
    x = np.array([-30.0, -3.0, -0.1, 0.0, 0.1, 3.0, 30.0, 600.0])
    assert log_tail(x) == pytest.approx(np.log(laplace.sf(x)), rel=1e-12)
    assert log_tail(np.array([5000.0])) == pytest.approx([-5000 - np.log(2)], rel=1e-15)


@pytest.mark.at_once("0.4-0.0", "7.0-3.0", "0.4-40.0", "7.0--2.0")
@pytest.mark.parametrize("x", [-20.0, -2.0, 0.0, 0.5, 3.0, 40.0])
@pytest.mark.parametrize("lam", [0.4, 7.0])
def test_the_tail_of_the_difference_is_its_convolution(x: float, lam: float) -> None:
    """P(Lap(2λ) > x + Lap(λ)), integrated over the threshold's noise."""

    def given_threshold(z: float) -> float:
        return float(laplace.sf((x * lam + z) / (2 * lam)) * laplace.pdf(z, scale=lam))

    kinks = sorted({0.0, -x * lam})
    ends = [-60 * lam, *kinks, 60 * lam]
    expected = sum(quad(given_threshold, a, b, epsabs=0, epsrel=1e-12)[0] for a, b in pairwise(ends))
    assert difference_tail(x * lam, lam) == pytest.approx(expected, rel=1e-9, abs=0)


@given(tail=st.floats(1e-15, 0.5), lam=st.floats(0.1, 1e5))
def test_the_quantile_inverts_the_tail(tail: float, lam: float) -> None:
    assert difference_tail(difference_quantile(tail, lam), lam) == pytest.approx(tail, rel=1e-9, abs=0)
