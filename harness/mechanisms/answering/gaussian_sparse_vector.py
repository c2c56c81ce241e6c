"""A sparse vector with Gaussian noise: A_subSamp's loop, its tests by N(0, σ²) against a threshold that is no secret."""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from harness.arrays import Ints, Reals
from harness.mechanisms.above_threshold import LoopNoise
from harness.mechanisms.answering.own_noise import OwnNoise
from harness.theory.factors import ConstantValues, Factor, formula
from harness.theory.fixed_point import CutoffPlan
from harness.theory.parameters import Task
from harness.theory.privacy.calibration import Calibration, loops
from harness.theory.privacy.composition import epochs
from harness.theory.privacy.distance import DISTANCES
from harness.theory.privacy.known_threshold import known_eps, known_shift, leak_level

K = "k = c_gsv (w + σ Φ⁻¹(1 − β/2m) + 1)"
C_GSV = Factor("c_gsv", 6, K, "not in the papers: the least k at which two thirds of the votes decide")


@formula(*loops.factors)
def sigma(c: ConstantValues, eps: float, delta: float, m: int, T: float) -> float:
    """The least σ certified to spend (ε, δ/2) on m Gaussian tests of a known threshold, at most ⌊T⌋ + 1 of them ⊥."""
    return 1 / known_shift(eps, m, epochs(m, loops.of(c, T)), delta / 2)


@formula(*sigma.factors)
def threshold(c: ConstantValues, eps: float, delta: float, m: int, T: float) -> float:
    """The least w at which ⌊T⌋ + 1 Gaussian tests at distance 0 all stay below w, but for a chance δ/2."""
    return sigma.of(c, eps, delta, m, T) * leak_level(epochs(m, loops.of(c, T)), delta / 2)


@formula(C_GSV)
def chunks(c: ConstantValues, task: Task, T: float, lam: float, w: float) -> float:
    """k = 6(a* + 1), a* the distance at which m Gaussian tests all pass but for a chance β/2, before rounding up."""
    return c[C_GSV] * (w - lam * float(ndtri(task.beta / (2 * task.m))) + 1)


@dataclass(frozen=True)
class KnownThreshold(LoopNoise):
    """The noise of a sparse vector with a known threshold: N(0, σ²) on a value, and none on a threshold."""

    sigma: float
    reach: float = 0.0

    def thresholds(self, size: int, rng: np.random.Generator) -> Reals:
        return np.zeros(size)

    def values(self, size: int, rng: np.random.Generator) -> Reals:
        return rng.normal(0, self.sigma, size)

    def below(self, x: Ints | Reals) -> Reals:
        return np.asarray(ndtr(x / self.sigma))

    def quantile(self, chance: Reals) -> Reals:
        return np.asarray(self.sigma * ndtri(chance))


class GaussianSparseVector(OwnNoise):
    """Each query's winner where max(0, ⌈gap/2⌉ − 1) + N(0, σ²) > w, else ⊥; halts at the (⌊T⌋ + 1)-th ⊥.

    Privacy (`theory.privacy.known_threshold`): the tests spend (ε, δ/2), whatever is known of the threshold, so that noise on
    it would buy nothing. Labels differ only on queries at distance 0 on both tables; one of these is answered, or is a ⊥, of
    which there are ⌊T⌋ + 1; so one is answered with a chance of at most (⌊T⌋ + 1)(1 − Φ(w/σ)) = δ/2. λ in its plan is σ.
    """

    name = "gaussian_sparse_vector"
    source = "Zhu, Wang 2020, with a threshold that is known; Canonne, Kamath, Steinke 2020 Proposition 12"
    legend = "sparse vector, Gaussian noise"
    calibration = Calibration(name, source, DISTANCES["corrected"], sigma, threshold)
    chunks = chunks

    def noise(self, plan: CutoffPlan) -> KnownThreshold:
        return KnownThreshold(plan.lam)

    def spent(self, lam: float, m: int, n: int, delta: float) -> float:
        return known_eps(1 / lam, m, n, delta)

    def leak(self, plan: CutoffPlan) -> float:
        return float(ndtr(-plan.w / plan.lam))

    def missed(self, plan: CutoffPlan, margin: float) -> float:
        return float(ndtr(-margin / plan.lam))


MECHANISM = GaussianSparseVector()
