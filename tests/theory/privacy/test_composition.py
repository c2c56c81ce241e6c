"""Composition of epochs: against closed forms, the Kairouz–Oh–Viswanath sum and dp-accounting's loss distributions."""

from fractions import Fraction
from math import comb, exp, expm1, inf, log, log1p, sqrt, tanh
from time import process_time

import numpy as np
import pytest
from dp_accounting.pld.common import DifferentialPrivacyParameters
from dp_accounting.pld.privacy_loss_distribution import (
    from_laplace_mechanism,
    from_privacy_parameters,
    from_two_probability_mass_functions,
)
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import gammaln
from scipy.stats import binom, norm

from harness.theory.privacy.composition import (
    advanced_share,
    compose_event,
    compose_laplace,
    compose_pure,
    epochs,
    pure_delta,
    pure_share,
    sharper_share,
)


def delta_of(eps: float, n: int, at: float) -> float:
    """δ = Σ_i C(n, i) max(0, e^{(n−i)ε} − e^{ε' + iε}) / (1 + e^ε)ⁿ at ε', in logarithms."""
    i = np.arange(n + 1)
    log_mass = gammaln(n + 1) - gammaln(i + 1) - gammaln(n - i + 1) + (n - i) * eps - n * np.logaddexp(0, eps)
    return float(np.exp(log_mass) @ np.maximum(0, -np.expm1(np.minimum(0, at - (n - 2 * i) * eps))))


def kairouz_oh_viswanath(eps: float, n: int, delta: float) -> float:
    """The ε' that has that δ."""

    def excess(at: float) -> float:
        return delta_of(eps, n, at) - delta

    return float(brentq(excess, 0, n * eps, xtol=1e-14)) if excess(0) > 0 else 0.0


@pytest.mark.parametrize(("share", "n"), [(0.9, 1000), (0.3, 10_000), (0.1, 10_000)])
def test_delta_is_that_sum_also_at_the_mean_of_many_large_losses(share: float, n: int) -> None:
    """There the density is cut off at its peak, and what is left of it changes within a small share of a deviation."""
    mean = n * share * tanh(share / 2)
    for at in (0.5 * mean, mean, 1.1 * mean):
        assert pure_delta(share, n, at) == pytest.approx(delta_of(share, n, at), rel=1e-10)


@pytest.mark.parametrize(("m", "T", "expected"), [(100, 1, 2), (100, 3.7, 4), (100, 99, 100), (100, 5000, 100), (1, 1, 1)])
def test_the_printed_loop_has_one_epoch_more_than_its_cutoff(m: int, T: float, expected: int) -> None:
    assert epochs(m, T) == expected


