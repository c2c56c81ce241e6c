"""GNMax's Rényi costs: the published formulas, one query and one order at a time, and the divergences that they bound."""

from math import erfc, exp, log, log1p, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from harness.theory.privacy.gnmax import (
    ORDERS,
    _distinct,
    answers_cost,
    check_cost,
    data_dependent_eps,
    data_dependent_rdp,
    renyi_eps,
    renyi_rate,
    standing,
)


def theorem_6(q: float, sigma: float, order: float) -> float:
    """Papernot et al. 2018, Theorem 6 with the μ₁, μ₂ of Proposition 10, where its conditions hold; else Proposition 8."""
    plain = order / sigma**2
    mu_2 = sigma * sqrt(log(1 / q))
    mu_1 = mu_2 + 1
    if mu_2 <= 1 or mu_1 < order:
        return plain
    eps_1, eps_2 = mu_1 / sigma**2, mu_2 / sigma**2
    if log(q) > (mu_2 - 1) * eps_2 - mu_2 * log(mu_1 / (mu_1 - 1) * mu_2 / (mu_2 - 1)) or log(q) + eps_2 >= 0:
        return plain
    log_a = log1p(-q) - log(1 - exp((log(q) + eps_2) * (mu_2 - 1) / mu_2))
    log_b = eps_1 + log(1 / q) / (mu_1 - 1)
    dominant = max(log1p(-q) + (order - 1) * log_a, log(q) + (order - 1) * log_b)
    rest = exp(log1p(-q) + (order - 1) * log_a - dominant) + exp(log(q) + (order - 1) * log_b - dominant)
    return min(plain, (dominant + log(rest)) / (order - 1))


@given(log_q=st.floats(-600, log(0.5)), sigma=st.floats(0.5, 500), order=st.floats(1.01, 500))
def test_the_data_dependent_cost_is_theorem_6(log_q: float, sigma: float, order: float) -> None:
    (found,) = data_dependent_rdp(np.array([log_q]), sigma, np.array([order]))[0]
    assert found == pytest.approx(theorem_6(exp(log_q), sigma, order), rel=1e-6, abs=1e-13)
    assert 0 <= found <= order / sigma**2


@pytest.mark.parametrize(
    ("log_q", "order"),
    [(-9.0, 1.5), (-9.0, 2.0), (-9.0, 2.2), (-5.82, 1.2), (-4.3143, 1.5), (-4.3143, 1.7943)],
    ids=lambda value: f"{value:g}",
)
def test_the_theorem_holds_up_to_where_it_says_nothing(log_q: float, order: float) -> None:
    """At μ₂ = σ√(ln(1/q)) = 1.5, and where q e^ε₂ = 0.37, it says less than the cost of any votes."""
    (found,) = data_dependent_rdp(np.array([log_q]), 0.5, np.array([order]))[0]
    assert found == pytest.approx(theorem_6(exp(log_q), 0.5, order), rel=1e-9) and found < order / 0.5**2 - 0.01


def test_orders_are_ten_to_a_decade_beyond_1() -> None:
    """So of two neighbours one is within 13% of any best order between them, which would be λ − 1 = 0.01 to 10,000.

    Of costs λ/σ², the best by these orders is less than 1% above the best of all.
    """
    rate = 1 / 40.0**2
    assert 1 <= float(data_dependent_eps(rate * ORDERS, 1e9, 1e-6)) / renyi_eps(rate, 1e-6) < 1.01
    assert np.geomspace(0.01, 10_000, 61) == pytest.approx(ORDERS - 1, rel=1e-9) and len(ORDERS) == 61
    assert max(np.sqrt(ORDERS[1:] - 1) / np.sqrt(ORDERS[:-1] - 1)) < 1.13


@pytest.mark.parametrize(("sigma", "k"), [(5.0, 60), (40.0, 500), (200.0, 3000)])
def test_the_cost_of_answers_is_the_sum_over_the_queries(sigma: float, k: int) -> None:
    """Proposition 7 over two labels: q = ½ erfc(gap/2σ)."""
    gaps = np.random.default_rng(1).integers(0, k, 40)
    gaps[:15] = k  # of one type
    costs = answers_cost(*np.unique(gaps, return_counts=True), sigma, 2)
    qs = [max(erfc(gap / (2 * sigma)) / 2, 1e-300) for gap in gaps.tolist()]
    for i in (0, 20, 30, 45, 60):
        assert costs[i] == pytest.approx(sum(theorem_6(q, sigma, ORDERS[i]) for q in qs), rel=1e-6)


def test_the_cost_of_the_test_is_that_of_a_two_way_gnmax_of_noise_sqrt_2_sigma() -> None:
    sigma, threshold = 30.0, 700.0
    top = np.array([500, 600, 650, 699, 700, 701, 760, 800, 1000])
    costs = check_cost(top, np.arange(1, 10), threshold, sigma)
    qs = [float(norm.sf(abs(t - threshold), scale=sigma)) for i, t in enumerate(top.tolist()) for _ in range(i + 1)]
    for i in (0, 20, 30, 45, 60):
        assert costs[i] == pytest.approx(sum(theorem_6(q, sqrt(2) * sigma, ORDERS[i]) for q in qs), rel=1e-6)


def test_more_labels_cost_no_less() -> None:
    """Any other label counts with the least lead."""
    gaps = np.arange(0, 400, 7)
    ones = np.ones(len(gaps), dtype=np.int64)
    assert (answers_cost(gaps, ones, 20.0, 10) >= answers_cost(gaps, ones, 20.0, 2) * (1 - 1e-12)).all()


