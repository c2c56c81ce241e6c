"""T = 3B on votes that are split: cutoffs and B too small for the misclassification rate, by exact binomial tails.

Half of the hypotheses are wrong on one region of mass α, the other half on another: each errs α exactly, and on mass 2α the
votes are split, where with an even k the distance is 0. A split query is ⊥ but for a chance of at most δ/(3m), whatever the
threshold of its epoch, so that the number of ⊥s is Bin(m, 2α) but for δ/3. More than T of them break the theorem.

That shows what is too small, at one setting; of none is it shown here that it is enough. It need miss nothing for that.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.special import betaincinv

from harness.arrays import Reals
from harness.theory.least.ranges import STANDARD, Range

SIZES = np.unique(np.round(np.geomspace(1, 1e9, 200)))
COUNTS = np.unique(np.round(np.geomspace(1, 1e5, 75)))


Broken = Callable[[Reals, Reals, float, Reals], Reals]
"""Of m, α, β and a number of ⊥s, the value of a constant below which T is less than these."""


@dataclass(frozen=True)
class SplitErrors:
    """A setting with split votes: m queries, classifiers that err α each, half on one region and half on another, and β."""

    m: int
    alpha: float
    beta: float


def cutoff(m: Reals, alpha: Reals, beta: float, bottoms: Reals) -> Reals:
    """The value of c_T at which T = c_T B is the number `bottoms` of ⊥s: any smaller one is too small. B as in BTT18, γ = 0."""
    mean = m * alpha
    printed: Reals = bottoms / (mean + np.sqrt(mean * np.log(m / beta) / 2))
    return printed


def deviation(m: Reals, alpha: Reals, beta: float, bottoms: Reals) -> Reals:
    """The value of c_B in BTT18's B at which T = 3B is the number `bottoms` of ⊥s: any smaller one is too small."""
    over: Reals = np.maximum(0, bottoms / 3 - m * alpha)
    return over**2 / (m * alpha * np.log(m / beta))


def additive(m: Reals, alpha: Reals, beta: float, bottoms: Reals) -> Reals:
    """The value of c_B in BTT18a's B, with m for αm under the root, at which T = 3B is the number `bottoms` of ⊥s."""
    return deviation(m, alpha, beta, bottoms) * alpha


def too_small(of: Broken, beta: float, delta: float = 1e-10, within: Range = STANDARD) -> tuple[float, SplitErrors]:
    """The largest value of a constant found to be too small at β, and where, on a grid of m and of how many ⊥s break T.

    T is a real number, at least 1, so 2 ⊥s or more break it. At every m it takes the least α at which so many have a chance of
    2β + δ/3.
    """
    m, count, alpha = _grid(beta, delta, within.queries)
    values = np.where(alpha < 0.5, of(m, alpha, beta, count), 0.0)
    best = int(np.argmax(values))
    return float(values[best]), SplitErrors(int(m[best]), float(alpha[best]), beta)


@cache
def _grid(beta: float, delta: float, queries: int) -> tuple[Reals, Reals, Reals]:
    """m, how many ⊥s, and the least α, all (places,)."""
    m, count = np.meshgrid(SIZES[SIZES <= queries], COUNTS + 1)
    m, count = m[m > count], count[m > count]
    return m, count, betaincinv(count, m - count + 1, 2 * beta + delta / 3) / 2 * (1 + 1e-9)
