"""The exponential mechanism on every query, with the counts as scores (McSherry, Talwar 2007)."""

from functools import partial
from math import log, sqrt

import numpy as np

from harness.arrays import Reals
from harness.mechanisms.answering.per_query import SharePlan
from harness.mechanisms.online import Responder
from harness.mechanisms.online.paying_for_all import NoisyArgmax, PaysForAll
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.gnmax import renyi_eps, renyi_rate


class _Gumbel(NoisyArgmax):
    def noise(self, size: int) -> Reals:
        return self.rng.gumbel(size=size)

    def largest(self, size: int) -> float:
        return log(size) + float(self.rng.gumbel())


class ExponentialMechanism(PaysForAll[SharePlan]):
    """The exponential mechanism on each query: P(r) ∝ e^{ε₀ ct(r)/2}, as argmax ct(r) + Gumbel(2/ε₀).

    One changed vote moves a count by at most 1.

    A query has bounded range ε₀, so it is ε₀²/8-zCDP (Cesar, Rogers 2021): four times less than ε₀-DP alone would give. ε₀ is
    what m of them may have together.
    """

    name = "exponential_mechanism"
    source = "McSherry, Talwar 2007 with Cesar, Rogers 2021"
    legend = "exponential mechanism"

    def plan(self, constants: Constants, task: Task, n: int, values: int | None) -> SharePlan:
        rate = renyi_rate(task.eps, task.delta)
        eps0 = sqrt(8 * rate / task.m)

        def log_overtakes(gap: float) -> float:
            return -float(np.logaddexp(0, eps0 * gap / 2))  # the difference of two such noises is logistic

        spent = partial(renyi_eps, task.m * eps0**2 / 8, task.delta)
        return self.divided(constants, task, n, values, log_overtakes).drawing(SharePlan, spent, eps0=eps0)

    def begin(self, plan: SharePlan, m: int, values: int | None, rng: np.random.Generator) -> Responder:
        assert values is not None
        return _Gumbel(values, 2 / plan.eps0, rng)


ONLINE = ExponentialMechanism()
