"""Gaussian noise on every gap, as little as the exact composition of Gaussian mechanisms allows (Balle, Wang 2018)."""

from functools import partial
from math import sqrt

import numpy as np
from scipy.special import ndtr, ndtri

from harness.ballots import Ballot
from harness.mechanisms.answering.answers import Answers, outvoted
from harness.mechanisms.answering.per_query import GaussianPlan, PerQuery
from harness.mechanisms.noise import binomial
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.gaussian import gaussian_eps, gaussian_mu


class Gaussian(PerQuery[GaussianPlan]):
    """sign(ct(1) − ct(0) + N(0, σ²)), σ by the exact curve of m such mechanisms of sensitivity 2. Φ(−k/3σ) = β/m."""

    name = "gaussian"
    source = "Balle, Wang 2018 Theorem 8"
    legend = "Gaussian noise"
    binary = True

    def plan(self, constants: Constants, task: Task, n: int) -> GaussianPlan:
        sigma = 2 * sqrt(task.m) / gaussian_mu(task.eps, task.delta)
        divided = self.divided(constants, task, n, -3 * sigma * float(ndtri(task.beta / task.m)))
        return divided.drawing(GaussianPlan, partial(gaussian_eps, 2 * sqrt(task.m) / sigma, task.delta), sigma=sigma)

    def answer(self, ballot: Ballot, plan: GaussianPlan, task: Task, rng: np.random.Generator) -> Answers:
        self.require_two_labels(ballot)
        return outvoted(ballot, binomial(ballot.sizes, ndtr(-ballot.gap / plan.sigma), rng))


MECHANISM = Gaussian()
