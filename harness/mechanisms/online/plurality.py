"""The plurality of the same chunks, without noise and so not private: what is lost to chunking alone."""

import numpy as np

from harness.analysts import Poll
from harness.mechanisms.online import Online, Responder
from harness.theory.fixed_point import plan_for_n
from harness.theory.parameters import Constants, Task
from harness.theory.plan import Plan, plan_for_chunks


class _Winner(Responder):
    def answer(self, poll: Poll) -> int:
        return poll.winner


class Plurality(Online[Plan]):
    """The label with the most votes over A_subSamp's k chunks, query by query, without noise."""

    name = "plurality"
    source = "BTT18a Algorithm 4, without noise"
    private = False
    legend = "plurality, not private"

    def plan(self, constants: Constants, task: Task, n: int, values: int | None) -> Plan:
        return plan_for_chunks(task, n, plan_for_n(constants, task, n).k)

    def begin(self, plan: Plan, m: int, values: int | None, rng: np.random.Generator) -> Responder:
        return _Winner()


ONLINE = Plurality()
