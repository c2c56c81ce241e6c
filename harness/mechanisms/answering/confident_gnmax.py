"""Confident-GNMax: PATE answers only where a noisy test finds the votes agreed (Papernot et al. 2018, Algorithm 1)."""

from dataclasses import dataclass
from functools import partial
from math import sqrt

import numpy as np
from scipy.special import ndtr, ndtri

from harness.arrays import Reals
from harness.ballots import Ballot, of_each
from harness.mechanisms import whole_blocks
from harness.mechanisms.answering.answers import Answers
from harness.mechanisms.answering.per_query import LEAST_K, GaussianPlan, PerQuery
from harness.mechanisms.noise import binomial
from harness.mechanisms.noisy_argmax import Normal, noisy_argmax
from harness.theory.factors import ConstantValues, Factor, formula
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.gaussian import gaussian_eps
from harness.theory.privacy.gnmax import answers_cost, check_cost, data_dependent_eps, renyi_rate, standing

C_CONFIDENT = Factor("c_confident", 3, "k = c_confident √2 σ Φ⁻¹(1 − β/(2m))", LEAST_K)
C_TEST = Factor("c_test", 7, "the test passes where max_r ct(r) + N(0, σ₁²) ≥ c_test k/12", LEAST_K)


@formula(C_CONFIDENT)
def confident_chunks(c: ConstantValues, sigma: float, task: Task) -> float:
    """k = 3√2 σΦ⁻¹(1 − β/(2m)): the least number of chunks of Confident-GNMax, before rounding up."""
    return -c[C_CONFIDENT] * sqrt(2) * sigma * float(ndtri(task.beta / (2 * task.m)))


@formula(C_TEST)
def check_threshold(c: ConstantValues, k: int) -> float:
    """7k/12: the number of votes that Confident-GNMax's noisy test compares the winner's votes with."""
    return c[C_TEST] * k / 12


@dataclass(frozen=True, kw_only=True)
class ConfidentPlan(GaussianPlan):
    """The plan of Confident-GNMax. sigma: σ, of the answers. sigma_check: σ₁, of the test. threshold: of the test, in votes."""

    sigma_check: float
    threshold: float


class ConfidentGNMax(PerQuery[ConfidentPlan]):
    """Confident-GNMax: argmax_r ct(r) + N(0, σ²) if max_r ct(r) + N(0, σ₁²) ≥ 7k/12, else ⊥; any number of labels.

    7k/12 is half way between a split vote and the two thirds that must be answered. Where 2k/3 agree the test fails with
    probability Φ(−k/12σ₁) and the answer is wrong with probability Φ(−k/(3√2σ)). With σ = 2√2 σ₁ both are Φ(−z),
    z = Φ⁻¹(1 − β/2m) at the least k; to divide β/m otherwise would save less than 2% of it where β/m is below 1/1000.
    The Rényi DP of a query, λ(1/(2σ₁²) + 1/σ²), is 5λ/σ², of which the test takes four fifths: m·5/σ² is the ρ that spends
    exactly (ε, δ) if every query is answered. What is spent is by the exact curve. The data-dependent cost is that of the
    tests, and of the answers that were given.
    """

    name = "Confident_GNMax"
    source = "Papernot et al. 2018"
    legend = "Confident-GNMax (PATE)"
    formulas = (confident_chunks, check_threshold)

    def plan(self, constants: Constants, task: Task, n: int) -> ConfidentPlan:
        rate = renyi_rate(task.eps, task.delta)
        sigma = sqrt(5 * task.m / rate)
        divided = self.divided(constants, task, n, confident_chunks.with_values(constants.values)(sigma, task))
        threshold = check_threshold.with_values(constants.values)
        spent = partial(gaussian_eps, sqrt(2 * rate), task.delta)
        noise = {"sigma": sigma, "sigma_check": sigma / (2 * sqrt(2)), "threshold": threshold(divided.k)}
        return divided.drawing(ConfidentPlan, spent, **noise)

    @whole_blocks
    def answer(self, ballot: Ballot, plan: ConfidentPlan, task: Task, rng: np.random.Generator) -> Answers:
        top = ballot.counts.max(axis=0)
        fails = of_each(lambda count: ndtr((plan.threshold - count) / plan.sigma_check), top)
        bottoms = binomial(ballot.sizes, fails, rng)
        passed = ballot.sizes - bottoms

        def eps() -> float | Reals:
            alone = np.where(bottoms > 0, np.arange(len(top)), -1)  # what has ⊥s is like no other
            few = standing(ballot.trial, ballot.trials, ballot.sizes, top, ballot.gap, alone)
            tested, answered, gap = ballot.sizes[few.types], passed[few.types], ballot.gap[few.types]
            cost = check_cost(top[few.types], tested, plan.threshold, plan.sigma_check, few.trial, few.trials)
            cost += answers_cost(gap, answered, plan.sigma, len(ballot.counts), few.trial, few.trials)
            return few.spread(data_dependent_eps(cost, renyi_rate(task.eps, task.delta), task.delta))

        return Answers(noisy_argmax(ballot.counts, passed, Normal(plan.sigma), rng), bottoms, eps_by_votes=eps)


MECHANISM = ConfidentGNMax()
