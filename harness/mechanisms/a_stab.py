"""A_stab: release f(D) if it is stable enough, by its noisy distance to instability (BTT18 Algorithm 1, BTT18a Algorithm 2)."""

from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray


def printed_threshold(eps: float, delta: float) -> float:
    """Γ = ln(1/δ)/ε, at which A_stab is (ε, δ)-DP (BTT18 Theorem 2.4)."""
    return log(1 / delta) / eps


def a_stab(
    dist: NDArray[Any], threshold: float | NDArray[np.float64], eps: float, rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Independent runs of A_stab: True where f(D) is released, False for ⊥.

    dist: distances to instability, any shape. threshold: Γ, one or one a run. Each run tests dist + Lap(1/ε) > Γ.
    """
    return dist + rng.laplace(scale=1 / eps, size=np.shape(dist)) > threshold
