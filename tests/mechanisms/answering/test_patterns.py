"""Tables that what pays for its ⊥s alone is run on: gaps about the threshold, moved by a vote, the last the other way."""

import numpy as np
import pytest

from harness.mechanisms.answering import mechanisms
from harness.theory.constants import constants
from harness.theory.privacy.distance import DISTANCES
from tests.support.plans import task_of


@pytest.mark.parametrize("m", [2, 7])
def test_queries_are_moved_down_from_the_threshold_and_from_a_lambda_above_it(m: int) -> None:
    """The first are at the least gap whose distance is not below that, the last at one of a λ below, and moves up."""
    mechanism, task = mechanisms()["A_binClas"], task_of(m)
    plan = mechanism.plan(constants()["BTT18"], task, 10**9)
    found = mechanism.neighbours(plan, task, 2)
    assert [tables.words.split("λ")[0][-1] for tables in found] == ["0", "1"]
    gaps = np.arange(plan.k % 2 or 2, plan.k + 1, 2)
    distances = DISTANCES[plan.distance].of(gaps)
    low = gaps[distances >= plan.w - plan.lam][0]
    for tables, level in zip(found, (0, 1), strict=True):
        edge = gaps[distances >= plan.w + level * plan.lam][0]
        assert (tables.before[0] - tables.before[1]).tolist() == [edge] * (m - 1) + [low]
        assert (tables.after[0] - tables.after[1]).tolist() == [edge - 2] * (m - 1) + [low + 2]
        assert tables.sizes.tolist() == [1] * m and set(tables.before.sum(axis=0)) == {plan.k}


def test_of_one_query_and_of_very_many_there_is_no_such_pattern() -> None:
    mechanism = mechanisms()["A_binClas"]
    for m in (1, 1000):
        task = task_of(m)
        assert mechanism.neighbours(mechanism.plan(constants()["BTT18"], task, 10**9), task, 2) == []
