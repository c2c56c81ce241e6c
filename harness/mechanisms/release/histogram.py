"""Gaussian noise on the cells' histogram, from which every average follows."""

from collections.abc import Mapping
from math import exp, inf, log, sqrt

import numpy as np
from scipy.special import ndtri

from harness.arrays import Reals
from harness.covers import Cover, Size
from harness.covers.runs import RunsCover
from harness.mechanisms.release import Problem, Release, Released, ReleaseRequest, sampling
from harness.mechanisms.release.noisy import gaussian_sigma
from harness.theory.privacy.gaussian import gaussian_eps

MOST_CELLS = log(1e12)


class GaussianHistogram(Release):
    """Averages that follow from shares of cells, each with N(0, σ²); a point that changes its cell moves two shares by 1/n.

    Shares add up to 1, which is no secret: what the noises add up to is taken off again, evenly. The average of an h̃ that is 1
    on k of N cells then has noise of variance σ² k(N − k)/N ≤ σ²N/4. Where cells are a product, each direction has a histogram
    of its own, and a point moves two shares of each.
    """

    name = "gaussian_histogram"
    source = "Balle, Wang 2018 Theorem 8, on the shares of the cells"
    legend = "Gaussian noise on the cells"
    private = True
    at_once = True

    def release(self, problem: Problem, rng: np.random.Generator) -> Released:
        site, request = problem.site, problem.request
        cover, shares = site.cover, site.shares
        assert shares is not None
        sigma = _sigma(cover, site.n, request)
        drawn = rng.normal(0, sigma, (*shares.shape, 2) if cover.separate else shares.shape)
        answers = cover.answers(shares + balanced(drawn, cover))
        return Released(cover, answers, self.spent(cover, site.n, request), noise={"sigma": sigma})

    def numbers(self, size: Size | Cover, n: int, request: ReleaseRequest) -> Mapping[str, float] | None:
        return {"sigma": _sigma(size, n, request)} if isinstance(size, Cover) else None

    def spent(self, size: Size | Cover, n: int, request: ReleaseRequest) -> float | None:
        return gaussian_eps(_moved(size) / n / _sigma(size, n, request), request.delta) if isinstance(size, Cover) else None

    def error(self, size: Size, n: int, request: ReleaseRequest) -> float:
        """That of as many normal numbers of variance σ²N/4 as there are queries; infinite beyond 10¹² cells.

        Of a product whose directions are not known to the size it is that of all its cells, which is more: p ≤ 2^p/2.
        """
        directions = max(1, size.directions)
        log_cells = size.log_cells / directions
        if log_cells > MOST_CELLS:
            return inf
        sigma = gaussian_sigma(2 * directions, n, request.eps, request.delta)
        far = -float(ndtri(request.beta / (4 * size.queries)))
        return sampling(size, n, request) + 2 * far * sigma * exp(log_cells / 2) / 2


def _moved(cover: Cover) -> float:
    """How far a point moves all shares together, times n."""
    return sqrt(2 * histograms(cover))


def _sigma(cover: Cover, n: int, request: ReleaseRequest) -> float:
    return gaussian_sigma(_moved(cover) ** 2, n, request.eps, request.delta)


def histograms(cover: Cover) -> int:
    """The number of histograms that a cover's cells make: one, or one for each direction."""
    if cover.separate:
        return cover.queries
    return len(cover.segments) if isinstance(cover, RunsCover) else 1


def balanced(noise: Reals, cover: Cover) -> Reals:
    """Centres noise on cells' weights, so that it sums to 0 in each histogram; of two cells, (…, 2), half the difference."""
    if cover.separate:
        return np.asarray((noise[..., 0] - noise[..., 1]) / 2)
    balanced = noise.copy()
    for segment in cover.segments if isinstance(cover, RunsCover) else [slice(None)]:
        balanced[..., segment] -= balanced[..., segment].mean(axis=-1, keepdims=True)
    return balanced


MECHANISM = GaussianHistogram()
