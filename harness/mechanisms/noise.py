"""Laplace noise."""

import numpy as np

from harness.arrays import Reals


def laplace(scale: float, size: int, rng: np.random.Generator) -> Reals:
    """Lap(scale), (size,): density e^{−|x|/scale} / (2·scale).

    An exponential with a random sign has the same law as the inverse of the distribution function, at a quarter of the cost.
    """
    noise = rng.standard_exponential(size)
    bits = np.unpackbits(np.frombuffer(rng.bytes(-(-size // 8)), np.uint8), count=size).view(np.int8)
    noise *= 1 - 2 * bits
    noise *= scale
    return noise
