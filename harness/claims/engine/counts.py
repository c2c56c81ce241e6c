"""Means of counts that may be rare: intervals that need no normal law where few were seen, and leave no point out."""

import scipy


def mean_interval(total: float, spread: float, trials: int, error: float) -> tuple[float, float]:
    """An interval that misses the mean count of a trial with probability about `error`; (0, inf) where no error is allowed.

    total: all counts of the trials together. spread: variance over mean of a trial's count, taken to be 1 where it is less.
    Counts that come `spread` at a time make total/spread Poisson; of a Poisson number the interval is exact (Garwood 1936).
    """
    if error <= 0 or trials < 1:
        return 0.0, float("inf")
    clump = max(1.0, spread)
    seen = total / clump
    low = float(scipy.stats.chi2.ppf(error / 2, 2 * seen)) / 2 if seen > 0 else 0.0
    high = float(scipy.stats.chi2.isf(error / 2, 2 * seen + 2)) / 2
    return low * clump / trials, high * clump / trials
