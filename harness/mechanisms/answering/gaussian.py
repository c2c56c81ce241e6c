"""Gaussian noise on every gap, as little as the exact composition of Gaussian mechanisms allows (Balle, Wang 2018)."""

from functools import partial
from math import sqrt

import numpy as np
from scipy.special import ndtr, ndtri

from harness.ballots import Ballot, of_each
from harness.mechanisms import whole_blocks
from harness.mechanisms.answering.answers import Answers, outvoted
from harness.mechanisms.answering.per_query import LEAST_K, GaussianPlan, PerQuery
from harness.mechanisms.noise import binomial
from harness.theory.factors import ConstantValues, Factor, formula
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.gaussian import gaussian_eps, gaussian_mu

C_GAUSS = Factor("c_gauss", 3, "k = c_gauss σ Φ⁻¹(1 − β/m)", LEAST_K)


@formula(C_GAUSS)
def gaussian_chunks(c: ConstantValues, sigma: float, task: Task) -> float:
    """k = 3σΦ⁻¹(1 − β/m): the least number of chunks with Gaussian noise on every gap, before rounding up."""
    return -c[C_GAUSS] * sigma * float(ndtri(task.beta / task.m))


class GaussianVotes(PerQuery[GaussianPlan]):
    """sign(ct(1) − ct(0) + N(0, σ²)) on each query, with σ by the exact curve of m such mechanisms of sensitivity 2.

    k is the least at which Φ(−k/3σ) = β/m.
    """

    name = "gaussian"
    source = "Balle, Wang 2018 Theorem 8"
    legend = "Gaussian noise"
    formulas = (gaussian_chunks,)
    binary = True

    def plan(self, constants: Constants, task: Task, n: int) -> GaussianPlan:
        sigma = 2 * sqrt(task.m) / gaussian_mu(task.eps, task.delta)
        divided = self.divided(constants, task, n, gaussian_chunks.with_values(constants.values)(sigma, task))
        return divided.drawing(GaussianPlan, partial(gaussian_eps, 2 * sqrt(task.m) / sigma, task.delta), sigma=sigma)

    @whole_blocks
    def answer(self, ballot: Ballot, plan: GaussianPlan, task: Task, rng: np.random.Generator) -> Answers:
        self.require_two_labels(ballot)
        return outvoted(ballot, binomial(ballot.sizes, of_each(lambda gap: ndtr(-gap / plan.sigma), ballot.gap), rng))


MECHANISM = GaussianVotes()
