"""Report noisy max on every query, under advanced composition (DR14 Claim 3.9 and Corollary 3.21)."""

from math import exp

import numpy as np

from harness.concepts import DISSENT
from harness.concepts.votes import Votes, top
from harness.mechanisms.answers import Answers
from harness.mechanisms.noise import laplace
from harness.mechanisms.per_query import PerQuery
from harness.theory.baselines import BASELINES
from harness.theory.fixed_point import Plan
from harness.theory.parameters import Task


class ReportNoisyMax(PerQuery):
    """argmax_r ct(r) + Lap(2/ε₀), over any number of labels."""

    accounting = BASELINES["report_noisy_max"]
    label = "report noisy max"

    def answer(self, votes: Votes, plan: Plan, task: Task, rng: np.random.Generator) -> Answers:
        noisy = laplace(self.accounting.scale(task), votes.counts.size, rng).reshape(votes.counts.shape)
        noisy += votes.counts
        return Answers(top(noisy))

    def stable_failure(self, plan: Plan, task: Task, labels: int) -> float:
        x = (1 - 2 * DISSENT) * plan.k / self.accounting.scale(task)  # the difference of two noises has to pass this
        return min(1.0, task.m * (labels - 1) * (2 + x) / 4 * exp(-x))


MECHANISM = ReportNoisyMax()
