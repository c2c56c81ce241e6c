"""The exact Gaussian curve: against the textbook formula, dp-accounting's calibration and its loss distributions."""

from math import sqrt

import numpy as np
import pytest
from dp_accounting.gaussian_mechanism import get_epsilon_gaussian, get_sigma_gaussian
from dp_accounting.pld.privacy_loss_distribution import from_gaussian_mechanism
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from harness.theory.privacy.gaussian import gaussian_delta, gaussian_eps, gaussian_mu

cells = pytest.mark.parametrize(
    ("eps", "delta"), [(1e-3, 1e-6), (0.1, 1e-9), (1.0, 1e-6), (1.0, 0.3), (10.0, 1e-3), (50.0, 1e-12), (300.0, 1e-6)]
)


@cells
def test_the_sigma_is_dp_accountings(eps: float, delta: float) -> None:
    assert 1 / gaussian_mu(eps, delta) == pytest.approx(get_sigma_gaussian(eps, delta, tol=1e-12), rel=1e-6)


@cells
def test_the_eps_is_dp_accountings_and_inverts_the_sigma(eps: float, delta: float) -> None:
    mu = gaussian_mu(eps, delta)
    assert gaussian_eps(mu, delta) == pytest.approx(eps, rel=1e-9)
    assert gaussian_eps(mu, delta) == pytest.approx(get_epsilon_gaussian(1 / mu, delta, tol=1e-12), rel=1e-6)


@pytest.mark.at_once("1.0-2", "0.1-2", "1.0-100", "0.1-100")
@pytest.mark.parametrize("m", [2, 100, 10_000])
@pytest.mark.parametrize("mu", [0.1, 1.0])
def test_m_mechanisms_are_one_of_a_shift_that_grows_like_the_root_of_m(m: int, mu: float) -> None:
    """dp-accounting composes the m of them on a grid."""
    sigma = sqrt(m) / mu
    loss = from_gaussian_mechanism(sigma, value_discretization_interval=1e-3 * mu / sqrt(m)).self_compose(m)
    assert gaussian_eps(mu, 1e-6) == pytest.approx(loss.get_epsilon_for_delta(1e-6), rel=1e-3)


@pytest.mark.law
@given(eps=st.floats(0, 30), mu=st.floats(0.05, 8))
def test_delta_is_the_hockey_stick_divergence(eps: float, mu: float) -> None:
    """∫ max(0, p − e^ε q) over the outcomes beyond ε/μ + μ/2, where p is the larger, as an integral of positive terms."""
    start = eps / mu + mu / 2

    def excess(x: float) -> float:
        return float(norm.pdf(x - mu) * -np.expm1(eps + norm.logpdf(x) - norm.logpdf(x - mu)))

    expected = sum(quad(excess, a, a + 2, epsabs=0)[0] for a in np.arange(start, start + 14, 2))
    assert gaussian_delta(eps, mu) == pytest.approx(expected, rel=1e-8, abs=1e-60)


@given(eps=st.floats(1e-4, 1e4), delta=st.floats(1e-30, 0.99))
def test_mu_spends_delta_at_eps_to_the_last(eps: float, delta: float) -> None:
    mu = gaussian_mu(eps, delta)
    assert gaussian_delta(eps, mu) == pytest.approx(delta, rel=1e-6)
    assert gaussian_mu(eps * 1.01, delta) > mu
    assert gaussian_mu(eps, delta * 1.01) > mu


def test_a_gaussian_that_differs_by_less_than_delta_spends_nothing() -> None:
    assert gaussian_eps(1e-7, 1e-6) == 0.0
    assert gaussian_eps(1e-5, 1e-6) > 0.0


@pytest.mark.parametrize("eps", [1e-100, 1e12])
@pytest.mark.parametrize("delta", [1e-100, 0.99])
def test_it_is_defined_far_beyond_all_use(eps: float, delta: float) -> None:
    assert 0 < gaussian_mu(eps, delta) <= 10 + sqrt(2 * eps)
