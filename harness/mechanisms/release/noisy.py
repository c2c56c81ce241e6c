"""Noise on every average of the cover: Gaussian by its exact curve, or Laplace by advanced composition as the papers had it."""

from collections.abc import Mapping
from math import log, sqrt

import numpy as np
from scipy.special import ndtri

from harness.covers import Cover, Size
from harness.mechanisms.noise import laplace
from harness.mechanisms.release import Problem, Release, Released, ReleaseRequest, sampling
from harness.theory.privacy.composition import advanced_share, compose_laplace
from harness.theory.privacy.gaussian import gaussian_eps, gaussian_mu


def gaussian_sigma(numbers: float, n: int, eps: float, delta: float) -> float:
    """The σ at which Gaussian noise on `numbers` shares of n points, each moved by at most 1/n, is exactly (ε, δ)-DP."""
    return sqrt(numbers) / n / gaussian_mu(eps, delta)


class GaussianAverages(Release):
    """Averages with N(0, σ²) on each of the |H̃|; one point moves all of them by at most √|H̃|/n together."""

    name = "gaussian_averages"
    source = "Balle, Wang 2018 Theorem 8"
    legend = "Gaussian noise on all averages"
    private = True
    at_once = True

    def release(self, problem: Problem, rng: np.random.Generator) -> Released:
        site, request = problem.site, problem.request
        noise, spent = self.numbers(site.cover, site.n, request), self.spent(site.cover, site.n, request)
        answers = site.averages + rng.normal(0, noise["sigma"], site.averages.shape)
        return Released(site.cover, answers, spent, noise=noise)

    def numbers(self, size: Size | Cover, n: int, request: ReleaseRequest) -> Mapping[str, float]:
        return {"sigma": gaussian_sigma(size.queries, n, request.eps, request.delta)}

    def spent(self, size: Size | Cover, n: int, request: ReleaseRequest) -> float:
        return gaussian_eps(sqrt(size.queries) / n / self.numbers(size, n, request)["sigma"], request.delta)

    def error(self, size: Size, n: int, request: ReleaseRequest) -> float:
        far = -float(ndtri(request.beta / (4 * size.queries)))
        return sampling(size, n, request) + 2 * far * gaussian_sigma(size.queries, n, request.eps, request.delta)


class LaplaceAverages(Release):
    """The averages of all |H̃| functions, each with Lap(1/(nε₀)), ε₀ = ε/(2√(2|H̃| ln(1/δ))) by advanced composition."""

    name = "laplace_averages"
    source = "DR14 Corollary 3.21"
    legend = "Laplace noise, advanced composition"
    private = True
    at_once = True

    def release(self, problem: Problem, rng: np.random.Generator) -> Released:
        site, request = problem.site, problem.request
        noise, spent = self.numbers(site.cover, site.n, request), self.spent(site.cover, site.n, request)
        drawn = laplace(noise["sigma"], site.averages.size, rng).reshape(site.averages.shape)
        return Released(site.cover, site.averages + drawn, spent, noise=noise)

    def numbers(self, size: Size | Cover, n: int, request: ReleaseRequest) -> Mapping[str, float]:
        return {"sigma": 1 / (n * advanced_share(request.eps, int(size.queries), request.delta))}

    def spent(self, size: Size | Cover, n: int, request: ReleaseRequest) -> float:
        queries = int(size.queries)
        return compose_laplace(advanced_share(request.eps, queries, request.delta), queries, request.delta)

    def error(self, size: Size, n: int, request: ReleaseRequest) -> float:
        scale = self.numbers(size, n, request)["sigma"]
        return sampling(size, n, request) + 2 * scale * log(2 * size.queries / request.beta)


MECHANISM = (GaussianAverages(), LaplaceAverages())
