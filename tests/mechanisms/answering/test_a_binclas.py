"""A_binClas is A_subSamp on two labels. Its answers are tested with A_subSamp's; here, what sets it apart."""

import numpy as np
import pytest

from harness.mechanisms.answering import mechanisms
from harness.theory.constants import constants
from harness.theory.fixed_point import CutoffPlan
from harness.theory.pac import thresholds_extremal
from harness.theory.parameters import Constants, Task
from tests.support.one_by_one import ballot_of, labels

CONSTANTS = constants()

TASK = Task(m=200, eps=1.0, delta=1e-6, beta=0.05, gamma=0.0, pac_bound=thresholds_extremal)
BY_HAND = CutoffPlan(n=9, k=9, s=1, alpha=1.0, bound=None, reason="set by hand", T=2.0, lam=1.0, w=3.0)


@pytest.mark.parametrize("constants", CONSTANTS.values(), ids=list(CONSTANTS))
def test_its_plan_and_its_answers_are_those_of_A_subSamp(constants: Constants) -> None:
    binary, general = mechanisms()["A_binClas"], mechanisms()["A_subSamp"]
    assert binary.plan(constants, TASK, 10**12) == general.plan(constants, TASK, 10**12)
    votes = ballot_of(np.arange(10), 9, np.zeros(10, dtype=np.int8))
    one, other = (each.answer(votes, BY_HAND, TASK, np.random.default_rng(4)) for each in (binary, general))
    assert labels(one).tolist() == labels(other).tolist()
    assert one.halted_at == other.halted_at
