"""Laplace noise, and the law of the noise in one test of a sparse vector."""

import numpy as np
from numpy.typing import NDArray


def laplace(scale: float, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Lap(scale), (size,): density e^{−|x|/scale} / (2·scale).

    An exponential with a random sign has the same law as the inverse of the distribution function, at a quarter of the cost.
    """
    noise = rng.standard_exponential(size)
    bits = np.unpackbits(np.frombuffer(rng.bytes(-(-size // 8)), np.uint8), count=size).view(np.int8)
    noise *= 1 - 2 * bits
    noise *= scale
    return noise


def threshold_noise_tail(x: NDArray[np.floating], lam: float) -> NDArray[np.float64]:
    """P(Lap(2λ) − Lap(λ) ≤ x), elementwise: the chance that a query at distance w − x is ⊥ in its first test.

    By partial fractions of the two characteristic functions, P(· > x) = ⅔e^{−x/2λ} − ⅙e^{−x/λ} for x ≥ 0, and it is symmetric.
    """
    size = np.abs(x) / lam
    tail = 2 / 3 * np.exp(-size / 2) - np.exp(-size) / 6
    below: NDArray[np.float64] = np.where(x >= 0, 1 - tail, tail)
    return below
