"""Noise on every average of the cover: Gaussian by its exact curve, or Laplace by advanced composition as the papers had it."""

from math import log, sqrt

import numpy as np
from scipy.special import ndtri

from harness.concepts.covers import Size
from harness.mechanisms.noise import laplace
from harness.mechanisms.release import Asked, Problem, Release, Released, sampling
from harness.theory.privacy.composition import advanced_share, compose_laplace
from harness.theory.privacy.gaussian import gaussian_eps, gaussian_mu


def gaussian_sigma(numbers: float, n: int, eps: float, delta: float) -> float:
    """σ of Gaussian noise on so many shares of n points, each of which one point moves by at most 1/n: exact (ε, δ)."""
    return sqrt(numbers) / n / gaussian_mu(eps, delta)


class GaussianAverages(Release):
    """N(0, σ²) on each of the |H̃| averages; one point moves all of them by at most √|H̃|/n together."""

    name = "gaussian_averages"
    source = "Balle, Wang 2018 Theorem 8"
    legend = "Gaussian noise on all averages"
    private = True

    def release(self, problem: Problem, rng: np.random.Generator) -> Released:
        site, asked = problem.site, problem.asked
        queries = site.cover.queries
        sigma = gaussian_sigma(queries, site.n, asked.eps, asked.delta)
        spent = gaussian_eps(sqrt(queries) / site.n / sigma, asked.delta)
        return Released(site.cover, site.averages + rng.normal(0, sigma, queries), spent, noise={"sigma": sigma})

    def error(self, size: Size, n: int, asked: Asked) -> float:
        far = -float(ndtri(asked.beta / (4 * size.queries)))
        return sampling(size.queries, n, asked.beta) + 2 * far * gaussian_sigma(size.queries, n, asked.eps, asked.delta)


class LaplaceAverages(Release):
    """Lap(1/(nε₀)) on each average, ε₀ = ε/(2√(2|H̃| ln(1/δ)))."""

    name = "laplace_averages"
    source = "DR14 Corollary 3.21"
    legend = "Laplace noise, advanced composition"
    private = True

    def release(self, problem: Problem, rng: np.random.Generator) -> Released:
        site, asked = problem.site, problem.asked
        queries = site.cover.queries
        share = advanced_share(asked.eps, queries, asked.delta)
        scale = 1 / (site.n * share)
        spent = compose_laplace(share, queries, asked.delta)
        return Released(site.cover, site.averages + laplace(scale, queries, rng), spent, noise={"sigma": scale})

    def error(self, size: Size, n: int, asked: Asked) -> float:
        scale = 1 / (n * advanced_share(asked.eps, int(size.queries), asked.delta))
        return sampling(size.queries, n, asked.beta) + 2 * scale * log(2 * size.queries / asked.beta)


MECHANISM = (GaussianAverages(), LaplaceAverages())
