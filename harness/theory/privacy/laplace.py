"""Tails of Laplace noise, exact in relative terms however far out. Lap(b) has density e^{−|x|/b} / (2b)."""

from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from harness.arrays import Reals


def log_tail(x: Reals) -> Reals:
    """ln P(Lap(1) > x), any shape; ln P(Lap(1) < x) is log_tail(−x)."""
    far = -np.abs(x)
    return np.where(x > 0, far - log(2), np.log1p(-np.exp(far) / 2))


def tail(x: NDArray[np.floating]) -> Reals:
    """P(Lap(1) > x), any shape; P(Lap(1) ≤ x) is tail(−x)."""
    far: Reals = np.exp(-np.abs(x)) / 2
    return np.where(np.asarray(x) > 0, far, 1 - far)


def upper_quantile(chance: Reals) -> Reals:
    """The x with P(Lap(1) > x) = chance, in [0, 1), any shape."""
    with np.errstate(divide="ignore"):  # a chance of 0
        distance: Reals = np.log(2 * np.minimum(chance, 1 - chance))
    return np.where(chance < 0.5, -distance, distance)


def difference_tail(x: NDArray[np.floating] | float, lam: float) -> Reals:
    """P(Lap(2λ) − Lap(λ) > x), any shape: a query at distance x below the threshold w is answered all the same.

    For x ≥ 0 it is ⅔e^{−x/2λ} − ⅙e^{−x/λ}, from the partial fractions of the two characteristic functions; below 0 by symmetry.
    """
    y = np.exp(-np.abs(x) / (2 * lam))
    tail = y * (4 - y) / 6
    above: Reals = np.where(np.asarray(x) >= 0, tail, 1 - tail)
    return above


def difference_quantile(tail: float, lam: float) -> float:
    """The x ≥ 0 with P(Lap(2λ) − Lap(λ) > x) = tail, for 0 < tail ≤ ½: the root of y(4 − y)/6 = tail, y = e^{−x/2λ}."""
    return -2 * lam * log(6 * tail / (2 + sqrt(4 - 6 * tail)))
