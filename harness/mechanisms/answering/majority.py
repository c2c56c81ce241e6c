"""The non-private majority of the same ensemble: what is lost to chunking alone."""

import numpy as np

from harness.ballots import Ballot
from harness.mechanisms import whole_blocks
from harness.mechanisms.answering import Answering
from harness.mechanisms.answering.answers import Answers, winners
from harness.theory.fixed_point import plan_for_n
from harness.theory.parameters import Constants, Task
from harness.theory.plan import Plan, plan_for_chunks


class Majority(Answering[Plan]):
    """The majority of the votes of A_binClas's k chunks, without noise: to compare with A_binClas, which adds noise."""

    name = "majority"
    source = "BTT18 Algorithm 2, without noise"
    private = False
    legend = "majority, not private"
    pays_for = "nothing"
    takes = "constants"

    def plan(self, constants: Constants, task: Task, n: int) -> Plan:
        return plan_for_chunks(task, n, plan_for_n(constants, task, n).k)

    @whole_blocks
    def answer(self, ballot: Ballot, plan: Plan, task: Task, rng: np.random.Generator) -> Answers:
        return winners(ballot)


MECHANISM = Majority()
