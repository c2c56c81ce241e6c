"""The accountant against dp-accounting where that has the same, and else against the laws of outputs by quadrature."""

import doctest
from collections.abc import Callable, Iterator
from itertools import pairwise
from math import exp, inf, log, pi, sqrt
from typing import Any

import numpy as np
import pytest
from dp_accounting import GaussianDpEvent, LaplaceDpEvent, SelfComposedDpEvent
from dp_accounting.pld import PLDAccountant
from dp_accounting.rdp import RdpAccountant, compute_epsilon
from scipy.integrate import quad
from scipy.stats import laplace, norm

from harness import InputError, accountant
from harness.arrays import Reals
from harness.theory.privacy.gnmax import answers_cost, check_cost
from tests.theory.privacy.test_gnmax import theorem_6

GRID = np.linspace(-40, 40, 40_001)
"""Thresholds in units of the scale of their noise, for the trapezoidal rule."""

ALPHAS = np.array([1.5, 2, 4, 16, 64])


def above_law(levels: Reals, threshold_scale: float, query_scale: float, answers: int) -> Reals:
    """The probabilities of all outputs of sparse vector with one threshold: an answer is "above" or "below", level by level."""
    density = laplace.pdf(GRID) * (GRID[1] - GRID[0])
    law = [(density, 0)]  # by output, its density over thresholds, and how many it has answered
    for level in levels:
        above = laplace.sf((GRID * threshold_scale - level) / query_scale)
        going = [(each, said) for each, said in law if said < answers]
        stopped = [(each, said) for each, said in law if said == answers]
        law = [
            *stopped,
            *((each * (1 - above), said) for each, said in going),
            *((each * above, said + 1) for each, said in going),
        ]
    return np.array([each.sum() for each, _ in law])


def anew_law(levels: Reals, lam: float) -> Reals:
    """The law of one answer of sparse vector whose threshold is drawn anew."""
    return above_law(levels, lam, 2 * lam, 1)


def moves(length: int) -> Iterator[Reals]:
    """Which way each query moves; the last is the one that is answered where the others are not."""
    for last in (-1.0, 1.0):
        yield np.append(np.full(length - 1, -last), last)
    yield np.where(np.arange(length) % 2, 1.0, -1.0)


def hockey_stick(p: Reals, q: Reals, eps: float) -> float:
    return float(np.maximum(p - exp(eps) * q, 0).sum())


def renyi(p: Reals, q: Reals, alpha: float) -> float:
    return log(float((p**alpha * q ** (1 - alpha)).sum())) / (alpha - 1)


def test_the_examples_are_true() -> None:
    tried = doctest.testmod(accountant)
    assert (tried.failed, tried.attempted) == (0, 3)


@pytest.mark.parametrize("answers", [1, 2])
@pytest.mark.parametrize("monotone", [False, True])
def test_no_output_of_sparse_vector_with_one_threshold_tells_more_than_its_eps_and_one_tells_nearly_all(
    answers: int, monotone: bool
) -> None:
    """Most is told by many queries that are "below" and become likelier so, and some that are answered and do not."""
    b1, b2 = 2.0, 3.0
    claimed = accountant.above_threshold_eps(b1, b2, answers, monotone=monotone)
    levels = np.append(np.zeros(10), np.full(answers, -25.0))
    moved = levels + np.append(np.full(10, 1.0), np.full(answers, 0.0 if monotone else -1.0))
    told = 0.0
    for shift in (-20.0, 0.0, 10.0, 20.0):
        p, q = (above_law(each + shift, b1, b2, answers) for each in (levels, moved))
        told = max(told, float(np.abs(np.log(p / q)).max()))
    assert told <= claimed + 1e-6
    assert told >= 0.9 * claimed


@pytest.mark.at_once("1e-06")
@pytest.mark.parametrize("delta", [0.0, 1e-6, 1e-2])
def test_sparse_vector_is_as_private_as_said_and_its_noise_is_the_inverse(delta: float) -> None:
    for lam, answers in ((4.0, 1), (10.0, 3), (100.0, 40), (300.0, 900)):
        eps = accountant.sparse_vector_eps(lam, answers, delta)
        assert eps <= accountant.sparse_vector_eps(lam, answers)
        if eps > 0:
            assert accountant.sparse_vector_lam(eps, answers, delta) == pytest.approx(lam, rel=1e-6)
        assert accountant.sparse_vector_eps(7 * lam, answers, delta, sensitivity=7.0) == pytest.approx(eps, rel=1e-9)
        if delta:
            assert accountant.sparse_vector_least_eps(lam, answers, 10_000, delta) <= eps


