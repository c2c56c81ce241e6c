"""A_Priv with T chosen freely: what T is chosen, and that it is no part of the runs that are judged."""

from math import log2

import pytest

from harness.transfer.free_cutoff import FreeCutoff, FreeCutoffERM, least_cutoff
from harness.trials.learner import LearnerCell
from tests.support.streams import streams


def cell(alpha: float = 0.05) -> LearnerCell:
    return LearnerCell(concept="cube_stumps", V=4, distribution={"name": "hard", "total": 15}, alpha=alpha, n=10**7)


@pytest.mark.parametrize("learner", [FreeCutoff(), FreeCutoffERM()], ids=lambda each: each.name)
def test_the_cutoff_is_a_power_of_two_far_below_the_rules_and_leaves_room_for_the_bottoms(learner: FreeCutoff) -> None:
    problem, n = cell().problem, 10**6
    plan = least_cutoff(learner, problem, n)
    assert plan is not None
    cutoff, rule = plan.noise["T"], learner.resolved(problem, problem.of(learner.points(problem), 0.0), n).noise["T"]
    assert cutoff == 2 ** int(log2(cutoff)) < rule / 4
    runs = [learner.run(problem, n, streams(seed)) for seed in range(20)]
    assert sum(run.halted for run in runs) <= 2
    assert max(run.bottoms or 0 for run in runs) <= cutoff


def test_with_more_examples_a_smaller_cutoff_will_do() -> None:
    learner, problem = FreeCutoff(), cell().problem
    plans = [least_cutoff(learner, problem, n) for n in (50_000, 500_000, 5_000_000)]
    cutoffs = [plan.noise["T"] for plan in plans if plan is not None]
    assert len(cutoffs) >= 2 and cutoffs == sorted(cutoffs, reverse=True)
    assert cutoffs[0] > cutoffs[-1] or cutoffs[0] == 1


def test_it_is_a_function_of_n_alone_whatever_the_streams_are() -> None:
    learner, problem = FreeCutoff(), cell().problem
    plans = {learner.run(problem, 10**6, streams(seed)).plan for seed in range(3)}
    assert len(plans) == 1


def test_where_no_cutoff_will_do_there_is_no_classifier() -> None:
    learner, problem = FreeCutoff(), cell().problem
    assert least_cutoff(learner, problem, 100) is None
    assert learner.run(problem, 100, streams(0)).error == 1.0
