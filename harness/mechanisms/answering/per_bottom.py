"""Mechanisms that pay for their ⊥s alone: a sparse vector over distances to instability, by a set of constants."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from math import exp

import numpy as np

from harness.arrays import Ints
from harness.ballots import Ballot
from harness.mechanisms import whole_blocks
from harness.mechanisms.above_threshold import LoopNoise, a_sparse_vec, in_order_by_run
from harness.mechanisms.answering import Answering
from harness.mechanisms.answering.answers import Answers, winners
from harness.mechanisms.answering.tables import FEW, Tables, tables_of
from harness.theory.factors import Factor, factors_in
from harness.theory.fixed_point import CutoffPlan, plan_for_n
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.composition import epochs
from harness.theory.privacy.distance import DISTANCES, Distance
from harness.theory.privacy.spent import certified


def a_oqr(ballot: Ballot, dist: Ints, lam: LoopNoise | float, w: float, last: float, rng: np.random.Generator) -> Answers:
    """Runs A_OQR on a ballot: the winner where dist + Lap(2λ) > ŵ, else ⊥ and a new ŵ = w + Lap(λ); halts when c > last.

    dist: (types,), distances to instability. Each test is A_stab with Γ = ŵ and ε = 1/(2λ). lam: λ, or other noise.
    """
    stream = a_sparse_vec(dist, ballot.sizes, lam, w, last, rng, ballot.trial, ballot.trials)
    return winners(ballot, stream.bottoms, stream.unanswered)


class PerBottom(Answering[CutoffPlan]):
    """The base of mechanisms that pay for their ⊥s alone: a query's winner if its noisy test passes.

    The plan is a fixed point.
    """

    private = True
    pays_for = "bottoms"
    takes = "constants"

    def plan(self, constants: Constants, task: Task, n: int) -> CutoffPlan:
        """The plan of `solved`, accounted for by its noise, threshold and distance, whatever these were calibrated for."""
        plan = self.solved(constants, task, n)
        spent = partial(
            certified, DISTANCES[plan.distance], plan.lam, plan.w, epochs(task.m, plan.last), task.delta, plan.sharp
        )
        return replace(plan, accounting=spent)

    def solved(self, constants: Constants, task: Task, n: int) -> CutoffPlan:
        """The plan without an accounting of its privacy."""
        return plan_for_n(self.at(constants), task, n)

    def at(self, constants: Constants) -> Constants:
        """The set of constants that the plan follows: how λ, w and k follow from T."""
        return constants

    def noise(self, plan: CutoffPlan) -> LoopNoise | float:
        """The noise added to thresholds and distances: a number λ stands for Lap(λ) and Lap(2λ)."""
        return plan.lam

    def private_by(self, constants: Constants) -> tuple[Factor, ...]:
        """The constants that make the mechanism the more private the larger they are."""
        calibration = constants.calibration
        noise = (*factors_in((calibration.lam, calibration.w)), *calibration.distance.factors)
        return tuple(factor for factor in noise if factor in self.reads(constants))

    def compared(self, plan: CutoffPlan) -> Distance:
        """The distance that the theorem on the mechanism's privacy compares with the threshold."""
        return DISTANCES[plan.distance]

    @whole_blocks
    def answer(self, ballot: Ballot, plan: CutoffPlan, task: Task, rng: np.random.Generator) -> Answers:
        return a_oqr(ballot, DISTANCES[plan.distance].of(ballot.gap), self.noise(plan), plan.w, plan.last, rng)

    def answer_in_order(self, ballot: Ballot, plan: CutoffPlan, task: Task, rng: np.random.Generator) -> Answers:
        if (ballot.sizes > 1).any() or ballot.trials * ballot.m != len(ballot.truth):
            return self.answer_block(ballot, plan, task, rng)
        run = np.zeros(len(ballot.truth), np.int64) if ballot.trial is None else ballot.trial
        dist = DISTANCES[plan.distance].of(ballot.gap)
        bottom, after = in_order_by_run(dist, run, self.noise(plan), plan.w, plan.last, rng)
        return winners(ballot, bottom.astype(np.int64), after.astype(np.int64))

    def neighbours(self, plan: CutoffPlan, task: Task, labels: int) -> list[Tables]:
        """A strong pattern of `theory.privacy.witness` about the threshold, whose outcome ⊤…⊤⊥ reaches furthest in an epoch."""
        return [] if task.m < 2 else [*self._patterns(plan, task.m)]

    def _patterns(self, plan: CutoffPlan, m: int) -> Iterator[Tables]:
        of, k, gaps = DISTANCES[plan.distance].of, plan.k, np.arange(plan.k % 2 or 2, plan.k + 1, 2)
        few = min(m, FEW)
        for level in (0.0, 1.0):
            edge = gaps[min(int(np.searchsorted(of(gaps), plan.w + level * plan.lam)), len(gaps) - 1)]
            low = gaps[min(int(np.searchsorted(of(gaps), max(plan.w - plan.lam, 0.0))), len(gaps) - 1)]
            if edge < k and low < k and few == m:
                words = f"queries moved down, {level:g}λ above the threshold, and a last one that is near it moved up"
                yield tables_of(words, k, [edge] * (m - 1) + [low], [edge - 2] * (m - 1) + [low + 2], [1] * m)

    def stable_failure(self, plan: CutoffPlan, task: Task, labels: int, dissent: float) -> float:
        # A threshold is high by a third of the margin, or the noise of a query low by two thirds of it.
        margin = float(DISTANCES[plan.distance].of(np.array(int((1 - 2 * dissent) * plan.k)))) - plan.w
        return min(1.0, (task.m + plan.last + 1) / 2 * exp(-margin / (3 * plan.lam))) if margin > 0 else 1.0


def without_rate(plan: CutoffPlan) -> CutoffPlan:
    """A copy of a plan with no bound on misclassified queries, and the reason: the mechanism's guarantee is on distances."""
    reason = plan.reason or "the guarantee is about distances, not about a misclassification rate"
    return replace(plan, bound=None, reason=reason)
