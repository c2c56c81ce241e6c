"""One learner on all n: its hypothesis answers, and errs on at most B queries."""

import numpy as np
import pytest

from harness.mechanisms.answering import mechanisms
from harness.theory.constants import constants
from harness.theory.constants.btt18 import mistakes
from harness.theory.pac import thresholds_extremal
from harness.theory.parameters import Constants, Task
from tests.support.one_by_one import ballot_of, labels

TASK = Task(m=100, eps=1.0, delta=1e-6, beta=0.05, gamma=0.0, pac_bound=thresholds_extremal)
SINGLE = mechanisms()["single_learner"]


@pytest.mark.parametrize("given", constants().values(), ids=list(constants()))
@pytest.mark.parametrize("n", [20, 10**3, 10**9])
def test_its_plan_is_one_chunk_and_its_bound_is_its_own_mistakes(given: Constants, n: int) -> None:
    plan = SINGLE.plan(given, TASK, n)
    assert (plan.k, plan.s) == (1, n)
    assert plan.alpha == thresholds_extremal(n, TASK.beta)
    assert plan.bound == mistakes(TASK, plan.alpha) / TASK.m


def test_its_answers_are_its_votes() -> None:
    truth = np.array([0, 1, 1, 0], dtype=np.int8)
    votes = ballot_of(np.array([0, 1, 0, 1]), 1, truth)
    plan = SINGLE.plan(constants()["BTT18"], TASK, 100)
    answers = SINGLE.answer(votes, plan, TASK, np.random.default_rng(0))
    assert labels(answers).tolist() == [0, 1, 0, 1]
