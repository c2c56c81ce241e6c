"""A_OQR on all n examples at once, by each query's own distance to instability (BTT18a Algorithm 3)."""

from dataclasses import replace
from functools import partial
from typing import Any

from harness.mechanisms import whole_blocks
from harness.mechanisms.answering.per_bottom import without_rate
from harness.mechanisms.online.stable_loop import PaysForBottoms
from harness.theory.fixed_point import CutoffPlan, plan_for_n
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.composition import epochs
from harness.theory.privacy.distance import DISTANCES
from harness.theory.privacy.spent import certified


class OnlineAOQR(PaysForBottoms):
    """A_OQR on all n examples at once, without chunks (k = n), by each query's distance to instability (Theorem 3.6).

    So the distance has sensitivity 1 whatever the range is.

    It needs a query whose distance can be computed, which A_subSamp does without.
    """

    name = "A_OQR"
    source = "BTT18a Algorithm 3"
    whole = True

    def plan(self, constants: Constants, task: Task, n: int, values: int | None) -> CutoffPlan:
        plan = without_rate(plan_for_n(constants, task, n))
        spent = partial(certified, DISTANCES["true"], plan.lam, plan.w, epochs(task.m, plan.T), task.delta)
        return replace(plan, k=n, s=1, distance="true", accounting=spent)

    @whole_blocks
    def distance(self, plan: CutoffPlan, poll: Any) -> Any:
        assert poll.distance is not None
        return poll.distance


ONLINE = OnlineAOQR()