def test_leads_are_rounded_down_where_sigma_is_large() -> None:
    """At σ = 5000 to 19 votes: a little dearer, never cheaper, and a million queries are a few thousand leads."""
    gaps = np.random.default_rng(2).integers(0, 100_000, 2000)
    exact = sum(
        data_dependent_rdp(norm.logsf(gaps[i : i + 500] / (sqrt(2) * 5000.0)), 5000.0).sum(axis=0) for i in range(0, 2000, 500)
    )
    found = answers_cost(gaps, np.ones(2000, dtype=np.int64), 5000.0, 2)
    assert (found >= exact * (1 - 1e-9)).all()
    assert (found <= exact * 1.02).all()


@given(eps=st.floats(1e-3, 100), delta=st.floats(1e-30, 0.5))
def test_the_rate_is_the_best_over_all_orders_and_spends_eps(eps: float, delta: float) -> None:
    rate = renyi_rate(eps, delta)
    orders = 1 + np.geomspace(1e-6, 1e9, 20_001)
    converted = (rate * orders + log(1 / delta) / (orders - 1)).min()
    assert renyi_eps(rate, delta) == pytest.approx(eps, rel=1e-9)
    assert converted == pytest.approx(eps, rel=1e-4)
    assert converted >= eps * (1 - 1e-9)


def test_unanimous_votes_cost_next_to_nothing_and_split_votes_what_they_would_anyway() -> None:
    delta, m, sigma = 1e-6, 1000, 240.0
    rate = m / sigma**2
    full = renyi_eps(rate, delta)
    unanimous = data_dependent_eps(answers_cost(np.array([4000]), np.array([m]), sigma, 2), rate, delta)
    split = data_dependent_eps(answers_cost(np.array([0]), np.array([m]), sigma, 2), rate, delta)
    assert unanimous < 0.2 * full
    assert split == full


@pytest.mark.parametrize("gap", [8, 20, 40, 80])
def test_the_cost_bounds_the_renyi_divergence_of_the_outcomes_themselves(gap: int) -> None:
    """GNMax errs with chance Φ(−gap/√2σ): the Rényi divergence of that coin from the coin of a table one changed vote away."""
    sigma = 12.0
    here, *there = (float(norm.logsf(g / (sqrt(2) * sigma))) for g in (gap, gap - 2, gap + 2))
    (cost,) = data_dependent_rdp(np.array([here]), sigma)
    for i in (5, 20, 30, 35, 40):
        order = ORDERS[i]
        for neighbour in there:
            rare = order * here + (1 - order) * neighbour
            common = order * log1p(-exp(here)) + (1 - order) * log1p(-exp(neighbour))
            assert 0 < np.logaddexp(rare, common) / (order - 1) <= cost[i]


def test_trials_that_stand_for_all_cost_what_each_trial_costs() -> None:
    """Of 60 trials of 40 queries of one type or two, many of them alike; some of the second have no queries."""
    rng = np.random.default_rng(3)
    for common in (0.0, 0.5, 1.0):
        usual = rng.random(60) < common
        first, other = np.where(usual, 900, rng.integers(0, 900, 60)), np.where(usual, 0, rng.integers(0, 3, 60))
        gaps, sizes = np.append(first, np.where(rng.random(60) < 0.5, first, 7)), np.append(40 - other, other)
        trial = np.tile(np.arange(60), 2)
        few = standing(trial, 60, sizes, gaps)
        costs = answers_cost(gaps[few.types], sizes[few.types], 100.0, 2, few.trial, few.trials)
        assert np.array_equal(few.spread(costs), answers_cost(gaps, sizes, 100.0, 2, trial, 60))
        assert few.trials <= 1 + np.count_nonzero(~usual)
    one = answers_cost(gaps, sizes, 100.0, 2, np.zeros_like(trial))
    assert one.shape[0] == 1 and one[0] == pytest.approx(answers_cost(gaps, sizes, 100.0, 2), rel=1e-12)
    alone = np.array([1.0, 2.0])
    assert np.array_equal(standing(None, 1, np.array([3, 4]), np.array([5, 6])).spread(alone), alone)


def test_what_stands_for_others_is_found_of_each_of_them() -> None:
    """Of three trials the second has another column in one type, and the others are alike; one trial stands for itself."""
    trial, sizes = np.array([0, 0, 1, 1, 2, 2]), np.array([3, 2, 3, 2, 3, 2])
    some = standing(trial, 3, sizes, np.array([7, 7, 7, 6, 7, 7]))
    assert some.types.tolist() == [True] * 4 + [False] * 2 and some.trials == 2
    assert some.trial is not None and some.trial.tolist() == [0, 0, 1, 1]
    assert np.asarray(some.spread(np.array([0.1, 0.2]))).tolist() == [0.1, 0.2, 0.1]
    whole = standing(None, 1, sizes, np.array([7, 7, 7, 6, 7, 7]))
    assert whole.spread(0.3) == 0.3 and whole.types.all() and whole.trial is None


@pytest.mark.parametrize("sigma", [100.0, 257.0, 400.0, 2000.0])
def test_leads_are_told_apart_to_a_256th_of_sigma_or_to_a_vote(sigma: float) -> None:
    gaps = np.arange(300)
    leads, numbers = _distinct(gaps, np.ones(300, np.int64), sigma, None, 1)
    unit = sigma / 256
    assert leads.tolist() == (sorted({unit * (gap // unit) for gap in gaps.tolist()}) if unit > 1 else gaps.tolist())
    assert np.asarray(numbers).sum() == 300
