"""Mechanisms that pay for their ⊥s alone: a sparse vector over distances to instability, by a set of constants."""

from dataclasses import replace
from functools import partial
from math import exp

import numpy as np

from harness.concepts import DISSENT
from harness.mechanisms.answering import Answering
from harness.theory.fixed_point import CutoffPlan, plan_for_n
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.composition import epochs
from harness.theory.privacy.distance import DISTANCES
from harness.theory.privacy.spent import certified


class PerBottom(Answering[CutoffPlan]):
    """What they share."""

    private = True
    pays_for = "bottoms"
    takes = "constants"

    def plan(self, constants: Constants, task: Task, n: int) -> CutoffPlan:
        """What `solved` has, accounted for by its noise, threshold and distance, whatever these were calibrated for."""
        plan = self.solved(constants, task, n)
        spent = partial(certified, DISTANCES[plan.distance], plan.lam, plan.w, epochs(task.m, plan.T), task.delta)
        return replace(plan, accounting=spent)

    def solved(self, constants: Constants, task: Task, n: int) -> CutoffPlan:
        """The plan but for its accounting: here the fixed point."""
        return plan_for_n(constants, task, n)

    def stable_failure(self, plan: CutoffPlan, task: Task, labels: int) -> float:
        # A threshold is high by a third of the margin, or the noise of a query low by two thirds of it.
        margin = float(DISTANCES[plan.distance].of(np.array(int((1 - 2 * DISSENT) * plan.k)))) - plan.w
        return min(1.0, (task.m + plan.T + 1) / 2 * exp(-margin / (3 * plan.lam))) if margin > 0 else 1.0


def without_rate(plan: CutoffPlan) -> CutoffPlan:
    """The plan of a mechanism whose guarantee is about distances: it claims no misclassification rate."""
    return plan.vacuous_since("the guarantee is about distances, not about a misclassification rate")
