"""A_sparseVec on votes: pays only for the queries whose distance does not exceed a threshold (BTT18a Algorithm 1)."""

from dataclasses import replace

from harness.mechanisms.answering.per_bottom import PerBottom, without_rate
from harness.theory.constants.btt18a import margin, sparse_vec_lam
from harness.theory.factors import Factor, factors_in
from harness.theory.fixed_point import CutoffPlan
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.distance import VALUES, Distance


class ASparseVec(PerBottom):
    """A_sparseVec on votes: a query whose printed distance passes the noisy test is answered ⊤, here by its winner; else ⊥.

    The distance moves by 2 where the theorem has 1, and the label is answered with ⊤: what is spent is counted for that. The
    threshold w, which the theorem leaves open, is a itself; a unanimous query has the least value above w + a.
    """

    name = "A_sparseVec"
    source = "BTT18a Algorithm 1"
    legend = "A_sparseVec"
    formulas = (sparse_vec_lam, margin)

    def reads(self, constants: Constants) -> tuple[Factor, ...]:
        calibration = constants.calibration
        unread = {*factors_in((constants.chunks, calibration.lam, calibration.w)), *calibration.distance.factors}
        return tuple(factor for factor in super().reads(constants) if factor not in unread)

    def private_by(self, constants: Constants) -> tuple[Factor, ...]:
        return sparse_vec_lam.factors

    def compared(self, plan: CutoffPlan) -> Distance:
        """Values that one example moves by 1, of which no label is said (Theorem 2.7)."""
        return VALUES

    def solved(self, constants: Constants, task: Task, n: int) -> CutoffPlan:
        above, scale = margin.with_values(constants.values), sparse_vec_lam.with_values(constants.values)
        with_chunks = replace(constants, chunks=lambda task, T, lam, w: 2 * above(task, T) + 1)
        plan = without_rate(super().solved(with_chunks, task, n))
        lam = scale(task.eps, task.delta, plan.T)
        return replace(plan, lam=lam, w=above(task, plan.T), distance="printed")


MECHANISM = ASparseVec()
