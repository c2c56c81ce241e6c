"""Mann and Whitney's test of whether two samples have one law, two-sided, on midranks.

It asks whether counts tend to be larger, a few huge ones do not drown the others, and on counts of 0 and 1 it is Fisher's. Its
p-value is no normal approximation, which fails for tiny counts and many zeros at errors as small as a thousandth shared by
thousands of tests. Under the hypothesis, which trials are the fresh ones is a uniform choice of n of the N there are:
independent coins of probability π = n/N, given that n came up. So Chernoff's bound for the coins, over P(Bin(N, π) = n), bounds
the permutation tail for every sample size and law. The best exponent is the log-likelihood gained by a logistic regression of
the coin on the rank, and the bound is attained where the samples do not overlap. Tables that share random numbers are more
alike than independent ones, which makes the test only quieter.
"""

import numpy as np
import scipy
from scipy.special import expit

from harness.arrays import Bools, Reals

STEPS, CONVERGED = 60, 1e-9


def two_sample(fresh: Reals, reference: Reals) -> tuple[float, bool]:
    """An upper bound on the two-sided permutation p-value of the rank sum, and whether the fresh sample is the larger one.

    Valid for any two sample sizes ≥ 1 and any values, ties and infinities included. See the module's docstring.
    """
    n, N = len(fresh), len(fresh) + len(reference)
    ranks = scipy.stats.rankdata(np.concatenate([fresh, reference]))
    spread = float(ranks.std())
    if spread == 0:
        return 1.0, False
    design = np.stack([np.ones(N), (ranks - ranks.mean()) / spread])
    chosen = np.arange(N) < n
    gained, slope = _logistic_gain(design, chosen)
    tail = float(np.exp(-gained)) / float(scipy.stats.binom.pmf(n, N, n / N))
    return min(1.0, 2 * tail), slope > 0


def _logistic_gain(design: Reals, chosen: Bools) -> tuple[float, float]:
    """How much the log-likelihood of a logistic regression exceeds that of its constant alone, and its slope.

    design: (2, N), a constant and the covariate. Newton's method with step halving. Any point on the way gives a valid bound,
    so nothing but power depends on convergence; samples that do not overlap send the slope to infinity, and STEPS ends it.
    """

    def likelihood(weights: Reals) -> float:
        odds = weights @ design
        return float(odds[chosen].sum() - np.logaddexp(0, odds).sum())

    share = chosen.mean()
    weights = np.array([np.log(share / (1 - share)), 0.0])
    start = best = likelihood(weights)
    for _ in range(STEPS):
        coins = expit(weights @ design)
        hessian = (design * (coins * (1 - coins))) @ design.T + 1e-12 * np.eye(2)
        step = np.linalg.solve(hessian, design @ (chosen - coins))
        while (reached := likelihood(weights + step)) < best and np.abs(step).max() > CONVERGED:
            step = step / 2
        if reached - best < CONVERGED:
            break
        weights, best = weights + step, reached
    return best - start, float(weights[1])
