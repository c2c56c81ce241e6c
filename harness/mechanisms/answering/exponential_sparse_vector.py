"""A sparse vector with exponential noise on both sides of a test, split between them as suits them best."""

from dataclasses import dataclass
from math import exp, log

import numpy as np

from harness.arrays import Ints, Reals
from harness.mechanisms.above_threshold import LoopNoise
from harness.mechanisms.answering.own_noise import OwnNoise
from harness.theory.factors import ConstantValues, Factor, formula
from harness.theory.fixed_point import CutoffPlan
from harness.theory.parameters import Task
from harness.theory.privacy.calibration import Calibration, loops
from harness.theory.privacy.composition import compose_pure, epochs, pure_share
from harness.theory.privacy.distance import DISTANCES

OURS = "not in the papers: the least k at which two thirds of the votes decide"
C_ESV = Factor("c_esv", 6, "k = c_esv (w + √2 λ ln(2m/((1 + 1/√2)β)) + 1)", OURS)

SPLIT = 2**0.5
"""The noise of a test over that of a threshold. The best is √(2 L₁/L₂), for the logarithms L₁ of w/λ and L₂ of what w lacks to
a*, which are alike: at √2 the sum of w and of that is within 4% of the least for L₁/L₂ between ½ and 2."""


def epoch_share(lam: float) -> float:
    """ε₀ = 1/λ + 2/(√2 λ): what an epoch of a sparse vector with exponential noise spends in pure DP."""
    return (1 + 2 / SPLIT) / lam


@formula(*loops.factors)
def scale(c: ConstantValues, eps: float, delta: float, m: int, T: float) -> float:
    """The least λ certified to spend (ε, δ/2) in all epochs of a sparse vector with exponential noise."""
    return epoch_share(pure_share(eps, epochs(m, loops.of(c, T)), delta / 2))


@formula(*scale.factors)
def threshold(c: ConstantValues, eps: float, delta: float, m: int, T: float) -> float:
    """The least w at which, by a union over epochs, labels that tell neighbours apart have a chance of at most δ/2.

    P(Exp(λ) − Exp(√2 λ) > w) = e^{−w/λ}/(1 + √2) an epoch.
    """
    return scale.of(c, eps, delta, m, T) * log(2 * epochs(m, loops.of(c, T)) / ((1 + SPLIT) * delta))


@formula(C_ESV)
def chunks(c: ConstantValues, task: Task, T: float, lam: float, w: float) -> float:
    """k = 6(a* + 1), a* the distance at which m tests with exponential noise all pass but for a chance β/2; not rounded."""
    return c[C_ESV] * (w + SPLIT * lam * log(2 * task.m / ((1 + 1 / SPLIT) * task.beta)) + 1)


@dataclass(frozen=True)
class ExponentialNoise(LoopNoise):
    """The noise of a sparse vector: −Exp(λ) on a threshold and −Exp(√2 λ) on a value."""

    lam: float
    reach: float = 0.0

    def thresholds(self, size: int, rng: np.random.Generator) -> Reals:
        return -rng.exponential(self.lam, size)

    def values(self, size: int, rng: np.random.Generator) -> Reals:
        return -rng.exponential(SPLIT * self.lam, size)

    def below(self, x: Ints | Reals) -> Reals:
        return np.asarray(np.exp(np.minimum(x, 0) / (SPLIT * self.lam)))

    def quantile(self, chance: Reals) -> Reals:
        return np.asarray(SPLIT * self.lam * np.log(chance))


class ExponentialSparseVector(OwnNoise):
    """The winner where max(0, ⌈gap/2⌉ − 1) − Exp(√2 λ) > ŵ = w − Exp(λ), else ⊥ and a new ŵ; halts at the (⌊T⌋ + 1)-th ⊥.

    Privacy: an epoch is ε₀-DP, ε₀ = 1/λ + 2/(√2 λ). Say the first ⊥ is at query i. Lower ŵ by 1 on the second table: its
    density, e^{(ŵ − w)/λ}/λ up to w and 0 above, is at most e^{1/λ} times that of the lower one. The queries before i fell by
    at most 1, so each passes with at least the chance that it had. Query i rose by at most 1 over a threshold 1 lower, and
    P(Exp(b) ≥ x) ≤ e^{2/b} P(Exp(b) ≥ x + 2). So noise is needed on one side alone (as Liu et al. 2024 have it for values, and
    here for thresholds too), and epochs compose as pure mechanisms. A label differs only where both distances are 0, and is
    given with the chance that w leaves, once an epoch at most.

    The idea of a split is that of Lyu, Su, Li 2017: 1 : (2c)^⅔ for one threshold and c answers. With Laplace noise of its best
    split, about 1 : 1.1, k is 16 to 27% larger than here, and split as λ : 2λ 38 to 50%, for m from 10² to 10⁶ and T from 1 to
    10 at ε = 1, δ = 10⁻⁶, β = 0.05.
    """

    name = "exponential_sparse_vector"
    source = (
        "Lyu, Su, Li 2017 (the split); Liu et al. 2024, arXiv 2407.20068 (the noise); Kairouz, Oh, Viswanath 2015 Theorem 3.3"
    )
    legend = "sparse vector, exponential noise"
    calibration = Calibration(name, source, DISTANCES["corrected"], scale, threshold)
    chunks = chunks

    def noise(self, plan: CutoffPlan) -> ExponentialNoise:
        return ExponentialNoise(plan.lam)

    def spent(self, lam: float, m: int, n: int, delta: float) -> float:
        return compose_pure(epoch_share(lam), n, delta)

    def leak(self, plan: CutoffPlan) -> float:
        return exp(-plan.w / plan.lam) / (1 + SPLIT)

    def missed(self, plan: CutoffPlan, margin: float) -> float:
        return exp(-margin / (SPLIT * plan.lam)) / (1 + 1 / SPLIT)


MECHANISM = ExponentialSparseVector()
