"""A_Priv with T chosen freely: what T is chosen, and that it is no part of the runs that are judged."""

from math import log2
from zlib import crc32

import numpy as np
import pytest

from harness.mechanisms import Streams
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


def test_with_more_examples_a_smaller_cutoff_will_do_and_none_below_it() -> None:
    """Of powers of two it is the least of which half is enough for each of eight runs, with streams that are known."""
    learner, problem = FreeCutoff(), LearnerCell(alpha=0.05, learner="midpoint").problem
    task = problem.of(learner.points(problem), 0.0)

    def enough(cutoff: float, n: int) -> bool:
        plan = learner.with_cutoff(problem, task, n, cutoff)
        own: Streams = lambda purpose: np.random.default_rng([crc32(purpose.encode()), n, plan.k])  # noqa: E731
        runs = learner.transfer(problem, problem.sampler(plan.s), plan, task, own, 8)
        return not any(run.halted for run in runs) and max(run.bottoms or 0 for run in runs) <= cutoff / 2

    chosen = []
    for n in (10**6, 3 * 10**6, 10**7, 3 * 10**7):
        plan = least_cutoff(learner, problem, n)
        assert plan is not None
        chosen.append(plan.noise["T"])
        assert [enough(2.0**i, n) for i in range(int(log2(chosen[-1])) + 1)] == [False] * int(log2(chosen[-1])) + [True]
    assert chosen == sorted(chosen, reverse=True) and chosen[0] > 100 > chosen[-1] > 1


def test_it_is_a_function_of_n_alone_whatever_the_streams_are() -> None:
    learner, problem = FreeCutoff(), cell().problem
    plans = {learner.run(problem, 10**6, streams(seed)).plan for seed in range(3)}
    assert len(plans) == 1


def test_where_no_cutoff_will_do_there_is_no_classifier() -> None:
    learner, problem = FreeCutoff(), cell().problem
    assert least_cutoff(learner, problem, 100) is None
    assert learner.run(problem, 100, streams(0)).error == 1.0
