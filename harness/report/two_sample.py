"""Mann and Whitney's test of whether two samples have one law, two-sided, on midranks.

It asks whether counts tend to be larger, a few huge ones do not drown the others, and on counts of 0 and 1 it is Fisher's. Its
p-value is no normal approximation, which fails for tiny counts and many zeros at errors as small as a thousandth shared by
thousands of tests. Under the hypothesis, which trials are the fresh ones is a uniform choice of n of the N there are:
independent coins of probability π = n/N, given that n came up. So Chernoff's bound for the coins, over P(Bin(N, π) = n), bounds
the permutation tail for every sample size and law. The best exponent is the log-likelihood gained by a logistic regression of
the coin on the rank, and the bound is attained where the samples do not overlap. Tables that share random numbers are more
alike than independent ones, which makes the test only quieter.
"""

from math import sqrt

import numpy as np
import scipy
from scipy.special import expit

from harness.arrays import Ints, Reals

STEPS, CONVERGED = 60, 1e-9


def two_sample(fresh: Reals, reference: Reals, times: tuple[Ints, Ints] | None = None) -> tuple[float, bool]:
    """An upper bound on the two-sided permutation p-value of two samples' rank sum, and whether the fresh sample is the larger.

    Valid for any two sample sizes ≥ 1 and any values, ties and infinities included. See the module's docstring. times: how
    often each value of either is there; by default once.
    """
    values, place = np.unique(np.concatenate([fresh, reference]), return_inverse=True)
    once = np.ones(len(fresh), np.int64), np.ones(len(reference), np.int64)
    places = np.split(place, [len(fresh)])
    new, old = (np.asarray(np.bincount(*each, len(values)), np.int64) for each in zip(places, times or once, strict=True))
    both = new + old
    n, N = int(new.sum()), int(both.sum())
    ranks = np.cumsum(both) - (both - 1) / 2
    mean = float(both @ ranks) / N
    spread = sqrt(float(both @ (ranks - mean) ** 2) / N)
    if spread == 0:
        return 1.0, False
    gained, slope = _logistic_gain(np.stack([np.ones(len(values)), (ranks - mean) / spread]), new, both)
    tail = float(np.exp(-gained)) / float(scipy.stats.binom.pmf(n, N, n / N))
    return min(1.0, 2 * tail), slope > 0


def _logistic_gain(design: Reals, chosen: Ints, both: Ints) -> tuple[float, float]:
    """How much the log-likelihood of a logistic regression exceeds that of its constant alone, and its slope.

    design: (2, values), a constant and the covariate. chosen, both: how many of one sample, and of both, have each value.
    Newton's method with step halving. Any point on the way gives a valid bound, so nothing but power depends on convergence;
    samples that do not overlap send the slope to infinity, and STEPS ends it.
    """

    def likelihood(weights: Reals) -> float:
        odds = weights @ design
        return float(chosen @ odds - both @ np.logaddexp(0, odds))

    share = float(chosen.sum() / both.sum())
    weights = np.array([np.log(share / (1 - share)), 0.0])
    start = best = likelihood(weights)
    for _ in range(STEPS):
        coins = expit(weights @ design)
        hessian = (design * (both * coins * (1 - coins))) @ design.T + 1e-12 * np.eye(2)
        step = np.linalg.solve(hessian, design @ (chosen - both * coins))
        while (reached := likelihood(weights + step)) < best and np.abs(step).max() > CONVERGED:
            step = step / 2
        if reached - best < CONVERGED:
            break
        weights, best = weights + step, reached
    return best - start, float(weights[1])
