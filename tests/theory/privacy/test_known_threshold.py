"""Gaussian tests against a known threshold: their bound against the recursion it solves, exact laws, and other accountants."""

from itertools import pairwise, product
from math import exp, inf, log, sqrt

import numpy as np
import pytest
from dp_accounting.rdp.rdp_privacy_accountant import compute_epsilon
from scipy.optimize import minimize_scalar
from scipy.special import gammaln, log_ndtr, ndtr
from scipy.stats import norm

from harness.arrays import Reals
from harness.theory.privacy.gaussian import gaussian_eps
from harness.theory.privacy.known_threshold import (
    FAR,
    NEAR,
    PLACES,
    SHARES,
    _at_the_saddle,
    _best_place,
    _orders,
    _ratio,
    known_eps,
    known_moment,
    known_shift,
    leak_level,
)


def most(order: float, shift: float, m: int, n: int) -> float:
    """ln V(m, n): the best that an analyst can do, by the recursion itself, over levels a hundredth apart."""
    levels = np.arange(-12, 12, 0.01)
    p, q = np.concatenate([[levels, levels - shift], [levels - shift, levels]], axis=1)
    b, t = (np.exp(order * log_ndtr(way * p) + (1 - order) * log_ndtr(way * q)) for way in (1, -1))
    value = np.ones(n + 1)
    for _ in range(m):
        value[1:] = [(t * value[c] + b * value[c - 1]).max() for c in range(1, n + 1)]
    return log(value[n])


@pytest.mark.parametrize(
    ("m", "n", "shift", "order"), [(30, 1, 0.3, 3.0), (30, 3, 0.3, 3.0), (100, 5, 0.1, 8.0), (60, 20, 0.5, 2.0)]
)
def test_no_analyst_makes_more_than_the_bound_and_the_best_makes_most_of_it(m: int, n: int, shift: float, order: float) -> None:
    bound = known_moment(order, shift, m, n, np.linspace(0, 2, 401).tolist())
    made = most(order, shift, m, n)
    assert 0.6 * bound < made < bound


def outcomes(levels: Reals, n: int) -> Reals:
    """The law of all outcomes of tests with these levels, (2^m,): after the n-th ⊥ all count as passed."""
    chance, law = ndtr(levels), []
    for bottoms in product((False, True), repeat=len(levels)):
        asked = len(levels) if sum(bottoms) < n else 1 + np.flatnonzero(np.cumsum(bottoms) == n)[0]
        passed = [p if bottom else 1 - p for p, bottom in zip(chance[:asked], bottoms[:asked], strict=True)]
        law.append(float(np.prod(passed)) if sum(bottoms) <= n and not any(bottoms[asked:]) else 0.0)
    return np.array(law)


@pytest.mark.at_once("1")
@pytest.mark.parametrize("n", [1, 2, 4])
def test_exact_laws_of_seven_tests_keep_to_what_is_certified_and_come_near_it(n: int) -> None:
    """δ of the worst of many tables at the certified ε is below the δ it is for, and at half of that ε far above."""
    m, delta, rng, worst, at_half = 7, 1e-3, np.random.default_rng(1), 0.0, 0.0
    shift = known_shift(1.0, m, n, delta)
    for trial in range(30):
        levels = np.full(m, rng.normal(-1.5, 0.8)) if trial % 2 else rng.normal(-1, 1, m)
        moved = levels + shift * (1 if trial % 3 else rng.choice([-1, 1], m))
        for p, q in ((levels, moved), (moved, levels)):
            P, Q = outcomes(p, n), outcomes(q, n)
            assert P.sum() == pytest.approx(1) == Q.sum()
            worst = max(worst, float(np.maximum(P - exp(1.0) * Q, 0).sum()))
            at_half = max(at_half, float(np.maximum(P - exp(0.5) * Q, 0).sum()))
    assert worst <= delta < at_half


