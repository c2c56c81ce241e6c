"""A sparse vector on values in a given order, a run at a time: noise, and `scan` on it."""

from math import floor

import numpy as np

from harness.arrays import Ints, Reals
from harness.mechanisms.above_threshold import scan
from harness.mechanisms.noise import laplace


def in_order(values: Ints | Reals, lam: float, w: float, T: float, rng: np.random.Generator) -> Ints:
    """Runs A_sparseVec on values, (m,), in this order: the indices of those that are answered ⊥."""
    first = w + float(laplace(lam, 1, rng)[0])
    noisy = values + laplace(2 * lam, len(values), rng)
    return scan(noisy, first, lambda indices: w + laplace(lam, len(indices), rng), floor(T) + 1)
