"""Composition of epochs: against closed forms, the Kairouz–Oh–Viswanath sum and dp-accounting's loss distributions."""

from fractions import Fraction
from math import comb, exp, inf, log, log1p

import numpy as np
import pytest
from dp_accounting.pld.privacy_loss_distribution import from_two_probability_mass_functions
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import gammaln
from scipy.stats import binom

from harness.theory.privacy.composition import compose_event, compose_pure, epochs, pure_share


def kairouz_oh_viswanath(eps: float, n: int, delta: float) -> float:
    """The ε' at which δ = Σ_i C(n, i) max(0, e^{(n−i)ε} − e^{ε' + iε}) / (1 + e^ε)ⁿ, in logarithms."""
    i = np.arange(n + 1)
    log_mass = gammaln(n + 1) - gammaln(i + 1) - gammaln(n - i + 1) + (n - i) * eps - n * np.logaddexp(0, eps)
    losses = (n - 2 * i) * eps

    def excess(at: float) -> float:
        return float(np.exp(log_mass) @ np.maximum(0, -np.expm1(np.minimum(0, at - losses)))) - delta

    return float(brentq(excess, 0, n * eps, xtol=1e-14)) if excess(0) > 0 else 0.0


@pytest.mark.parametrize(("m", "T", "expected"), [(100, 1, 2), (100, 3.7, 4), (100, 99, 100), (100, 5000, 100), (1, 1, 1)])
def test_the_printed_loop_has_one_epoch_more_than_its_cutoff(m: int, T: float, expected: int) -> None:
    assert epochs(m, T) == expected


@pytest.mark.parametrize("n", [1, 2, 10, 101, 1001, 30_001])
@pytest.mark.parametrize("total", [0.2, 1.0, 5.0])
@pytest.mark.parametrize("delta", [1e-6, 1e-4])
def test_pure_epochs_compose_to_the_kairouz_oh_viswanath_sum(n: int, total: float, delta: float) -> None:
    """To six digits, from one epoch to 30,001."""
    eps = total / n**0.5
    assert compose_pure(eps, n, delta) == pytest.approx(kairouz_oh_viswanath(eps, n, delta), rel=5e-7)


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
    assert kairouz_oh_viswanath(pure_share(eps, n, 5e-7), n, 5e-7) == pytest.approx(eps, rel=5e-7)


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


def test_tails_too_small_for_a_float_do_no_harm() -> None:
    """All 100,001 epochs show it with probability e^{−1005} at most."""
    shown, t = compose_event(0.99, 0.9895, 100_001, 1e-6)
    high, low = binom.sf(t - 1, 100_001, 0.99), binom.sf(t - 1, 100_001, 0.9895)
    assert shown == pytest.approx(log((high - 1e-6) / low), rel=1e-9)


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