@pytest.mark.parametrize("delta", [1e-4, 1e-2])
def test_no_two_answers_of_sparse_vector_spend_more_than_its_eps(delta: float) -> None:
    lam = 3.0
    once, twice = (accountant.sparse_vector_eps(lam, answers, delta) for answers in (1, 2))
    for start in (-6.0, 0.0, 6.0):
        for move in moves(7):
            levels = np.full(7, start)
            p, q = anew_law(levels, lam), anew_law(levels + move, lam)
            assert hockey_stick(p, q, once) <= delta
            assert hockey_stick(np.outer(p, p), np.outer(q, q), twice) <= delta


def test_the_renyi_dp_of_sparse_vector_bounds_the_divergence_of_its_outputs() -> None:
    lam = 3.0
    found = accountant.sparse_vector_rdp(lam, 1, ALPHAS)
    most = np.zeros(len(ALPHAS))
    for start in (-12.0, -6.0, 0.0, 6.0):
        for move in moves(7):
            levels = np.full(7, start)
            p, q = anew_law(levels, lam), anew_law(levels + move, lam)
            most = np.maximum(most, [renyi(p, q, alpha) for alpha in ALPHAS])
    assert (most <= found).all() and (most >= found / 12).all()
    assert accountant.sparse_vector_rdp(lam, 5, ALPHAS) == pytest.approx(5 * found)
    assert (found <= 2 / lam).all()


@pytest.mark.parametrize(("eps0", "n", "delta"), [(0.1, 50, 1e-6), (0.5, 3, 1e-3), (0.02, 5000, 1e-5)])
def test_pure_and_laplace_mechanisms_compose_as_dp_accounting_has_it(eps0: float, n: int, delta: float) -> None:
    loss = PLDAccountant(value_discretization_interval=eps0 / 50)
    loss.compose(SelfComposedDpEvent(LaplaceDpEvent(1 / eps0), n))
    found = accountant.laplace_eps(1 / eps0, n, delta)
    assert found == pytest.approx(loss.get_epsilon(delta), rel=2e-3)
    assert found <= accountant.pure_eps(eps0, n, delta) <= n * eps0


@pytest.mark.parametrize(("sigma", "queries", "delta"), [(100.0, 400, 1e-6), (5.0, 3, 1e-3), (40.0, 1000, 1e-9)])
def test_gaussian_noise_and_gnmax_spend_what_dp_accounting_has(sigma: float, queries: int, delta: float) -> None:
    loss = PLDAccountant()
    loss.compose(SelfComposedDpEvent(GaussianDpEvent(sigma / sqrt(2)), queries))
    found = accountant.gnmax_eps(sigma, queries, delta)
    assert found == pytest.approx(loss.get_epsilon(delta), rel=1e-3)
    assert accountant.gnmax_sigma(found, queries, delta) == pytest.approx(sigma, rel=1e-8)
    assert accountant.gaussian_eps(sigma, 2 * queries, delta) == pytest.approx(found, rel=1e-9)
    renyi_dp = RdpAccountant(list(accountant.ORDERS))
    renyi_dp.compose(SelfComposedDpEvent(GaussianDpEvent(sigma / sqrt(2)), queries))
    converted = accountant.eps_from_rdp(accountant.gnmax_rdp(sigma, queries), delta)
    assert converted == pytest.approx(renyi_dp.get_epsilon(delta), rel=1e-6)
    assert found <= converted


def test_costs_are_converted_as_dp_accounting_does() -> None:
    costs = accountant.sparse_vector_rdp(30.0, 12) + accountant.gnmax_rdp(60.0, 100)
    for delta in (1e-9, 1e-5, 1e-2):
        expected, _ = compute_epsilon(accountant.ORDERS, costs, delta)
        assert accountant.eps_from_rdp(costs, delta) == pytest.approx(expected, rel=1e-9)


