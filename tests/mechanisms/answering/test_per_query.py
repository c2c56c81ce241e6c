"""The mechanisms that pay for every query draw the noise that their plans account for.

Each law is a closed form in the numbers of the plan, at a gap g between two labels, k odd or even.
"""

from collections.abc import Callable
from dataclasses import replace
from math import ceil, exp, sqrt
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest, laplace, norm

from harness.arrays import Ints
from harness.ballots import Ballot
from harness.mechanisms.answering import confident_gnmax, mechanisms
from harness.theory.constants import constants
from harness.theory.pac import thresholds_extremal
from harness.theory.parameters import Task
from harness.theory.plan import Plan
from harness.theory.privacy.gnmax import answers_cost, check_cost, data_dependent_eps, renyi_rate
from tests.support.one_by_one import ballot_of, labels

BTT18 = constants()["BTT18"]

TASK = Task(m=1000, eps=1.0, delta=1e-6, beta=0.05, gamma=0.0, pac_bound=thresholds_extremal)
M = 200_001


def two_laplaces_above(x: float, scale: float) -> float:
    """P(Lap − Lap > x): ½(1 + y/2)e^{−y} at y = x/scale ≥ 0, and by symmetry below."""
    y = abs(x) / scale
    tail = (1 + y / 2) * exp(-y) / 2
    return tail if x >= 0 else 1 - tail


SAYS_ONE: dict[str, Callable[[float, Any], float]] = {
    "noisy_majority": lambda gap, plan: laplace.sf(-gap, scale=2 / plan.eps0),
    "noisy_majority_t320": lambda gap, plan: laplace.sf(-gap, scale=2 / plan.eps0),
    "report_noisy_max": lambda gap, plan: two_laplaces_above(-gap, 2 / plan.eps0),
    "noisy_max_exponential": lambda gap, plan: laplace.sf(-gap, scale=2 / plan.eps0),
    "gaussian": lambda gap, plan: norm.sf(-gap, scale=plan.sigma),
    "GNMax": lambda gap, plan: norm.sf(-gap, scale=sqrt(2) * plan.sigma),
}
"""P(answer 1) at a gap of ct(1) − ct(0), of those that never refuse and have a closed form."""


def planned(name: str, task: Task = TASK) -> Any:
    return mechanisms()[name].plan(BTT18, task, 10**9)


