"""MWEM from uniform weights, under zero-concentrated differential privacy, with as many rounds as its promise suggests.

A round finds a query on which weights and private points differ most, by the exponential mechanism, measures it with Gaussian
noise, and tilts the weights by e^(4(measured − fitted)) on the cells of the query. The answers are those of the weights in the
later half of the rounds, on average.

What it keeps to. Let d be how far the points' average of the query is from that of the weights, and ν the noise. By Hoeffding's
lemma for a number in [0, 1] the step s brings the weights nearer to the points' distribution, in relative entropy, by at least
s d − s²/8, and at s = 4(d + ν) by 2d² − 2ν². At the start it is at most ln |X̃|, and it is never negative. So over the last h of
T rounds the mean of d² is at most ln |X̃|/(2h) + Σν²/h, with the sum over all T. In each round the worst query is off by no more
than |d| and what the exponential mechanism loses, which is at most (ln |H̃| + E)/ε₀′ with E exponential, whatever came before.
What is measured is cut off at 0 and 1, which brings it no farther from the points' average.
"""

from collections.abc import Mapping
from functools import lru_cache
from math import ceil, log, sqrt

import numpy as np
from scipy.special import chdtri, gammainccinv

from harness.arrays import Ints, Reals
from harness.covers import Cover, Size
from harness.mechanisms.release import Problem, Release, Released, ReleaseRequest, sampling
from harness.mechanisms.release.mwem_public import concentrated, spent, worst

FEWER = 4
"""What is seen falls faster than the promise; with a quarter of its rounds less is spent on each measurement's noise."""

ENOUGH = 16
"""After so many times ln |X̃|/α² rounds, what the error owes to the start is at most α/2."""

OF_A_ROUND = 5000
"""What a round costs beside its numbers, in numbers."""


class Mwem(Release):
    """MWEM from uniform weights: half of ρ for finding queries, half for measuring them, in equal rounds.

    That is ε₀²/8 and 1/(2n²σ²) a round, and ε₀ n/2 = ε₀′.
    """

    name = "mwem"
    source = "Hardt, Ligett, McSherry 2012 Figure 1; Cesar, Rogers 2021 for ε₀²/8; Canonne, Kamath, Steinke 2020 Proposition 12"
    legend = "MWEM"
    private = True
    at_once = True

    def release(self, problem: Problem, rng: np.random.Generator) -> Released:
        site, request = problem.site, problem.on_cover
        cover, averages = site.cover, np.atleast_2d(site.averages)
        rounds, rho = self.rounds(cover, site.n, request), concentrated(request.eps, request.delta)
        find, sigma = float(_find(np.array(rounds), rho, site.n)), _sigma(rounds, rho, site.n)
        trials = np.arange(len(averages))
        weights, summed = np.tile(cover.uniform(), (len(averages), 1)), np.zeros_like(averages)
        for done in range(rounds):
            fitted = cover.answers(weights)
            if 2 * done >= rounds - 1:
                summed += fitted
            query = worst(averages - fitted, find, rng)
            measured = averages[trials, query] + rng.normal(0, sigma, len(trials))
            steps = 4 * (np.clip(measured, 0, 1) - fitted[trials, query])
            weights = cover.tilted_each(weights, query, steps)
        answers = (summed / later(rounds)).reshape(site.averages.shape)
        return Released(cover, answers, self.spent(cover, site.n, request), rounds, noise={"sigma": sigma})

    def rounds(self, size: Size | Cover, n: int, request: ReleaseRequest) -> int:
        """A quarter of those at which the promised error is least, or what is enough for α: no data have a say in it."""
        best = _best(float(size.queries), size.log_cells, n, request.beta, concentrated(request.eps, request.delta))
        return max(2, ceil(min(best / FEWER, ENOUGH * size.log_cells / request.alpha**2)))

    def numbers(self, size: Size | Cover, n: int, request: ReleaseRequest) -> Mapping[str, float] | None:
        """On a cover without public points, where all of ε is for it."""
        if not isinstance(size, Cover):
            return None
        return {"sigma": _sigma(self.rounds(size, n, request), concentrated(request.eps, request.delta), n)}

    def work(self, size: Size, n: int, request: ReleaseRequest) -> float:
        return size.queries + self.rounds(size, n, request) * (size.queries + OF_A_ROUND)

    def spent(self, size: Size | Cover, n: int, request: ReleaseRequest) -> float:
        return spent(concentrated(request.eps, request.delta), request.delta)

    def error(self, size: Size, n: int, request: ReleaseRequest) -> float:
        rounds, rho = self.rounds(size, n, request), concentrated(request.eps, request.delta)
        return sampling(size, n, request) + 2 * _promised(rounds, size.queries, size.log_cells, n, request.beta, rho)


def later(rounds: int) -> int:
    """How many of MWEM's rounds are in the later half, over which its answers are averaged."""
    return (rounds + 1) // 2


def _find(rounds: Ints, rho: float, n: int) -> Reals:
    """ε₀′: what the differences, which a point moves by 1/n, are multiplied by before Gumbel noise."""
    return np.sqrt(4 * rho / rounds) * float(n) / 2


def _sigma(rounds: int, rho: float, n: int) -> float:
    """Of the noise on a share that is measured."""
    return sqrt(rounds / rho) / n


TRIED = np.array(sorted({round(2 ** (power / 4)) for power in range(4, 64)}))
"""Numbers of rounds, powers of 2^(1/4)."""


def _promised(rounds: int, queries: float, log_cells: float, n: int, beta: float, rho: float) -> float:
    """How far all shares are from those of the points, but for a chance beta/2, half of it each for noises and for losses."""
    return float(_promises(np.array([rounds]), queries, log_cells, n, rho, *_tails((rounds,), beta))[0])


def _promises(rounds: Ints, queries: float, log_cells: float, n: int, rho: float, noises: Reals, lost: Reals) -> Reals:
    """How far they are after each number of rounds, (numbers,). noises, lost: the quantiles that `_tails` has of them."""
    last = (rounds + 1) // 2
    squares, losses = noises * rounds / rho / float(n**2), log(queries) + lost / last
    return np.sqrt(max(log_cells, log(2)) / (2 * last) + squares / last) + losses / _find(rounds, rho, n)


@lru_cache(1024)
def _tails(rounds: tuple[int, ...], beta: float) -> tuple[Reals, Reals]:
    """What squares of noises, and what is lost in later rounds, add up to but for a chance beta/4 each: (numbers,) twice."""
    degrees = np.array(rounds, float)
    return chdtri(degrees, beta / 4).astype(float), gammainccinv((degrees + 1) // 2, beta / 4).astype(float)


@lru_cache(1024)
def _best(queries: float, log_cells: float, n: int, beta: float, rho: float) -> int:
    """The rounds at which that is least."""
    tails = _tails(tuple(TRIED.tolist()), beta)
    return int(TRIED[np.argmin(_promises(TRIED, queries, log_cells, n, rho, *tails))])


MECHANISM = Mwem()
