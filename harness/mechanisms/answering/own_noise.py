"""Sparse vectors over distances whose noise is their own, whatever constants are named: these have a say in T alone."""

from abc import abstractmethod
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from harness.mechanisms.answering.per_bottom import PerBottom
from harness.theory.factors import Factor, Formula, factors_in
from harness.theory.fixed_point import CutoffPlan
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.calibration import Calibration
from harness.theory.privacy.composition import epochs
from harness.theory.privacy.distance import DISTANCES


class OwnNoise(PerBottom):
    """The base of sparse-vector mechanisms whose noise, threshold and k follow formulas of their own, not the named constants'.

    calibration: how its noise and its threshold follow from (ε, δ), m and T. chunks: its least k.
    """

    calibration: ClassVar[Calibration]
    chunks: ClassVar[Formula[Any]]

    def at(self, constants: Constants) -> Constants:
        values = constants.values
        calibration, chunks = self.calibration.with_values(values), type(self).chunks.with_values(values)
        return replace(constants, calibration=calibration, chunks=chunks)

    def reads(self, constants: Constants) -> tuple[Factor, ...]:
        formulas = (self.calibration.lam, self.calibration.w, self.calibration.last, type(self).chunks)
        return factors_in((*formulas, constants.mistakes, constants.unstable))

    def private_by(self, constants: Constants) -> tuple[Factor, ...]:
        """None, as the noise has no constants but those of T."""
        return ()

    def plan(self, constants: Constants, task: Task, n: int) -> CutoffPlan:
        """The plan of `solved`, with its privacy accounted for by the mechanism's own proof."""
        plan = self.solved(constants, task, n)
        bottoms = epochs(task.m, plan.last)
        left = task.delta - bottoms * self.leak(plan)
        return replace(plan, accounting=partial(self.spent, plan.lam, task.m, bottoms, left))

    @abstractmethod
    def spent(self, lam: float, m: int, n: int, delta: float) -> float:
        """An ε' at which m tests of which at most n are ⊥ are (ε', δ)-DP with noise of this scale; infinite if δ ≤ 0."""

    @abstractmethod
    def leak(self, plan: CutoffPlan) -> float:
        """The chance, once for each ⊥, that a query at distance 0 is answered: else no label tells two data sets apart."""

    @abstractmethod
    def missed(self, plan: CutoffPlan, margin: float) -> float:
        """An upper bound on P(a query at a distance of `margin` above w is ⊥), given any that passed before it."""

    def stable_failure(self, plan: CutoffPlan, task: Task, labels: int, dissent: float) -> float:
        margin = float(DISTANCES[plan.distance].of(np.array(int((1 - 2 * dissent) * plan.k)))) - plan.w
        return min(1.0, task.m * self.missed(plan, margin)) if margin > 0 else 1.0
