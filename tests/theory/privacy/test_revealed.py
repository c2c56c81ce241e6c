"""The accountant that gives thresholds away: against a finer search, a simulated adversary, and the witness from below."""

from math import exp, expm1, inf, log

import numpy as np
import pytest
from dp_accounting.rdp.rdp_privacy_accountant import compute_epsilon

from harness.arrays import Reals
from harness.theory.constants import calibrations
from harness.theory.privacy.composition import compose_pure
from harness.theory.privacy.revealed import PLACES, SHARES, compose_revealed, epoch_moment, revealed_shift
from harness.theory.privacy.witness import strongest_witness


def coin(a: Reals) -> tuple[Reals, Reals]:
    """ln P(⊥) and ln P(⊤) where the threshold is a above the distance, in units of the query's noise."""
    rare, often = -np.abs(a) - log(2), np.log1p(-np.exp(-np.abs(a)) / 2)
    return np.where(a < 0, rare, often), np.where(a < 0, often, rare)


def moment(alpha: float, a: Reals, s: float) -> Reals:
    """ln of what an adversary makes who asks the one query at a until it is ⊥: the sum of a geometric series."""
    (p, p_top), (q, q_top) = coin(a), coin(a + s)
    ended, lasting = alpha * p + (1 - alpha) * q, -np.expm1(alpha * p_top + (1 - alpha) * q_top)
    return np.where(lasting > 0, ended - np.log(np.where(lasting > 0, lasting, 1)), inf)


@pytest.mark.parametrize("h", [1.0, 0.1, 1e-2, 1e-3])
def test_no_query_makes_more_than_those_that_are_tried(h: float) -> None:
    """Levels from far below to far above, and shifts of all sizes both ways."""
    levels = np.unique(np.concatenate([np.linspace(-15, 15, 3001), np.linspace(-3 * h, 3 * h, 3001)]))
    for share in (0.05, 0.3, 0.6):
        order = 1 + share / expm1(h)
        largest = max(float(moment(order, levels, s).max()) for s in np.linspace(-h, h, 21))
        assert float(epoch_moment(np.array([order]), h)[0]) == pytest.approx(largest, rel=1e-3)


def test_no_order_and_no_place_is_far_from_one_that_is_tried() -> None:
    """Orders less 1 within 8% from 10⁻⁴ to 0.85 of the largest that there is; places within a 96th of a shift."""
    assert max(SHARES[1:] / SHARES[:-1]) < 1.155 and (SHARES[0], SHARES[-1]) == pytest.approx((1e-4, 0.85))
    assert max(np.diff(PLACES)) == pytest.approx(1 / 48) and (PLACES[0], PLACES[-1]) == (-1, 0)
    assert (np.diff(epoch_moment(1 + SHARES[:40] / expm1(0.1), 0.1)) > 0).all()


def test_mixing_queries_within_an_epoch_makes_no_more() -> None:
    """A random adversary of forty queries, whose moment is a sum over where the first ⊥ is."""
    rng, h, order = np.random.default_rng(1), 0.2, 3.0
    most = float(epoch_moment(np.array([order]), h)[0])
    for _ in range(300):
        a, s = rng.normal(scale=rng.choice([0.1, 1, 4]), size=40), rng.choice([-h, h], size=40)
        (p, p_top), (q, q_top) = coin(a), coin(a + s)
        b, t = order * p + (1 - order) * q, order * p_top + (1 - order) * q_top
        before = np.concatenate([[0], np.cumsum(t)])
        made = log(float(np.exp(before[:-1] + b).sum() + exp(before[-1])))
        assert made <= most * (1 + 1e-3)


def test_moments_become_eps_as_in_another_library() -> None:
    h, n, delta = 0.01, 500, 1e-6
    orders = 1 + SHARES / expm1(h)
    rdp = n * epoch_moment(orders, h) / (orders - 1)
    keep = np.isfinite(rdp)
    theirs, _ = compute_epsilon(orders[keep].tolist(), rdp[keep].tolist(), delta)
    assert compose_revealed(h, n, delta) == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize("T", [10, 100, 1000, 10**4])
def test_it_is_never_below_what_an_attack_shows_and_within_half_of_it_over_a_long_run(T: int) -> None:
    """And over a long run two and a half times below what pure composition certifies."""
    calibration, m = calibrations()["printed"], 10 * T
    lam = calibration.lam(1.0, 1e-6, m, T)
    shown = strongest_witness(calibration, 1.0, 1e-6, m, T).eps
    certified = compose_revealed(2 / (2 * lam), T + 1, 1e-6)
    assert shown < certified
    if T >= 1000:
        assert certified < 1.5 * shown and compose_pure(4 / lam, T + 1, 1e-6) > 2.4 * certified


def test_an_epoch_costs_half_a_step_in_the_limit() -> None:
    """ln E_Q[(P/Q)^α] is α(α − 1)/2 times (2h)²/2: a fair coin that is ⊥ every second time, for small h."""
    h, order = 1e-5, 2.0
    assert float(epoch_moment(np.array([order]), h)[0]) == pytest.approx(order * (order - 1) / 2 * (2 * h) ** 2 / 2, rel=1e-3)


def test_the_largest_shift_is_where_the_bound_is_met() -> None:
    h = revealed_shift(1.0, 100, 1e-6)
    assert compose_revealed(h, 100, 1e-6) == pytest.approx(1, rel=1e-9) and compose_revealed(1.01 * h, 100, 1e-6) > 1
    assert compose_revealed(0.1, 5, 0.0) == inf


def test_a_shift_whose_exponential_is_hardly_a_double_leaves_no_order() -> None:
    assert compose_revealed(690.0, 5, 1e-6) < inf == compose_revealed(700.0, 5, 1e-6) == compose_revealed(1e4, 5, 1e-6)


def test_what_delta_alone_allows_costs_nothing() -> None:
    assert compose_revealed(1e-6, 1, 0.9) == 0.0 < compose_revealed(0.1, 1, 1e-6)
