"""The fixed point against its definition, against all fixed points by brute force, and at the ends of its range."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from math import ceil, inf, isfinite, nextafter
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.theory.constants import constants
from harness.theory.constants.btt18 import mistakes
from harness.theory.fixed_point import plan_for_alpha, plan_for_n
from harness.theory.pac import blumer, thresholds_agnostic, thresholds_consistent, thresholds_extremal, vc_agnostic
from harness.theory.parameters import Constants, PacBound, Task
from harness.theory.plan import Plan, plan_for_chunks

CONSTANTS = constants()

BTT18 = CONSTANTS["BTT18"]
ROUNDED = 1e-6
"""What the map of lean may be off as it is computed, in relative terms: its B is a difference, its λ a root."""
BOUNDS: tuple[PacBound, ...] = (
    thresholds_extremal,
    thresholds_consistent,
    thresholds_agnostic,
    partial(blumer, V=1),
    partial(blumer, V=30),
    partial(vc_agnostic, V=5),
)


def power(digits: float) -> int:
    return int(10**digits)


probabilities = st.floats(1e-30, 0.99)
tasks = st.builds(
    Task,
    m=st.floats(0, 9).map(power),
    eps=st.floats(1e-3, 1e5),
    delta=probabilities,
    beta=probabilities,
    gamma=st.just(0.0) | st.floats(0, 0.4),
    pac_bound=st.sampled_from(BOUNDS),
)
any_constants = st.sampled_from(list(CONSTANTS.values()))
numbers = (st.floats(0, 15) | st.floats(10, 15)).map(power)

# Cheap privacy keeps k small enough to try every k.
SMALL = [
    (BTT18, Task(m=60, eps=60.0, delta=0.2, beta=0.4, gamma=0.0, pac_bound=thresholds_extremal)),
    (BTT18, Task(m=200, eps=40.0, delta=0.3, beta=0.3, gamma=0.02, pac_bound=thresholds_agnostic)),
    (CONSTANTS["BTT18a"], Task(m=300, eps=80.0, delta=0.1, beta=0.2, gamma=0.0, pac_bound=partial(blumer, V=3))),
    (CONSTANTS["corrected"], Task(m=60, eps=60.0, delta=0.2, beta=0.4, gamma=0.0, pac_bound=thresholds_extremal)),
    (CONSTANTS["tight"], Task(m=200, eps=2.0, delta=0.01, beta=0.3, gamma=0.0, pac_bound=thresholds_extremal)),
]
small = pytest.mark.parametrize(("constants", "task"), SMALL)


def printed(m: int, bound: PacBound = thresholds_extremal) -> Task:
    """The setting of most experiments."""
    return Task(m=m, eps=1.0, delta=1e-6, beta=0.05, gamma=0.0, pac_bound=bound)


def slack(constants: Constants) -> float:
    """What T may be off: the other maps never fall, to the last digit."""
    return ROUNDED if constants.name == "lean" else 0.0


def needed(constants: Constants, task: Task, n: int, T: float) -> float:
    """One turn of the map whose fixed point is sought."""
    k = ceil(constants.k(task, T))
    return constants.T(task, task.pac_bound(n // k, task.beta / k) if n >= k else inf)


def all_fixed_points(constants: Constants, task: Task, n: int) -> Iterator[float]:
    """Every fixed point below m, in rising order: the map depends on T only through the integer k, so try every k."""
    for k in range(ceil(constants.k(task, 1.0)), ceil(constants.k(task, task.m)) + 1):
        T = constants.T(task, task.pac_bound(n // k, task.beta / k) if n >= k else inf)
        if T < task.m and ceil(constants.k(task, T)) == k:
            yield T


@given(any_constants, tasks, numbers)
def test_the_plan_for_n_solves_its_own_equations_exactly(constants: Constants, task: Task, n: int) -> None:
    plan = plan_for_n(constants, task, n)
    assert plan.n == n
    assert plan.k == ceil(constants.k(task, plan.T))
    assert plan.s == n // plan.k
    assert plan.alpha == (task.pac_bound(plan.s, task.beta / plan.k) if plan.s else inf)
    assert (plan.lam, plan.w) == (constants.lam(task, plan.T), constants.w(task, plan.T))
    assert 1 <= plan.T <= task.m
    if plan.vacuous:
        assert plan.T == task.m or plan.alpha >= 1
    else:
        assert 0 <= plan.T - constants.T(task, plan.alpha) <= slack(constants) * plan.T
        assert plan.bound == plan.T / task.m < 1


@given(any_constants, tasks, numbers)
def test_a_plan_has_a_bound_or_a_reason_and_never_both(constants: Constants, task: Task, n: int) -> None:
    for plan in (plan_for_n(constants, task, n), plan_for_chunks(task, n, 1 + n // 1000)):
        assert plan.vacuous == (plan.bound is None) == (plan.reason is not None)
        assert plan.bound is None or 0 < plan.bound < 1


@pytest.mark.at_once("constants0-task0", "constants3-task3", "constants2-task2", "constants1-task1")
@small
def test_the_plan_for_n_is_the_least_of_all_fixed_points(constants: Constants, task: Task) -> None:
    vacuous = sharp = 0
    for n in np.unique(np.geomspace(1, 10**7, 60).astype(int)).tolist():
        least = next(all_fixed_points(constants, task, n), None)
        plan = plan_for_n(constants, task, n)
        assert plan.T == (task.m if least is None else least)
        vacuous += least is None
        sharp += least is not None
    assert min(vacuous, sharp) >= 5  # the range of n shows both


@pytest.mark.at_once("BTT18", "k_tight")
@pytest.mark.parametrize("name", CONSTANTS)
@given(task=tasks, T=st.floats(1, 1e6), more=st.floats(0, 1e3) | st.floats(0, 1e6))
def test_a_larger_cutoff_never_needs_fewer_chunks(name: str, task: Task, T: float, more: float) -> None:
    """What the iteration rests on. The tight k counts ⌊T⌋ + 1 epochs: it is a step function, and it steps up at integers."""
    constants = CONSTANTS[name]
    k = constants.k(task, T)
    assert constants.k(task, T + more) >= k - 1e-12 * abs(k)
    if name == "tight" and int(T) + 1 < task.m:
        assert constants.k(task, nextafter(int(T) + 1, 0)) == constants.k(task, int(T)) < constants.k(task, int(T) + 1)


@small
def test_no_cutoff_below_the_plans_is_enough(constants: Constants, task: Task) -> None:
    for n in (3_000, 30_000, 300_000):
        T = plan_for_n(constants, task, n).T
        below = np.linspace(1, nextafter(T, 0), 500).tolist() if T > 1 else []
        assert all(needed(constants, task, n, lower) > lower for lower in below)


@given(any_constants, tasks, numbers, numbers)
def test_more_examples_never_hurt(constants: Constants, task: Task, n: int, more: int) -> None:
    few, many = plan_for_n(constants, task, n), plan_for_n(constants, task, n + more)
    assert few.T is not None and many.T is not None
    rounded = 1 + slack(constants)
    assert many.T <= few.T * rounded
    assert many.k <= few.k * rounded
    assert many.s >= few.s // rounded
    assert many.alpha <= few.alpha * (1 + 1e-12) * rounded
    assert (many.bound or 1) <= (few.bound or 1) * rounded


@pytest.mark.law
def test_where_rounding_makes_the_map_of_lean_fall_the_plan_is_still_enough_and_repeats_to_six_digits() -> None:
    """Many queries and noise of a scale of 10⁶ and more, found from chances that lie within 10⁻⁶ of one another."""
    lean, rng, fell = CONSTANTS["lean"], np.random.default_rng(1), 0
    for _ in range(200):
        m, beta, gamma = power(rng.uniform(7, 9)), 10 ** rng.uniform(-8, -0.1), rng.uniform(0, 0.4)
        at = Task(m, 10 ** rng.uniform(-3, 1), 1e-6, float(beta), float(gamma), thresholds_extremal)
        plan = plan_for_n(lean, at, power(rng.uniform(12, 15)))
        if not plan.vacuous:
            assert 0 <= plan.T - lean.T(at, plan.alpha) <= ROUNDED * plan.T
            fell += plan.T > lean.T(at, plan.alpha)
    assert fell  # else this looks at nothing


@given(any_constants, tasks, st.floats(1e-9, 0.999))
def test_the_n_that_reaches_alpha_does_so_when_solved_back(constants: Constants, task: Task, alpha: float) -> None:
    there = plan_for_alpha(constants, task, alpha)
    assert there.T is not None
    assert there.alpha == alpha
    assert there.T == constants.T(task, alpha)
    assert there.k == ceil(constants.k(task, there.T))
    assert there.n == there.k * there.s
    assert task.pac_bound(there.s, task.beta / there.k) <= alpha
    assert there.s == 1 or task.pac_bound(there.s - 1, task.beta / there.k) > alpha
    assert there.vacuous == (there.T >= task.m)

    back = plan_for_n(constants, task, there.n)
    assert back.T is not None
    assert back.T <= there.T
    assert back.alpha <= alpha
    assert (back.bound or 1) <= (there.bound or 1)


@given(tasks, numbers, st.integers(1, 10**9), st.sampled_from([1, 3]))
def test_a_baseline_is_wrong_on_at_most_3B_queries_and_one_hypothesis_on_B(task: Task, n: int, k: int, factor: int) -> None:
    plan = plan_for_chunks(task, n, k, factor)
    assert (plan.n, plan.k, plan.s) == (n, k, n // k)
    assert plan.noise == {}
    assert plan.alpha == (task.pac_bound(plan.s, task.beta / k) if plan.s else inf)
    if plan.bound is None:
        assert plan.alpha >= 1 or factor * mistakes(task, plan.alpha) >= task.m
    else:
        assert plan.alpha < 1
        assert plan.bound == factor * mistakes(task, plan.alpha) / task.m < 1


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        (plan_for_n(BTT18, printed(100), 1000), "n = 1000 is less than k = "),
        (plan_for_n(BTT18, printed(100, partial(blumer, V=99)), 10**7), "the learner's PAC bound is inf, not"),
        (plan_for_n(BTT18, printed(100, thresholds_agnostic), 10**7), "examples a chunk are too few"),
        (plan_for_n(BTT18, printed(10**4), 10**8), "T ≥ m: no cutoff below m = 10000"),
        (plan_for_n(BTT18, printed(1), 10**15), "T ≥ m"),
        (plan_for_alpha(BTT18, printed(100), 0.5), "T ≥ m"),
        (plan_for_chunks(printed(100), 10, 11), "n = 10 is less than k = 11"),
        (plan_for_chunks(printed(100), 22, 11), "s = 2 examples a chunk are too few: the learner's PAC bound is 2.7, not"),
        (plan_for_chunks(printed(4), 6, 1, factor=1), "B ≥ m: the bound on the misclassification rate is 1.02, not"),
        (plan_for_chunks(printed(100), 200, 11), "3B ≥ m: the bound on the misclassification rate is 1.22, not below 1"),
    ],
)
def test_a_vacuous_plan_says_why(plan: Plan, reason: str) -> None:
    assert plan.vacuous
    assert plan.bound is None
    assert plan.reason is not None and reason in plan.reason


def test_a_vacuous_plan_can_still_be_run_where_every_chunk_has_an_example() -> None:
    plan = plan_for_n(BTT18, printed(10**4), 10**8)
    assert plan.T == 10**4
    assert plan.s >= 1
    assert isfinite(plan.alpha)


@given(tasks, numbers, st.floats(1, 1e10))
def test_a_cutoff_set_directly_is_the_plans_up_to_m(task: Task, n: int, cutoff: float) -> None:
    plan = plan_for_n(replace(BTT18, cutoff=cutoff), task, n)
    assert plan.T == min(cutoff, task.m)
    assert plan.k == ceil(BTT18.k(task, plan.T))
    assert plan.vacuous == (plan.alpha >= 1 or cutoff >= task.m or BTT18.T(task, plan.alpha) > plan.T)


def test_with_enough_examples_privacy_is_free() -> None:
    """T = 1 is the least cutoff; at n = 10¹⁵ the printed constants get there, and the rate is at most one query in m."""
    plan = plan_for_n(BTT18, printed(1000), 10**15)
    assert plan.T == 1
    assert plan.bound == 1 / 1000
    assert plan.k * plan.s <= 10**15 < plan.k * (plan.s + 1)


def test_there_is_a_chunk_where_so_little_is_asked_that_none_would_do() -> None:
    task = Task(m=1, eps=0.125, delta=0.9375, beta=0.96875, gamma=0.0, pac_bound=thresholds_extremal)
    assert CONSTANTS["tight"].k(task, 1.0) < 0
    assert plan_for_n(CONSTANTS["tight"], task, 1000).k == plan_for_alpha(CONSTANTS["tight"], task, 0.1).k == 1


@given(any_constants, tasks, numbers)
def test_the_iteration_ends_after_a_few_turns(constants: Constants, task: Task, n: int) -> None:
    """The map is concave, so it closes in geometrically: 31 turns were the most in five million random settings."""
    counted = Mock(side_effect=task.pac_bound)
    plan_for_n(constants, replace(task, pac_bound=counted), n)
    assert counted.call_count <= 100
