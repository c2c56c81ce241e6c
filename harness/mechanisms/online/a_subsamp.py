"""A_subSamp, a query at a time: f̂ = argmax ct over any label set, with the distance of its constants (BTT18a Algorithm 4)."""

from typing import Any

import numpy as np

from harness.mechanisms import whole_blocks
from harness.mechanisms.answering import mechanisms
from harness.mechanisms.answering.per_bottom import without_rate
from harness.mechanisms.online.stable_loop import PaysForBottoms
from harness.theory.fixed_point import CutoffPlan
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.distance import DISTANCES


class OnlineASubSamp(PaysForBottoms):
    """A_subSamp, query by query: the winner where max(0, gap − 1), or max(0, ⌈gap/2⌉ − 1) by the constants, passes the test."""

    name = "A_subSamp"
    source = "BTT18a Algorithm 4"

    def plan(self, constants: Constants, task: Task, n: int, values: int | None) -> CutoffPlan:
        plan: CutoffPlan = mechanisms()[self.name].plan(constants, task, n)
        return without_rate(plan)

    @whole_blocks
    def distance(self, plan: CutoffPlan, poll: Any) -> Any:
        distance = DISTANCES[plan.distance].of(np.array(poll.gap))
        return distance if distance.ndim else int(distance)


ONLINE = OnlineASubSamp()