@pytest.mark.parametrize(
    ("order", "shift", "m", "n", "log_g"),
    [
        (3.0, 0.3, 100, 3, 2.0),
        (1.5, 1.0, 50, 5, 0.0),
        (4.0, 0.5, 40, 4, 5.0),
        (30.0, 0.05, 900, 9, 4.0),
        (20.0, 1.0, 50, 5, 8.0),
    ],
)
def test_a_moment_is_the_largest_over_all_levels_either_way(order: float, shift: float, m: int, n: int, log_g: float) -> None:
    """θ = max t + b/g, with b and t the α-moments of ⊥ and of ⊤ where the level is moved by h up or down."""
    level, theta = np.linspace(-25, 25, 100_001), 0.0
    for here, there in ((level, level - shift), (level - shift, level)):
        bottom, top = (order * law(here) + (1 - order) * law(there) for law in (norm.logsf, norm.logcdf))
        theta = max(theta, float((np.expm1(top) + np.exp(bottom - log_g)).max()))
    assert known_moment(order, shift, m, n, [log_g]) == pytest.approx(m * np.log1p(theta) + n * log_g, rel=2e-6)


def test_the_best_of_all_levels_is_looked_at_again_and_so_is_all_up_to_its_neighbours() -> None:
    assert 0.0 in NEAR and (NEAR[0], NEAR[-1]) == (-1.0, 1.0)
    few = [known_moment(3.0, 0.3, 100, 3, [log_g]) for log_g in (1.0, 2.0, 3.0)]
    assert known_moment(3.0, 0.3, 100, 3, [1.0, 2.0, 3.0]) == min(few)


def test_no_order_is_far_from_one_that_is_tried() -> None:
    """Less 1, within 11% from 0.05 to 2.5 of what a Gaussian mechanism of about the shift asks for."""
    assert max(SHARES[1:] / SHARES[:-1]) < 1.23 and (SHARES[0], SHARES[-1]) == pytest.approx((0.05, 2.5))
    assert _orders(0.1, 10**6, 1, exp(-0.5)) - 1 == pytest.approx(SHARES * sqrt(1 / (1 + 2 * log(10**6))) / 0.1)


def test_moments_become_eps_as_in_another_library() -> None:
    shift, m, n, delta = 0.02, 10**4, 30, 1e-6
    orders = [1 + rise for rise in np.geomspace(1, 60, 60)]
    rdp = [known_moment(a, shift, m, n, (a * np.geomspace(1e-3, 0.1, 60)).tolist()) / (a - 1) for a in orders]
    theirs, _ = compute_epsilon(orders, rdp, delta)
    assert known_eps(shift, m, n, delta) == pytest.approx(theirs, rel=0.02)


@pytest.mark.parametrize(("m", "n", "least"), [(10**3, 11, 1.5), (10**4, 31, 2.5), (10**6, 1001, 25), (10**3, 2, 0)])
def test_with_more_than_a_few_bottoms_it_is_below_the_bound_for_a_threshold_that_is_noisy(m: int, n: int, least: float) -> None:
    """ln C(m, n)/(α − 1) + (n + 1) 2α/σ², for noise of σ on a test and σ/2 on one threshold.

    So is Zhu and Wang's, as autodp has it (rdp_bank, RDP_gaussian_svt_cgreater1), but for n ln(m/n) in place of ln C(m, n).
    With two ⊥s it is the smaller one.
    """
    shift, delta = known_shift(1.0, m, n, 1e-6), 1e-6
    orders = 1 + np.geomspace(0.05, 300, 2000)
    ways = gammaln(m + 1) - gammaln(n + 1) - gammaln(m - n + 1)
    theirs, _ = compute_epsilon(orders.tolist(), (ways / (orders - 1) + (n + 1) * 2 * orders * shift**2).tolist(), delta)
    assert theirs > least if least else theirs < 0.7


@pytest.mark.parametrize(
    ("eps", "m", "n"),
    [
        (1.0, 1000, 11),
        (0.1, 300, 2),
        (0.5, 100, 3),
        (10.0, 10**6, 100),
        (1.0, 50, 49),
        (2.0, 12, 6),
        (1.0, 7, 7),
        (1.0, 2, 1),
        (1.0, 1000, 999),
    ],
)
def test_the_largest_shift_is_where_the_bound_is_met(eps: float, m: int, n: int) -> None:
    shift = known_shift(eps, m, n, 1e-6)
    assert eps * (1 - 1e-5) < known_eps(shift, m, n, 1e-6) <= eps * (1 + 1e-9) < known_eps(1.001 * shift, m, n, 1e-6)


