"""A_subSamp: answer with the ensemble's most frequent label, over any finite label set (BTT18a Algorithm 4)."""

import numpy as np

from harness.concepts.votes import Votes
from harness.mechanisms.a_oqr import a_oqr
from harness.mechanisms.answers import Answers
from harness.theory.fixed_point import Plan, plan_for_n
from harness.theory.parameters import Constants, Task


class ASubSamp:
    """f̂ = argmax ct with dist = max(0, ct(top) − ct(second) − 1), then A_OQR."""

    name = "A_subSamp"
    source = "BTT18a Algorithm 4"
    label = "subsample and aggregate (any labels)"

    def plan(self, constants: Constants, task: Task, n: int) -> Plan:
        return plan_for_n(constants, task, n)

    def answer(self, votes: Votes, plan: Plan, task: Task, rng: np.random.Generator) -> Answers:
        assert plan.lam is not None and plan.w is not None and plan.T is not None
        return a_oqr(votes.winner, np.maximum(votes.gap - 1, 0), plan.lam, plan.w, plan.T, rng)


MECHANISM = ASubSamp()
