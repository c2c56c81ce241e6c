"""The baseline of advanced composition: every query pays for a noisy majority (DR14 Corollary 3.21)."""

from functools import partial
from math import exp, log

import numpy as np

from harness.ballots import Ballot
from harness.concepts import DISSENT
from harness.mechanisms.answering.answers import Answers, outvoted
from harness.mechanisms.answering.per_query import PerQuery, SharePlan
from harness.mechanisms.noise import binomial
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.composition import advanced_share, compose_laplace
from harness.theory.privacy.laplace import tail


class NoisyMajority(PerQuery[SharePlan]):
    """sign(ct(1) − ct(0) + Lap(2/ε₀)): one changed vote moves the gap by 2. P(Lap(2/ε₀) > k/3) = ½e^{−kε₀/6} = β/m."""

    name = "noisy_majority"
    source = "DR14 Corollary 3.21"
    legend = "noisy majority (advanced composition)"
    binary = True
    share = staticmethod(advanced_share)

    def plan(self, constants: Constants, task: Task, n: int) -> SharePlan:
        eps0 = self.share(task.eps, task.m, task.delta)
        divided = self.divided(constants, task, n, 6 / eps0 * log(task.m / (2 * task.beta)))
        return divided.drawing(SharePlan, partial(compose_laplace, eps0, task.m, task.delta), eps0=eps0)

    def answer(self, ballot: Ballot, plan: SharePlan, task: Task, rng: np.random.Generator) -> Answers:
        self.require_two_labels(ballot)
        return outvoted(ballot, binomial(ballot.sizes, tail(ballot.gap / (2 / plan.eps0)), rng))

    def stable_failure(self, plan: SharePlan, task: Task, labels: int) -> float:
        return min(1.0, task.m / 2 * exp(-(1 - 2 * DISSENT) * plan.k / (2 / plan.eps0)))


MECHANISM = NoisyMajority()
