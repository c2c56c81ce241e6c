"""Noisy argmax with Gaussian noise on every count, as little as the exact curve of m queries allows (Balle, Wang 2018)."""

from functools import partial
from math import log, sqrt

import numpy as np
from scipy.special import log_ndtr, ndtri

from harness.arrays import Reals
from harness.mechanisms.answering.per_query import GaussianPlan
from harness.mechanisms.online import Responder
from harness.mechanisms.online.paying_for_all import NoisyArgmax, PaysForAll
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.gaussian import gaussian_eps, gaussian_mu


class _Gaussian(NoisyArgmax):
    def noise(self, size: int) -> Reals:
        return self.rng.standard_normal(size)

    def largest(self, size: int) -> float:
        return -float(ndtri(-np.expm1(log(1 - self.rng.random()) / size)))


class GaussianArgmax(PaysForAll[GaussianPlan]):
    """argmax_r ct(r) + N(0, σ²) on each query: one changed vote moves two counts by 1, a shift of √2, and √(2m)/σ over all."""

    name = "gaussian_argmax"
    source = "Balle, Wang 2018 Theorem 8"
    legend = "Gaussian noise on all counts"

    def plan(self, constants: Constants, task: Task, n: int, values: int | None) -> GaussianPlan:
        sigma = sqrt(2 * task.m) / gaussian_mu(task.eps, task.delta)

        def log_overtakes(gap: float) -> float:
            return float(log_ndtr(-gap / (sqrt(2) * sigma)))

        spent = partial(gaussian_eps, sqrt(2 * task.m) / sigma, task.delta)
        return self.divided(constants, task, n, values, log_overtakes).drawing(GaussianPlan, spent, sigma=sigma)

    def begin(self, plan: GaussianPlan, m: int, values: int | None, rng: np.random.Generator) -> Responder:
        assert values is not None
        return _Gaussian(values, plan.sigma, rng)


ONLINE = GaussianArgmax()
