"""The non-private majority: argmax, ties to the smaller label, on the chunks of A_binClas."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.ballots import Ballot
from harness.mechanisms.answering import mechanisms
from harness.theory.constants import constants
from harness.theory.pac import thresholds_extremal
from harness.theory.parameters import Task
from tests.support.one_by_one import labels

CONSTANTS = constants()

TASK = Task(m=100, eps=1.0, delta=1e-6, beta=0.05, gamma=0.0, pac_bound=thresholds_extremal)
MAJORITY = mechanisms()["majority"]


@given(st.integers(1, 5).flatmap(lambda size: st.lists(st.lists(st.integers(0, 9), min_size=size, max_size=size), min_size=1)))
def test_the_answer_is_the_first_label_that_no_other_outvotes(columns: list[list[int]]) -> None:
    votes = Ballot(np.array(columns).T, 45, np.zeros(len(columns), dtype=np.int8))
    plan = MAJORITY.plan(CONSTANTS["BTT18"], TASK, 10**9)
    answers = MAJORITY.answer(votes, plan, TASK, np.random.default_rng(0))
    assert labels(answers).tolist() == [column.index(max(column)) for column in columns]
    assert answers.halted_at is None


@pytest.mark.parametrize("n", [10**3, 10**9, 10**15])
@pytest.mark.parametrize("constants", CONSTANTS)
def test_it_votes_with_the_chunks_of_A_binClas_and_its_bound_needs_no_noise(constants: str, n: int) -> None:
    ours = MAJORITY.plan(CONSTANTS[constants], TASK, n)
    private = mechanisms()["A_binClas"].plan(CONSTANTS[constants], TASK, n)
    assert (ours.k, ours.s, ours.alpha) == (private.k, private.s, private.alpha)
