"""Gaussian noise on cumulative sums by the square root of their matrix: correlated, so that it grows with ln² of the cells.

Cumulative sums are A x, with A the lower triangle of 1s, and A = L L with L[i, j] = f(i − j), f(k) = C(2k, k)/4^k: the power
series (1 − x)^−1/2 squared is that of 1s. What is released is A x + L z = L (L x + z), z ~ N(0, σ²): Gaussian noise on L x, and
what follows from it.
"""

from functools import cache

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft

from harness.arrays import Reals, shared
from harness.mechanisms.release.tree import GaussianSums

ROUNDING = 1e-9
"""More than the last digits of a convolution."""


class SquareRootSums(GaussianSums):
    """Cumulative sums A x of cells with noise L z, where L L = A: of N cells N − 1 sums, with variance near σ² (ln N)/π.

    It is at most σ² Σ f(k)², k < N − 1, near σ² (ln N)/π + 1.07 σ².

    A point that goes from cell i to cell j > i moves L x by f(0), …, f(j − i − 1), and from there on by the differences
    f(k + j − i) − f(k): the more, the more sums there are behind, so i = 0 is the worst for each j − i. Of these the largest is
    taken as it is; no bound of it is needed.
    """

    name = "square_root_sums"
    source = "Fichtenberger, Henzinger, Upadhyay 2022: the factor of cumulative sums; Balle, Wang 2018 Theorem 8"
    legend = "square root of cumulative sums"

    def nodes(self, cells: int) -> float:
        return float(np.square(factor(max(1, cells - 1))).sum())

    def moved(self, cells: int) -> float:
        return farthest(max(1, cells - 1))

    def noise(self, cells: int, sigma: float, rng: np.random.Generator) -> Reals:
        factors = factor(cells - 1)
        size = next_fast_len(2 * len(factors), real=True)
        return np.asarray(irfft(rfft(rng.normal(0, sigma, len(factors)), size) * rfft(factors, size), size)[: len(factors)])


@cache
def factor(sums: int) -> Reals:
    """The first column of L, f(k) = C(2k, k)/4^k for k = 0, …, sums − 1, where L L = A makes cumulative sums."""
    later = np.arange(1, sums)
    return shared(np.concatenate([[1.0], np.cumprod(1 - 0.5 / later)]))


@cache
def farthest(sums: int) -> float:
    """The squared sensitivity of L x, times n²: how far moving one of n points from one cell to another can move it, squared.

    That is the largest squared norm of a column of L, or of the difference of two.
    |L (e_0 − e_d)|² is what is left of two squares after twice their product, an autocorrelation of f.
    """
    factors = factor(sums)
    squares = np.cumsum(factors**2)
    size = next_fast_len(2 * sums, real=True)
    products = irfft(np.abs(rfft(factors, size)) ** 2, size)[1:sums]
    apart = squares[-1] + squares[:-1][::-1] - 2 * products
    return float(max(squares[-1], *apart)) * (1 + ROUNDING) if sums > 1 else 1.0


MECHANISM = SquareRootSums()
