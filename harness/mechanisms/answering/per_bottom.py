"""Mechanisms that pay for their ⊥s alone: a sparse vector over distances to instability, by a set of constants."""

from dataclasses import replace
from functools import partial
from math import exp

import numpy as np

from harness.arrays import Ints
from harness.ballots import Ballot
from harness.mechanisms.above_threshold import a_sparse_vec
from harness.mechanisms.answering import Answering, whole_blocks
from harness.mechanisms.answering.answers import Answers, winners
from harness.theory.factors import Factor, factors_in
from harness.theory.fixed_point import CutoffPlan, plan_for_n
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.composition import epochs
from harness.theory.privacy.distance import DISTANCES, Distance
from harness.theory.privacy.spent import certified


def a_oqr(ballot: Ballot, dist: Ints, lam: float, w: float, last: float, rng: np.random.Generator) -> Answers:
    """Release the winner where dist + Lap(2λ) > ŵ, else ⊥ and redraw ŵ = w + Lap(λ); halt when c > last.

    dist: (types,), distances to instability. Each test is A_stab with Γ = ŵ and ε = 1/(2λ).
    """
    stream = a_sparse_vec(dist, ballot.sizes, lam, w, last, rng, ballot.trial, ballot.trials)
    return winners(ballot, stream.bottoms, stream.unanswered)


class PerBottom(Answering[CutoffPlan]):
    """What they share: the plan is the fixed point, and the answer the winner where its distance passes the threshold."""

    private = True
    pays_for = "bottoms"
    takes = "constants"

    def plan(self, constants: Constants, task: Task, n: int) -> CutoffPlan:
        """What `solved` has, accounted for by its noise, threshold and distance, whatever these were calibrated for."""
        plan = self.solved(constants, task, n)
        spent = partial(
            certified, DISTANCES[plan.distance], plan.lam, plan.w, epochs(task.m, plan.last), task.delta, plan.sharp
        )
        return replace(plan, accounting=spent)

    def solved(self, constants: Constants, task: Task, n: int) -> CutoffPlan:
        """The plan but for its accounting."""
        return plan_for_n(constants, task, n)

    def private_by(self, constants: Constants) -> tuple[Factor, ...]:
        """The constants that it is the more private for the larger they are."""
        own = constants.calibration
        noise = (*factors_in((own.lam, own.w)), *own.distance.factors)
        return tuple(factor for factor in noise if factor in self.reads(constants))

    def compared(self, plan: CutoffPlan) -> Distance:
        """What the theorem on its privacy compares with the threshold."""
        return DISTANCES[plan.distance]

    @whole_blocks
    def answer(self, ballot: Ballot, plan: CutoffPlan, task: Task, rng: np.random.Generator) -> Answers:
        return a_oqr(ballot, DISTANCES[plan.distance].of(ballot.gap), plan.lam, plan.w, plan.last, rng)

    def stable_failure(self, plan: CutoffPlan, task: Task, labels: int, dissent: float) -> float:
        # A threshold is high by a third of the margin, or the noise of a query low by two thirds of it.
        margin = float(DISTANCES[plan.distance].of(np.array(int((1 - 2 * dissent) * plan.k)))) - plan.w
        return min(1.0, (task.m + plan.last + 1) / 2 * exp(-margin / (3 * plan.lam))) if margin > 0 else 1.0


def without_rate(plan: CutoffPlan) -> CutoffPlan:
    """The plan of a mechanism whose guarantee is about distances: it claims no misclassification rate."""
    reason = plan.reason or "the guarantee is about distances, not about a misclassification rate"
    return replace(plan, bound=None, reason=reason)
