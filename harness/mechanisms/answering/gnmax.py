"""GNMax: the noisy argmax of PATE, with data-independent Rényi accounting (Papernot et al. 2018)."""

from functools import partial
from math import sqrt

import numpy as np
from scipy.special import ndtri

from harness.arrays import Reals
from harness.ballots import Ballot
from harness.mechanisms import whole_blocks
from harness.mechanisms.answering.answers import Answers
from harness.mechanisms.answering.per_query import LEAST_K, GaussianPlan, PerQuery
from harness.mechanisms.noisy_argmax import Normal, noisy_argmax
from harness.theory.factors import ConstantValues, Factor, formula
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.gaussian import gaussian_eps
from harness.theory.privacy.gnmax import answers_cost, data_dependent_eps, renyi_rate, standing

C_GNMAX = Factor("c_gnmax", 3, "k = c_gnmax √2 σ Φ⁻¹(1 − β/m)", LEAST_K)


@formula(C_GNMAX)
def gnmax_chunks(c: ConstantValues, sigma: float, task: Task) -> float:
    """k = 3√2 σΦ⁻¹(1 − β/m): the least number of chunks of GNMax, before rounding up."""
    return -c[C_GNMAX] * sqrt(2) * sigma * float(ndtri(task.beta / task.m))


class GNMax(PerQuery[GaussianPlan]):
    """GNMax: argmax_r ct(r) + N(0, σ²) on each query, σ by its Rényi DP; over any number of labels.

    m/σ² is the ρ that spends (ε, δ). The noises of two counts differ by N(0, 2σ²): Φ(−k/(3√2σ)) = β/m. What is spent is by the
    exact curve: two counts move by 1 each, a shift of √2 a query.
    """

    name = "GNMax"
    source = "Papernot et al. 2018"
    legend = "GNMax (PATE)"
    formulas = (gnmax_chunks,)

    def plan(self, constants: Constants, task: Task, n: int) -> GaussianPlan:
        rate = renyi_rate(task.eps, task.delta)
        sigma = sqrt(task.m / rate)
        divided = self.divided(constants, task, n, gnmax_chunks.with_values(constants.values)(sigma, task))
        return divided.drawing(GaussianPlan, partial(gaussian_eps, sqrt(2 * rate), task.delta), sigma=sigma)

    @whole_blocks
    def answer(self, ballot: Ballot, plan: GaussianPlan, task: Task, rng: np.random.Generator) -> Answers:
        def eps() -> float | Reals:
            few = standing(ballot.trial, ballot.trials, ballot.sizes, ballot.gap)
            gap, sizes = ballot.gap[few.types], ballot.sizes[few.types]
            cost = answers_cost(gap, sizes, plan.sigma, len(ballot.counts), few.trial, few.trials)
            return few.spread(data_dependent_eps(cost, renyi_rate(task.eps, task.delta), task.delta))

        return Answers(noisy_argmax(ballot.counts, ballot.sizes, Normal(plan.sigma), rng), eps_by_votes=eps)


MECHANISM = GNMax()
