"""Noisy majority under advanced composition: what it spends, how many chunks it needs, how often it errs."""

from dataclasses import replace
from math import ceil, exp, expm1, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, laplace

from harness.ballots import Ballot
from harness.mechanisms.answering import mechanisms
from harness.theory.constants import constants
from harness.theory.pac import thresholds_extremal
from harness.theory.parameters import Task
from tests.support.one_by_one import labels

BTT18, NOISY = constants()["BTT18"], mechanisms()["noisy_majority"]
TASK = Task(m=1000, eps=1.0, delta=1e-6, beta=0.05, gamma=0.0, pac_bound=thresholds_extremal)

tasks = st.builds(
    replace,
    st.just(TASK),
    m=st.integers(1, 10**8),
    eps=st.floats(0.01, 20),
    delta=st.floats(1e-15, 0.1),
    beta=st.floats(1e-15, 0.99),
)


def eps_per_query(task: Task) -> float:
    share: float = NOISY.plan(BTT18, task, 1).eps0
    return share


@given(tasks)
def test_it_spends_on_a_query_what_corollary_3_21_allows(task: Task) -> None:
    assert 2 * eps_per_query(task) * sqrt(2 * task.m * -log(task.delta)) == pytest.approx(task.eps, rel=1e-12)


@given(tasks, st.floats(0.01, 1))
def test_m_queries_stay_within_eps_by_the_composition_theorem_itself(task: Task, eps: float) -> None:
    """DR14 Theorem 3.20, of which the corollary is a simplification for ε ≤ 1: √(2m ln(1/δ))ε₀ + mε₀(e^ε₀ − 1) ≤ ε."""
    task = replace(task, eps=eps)
    each = eps_per_query(task)
    assert sqrt(2 * task.m * log(1 / task.delta)) * each + task.m * each * expm1(each) <= eps


@given(tasks, st.integers(1, 10**15))
def test_its_chunks_are_the_fewest_at_which_m_noises_stay_within_a_third_of_them(task: Task, n: int) -> None:
    """P(Lap(2/ε₀) > k/3) = ½e^(−kε₀/6), m times, is at most β; one chunk fewer would not do."""
    plan = NOISY.plan(BTT18, task, n)

    def union(k: int) -> float:
        return task.m * exp(-k * eps_per_query(task) / 6) / 2

    assert plan.n == n
    assert union(plan.k) <= task.beta * (1 + 1e-9)
    assert plan.k == 1 or union(plan.k - 1) > task.beta * (1 - 1e-9)


def test_its_chunks_at_the_settings_of_the_figures() -> None:
    """ε₀ = 1/(2√(2·1000·ln 10⁶)) = 1/332.45, and k = 6·332.45·ln(10⁴)."""
    expected = 6 * 2 * sqrt(2000 * 6 * log(10)) * 4 * log(10)
    assert NOISY.plan(BTT18, TASK, 10**9).k == ceil(expected)


@pytest.mark.parametrize("gap", [-1500, -301, 0, 1, 300, 1500, 2999])
def test_it_errs_on_a_gap_with_the_laplace_tail(gap: int) -> None:
    """P(answer 1) = P(Lap(2/ε₀) > −gap) over 200,001 queries: binomial tests at 1e-7, seven one by one and seven of a type."""
    m = 200_001
    ones = np.full(m, (3000 + gap) // 2)
    votes = Ballot(np.stack([ones - gap, ones]), 3000, np.zeros(m, dtype=np.int8))
    answers = NOISY.answer(votes, NOISY.plan(BTT18, TASK, 10**9), TASK, np.random.default_rng(41))
    chance = laplace.sf(-gap, scale=2 * 2 * sqrt(2 * 1000 * log(10**6)))
    said = labels(answers)
    assert set(said.tolist()) <= {0, 1}
    assert binomtest(int(said.sum()), m, chance).pvalue > 1e-7
    many = NOISY.answer(
        Ballot(votes.counts[:, :1], 3000, votes.truth[:1], np.array([m])),
        NOISY.plan(BTT18, TASK, 10**9),
        TASK,
        np.random.default_rng(42),
    )
    assert binomtest(int(many.given[1, 0]), m, chance).pvalue > 1e-7
