"""What each construction claims, and from which n on, written out once more."""

from collections.abc import Callable
from math import log

import pytest

from harness.theory.fixed_point import plan_for_alpha
from harness.transfer import LearningProblem, private_learners
from harness.transfer.a_priv import APriv
from harness.transfer.estimated import allowance
from harness.transfer.relabelled import APrivRelabelled, excess, part, relabelled
from harness.transfer.without_privacy import NonPrivate
from harness.trials.learner import LearnerCell
from tests.support.learnable import learnable

NOISY = LearnerCell(alpha=0.03, gamma=0.1, beta=0.02, eps=0.7, learner="midpoint")
CONSISTENT = LearnerCell(alpha=0.03, beta=0.02, eps=0.7)
CLAIMS: dict[str, Callable[[float, float], float]] = {
    "exponential_few": lambda gamma, alpha: gamma + 2 * alpha,
    "A_Priv_pac": lambda gamma, alpha: alpha,
} | {
    name: (lambda gamma, alpha: gamma + 16 * alpha)
    if isinstance(learner, APrivRelabelled)
    else (lambda gamma, alpha: 7 * gamma + 15 * alpha)
    if isinstance(learner, APriv)
    else (lambda gamma, alpha: gamma + alpha)
    for name, learner in private_learners().items()
    if name not in ("exponential_few", "A_Priv_pac")
}


def least_at(bound: Callable[[int, float], float], chance: float, alpha: float, s: int) -> bool:
    return bound(s, chance) <= alpha < bound(s - 1, chance)


@pytest.mark.parametrize("name", CLAIMS)
def test_what_is_claimed(name: str) -> None:
    """Of labels without noise, as some need; and of noisy ones, but of so few points as Remark 2 has."""
    learner = private_learners()[name]
    assert learner.claimed(learnable(name, CONSISTENT).problem) == pytest.approx(CLAIMS[name](0.0, 0.03))
    if not learner.realizable_only:
        claimed = 1.0 if "_erm" in name else CLAIMS[name](0.1, 0.03)
        assert learner.claimed(learnable(name, NOISY).problem) == pytest.approx(claimed)


def needed(problem: LearningProblem, m: int, alpha: float) -> int:
    """By the theorems' rule for T, on so many public points."""
    return plan_for_alpha(problem.constants, problem.of(m, problem.task.gamma), alpha).n


@pytest.mark.parametrize("cell", [CONSISTENT, NOISY], ids=["consistent", "noisy"])
def test_a_priv_needs_what_answering_needs(cell: LearnerCell) -> None:
    """Its own half of them where labels alone are private, with at least as many points in the other."""
    problem, learners = cell.problem, private_learners()
    agnostic, consistent = problem.agnostic_m, problem.realizable_m
    assert learners["A_Priv"].needed(problem) == needed(problem, agnostic, 0.03)
    assert learners["A_Priv_erm"].needed(problem) == needed(problem, consistent, 0.03)
    assert learners["A_Priv_free"].needed(problem) == needed(problem, agnostic, 0.03)
    assert learners["label_private"].needed(problem) == 2 * max(needed(problem, agnostic, 0.03), agnostic)
    if cell is CONSISTENT:
        assert learners["A_Priv_pac"].needed(problem) == needed(problem, consistent, 1 / consistent)


@pytest.mark.parametrize("name", ["A_Priv_noisy_majority", "A_Priv_erm_noisy_majority"])
def test_noise_on_every_vote_needs_k_chunks_of_which_each_learns(name: str) -> None:
    learner, problem = private_learners()[name], CONSISTENT.problem
    assert isinstance(learner, APriv)
    task = problem.of(learner.points(problem), 0.0)
    n, k = learner.needed(problem), learner.resolved(problem, task, 10**9).k
    assert n % k == 0 and least_at(problem.bound(0.0), 0.02 / k, 0.03, n // k)


def test_without_privacy_the_learner_needs_its_own_bound_at_three_beta() -> None:
    for name in ("non_private", "public_alone"):
        learner = private_learners()[name]
        assert least_at(CONSISTENT.problem.bound(0.0), 0.06, 0.03, learner.needed(CONSISTENT.problem))
        assert least_at(NOISY.problem.bound(0.1), 0.06, 0.03, learner.needed(NOISY.problem))
        often = LearnerCell(alpha=0.03, beta=0.3).problem
        assert least_at(often.bound(0.0), 0.5, 0.03, learner.needed(often))


def test_an_estimate_is_allowed_for_by_what_bounds_the_learner_and_the_noise() -> None:
    """And with it γ is taken to be as much larger once more, as half of the examples will see it."""
    problem = NOISY.problem
    assert allowance(problem, 5000) == pytest.approx(problem.bound(0.1)(5000, 0.01) + log(1 / 0.02) / (0.7 * 5000))
    known = 2 * needed(problem, problem.agnostic_m, 0.03)
    likely = LearnerCell(
        alpha=0.03, gamma=0.1 + 2 * allowance(problem, known // 2), beta=0.02, eps=0.7, learner="midpoint"
    ).problem
    task = problem.of(problem.agnostic_m, likely.task.gamma)
    assert private_learners()["A_Priv_estimated"].needed(problem) == 2 * plan_for_alpha(problem.constants, task, 0.03).n


@pytest.mark.parametrize("name", [name for name, each in private_learners().items() if isinstance(each, APrivRelabelled)])
def test_relabelling_needs_enough_for_its_labels_and_for_a_priv_in_its_part(name: str) -> None:
    learner, problem = private_learners()[name], NOISY.problem
    assert isinstance(learner, APrivRelabelled)
    n = learner.needed(problem)
    own = learner.base.needed(relabelled(learner, problem))
    kept, before = part(problem, n), part(problem, n - 1)
    assert kept >= own and excess(problem, kept) <= 0.03
    assert before < own or excess(problem, before) > 0.03


def test_runs_are_together_where_points_are_counted_and_else_alone() -> None:
    for name, learner in private_learners().items():
        problem = learnable(name, CONSISTENT).problem
        one_of_many = isinstance(learner, APriv | NonPrivate) and name != "A_Priv_estimated"
        assert (learner.at_once(problem, max(10**9, learner.needed(problem))) > 1) == one_of_many, name
    assert private_learners()["A_Priv"].at_once(NOISY.problem, 10**11) > 1
