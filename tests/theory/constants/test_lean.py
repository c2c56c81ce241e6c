"""All constants lowered together: what T rests on, what is certified, and that nothing is left to take away."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import binom

from harness.theory.constants import calibrations, constants
from harness.theory.constants.lean import hardly_exceeded, shortfall
from harness.theory.factors import PRINTED
from harness.theory.parameters import Task
from harness.theory.privacy.laplace import difference_tail
from harness.theory.privacy.spent import spent_lower, spent_upper


def task(m: int, beta: float = 0.05, gamma: float = 0.0) -> Task:
    return Task(m, 1.0, 1e-6, beta, gamma, lambda s, q: 0.0)


@pytest.mark.parametrize(("m", "alpha", "beta"), [(100, 0.1, 0.05), (1000, 0.002, 0.05), (50, 0.5, 0.9), (1000, 1e-9, 0.05)])
def test_the_shortfall_is_the_mean_of_the_largest_values(m: int, alpha: float, beta: float) -> None:
    """Summed over the whole law, from above, until β/2 of it is used up."""
    left, mean = beta / 2, 0.0
    for x in range(m, -1, -1):
        used = min(left, float(binom.pmf(x, m, alpha)))
        left, mean = left - used, mean + used * x
    assert shortfall.of(PRINTED, task(m, beta), alpha) == pytest.approx(mean / (beta / 2), rel=1e-6)


def test_no_joint_law_of_the_hypotheses_exceeds_it_more_often_and_one_reaches_it() -> None:
    """Averages of two Bin(m, p), the second a function of the first: equal, reversed, shuffled, and turned within the top β/2.

    The last has the average near the shortfall with probability β/2: nine tenths of it are exceeded more often.
    """
    m, p, beta, rng = 100, 0.1, 0.2, np.random.default_rng(1)
    law = np.sort(binom.isf((np.arange(200_000) + 0.5) / 200_000, m, p))
    top = round(beta / 2 * len(law))
    B = shortfall.of(PRINTED, task(m, beta), p)
    worst = np.concatenate([law[:-top], law[-top:][::-1]])
    for other in (law, law[::-1], rng.permutation(law), worst):
        assert np.mean((law + other) / 2 > B * (1 + 1e-9)) <= beta / 2
    assert np.mean((law + worst) / 2 > 0.9 * B) > beta / 2


@pytest.mark.law
def test_the_digits_that_its_difference_loses_are_few() -> None:
    """P(Y ≥ a) = P(X > a) + (1 − p)P(Y = a) for Y ~ Bin(m−1, p), so E[(X − a)⁺] = (mp − a)P(X > a) + mp(1 − p)P(Y = a)."""
    rng = np.random.default_rng(1)
    for most, off in ((6, 1e-12), (9, 1e-10)):
        for _ in range(500):
            m, beta, p = int(10 ** rng.uniform(1, most)), 10 ** rng.uniform(-8, -0.3), float(rng.uniform(0, 0.5)) ** 4
            at = float(binom.isf(beta / 2, m, p))
            above = (m * p - at) * binom.sf(at, m, p) + m * p * (1 - p) * binom.pmf(at, m - 1, p)
            assert shortfall.of(PRINTED, task(m, beta), p) == pytest.approx(at + above / (beta / 2), rel=off)


def test_it_never_falls_as_the_error_grows_and_is_no_more_than_the_queries() -> None:
    alphas = np.geomspace(1e-8, 2, 200)
    B = [shortfall.of(PRINTED, task(1000), float(alpha)) for alpha in alphas]
    assert all(b >= a for a, b in pairwise(B)) and B[-1] == pytest.approx(1000)


@pytest.mark.parametrize(("eps", "m", "T"), [(0.1, 1000, 1.0), (1.0, 10**4, 30.0), (5.0, 10**6, 3000.0), (1.0, 10, 50.0)])
def test_a_run_is_certified_and_with_less_noise_it_is_not(eps: float, m: int, T: float) -> None:
    own = calibrations()["lean"]
    assert spent_lower(own, eps, 1e-6, m, T) < spent_upper(own, eps, 1e-6, m, T) <= eps * (1 + 1e-6)
    less = replace(own, lam=lambda *at: 0.99 * own.lam(*at))
    assert spent_upper(less, eps, 1e-6, m, T) > eps
    lower = replace(own, w=lambda *at: 0.97 * own.w(*at))
    assert spent_upper(lower, eps, 1e-6, m, T) > eps * (1 + 1e-6)


def test_it_needs_less_of_everything_than_tight_over_a_long_run_and_no_more_over_a_short_one() -> None:
    lean, tight = constants()["lean"], constants()["tight"]
    at = task(10**5)
    assert lean.lam(at, 1.0) == pytest.approx(tight.lam(at, 1.0)) and lean.lam(at, 1000.0) < 0.42 * tight.lam(at, 1000.0)
    assert lean.k(at, 1000.0) < 0.43 * tight.k(at, 1000.0)
    assert lean.T(at, 1e-3) < tight.T(at, 1e-3)
    assert [factor.name for factor in lean.factors] == ["c_gap", "c_loop", "c_k", "c_a", "c_tail", "c_B", "c_T"]


@pytest.mark.parametrize("name", ["lean", "tight"])
@pytest.mark.parametrize("c_gap", [1, 2])
def test_the_threshold_is_as_far_above_an_unsettled_query_as_labels_leak(name: str, c_gap: int) -> None:
    """By the tail at w less the largest distance of a query whose winner differs, which is 1 where one vote moves it by 2."""
    base = constants()[name].changed({"c_gap": c_gap})
    lam, w = base.lam(task(1000), 10.0), base.w(task(1000), 10.0)
    assert 11 * difference_tail(w - (2 - c_gap), lam) == pytest.approx(0.5e-6, rel=1e-6)


@pytest.mark.parametrize("m", [1, 7, 101, 10**6, 10**9])
@pytest.mark.parametrize("share", [1e-200, 1e-18, 1.1e-16, 1e-9, 0.025, 0.5, 1.0])
def test_what_is_hardly_exceeded_is_the_least_of_its_kind(m: int, share: float) -> None:
    """Also where scipy's inverse gives m, or none."""
    for p in (0.0, 1e-300, 1e-17, 2.2e-16, 1e-9, 1e-3, 0.3, 1 - 1e-12, 1.0):
        at = hardly_exceeded(m, p, share)
        assert 0 <= at <= m and binom.sf(at, m, p) <= share * (1 + 1e-9)
        assert at == 0 or binom.sf(at - 1, m, p) > share * (1 - 1e-9)


def test_of_mistakes_that_hardly_happen_the_shortfall_is_their_number_over_the_share() -> None:
    """101 queries, each mistaken with a chance of 10⁻¹⁷, of which the largest of 10⁻¹⁸ in all are 1, but for 10⁻³¹."""
    assert shortfall.of(PRINTED, task(101, 2e-18), 1e-17) == pytest.approx(1.0, rel=1e-12)
