"""A_OQR: online query release, A_stab under the threshold of a sparse vector (BTT18a Algorithm 3)."""

from dataclasses import replace

from harness.mechanisms.answering.per_bottom import PerBottom, without_rate
from harness.theory.constants.btt18a import stable_distance
from harness.theory.fixed_point import CutoffPlan
from harness.theory.parameters import Constants, Task


class AOQR(PerBottom):
    """A_OQR on votes and their printed distance; k puts a unanimous query just at the distance that Corollary 3.9 asks for."""

    name = "A_OQR"
    source = "BTT18a Algorithm 3"
    legend = "A_OQR"

    def solved(self, constants: Constants, task: Task, n: int) -> CutoffPlan:
        own = replace(constants, chunks=lambda task, T, lam, w: stable_distance(task, T) + 1)
        return replace(without_rate(super().solved(own, task, n)), distance="printed")


MECHANISM = AOQR()
