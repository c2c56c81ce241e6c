"""The baseline of advanced composition: every query pays for a noisy majority (DR14 Corollary 3.21)."""

from math import ceil, log, sqrt

import numpy as np

from harness.concepts.votes import Votes
from harness.mechanisms.answers import Answers
from harness.mechanisms.noise import laplace
from harness.theory.fixed_point import Plan, plan_for_chunks
from harness.theory.parameters import Constants, Task


def eps_per_query(task: Task) -> float:
    """ε₀ = ε / (2√(2m ln(1/δ))): m queries at ε₀ each are (ε, δ)-DP (DR14 Corollary 3.21)."""
    return task.eps / (2 * sqrt(2 * task.m * log(1 / task.delta)))


class NoisyMajority:
    """sign(ct(1) − ct(0) + Lap(2/ε₀)). k = (6/ε₀) ln(m/(2β)): then all m noises lie within k/3 w.p. 1−β, by the union."""

    name = "noisy_majority"
    source = "DR14 Corollary 3.21"
    label = "advanced composition"

    def plan(self, constants: Constants, task: Task, n: int) -> Plan:
        k = ceil(6 / eps_per_query(task) * log(task.m / (2 * task.beta)))
        return plan_for_chunks(task, n, max(1, k))

    def answer(self, votes: Votes, plan: Plan, task: Task, rng: np.random.Generator) -> Answers:
        if len(votes.counts) != 2:
            raise ValueError(f"noisy_majority is for two labels, not {len(votes.counts)}")
        noise = laplace(2 / eps_per_query(task), votes.counts.shape[1], rng)
        return Answers((votes.counts[1] - votes.counts[0] + noise > 0).astype(np.int8))


MECHANISM = NoisyMajority()
