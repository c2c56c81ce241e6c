"""Noisy argmax by the labels that are seen, and what its constants promise."""

from math import erf, exp, sqrt
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from harness.analysts import Poll
from harness.arrays import Reals
from harness.mechanisms.online import Online, onlines
from harness.mechanisms.online.paying_for_all import least_votes, unseen
from harness.theory.constants import constants
from harness.theory.parameters import Task

TASK = Task(50, 1.0, 1e-6, 0.05, 0.0, lambda s, q: 0.0)
NAMES = ("gaussian_argmax", "exponential_mechanism")


def noise(name: str, size: tuple[int, ...], scale: float, rng: np.random.Generator) -> Reals:
    return scale * (rng.standard_normal(size) if name == "gaussian_argmax" else rng.gumbel(size=size))


@pytest.mark.parametrize("name", NAMES)
def test_labels_without_a_vote_win_as_often_as_if_each_had_its_noise(name: str) -> None:
    """Of seven labels three are seen. Against noise on all seven; false-failure probability 1e-6."""
    online, poll, runs, values = onlines()[name], Poll(np.array([1, 2, 5]), np.array([9, 30, 20]), 2), 20_000, 7
    plan = online.plan(constants()["tight"], TASK, 10**6, values)
    scale = plan.sigma if name == "gaussian_argmax" else 2 / plan.eps0
    run = online.begin(plan, 50, values, np.random.default_rng(1))
    ours = np.bincount([run.answer(poll) or 0 for _ in range(runs)], minlength=values)
    counts = np.array([0, 9, 30, 0, 0, 20, 0])
    theirs = np.bincount((counts + noise(name, (20 * runs, values), scale, np.random.default_rng(2))).argmax(axis=1)) / 20
    assert chisquare(ours, theirs).pvalue > 1e-6
    shifted = np.roll(theirs, 1)
    assert chisquare(ours, shifted).pvalue < 1e-6


def test_the_exponential_mechanism_has_its_own_law() -> None:
    """P(r) ∝ e^{ε₀ ct(r)/2}; false-failure probability 1e-6."""
    online, poll = onlines()["exponential_mechanism"], Poll(np.array([0, 3]), np.array([40, 25]), 0)
    plan = online.plan(constants()["tight"], TASK, 10**6, 5)
    weights = np.array([exp(plan.eps0 * count / 2) for count in (40, 0, 0, 25, 0)])
    run = online.begin(plan, 50, 5, np.random.default_rng(3))
    found = np.bincount([run.answer(poll) or 0 for _ in range(20_000)], minlength=5)
    assert chisquare(found, 20_000 * weights / weights.sum()).pvalue > 1e-6


def test_the_labels_without_a_vote_are_numbered_in_order() -> None:
    poll = Poll(np.array([1, 2, 5]), np.array([1, 1, 1]), 1)
    assert [unseen(poll, place) for place in range(4)] == [0, 3, 4, 6]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("values", [2, 10**6])
def test_two_thirds_of_the_least_k_are_answered_but_for_beta(name: str, values: int) -> None:
    """The union bound at k is β over m queries; at six tenths of k it is far more."""
    online: Online[Any] = onlines()[name]
    plan = online.plan(constants()["tight"], TASK, 10**6, values)
    assert plan.spent == pytest.approx(TASK.eps, rel=1e-6)

    def fails(k: float) -> float:
        def overtakes(gap: float) -> float:
            if name == "gaussian_argmax":
                return (1 - erf(gap / (2 * plan.sigma))) / 2
            return 1 / (1 + exp(plan.eps0 * gap / 2))

        return TASK.m * (overtakes(k / 3) + (values - 2) * overtakes(2 * k / 3))

    assert fails(plan.k) <= TASK.beta < fails(plan.k - 2) and fails(0.6 * plan.k) > 10 * TASK.beta


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("values", [2, 3, 4])
def test_of_few_labels_those_without_a_vote_count_where_answers_may_often_fail(name: str, values: int) -> None:
    """One query at β = 0.3 and ε = 0.01, where rounding k up is as nothing: at k the sum of all that may win is β."""
    online: Online[Any] = onlines()[name]
    plan = online.plan(constants()["tight"], Task(1, 0.01, 1e-6, 0.3, 0.0, lambda s, q: 0.0), 10**6, values)

    def overtakes(gap: float) -> float:
        return (1 - erf(gap / (2 * plan.sigma))) / 2 if name == "gaussian_argmax" else 1 / (1 + exp(plan.eps0 * gap / 2))

    assert overtakes(plan.k / 3) + (values - 2) * overtakes(2 * plan.k / 3) == pytest.approx(0.3, rel=0.01)


def test_where_any_answer_will_do_one_chunk_is_enough() -> None:
    assert onlines()["gaussian_argmax"].plan(constants()["tight"], Task(1, 1.0, 1e-6, 0.9, 0.0, lambda s, q: 0.0), 10, 2).k == 1


def test_a_range_adds_to_k_only_where_it_is_beyond_all_measure() -> None:
    """The second label has k/3 votes and the others none: 10⁶ labels cost less than one chunk, 10⁵⁰ many."""

    def log_tail(gap: float) -> float:
        return -((gap / 100) ** 2)

    two, million, huge = (least_votes(log_tail, silent, 1e-4) for silent in (0, 10**6, 10**50))
    assert million - two < 1 < huge - two
    assert two == pytest.approx(300 * sqrt(-np.log(1e-4)), rel=1e-9)


def test_the_least_k_may_be_below_one() -> None:
    """Where one vote less than a third is enough: e^(−10 k/3) = 1/2; and none is needed where all chances are allowed."""
    assert least_votes(lambda gap: -10 * gap, 0, 0.5) == pytest.approx(0.3 * np.log(2), rel=1e-9)
    assert least_votes(lambda gap: -10 * gap - 1, 0, 0.5) == 0
