"""The baseline of advanced composition: every query pays for a noisy majority (DR14 Corollary 3.21)."""

from math import exp

import numpy as np

from harness.concepts import DISSENT
from harness.concepts.votes import Votes
from harness.mechanisms.answers import Answers
from harness.mechanisms.noise import laplace
from harness.mechanisms.per_query import PerQuery
from harness.mechanisms.two_labels import require_two_labels
from harness.theory.baselines import BASELINES
from harness.theory.fixed_point import Plan
from harness.theory.parameters import Task


class NoisyMajority(PerQuery):
    """sign(ct(1) − ct(0) + Lap(2/ε₀))."""

    accounting = BASELINES["noisy_majority"]
    label = "advanced composition"
    binary = True

    def answer(self, votes: Votes, plan: Plan, task: Task, rng: np.random.Generator) -> Answers:
        require_two_labels(votes, self.name, instead="report_noisy_max")
        noise = laplace(self.accounting.scale(task), votes.counts.shape[1], rng)
        return Answers((votes.counts[1] - votes.counts[0] + noise > 0).astype(np.int8))

    def stable_failure(self, plan: Plan, task: Task, labels: int) -> float:
        return min(1.0, task.m / 2 * exp(-(1 - 2 * DISSENT) * plan.k / self.accounting.scale(task)))


MECHANISM = NoisyMajority()
