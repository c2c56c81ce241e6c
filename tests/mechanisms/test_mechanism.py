"""What makes a mechanism of a user's own file, and what is refused."""

from typing import Any

import numpy as np
import pytest

from harness.ballots import Ballot
from harness.mechanisms import refuse_incomplete
from harness.mechanisms.answering import Answering, mechanisms
from harness.mechanisms.answering.answers import Answers, winners
from harness.theory.parameters import Constants, Task
from harness.theory.plan import Plan, plan_for_chunks
from harness.trials.answers import KIND
from harness.trials.cell import Cell
from tests.support.guests import guest


class Own(Answering[Plan]):
    """All that is asked of a file."""

    name = "of_ones_own"
    source = "a user"
    private = False

    def plan(self, constants: Constants, task: Task, n: int) -> Plan:
        return plan_for_chunks(task, n, 3)

    def answer(self, ballot: Ballot, plan: Plan, task: Task, rng: np.random.Generator) -> Answers:
        return winners(ballot)


def test_a_class_in_one_file_is_a_mechanism_without_dummies() -> None:
    with guest(MECHANISM=Own()):
        own = mechanisms()["of_ones_own"]
        assert (own.legend, own.key, own.binary) == ("of ones own", "of_ones_own", False)
        (row,) = KIND.rows(Cell(m=50, n=3000), ["of_ones_own"], 1, 0)
    assert (row["mechanism"], row["k"], row["s"], row["answered"]) == ("of_ones_own", 3, 1000, 50)
    assert "of_ones_own" not in mechanisms()


@pytest.mark.parametrize("missing", ["name", "source", "private", "plan", "answer"])
def test_one_that_leaves_out_what_nobody_else_can_say_cannot_be_made(missing: str) -> None:
    body = {name: what for name, what in vars(Own).items() if not name.startswith("_") and name != missing}
    with pytest.raises(TypeError, match=missing):
        type("Own", (Answering,), body)()


@pytest.mark.parametrize(
    ("body", "said"),
    [({"source": ""}, "does not say where it comes from"), ({"private": "yes"}, "does not say whether it is private")],
)
def test_one_that_says_nothing_of_its_source_or_its_privacy_is_refused(body: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=f"of_ones_own {said}; allowed: "):
        refuse_incomplete(type("Own", (Own,), body)())


def test_what_is_no_mechanism_is_refused() -> None:
    with pytest.raises(ValueError, match="is no mechanism; allowed: "):
        refuse_incomplete(object())
