"""Means of what trials measured, with Student's interval: for averages over so many draws that they are all but normal."""

from math import inf, sqrt

import numpy as np
import scipy

from harness.arrays import Reals


def average_interval(values: Reals, error: float) -> tuple[float, float, float]:
    """The mean of values, one a trial, and the ends of an interval that misses its expectation w.p. about `error`."""
    mean = float(values.mean())
    if error <= 0 or len(values) < 2:
        return mean, -inf, inf
    reach = float(scipy.stats.t.isf(error / 2, len(values) - 1) * np.std(values, ddof=1) / sqrt(len(values)))
    return mean, mean - reach, mean + reach
