"""One learner on all n examples, without privacy: what is lost to chunking and to noise together."""

import numpy as np

from harness.ballots import Ballot
from harness.mechanisms import whole_blocks
from harness.mechanisms.answering import Answering
from harness.mechanisms.answering.answers import Answers, winners
from harness.theory.parameters import Constants, Task
from harness.theory.plan import Plan, plan_for_chunks


class SingleLearner(Answering[Plan]):
    """One classifier, learned from all n examples without privacy, answers each query; k = 1, whatever the constants are."""

    name = "single_learner"
    source = "BTT18 Theorem 3.2, with k = 1 and without noise"
    private = False
    legend = "one learner on all n, not private"
    pays_for = "nothing"
    takes = "nothing"

    def plan(self, constants: Constants, task: Task, n: int) -> Plan:
        return plan_for_chunks(task, n, 1, factor=1)

    @whole_blocks
    def answer(self, ballot: Ballot, plan: Plan, task: Task, rng: np.random.Generator) -> Answers:
        return winners(ballot)


MECHANISM = SingleLearner()
