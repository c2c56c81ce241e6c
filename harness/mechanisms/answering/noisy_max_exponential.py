"""Noisy max with exponential noise on every count, as little as exact composition of pure mechanisms allows."""

from functools import partial
from math import exp

import numpy as np

from harness.ballots import Ballot
from harness.mechanisms import whole_blocks
from harness.mechanisms.answering.answers import Answers
from harness.mechanisms.answering.noisy_majority import majority_chunks
from harness.mechanisms.answering.per_query import PerQuery, SharePlan
from harness.mechanisms.noisy_argmax import ExponentialVoteNoise, noisy_argmax
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.composition import compose_pure, pure_share


class NoisyMaxExponential(PerQuery[SharePlan]):
    """argmax_r ct(r) + Exp(2/ε₀) on each query, over any number of labels: of the law of permute-and-flip, so ε₀-DP.

    A label beats one that leads by a gap g with probability at most ½e^{−gε₀/2}, as with Laplace noise on the gap. So over
    two labels it is `noisy_majority`, with an ε₀ by exact composition. P(Exp − Exp > k/3) = ½e^{−kε₀/6} = β/m.
    """

    name = "noisy_max_exponential"
    source = "McKenna, Sheldon 2020 Theorem 1, as noise: Ding et al. 2021; Kairouz, Oh, Viswanath 2015 Theorem 3.3"
    legend = "noisy max, exponential noise"
    formulas = (majority_chunks,)

    def plan(self, constants: Constants, task: Task, n: int) -> SharePlan:
        eps0 = pure_share(task.eps, task.m, task.delta)
        divided = self.divided(constants, task, n, majority_chunks.with_values(constants.values)(eps0, task))
        return divided.drawing(SharePlan, partial(compose_pure, eps0, task.m, task.delta), eps0=eps0)

    @whole_blocks
    def answer(self, ballot: Ballot, plan: SharePlan, task: Task, rng: np.random.Generator) -> Answers:
        return Answers(noisy_argmax(ballot.counts, ballot.sizes, ExponentialVoteNoise(2 / plan.eps0), rng))

    def stable_failure(self, plan: SharePlan, task: Task, labels: int, dissent: float) -> float:
        return min(1.0, task.m * (labels - 1) / 2 * exp(-(1 - 2 * dissent) * plan.k * plan.eps0 / 2))


MECHANISM = NoisyMaxExponential()