def argmax_law(votes: list[int], sigma: float) -> Reals:
    """P(each label wins), by quadrature over its noisy count."""

    def wins(label: int) -> float:
        rest = [count for place, count in enumerate(votes) if place != label]

        def density(x: float) -> float:
            below = float(np.prod(norm.cdf((votes[label] + sigma * x - np.array(rest)) / sigma)))
            return exp(-x * x / 2) / sqrt(2 * pi) * below

        return float(quad(density, -12, 12, epsabs=1e-13, limit=300)[0])

    return np.array([wins(label) for label in range(len(votes))])


@pytest.mark.parametrize("votes", [[30, 5, 5], [22, 18, 0], [14, 13, 13]])
def test_gnmax_tells_no_more_than_its_costs_on_these_votes_and_on_any(votes: list[int]) -> None:
    sigma, delta = 6.0, 1e-3
    found = accountant.gnmax_data_dependent_rdp([votes], sigma, ALPHAS)
    eps = accountant.gnmax_eps(sigma, 1, delta)
    p = argmax_law(votes, sigma)
    for target in (1, 2):
        moved = votes.copy()
        moved[0] -= 1
        moved[target] += 1
        q = argmax_law(moved, sigma)
        assert max(hockey_stick(p, q, eps), hockey_stick(q, p, eps)) <= delta
        assert all(renyi(p, q, alpha) <= cost + 1e-9 for alpha, cost in zip(ALPHAS, found, strict=True))
    assert (found <= accountant.gnmax_rdp(sigma, 1, ALPHAS)).all()


def test_data_dependent_costs_are_theorem_6_query_by_query() -> None:
    sigma = 20.0
    votes = np.random.default_rng(3).multinomial(400, [0.6, 0.3, 0.1], size=30)
    qs = [
        sum(float(norm.sf((row.max() - count) / (sqrt(2) * sigma))) for place, count in enumerate(row) if place != row.argmax())
        for row in votes
    ]
    found = accountant.gnmax_data_dependent_rdp(votes, sigma, ALPHAS)
    for alpha, cost in zip(ALPHAS, found, strict=True):
        assert cost == pytest.approx(sum(theorem_6(min(q, 2 / 3), sigma, float(alpha)) for q in qs), rel=1e-6)


@pytest.mark.law
def test_costs_on_votes_over_two_labels_are_those_of_tables() -> None:
    """And a tested query costs the test, and its answer where it has one."""
    sigma, sigma_check, threshold = 12.0, 4.0, 70.0
    votes = np.column_stack([np.arange(40, 101, 5), 100 - np.arange(40, 101, 5)])
    gap, top, ones = np.abs(votes[:, 0] - votes[:, 1]), votes.max(axis=1), np.ones(len(votes), dtype=np.int64)
    assert accountant.gnmax_data_dependent_rdp(votes, sigma) == pytest.approx(answers_cost(gap, ones, sigma, 2), rel=1e-9)
    passed = top >= threshold
    expected = check_cost(top, ones, threshold, sigma_check) + answers_cost(gap[passed], ones[passed], sigma, 2)
    found = accountant.confident_gnmax_data_dependent_rdp(votes, passed, threshold, sigma, sigma_check)
    assert found == pytest.approx(expected, rel=1e-9)
    whole = accountant.confident_gnmax_rdp(sigma, sigma_check, len(votes), int(passed.sum()))
    assert (found <= whole * (1 + 1e-12)).all()
    loss = PLDAccountant()
    loss.compose(SelfComposedDpEvent(GaussianDpEvent(sigma_check), 13))
    loss.compose(SelfComposedDpEvent(GaussianDpEvent(sigma / sqrt(2)), 9))
    eps = accountant.confident_gnmax_eps(sigma, sigma_check, 13, 9, 1e-5)
    assert eps == pytest.approx(loss.get_epsilon(1e-5), rel=1e-3)
    assert eps <= accountant.eps_from_rdp(accountant.confident_gnmax_rdp(sigma, sigma_check, 13, 9), 1e-5)


@pytest.mark.parametrize("labels", [2, 10, 1000])
def test_a_tie_costs_what_any_votes_do(labels: int) -> None:
    """Whoever wins, another label had the same chance."""
    votes = np.full((1, labels), 7)
    plain = accountant.gnmax_rdp(20.0, 1, ALPHAS)
    assert accountant.gnmax_data_dependent_rdp(votes, 20.0, ALPHAS) == pytest.approx(plain)