def at_gap(gap: int, k: int, sizes: Ints) -> Ballot:
    ones = np.full(len(sizes), (k + gap) // 2)
    return Ballot(np.stack([ones - gap, ones]), k, np.ones(len(sizes), dtype=np.int8), sizes)


ONE_BY_ONE, BY_TYPE = np.ones(M, dtype=np.int64), np.array([M - 1, 1])  # two ways to ask the same M queries
every_way = pytest.mark.parametrize("sizes", [ONE_BY_ONE, BY_TYPE], ids=["one by one", "by type"])


def answered(name: str, ballot: Ballot, plan: Plan) -> tuple[list[int], int]:
    """How often each label is given, and ⊥."""
    answers = mechanisms()[name].answer(ballot, plan, TASK, np.random.default_rng(61))
    assert int(answers.given.sum()) + answers.bottom_count == M
    return answers.given.sum(axis=1).tolist(), answers.bottom_count


@pytest.mark.parametrize("name", ["noisy_majority", "noisy_majority_t320", "report_noisy_max", "noisy_max_exponential"])
def test_noise_is_in_proportion_to_what_a_query_may_spend_also_where_that_is_much(name: str) -> None:
    """At ε₀ = 0.7 and gaps of 3. Exact binomial tests at 1e-8 each."""
    plan = replace(planned(name), k=101, eps0=0.7)
    (_, ones), _ = answered(name, at_gap(3, 101, BY_TYPE), plan)
    assert binomtest(ones, M, SAYS_ONE[name](3, plan)).pvalue > 1e-8


@pytest.mark.parametrize("name", SAYS_ONE)
@pytest.mark.parametrize("scales", [-2.0, -0.3, 0.0, 0.5, 3.0])
@every_way
def test_a_label_wins_with_the_probability_of_the_noise_that_is_accounted_for(name: str, scales: float, sizes: Ints) -> None:
    """200,001 queries at a gap of so many noise scales: exact binomial tests at 1e-8, 50 of them."""
    plan = planned(name)
    scale = plan.noise.get("sigma") or 2 / plan.eps0
    gap = 2 * round(scales * scale / 2)
    chance = SAYS_ONE[name](gap, plan)
    (_, ones), bottoms = answered(name, at_gap(gap, 20_000, sizes), plan)
    assert not bottoms
    assert binomtest(ones, M, chance).pvalue > 1e-8


@pytest.mark.parametrize("beyond", [-2.0, -0.5, 0.0, 0.5, 2.0])
@every_way
def test_A_stab_releases_the_winner_with_the_probability_of_its_theorem(beyond: float, sizes: Ints) -> None:
    """P(dist + Lap(1/ε₀) > Γ), dist = ⌈gap/2⌉ − 1, at so many scales beyond Γ. 1e-8 a test."""
    plan = planned("A_stab_per_query")
    dist = round(plan.threshold + beyond / plan.eps0)
    chance = laplace.sf(plan.threshold - dist, scale=1 / plan.eps0)
    for gap in (2 * dist + 1, 2 * dist + 2):  # of an odd k and of an even one
        (zeros, ones), _ = answered("A_stab_per_query", at_gap(gap, 60_000 + gap % 2, sizes), plan)
        assert not zeros
        assert binomtest(ones, M, chance).pvalue > 1e-8


@pytest.mark.parametrize("gap", [0, 200, 1200, 1502, 1800, 3000])
@every_way
def test_confident_gnmax_tests_the_top_count_and_then_answers_with_fresh_noise(gap: int, sizes: Ints) -> None:
    """P(top + N(0, σ₁²) ≥ 7k/12), and of those answered Φ(gap/√2σ) are 1. 1e-8 a test, two for each gap."""
    k = 9000
    plan = replace(planned("Confident_GNMax"), k=k, threshold=7 * k / 12)
    given, bottoms = answered("Confident_GNMax", at_gap(gap, k, sizes), plan)
    passes = norm.sf(7 * k / 12 - (k + gap) / 2, scale=plan.sigma_check)
    assert binomtest(M - bottoms, M, passes).pvalue > 1e-8
    right = norm.cdf(gap, scale=sqrt(2) * plan.sigma)
    assert sum(given) and binomtest(given[1], sum(given), right).pvalue > 1e-8


def test_the_threshold_of_confident_gnmax_is_half_way_between_a_split_vote_and_two_thirds() -> None:
    plan = planned("Confident_GNMax")
    assert plan.threshold == pytest.approx((plan.k / 2 + 2 * plan.k / 3) / 2, rel=1e-12)


def test_it_needs_one_chunk_where_nearly_everything_may_fail_and_A_stab_its_threshold() -> None:
    """A coin is right on one query with probability ½ > 1 − β, and a ⊥ is not."""
    task = replace(TASK, m=1, beta=0.99)
    assert {planned(name, task).k for name in SAYS_ONE} == {1}
    stab = planned("A_stab_per_query", task)
    assert stab.k == ceil(6 * (stab.threshold + 1))


ANY_LABELS = [name for name, each in mechanisms().items() if each.pays_for == "queries" and not each.binary]


@pytest.mark.parametrize("name", ANY_LABELS)
@pytest.mark.parametrize("count", [3, 7])
def test_any_of_more_labels_can_win(name: str, count: int) -> None:
    """At the least k all of a thousand queries on which two thirds agree are right, but for β: here 10⁻⁹."""
    task = replace(TASK, beta=1e-9)
    mechanism = mechanisms()[name]
    plan = mechanism.plan(BTT18, task, 10**9)
    truth = np.arange(task.m, dtype=np.int8) % count
    counts = np.zeros((count, task.m), dtype=np.int64)
    counts[truth, np.arange(task.m)] = -(-2 * plan.k // 3)
    counts[(truth + 1) % count, np.arange(task.m)] = plan.k // 3
    answers = mechanism.answer(Ballot(counts, plan.k, truth), plan, task, np.random.default_rng(62))
    assert labels(answers).tolist() == truth.tolist()


@pytest.mark.parametrize("count", [2, 5])
@every_way
def test_without_votes_for_any_label_all_win_alike(count: int, sizes: Ints) -> None:
    """Equal counts: each label as often as any other, binomial tests at 1e-8, and no label twice as noisy."""
    types = len(sizes)
    ballot = Ballot(np.full((count, types), 50), 50 * count, np.zeros(types, dtype=np.int8), sizes)
    for name in ("report_noisy_max", "GNMax"):
        given, _ = answered(name, ballot, planned(name))
        assert all(binomtest(each, M, 1 / count).pvalue > 1e-8 for each in given)


@pytest.mark.parametrize("name", ["GNMax", "Confident_GNMax"])
def test_the_data_dependent_cost_is_never_above_what_is_promised_and_falls_with_agreement(name: str) -> None:
    mechanism = mechanisms()[name]
    plan = mechanism.plan(BTT18, TASK, 10**9)
    costs = []
    for share in (0.5, 0.6, 2 / 3, 0.8, 1.0):
        ones = np.full(TASK.m, ceil(share * plan.k))
        votes = ballot_of(ones, plan.k, np.ones(TASK.m, dtype=np.int8))
        cost = mechanism.answer(votes, plan, TASK, np.random.default_rng(63)).eps_data_dependent
        assert cost is not None
        costs.append(cost)
    assert costs[-1] < 0.4 * TASK.eps
    assert max(costs) <= TASK.eps * (1 + 1e-9)
    assert costs[1:] == sorted(costs[1:], reverse=True)


def test_a_refused_query_of_confident_gnmax_costs_its_test_alone() -> None:
    """A split vote is refused by a far-off threshold: the cost is far below that of answering."""
    mechanism, k = mechanisms()["Confident_GNMax"], 60 * ceil(planned("Confident_GNMax").sigma_check)
    plan = replace(planned("Confident_GNMax"), k=k, threshold=7 * k / 12)
    votes = ballot_of(np.full(TASK.m, plan.k // 2), plan.k, np.ones(TASK.m, dtype=np.int8))
    answers = mechanism.answer(votes, plan, TASK, np.random.default_rng(65))
    assert answers.bottom_count / TASK.m > 0.9999
    assert answers.eps_data_dependent is not None
    plain = mechanisms()["GNMax"].answer(votes, planned("GNMax"), TASK, np.random.default_rng(65)).eps_data_dependent
    assert plain is not None and answers.eps_data_dependent < plain


@pytest.mark.parametrize("refused", range(6))
def test_a_trial_with_a_refused_query_costs_what_it_costs_alone(refused: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two trials of three types of the same votes, where one query of any of them is refused."""
    mechanism, bottoms = mechanisms()["Confident_GNMax"], (np.arange(6) == refused).astype(np.int64)
    plan = replace(planned("Confident_GNMax"), k=4000, threshold=2000.0, sigma_check=400.0, sigma=400.0)
    monkeypatch.setattr(confident_gnmax, "binomial", lambda sizes, fails, rng: bottoms)
    votes = Ballot(np.repeat([[3900], [100]], 6, axis=1), 4000, np.zeros(6, np.int8), trial=np.repeat([0, 1], 3), trials=2)
    found = mechanism.answer(votes, plan, TASK, np.random.default_rng(3)).eps_data_dependent
    test, answer = (
        check_cost(np.array([3900]), np.ones(1, int), 2000.0, 400.0),
        answers_cost(np.array([3800]), np.ones(1, int), 400.0, 2),
    )
    costs = np.array([3 * test + passed * answer for passed in (3 - bottoms.reshape(2, 3).sum(axis=1))])
    expected = data_dependent_eps(costs, renyi_rate(TASK.eps, TASK.delta), TASK.delta)
    assert np.asarray(found) == pytest.approx(expected, rel=1e-9) and expected[0] != expected[1]  # type: ignore[index]