@pytest.mark.parametrize("n", [1, 2, 3, 10, 101, 1001, pytest.param(30_001, marks=pytest.mark.law)])
@pytest.mark.parametrize("total", [0.2, 1.0, 5.0])
@pytest.mark.parametrize("delta", [1e-12, 1e-6, 1e-4, 0.3])
def test_pure_epochs_compose_to_the_kairouz_oh_viswanath_sum(n: int, total: float, delta: float) -> None:
    """To nine digits, from one epoch to 30,001."""
    eps = total / n**0.5
    assert compose_pure(eps, n, delta) == pytest.approx(kairouz_oh_viswanath(eps, n, delta), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("n", [1, 2, 10, 1001, 30_001])
@pytest.mark.parametrize("total", [0.2, 1.0, 5.0])
def test_pure_epochs_compose_as_dp_accounting_has_it(n: int, total: float) -> None:
    """Whose Fourier transforms and truncation are good for six digits."""
    eps = total / n**0.5
    loss = from_privacy_parameters(DifferentialPrivacyParameters(eps, 0), value_discretization_interval=eps)
    accounted = loss.self_compose(n).get_epsilon_for_delta(1e-6)
    assert compose_pure(eps, n, 1e-6) == pytest.approx(accounted, rel=1e-6)


@pytest.mark.parametrize("n", [10**6, 10**9])
@pytest.mark.parametrize("mu", [0.03, 0.3, 3.0])
@pytest.mark.parametrize("z", [0.0, 2.0, 5.0, 8.0])
def test_very_many_epochs_compose_as_their_gaussian_limit(n: int, mu: float, z: float) -> None:
    """A binomial of n trials is a Gaussian but for O(1/√n) at worst: shift μ = √n·share, at ε = μz."""
    eps, share = mu * z, mu / n**0.5
    limit = norm.sf(z - mu / 2) - np.exp(eps + norm.logsf(z + mu / 2))
    assert pure_delta(share, n, eps) == pytest.approx(limit, rel=0.02 if n < 10**9 else 6e-4)


@given(share=st.floats(1e-6, 5), n=st.integers(1, 10**5), eps=st.floats(0, 20), more=st.floats(1e-3, 2))
def test_delta_falls_with_eps_and_grows_with_each_share_and_their_number(share: float, n: int, eps: float, more: float) -> None:
    delta = pure_delta(share, n, eps)
    assert 0 <= delta <= 1 + 1e-12
    slack = 1e-300
    assert pure_delta(share, n, eps * (1 + more)) <= delta * (1 + 1e-9) + slack
    assert pure_delta(share * (1 + more), n, eps) >= delta * (1 - 1e-9) - slack
    assert pure_delta(share, n + 1, eps) >= delta * (1 - 1e-9) - slack


@given(share=st.floats(1e-8, 5), n=st.integers(1, 10**4))
def test_at_eps_0_two_runs_of_randomised_response_are_told_apart_by_the_majority(share: float, n: int) -> None:
    """δ is their total variation distance, P(Bin(n, p) > n/2) − P(Bin(n, q) > n/2), where doubles can tell."""
    p, q = 1 / (1 + exp(-share)), 1 / (1 + exp(share))
    expected = binom.sf(n // 2, n, p) - binom.sf(n // 2, n, q)
    assert pure_delta(share, n, 0.0) == pytest.approx(expected, rel=1e-8, abs=1e-13)


def test_the_sum_in_logarithms_is_the_exact_one() -> None:
    """The oracle's own oracle, in rational arithmetic: e^ε = 9/8, 40 mechanisms."""
    n, ratio = 40, Fraction(9, 8)
    at = kairouz_oh_viswanath(log(ratio), n, 1e-5)
    factor = Fraction(exp(at))
    terms = (comb(n, i) * max(Fraction(0), ratio ** (n - i) - factor * ratio**i) for i in range(n + 1))
    assert float(sum(terms, Fraction(0)) / (1 + ratio) ** n) == pytest.approx(1e-5, rel=1e-10)


@given(eps=st.floats(1e-3, 5), delta=st.floats(1e-9, 1e-4))
def test_the_two_epochs_of_cutoff_one_in_closed_form(eps: float, delta: float) -> None:
    """Only the outcome of loss 2ε, of probability p² = (1 + e^{−ε})^{−2}, is above ε' ≥ 0: p²(1 − e^{ε' − 2ε}) = δ."""
    expected = 2 * eps + log1p(-delta * (1 + exp(-eps)) ** 2)
    assert compose_pure(eps, epochs(10, 1), delta) == pytest.approx(max(0, expected), rel=1e-9)


def test_without_any_delta_left_nothing_is_certified() -> None:
    assert compose_pure(0.1, 5, 0.0) == inf


@pytest.mark.parametrize("n", [1, 2, 11, 1001, 30_001])
@pytest.mark.parametrize("eps", [0.1, 1.0, 10.0])
def test_the_share_of_an_epoch_inverts_the_composition(n: int, eps: float) -> None:
    assert kairouz_oh_viswanath(pure_share(eps, n, 5e-7), n, 5e-7) == pytest.approx(eps, rel=1e-9)


@given(eps=st.floats(1e-3, 1e5), n=st.integers(1, 10**9), delta=st.floats(1e-30, 0.99))
def test_the_share_is_at_least_an_nth_and_falls_with_n(eps: float, n: int, delta: float) -> None:
    """Also where ε, δ and n are beyond all use."""
    share = pure_share(eps, n, delta)
    assert eps / n * (1 - 1e-12) <= share <= pure_share(eps, 1, delta) * (1 + 1e-12)
    assert pure_share(eps, 2 * n, delta) < share
    if share > 1.001 * eps / n:  # else the last digit of eps decides
        assert pure_delta(share, n, eps) == pytest.approx(delta, rel=1e-6)


def test_a_million_epochs_cost_milliseconds() -> None:
    """A fixed point asks for tens of shares a cell. Fifty take 50 ms on an idle core, and any number of epochs the same."""
    pure_share.cache_clear()
    start = process_time()
    for n in range(50):
        pure_share(1.0, 10**6 + n, 5e-7)
    assert process_time() - start < 2.5


@given(eps=st.floats(0.01, 1), m=st.integers(1, 10**9), delta=st.floats(1e-15, 0.1))
def test_the_corollary_shares_out_less_than_the_theorem_for_eps_up_to_one(eps: float, m: int, delta: float) -> None:
    """2√(2m ln(1/δ)) ε₀ = ε by DR14 Corollary 3.21, √(2m ln(1/δ)) ε₀ + mε₀(e^ε₀ − 1) = ε by Theorem 3.20."""
    first = sqrt(2 * m * log(1 / delta))
    corollary, theorem = advanced_share(eps, m, delta), sharper_share(eps, m, delta)
    assert 2 * first * corollary == pytest.approx(eps, rel=1e-12)
    assert first * theorem + m * theorem * expm1(theorem) == pytest.approx(eps, rel=1e-12)
    assert corollary <= theorem <= 2 * corollary


@pytest.mark.parametrize("eps", [1.99, 2.99, 2.5, 40.9])
def test_the_theorem_is_solved_where_its_second_term_is_nearly_all(eps: float) -> None:
    """As δ → 1 ε₀(e^ε₀ − 1) = ε of one mechanism: the root is above 1, and above ln(1 + ⌊ε⌋) too."""
    share = sharper_share(eps, 1, 1 - 1e-9)
    assert share * expm1(share) == pytest.approx(eps, rel=1e-4)


@given(eps=st.floats(0.01, 1e300), m=st.integers(1, 10**4), delta=st.floats(1e-15, 0.1))
def test_the_theorem_shares_out_no_more_than_the_optimal_composition_allows(eps: float, m: int, delta: float) -> None:
    share = sharper_share(eps, m, delta)
    assert share <= pure_share(eps, m, delta) * (1 + 1e-9)


@pytest.mark.at_once("0.1-1", "1.0-2", "0.1-50", "10.0-1000", "1.0-1000")
@pytest.mark.parametrize("m", [1, 2, 50, 1000, 10_000])
@pytest.mark.parametrize("eps", [0.1, 1.0, 10.0])
def test_laplace_mechanisms_compose_to_a_little_less_than_pure_ones(m: int, eps: float) -> None:
    """From above, within 5e-5 of dp-accounting on a grid three times as fine."""
    share = advanced_share(eps, m, 1e-6)
    loss = from_laplace_mechanism(1 / share, value_discretization_interval=share / 60)
    fine = loss.self_compose(m).get_epsilon_for_delta(1e-6)
    assert fine * (1 - 1e-7) <= compose_laplace(share, m, 1e-6) <= min(fine * (1 + 5e-5), compose_pure(share, m, 1e-6))


def test_one_laplace_mechanism_in_closed_form() -> None:
    """δ = 1 − e^{(ε − ε₀)/2} for one mechanism of ε₀."""
    assert compose_laplace(1.0, 1, 1e-3) == pytest.approx(1 + 2 * log1p(-1e-3), rel=5e-5)


def test_beyond_ten_thousand_laplace_mechanisms_the_pure_bound_stands_in() -> None:
    share = 0.0195  # ε' is 10.6
    pure = compose_pure(share, 10_001, 1e-6)
    assert compose_laplace(share, 10_001, 1e-6) == pure
    assert compose_laplace(share, 10_000, 1e-6) < pure < 1.004 * compose_laplace(share, 10_000, 1e-6)
    assert compose_laplace(1e-9, 10, 1e-6) == 0.0
    assert compose_laplace(0.1, 10, 0.0) == inf


@pytest.mark.parametrize(
    ("p", "q", "n", "delta"), [(0.5, 0.45, 400, 1e-6), (0.02, 0.005, 2, 1e-6), (0.9, 0.7, 30, 1e-3), (0.3, 0.2999, 5, 1e-2)]
)
def test_an_event_shows_its_largest_likelihood_ratio(p: float, q: float, n: int, delta: float) -> None:
    """By brute force over every t."""
    t = np.arange(1, n + 1)
    high, low = binom.sf(t - 1, n, p), binom.sf(t - 1, n, q)
    ratios = np.log(np.maximum(high - delta, 1e-300) / low)
    shown, best = compose_event(p, q, n, delta)
    assert shown == pytest.approx(max(0, ratios.max()), rel=1e-9)
    assert ratios[best - 1] == ratios.max()


@pytest.mark.parametrize(("p", "over", "delta"), [(1e-3, 0.9, 1e-6), (1e-4, 0.97, 1e-12), (0.3, 0.95, 1e-3)])
def test_of_very_many_epochs_the_number_that_shows_most_is_among_those_tried(p: float, over: float, delta: float) -> None:
    """By brute force over all up to ten deviations above the mean, far out in the tail."""
    n = round(1e4 / p)
    t = np.arange(9000, 11_000)
    high, low = binom.sf(t - 1, n, p), binom.sf(t - 1, n, over * p)
    ratios = np.log(np.maximum(high - delta, 1e-300) / low)
    shown, best = compose_event(p, over * p, n, delta)
    assert shown == pytest.approx(ratios.max(), rel=1e-9) and abs(best - t[ratios.argmax()]) <= 1


def test_tails_too_small_for_a_float_do_no_harm() -> None:
    """All 100,001 epochs show it with probability e^{−1005} at most."""
    shown, t = compose_event(0.99, 0.9895, 100_001, 1e-6)
    high, low = binom.sf(t - 1, 100_001, 0.99), binom.sf(t - 1, 100_001, 0.9895)
    assert shown == pytest.approx(log((high - 1e-6) / low), rel=1e-9)


@pytest.mark.at_once("0.02-0.005-2", "0.3-0.25-60")
@pytest.mark.parametrize(("p", "q", "n"), [(0.5, 0.45, 400), (0.02, 0.005, 2), (0.3, 0.25, 60)])
def test_an_event_shows_what_dp_accounting_finds_for_its_two_outcomes(p: float, q: float, n: int) -> None:
    """The loss distribution of the pair of Bernoulli laws, rounded up and down."""
    step = 1e-4

    def accounted(pessimistic: bool) -> float:
        laws = ({"yes": log(chance), "no": log1p(-chance)} for chance in (q, p))
        loss = from_two_probability_mass_functions(*laws, pessimistic, step)
        return float(loss.self_compose(n).get_epsilon_for_delta(1e-6))

    shown, _ = compose_event(p, q, n, 1e-6)
    assert accounted(False) - 1e-9 <= shown <= accounted(True) + 1e-9
    assert accounted(True) - accounted(False) <= 2 * n * step