def test_labels_behind_a_test_of_stability_cost_the_test_alone_until_they_leak() -> None:
    """The distance moves by 1 as a query does, so that what is left is sparse vector at what the leak leaves of δ."""
    lam, bottoms, delta = 50.0, 20, 1e-6
    far = accountant.stable_labels_eps(lam, 3000.0, bottoms, delta)
    assert far == pytest.approx(accountant.sparse_vector_eps(lam, bottoms, delta), rel=1e-3)
    assert accountant.stable_labels_eps(lam, 100.0, bottoms, delta) == inf
    assert accountant.stable_labels_eps(lam, 1800.0, bottoms, delta) > far


def test_one_a_stab_spends_its_eps_with_the_true_distance_and_twice_that_with_the_printed_one() -> None:
    assert accountant.a_stab_eps(1.0, 1e-6, 101, "true") <= 1.0 < accountant.a_stab_eps(1.0, 1e-6, 101, "printed") <= 2.0


@pytest.mark.parametrize("votes", [41, 42])
def test_one_a_stab_on_an_even_number_of_votes_is_another_than_on_an_odd(votes: int) -> None:
    """From the law of its outputs at every gap: ⊥, or the winner, where distance + Lap(1/ε) is above ln(1/δ)/ε."""
    eps, delta = 1.0, 0.03

    def law(gap: int) -> Reals:
        passes = float(laplace.sf(log(1 / delta) - eps * max(0, (abs(gap) + 1) // 2 - 1)))
        return np.array([1 - passes, passes * (gap <= 0), passes * (gap > 0)])

    gaps = range(-votes, votes + 1, 2)
    pairs = [pair for low, high in pairwise(gaps) for pair in ((low, high), (high, low))]
    found = accountant.a_stab_eps(eps, delta, votes)
    assert max(hockey_stick(law(p), law(q), found) for p, q in pairs) == pytest.approx(delta, rel=1e-6)
    assert (accountant.a_stab_eps(eps, delta, votes, "printed") == inf) == (votes % 2 == 0)  # a gap of 2 is at distance 1


WRONG: list[tuple[str, Callable[[], Any]]] = [
    ("lam: is 0; allowed: a number above 0", lambda: accountant.sparse_vector_eps(0, 3)),
    ("answers: is 2.5; allowed: a whole number from 1", lambda: accountant.sparse_vector_lam(1, 2.5)),  # type: ignore[arg-type]
    ("delta: is 1; allowed: a number between 0 and 1", lambda: accountant.gnmax_eps(1, 1, 1)),
    ("delta: is nan; allowed: a number between 0 and 1", lambda: accountant.gaussian_sigma(1, 1, float("nan"))),
    ("orders: is 1.0; allowed: numbers above 1", lambda: accountant.gnmax_rdp(1, 1, 1.0)),
    ("votes: is of shape (2,) and type int64;", lambda: accountant.gnmax_data_dependent_rdp([1, 2], 1)),
    ("votes: is of shape (1, 2) and type float64;", lambda: accountant.gnmax_data_dependent_rdp([[1, 2.5]], 1)),
    ("answered: is 3; allowed: a whole number from 0 to 2", lambda: accountant.confident_gnmax_rdp(1, 1, 2, 3)),
    ("allowed: 1 of True and False", lambda: accountant.confident_gnmax_data_dependent_rdp([[1, 2]], [1], 1, 1, 1)),
    ("costs: is of shape (2,); allowed: 61 numbers from 0", lambda: accountant.eps_from_rdp([1, 2], 0.1)),
    ("w: is inf; allowed: a number", lambda: accountant.stable_labels_eps(1, inf, 1, 0.1)),
    ("distance: is least; allowed: one of true, printed, corrected", lambda: accountant.a_stab_eps(1, 0.1, 9, "least")),
]


@pytest.mark.parametrize(("said", "call"), WRONG, ids=[said.partition(";")[0] for said, _ in WRONG])
def test_what_is_out_of_range_is_named(said: str, call: Callable[[], Any]) -> None:
    with pytest.raises(InputError, match=r"^harness\.accountant: ") as told:
        call()
    assert said in str(told.value)
