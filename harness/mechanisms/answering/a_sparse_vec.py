"""A_sparseVec on votes: pays only for the queries whose distance does not exceed a threshold (BTT18a Algorithm 1)."""

from dataclasses import replace

from harness.mechanisms.answering.per_bottom import PerBottom, without_rate
from harness.theory.constants.btt18a import margin, sparse_vec_lam
from harness.theory.fixed_point import CutoffPlan
from harness.theory.parameters import Constants, Task


class ASparseVec(PerBottom):
    """A query whose printed distance passes the threshold is answered ⊤, here by its winner.

    The distance moves by 2 where the theorem has 1, and the label is answered with ⊤: what is spent is counted for that. The
    threshold w, which the theorem leaves open, is a itself; a unanimous query has the least value above w + a.
    """

    name = "A_sparseVec"
    source = "BTT18a Algorithm 1"
    legend = "A_sparseVec"

    def solved(self, constants: Constants, task: Task, n: int) -> CutoffPlan:
        own = replace(constants, chunks=lambda task, T, lam, w: 2 * margin(task, T) + 1)
        plan = without_rate(super().solved(own, task, n))
        lam = sparse_vec_lam(task.eps, task.delta, plan.T)
        return replace(plan, lam=lam, w=margin(task, plan.T), distance="printed")


MECHANISM = ASparseVec()
