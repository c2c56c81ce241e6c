"""Numbers that the theory alone compares, and what several verdicts amount to."""

import pytest

from harness.claims.engine import Computed, Number, Outcome, overall, task_of
from harness.theory.parameters import Task


def test_computed_numbers_are_judged_one_by_one() -> None:
    decider = Computed(lambda: [Number(f"number {i}", value, 1.0) for i, value in enumerate((0.5, 1.0, 1 + 1e-10, 1.001))])
    verdicts = list(decider.computed("PAPER:T3"))
    assert [verdict.outcome for verdict in verdicts] == ["holds", "holds", "holds", "refuted"]
    assert [verdict.where for verdict in verdicts] == ["number 0", "number 1", "number 2", "number 3"]
    assert [(verdict.measured, verdict.stands, verdict.bound) for verdict in verdicts[::3]] == [
        (0.5, 0.5, 1),
        (1.001, 1.001, 1),
    ]
    assert [verdict.challenged for verdict in verdicts] == [False, True, True, True]


def test_a_task_is_of_no_learner_at_an_epsilon_of_1_unless_it_is_said_otherwise() -> None:
    task = task_of(50, 0.1)
    assert task == Task(m=50, eps=1.0, delta=1e-6, beta=0.1, gamma=0.0, pac_bound=task.pac_bound)
    assert task.pac_bound(10, 0.1) == 0


@pytest.mark.parametrize(
    ("outcomes", "one"),
    [
        ([], "untested"),
        (["untested"], "untested"),
        (["vacuous", "vacuous"], "vacuous"),
        (["vacuous", "holds"], "holds"),
        (["holds", "undecided", "vacuous"], "undecided"),
        (["holds", "undecided", "refuted"], "refuted"),
    ],
)
def test_one_refutation_refutes_and_one_undecided_leaves_undecided(outcomes: list[Outcome], one: Outcome) -> None:
    assert overall(outcomes) == one