@pytest.mark.parametrize(("m", "n"), [(2, 1), (12, 6), (13, 6), (40, 39)])
def test_the_less_noise_the_larger_it_is_also_where_half_of_the_tests_may_be_bottom(m: int, n: int) -> None:
    spent = [known_eps(shift, m, n, 1e-6) for shift in np.geomspace(0.01, 3, 60)]
    assert all(less < more for less, more in pairwise(spent))


def test_the_best_of_all_places_is_among_those_where_a_level_is_sought() -> None:
    """Around the best of each sixth one; at 300 settings, of which many have ⊥s in nearly all tests, or in hardly any."""
    rng = np.random.default_rng(3)
    for _ in range(300):
        m = int(10 ** rng.uniform(0.4, 9))
        n = max(1, int(m ** rng.uniform(0, 1)) - 1) if rng.random() < 0.7 else m - 1
        shift = float(10 ** rng.uniform(-4, 1)) / sqrt(n)
        orders = _orders(shift, m, n, 10 ** rng.uniform(-12, -1))[:, np.newaxis]
        levels = (FAR + 1.5 * orders * shift) * PLACES
        shown = []
        for p, q in ((levels, levels - shift), (levels - shift, levels)):
            bottom, top = (orders * log_ndtr(way * p) + (1 - orders) * log_ndtr(way * q) for way in (1, -1))
            shown.append(((m - n) * top + n * bottom).argmax(axis=1))
        best = np.stack([levels[np.arange(len(levels)), each] for each in shown], axis=1)
        np.testing.assert_array_equal(_best_place(orders, shift, m, n), best)


@pytest.mark.parametrize(
    ("shift", "m", "n"), [(0.3, 50, 5), (0.02, 10**4, 30), (1.0, 12, 11), (0.05, 10**6, 100), (0.05, 10**4, 10**4 - 1)]
)
def test_the_moment_at_the_saddle_is_that_of_the_best_level_of_very_many(shift: float, m: int, n: int) -> None:
    orders = _orders(shift, m, n, 1e-6)[::5]
    chance, (log_g, found) = (m - n) * log(1 - n / m) + n * log(n / m), _at_the_saddle(orders, shift, m, n)
    assert (log_g >= 0).all()  # for a smaller g nothing is proved
    for order, moment in zip(orders, found, strict=True):
        grid, best = np.linspace(-FAR, FAR + 1.5 * order * shift, 4001), 0.0
        for here, there in ((0.0, -shift), (-shift, 0.0)):

            def lost(level: Reals, order: float = order, here: float = here, there: float = there) -> Reals:
                bottom, top = (order * of(level + here) + (1 - order) * of(level + there) for of in (norm.logcdf, norm.logsf))
                return np.asarray(-((m - n) * top + n * bottom))

            top = grid[lost(grid).argmin()]
            best = max(best, -float(minimize_scalar(lost, (top - 0.01, top, top + 0.01), tol=1e-9).fun) - chance)  # type: ignore[arg-type]
        assert moment == pytest.approx(best, rel=1e-5, abs=1e-9)


def test_where_every_test_may_be_bottom_it_is_the_gaussian_mechanism() -> None:
    assert known_eps(0.1, 20, 20, 1e-5) == gaussian_eps(0.1 * sqrt(20), 1e-5) == known_eps(0.1, 20, 30, 1e-5)
    assert known_eps(0.1, 20, 5, 1e-5) < gaussian_eps(0.1 * sqrt(20), 1e-5) and known_eps(0.1, 20, 5, 0.0) == inf
    assert 50 * norm.sf(leak_level(50, 1e-6)) == pytest.approx(1e-6, rel=1e-9)


def test_the_slope_of_a_level_is_that_of_another_library() -> None:
    place = np.array([-30.0, -3.0, 0.0, 0.7, 5.0])
    assert _ratio(place) == pytest.approx(np.exp(norm.logpdf(place) - norm.logcdf(place)), rel=1e-12)
