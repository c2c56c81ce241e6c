"""A_stab: release f(D) if it is stable enough, by its noisy distance to instability (BTT18 Algorithm 1, BTT18a Algorithm 2)."""

from math import log

import numpy as np

from harness.arrays import Bools, Ints, Reals
from harness.mechanisms.noise import laplace


def printed_threshold(eps: float, delta: float) -> float:
    """Γ = ln(1/δ)/ε, the threshold of A_stab at which it is (ε, δ)-DP (BTT18 Theorem 2.4)."""
    return log(1 / delta) / eps


def a_stab(dist: Ints, threshold: float | Reals, eps: float, rng: np.random.Generator) -> Bools:
    """Independent runs of A_stab: True where f(D) is released, False for ⊥.

    dist: distances to instability, (runs,). threshold: Γ, one or one a run. Each run tests dist + Lap(1/ε) > Γ.
    """
    return dist + laplace(1 / eps, len(dist), rng) > threshold
