"""A_OQR: online query release, A_stab under the threshold of a sparse vector (BTT18a Algorithm 3)."""

from dataclasses import replace

from harness.mechanisms.answering.per_bottom import PerBottom, without_rate
from harness.theory.constants.btt18a import stable_distance
from harness.theory.factors import Factor, factors_in
from harness.theory.fixed_point import CutoffPlan
from harness.theory.parameters import Constants, Task


class AOQR(PerBottom):
    """A_OQR on votes, with the k at which a unanimous query has the distance, gap − 1, that BTT18a Corollary 3.9 asks for."""

    name = "A_OQR"
    source = "BTT18a Algorithm 3"
    legend = "A_OQR"
    formulas = (stable_distance,)

    def reads(self, constants: Constants) -> tuple[Factor, ...]:
        unread = {*factors_in((constants.chunks,)), *constants.calibration.distance.factors}
        return tuple(factor for factor in super().reads(constants) if factor not in unread)

    def solved(self, constants: Constants, task: Task, n: int) -> CutoffPlan:
        distance = stable_distance.with_values(constants.values)
        with_chunks = replace(constants, chunks=lambda task, T, lam, w: distance(task, T) + 1)
        return replace(without_rate(super().solved(with_chunks, task, n)), distance="printed")


MECHANISM = AOQR()
