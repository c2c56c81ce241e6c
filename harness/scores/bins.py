"""The law of a mean of labels on one atom, in bins: N ~ Bin(s, q) or Poisson(sq) labels, the share Y/N of ones among them, ½ of
none.

P(Y/N < e) is a sum over N. What is left out: N further from sq than Bernstein's inequality gives e^−TAIL, and edges so far from
p that Hoeffding's gives e^−TAIL at every N that is left. That is exact to 10⁻¹⁹.
"""

from functools import lru_cache
from math import ceil, floor, sqrt

import numpy as np
import scipy

from harness.arrays import Ints, Reals
from harness.scores import TIE

TAIL = 46.0  # what is less likely than e^−46 ≈ 10⁻²⁰ is left out
MOST_TERMS = 1 << 18
"""The longest sum over N that is computed."""


def window(s: int, q: float, varied: bool) -> tuple[int, int]:
    """The least and the largest number N of labels that a sum goes over: N is Poisson(sq) where `varied`, else Bin(s, q)."""
    mean = s * q
    reach = sqrt(2 * TAIL * mean * (1 if varied else 1 - q)) + TAIL * (q < 1 or varied)
    return max(0, floor(mean - reach)), ceil(mean + reach) if varied else min(s, ceil(mean + reach))


def number_law(s: int, q: float, varied: bool, stride: int = 1) -> tuple[Ints, Reals]:
    """The numbers N in the `window` of a law, every `stride`-th, and their probabilities, which add up to 1."""
    least, most = window(s, q, varied)
    n = np.arange(least, most + 1, stride)
    chance = scipy.stats.poisson.pmf(n, s * q) if varied else scipy.stats.binom.pmf(n, s, q)
    return n, chance / chance.sum()


@lru_cache(maxsize=4096)
def bin_law(s: int, q: float, p: float, varied: bool, edges: tuple[float, ...]) -> Reals | None:
    """P(the mean of an atom's labels is between ascending edges), (e + 1,); None where the sum would be too long."""
    least, most = window(s, q, varied)
    inner = np.array(edges) - TIE
    near = np.abs(inner - p) * sqrt(least) < sqrt(TAIL / 2)
    if (most - least + 1) * max(1, int(near.sum())) > MOST_TERMS:
        return None
    n, chance = number_law(s, q, varied)
    some = int(n[0] == 0)
    below = (inner > p).astype(float)
    for i in np.flatnonzero(near):
        none = chance[0] * (inner[i] > 0.5) if some else 0.0
        below[i] = none + chance[some:] @ _cumulated(n[some:], p, inner[i])
    law: Reals = np.diff(np.clip(below, 0, 1), prepend=0.0, append=1.0).clip(0)
    law /= law.sum()
    law.setflags(write=False)
    return law


def _cumulated(n: Ints, p: float, edge: float) -> Reals:
    """P(Y < edge·N) with Y ~ Bin(N, p), for N = n[0], n[0] + 1, …; from one to the next by a term or two of the law of Y."""
    if not len(n):
        return np.zeros(0)
    least = np.clip(np.ceil(edge * n), 0, n + 1)
    stays = p * scipy.stats.binom.pmf(least[:-1] - 1, n[:-1], p)
    rises = np.where(np.diff(least) > 0, scipy.stats.binom.pmf(least[:-1], n[1:], p), 0.0)
    cumulated: Reals = scipy.stats.binom.cdf(least[0] - 1, n[0], p) + np.concatenate([[0.0], np.cumsum(rises - stays)])
    return cumulated.clip(0, 1)
