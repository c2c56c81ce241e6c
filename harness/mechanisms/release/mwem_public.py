"""MWEM that begins with the public points (PMW^Pub; Liu, Vietri, Steinke, Ullman, Wu 2021).

A fixed number of rounds: the exponential mechanism finds a query on which weights and private points differ most, Gaussian
noise measures it, and the weights are tilted until they agree with what was measured. (The paper's step is shorter, and
repeated.)
"""

from collections.abc import Mapping
from functools import cache
from math import exp, log, sqrt
from typing import Any

import numpy as np
import scipy
from scipy.special import logit

from harness.arrays import Reals
from harness.covers import Cover, Size
from harness.mechanisms.noise import gumbel
from harness.mechanisms.release import Problem, Release, Released, ReleaseRequest

ROUNDS = 30
LEAST, MOST = 1e-12, 1e4  # of ρ
ORDERS = np.concatenate([np.linspace(1.01, 11, 1000), np.geomspace(11, 1e5, 2000)])


@cache
def concentrated(eps: float, delta: float) -> float:
    """The ρ at which a ρ-zCDP mechanism is exactly (ε, δ)-DP, by dp-accounting's conversion from Rényi DP."""
    return exp(scipy.optimize.brentq(lambda x: log(spent(exp(x), delta) / eps), log(LEAST), log(MOST), xtol=1e-9))


@cache
def spent(rho: float, delta: float) -> float:
    """The ε' at which a ρ-zCDP mechanism is (ε', δ)-DP, by dp-accounting."""
    from dp_accounting.rdp import compute_epsilon

    return max(float(compute_epsilon(ORDERS, rho * ORDERS, delta)[0]), 1e-300)


def worst(apart: Reals, find: float, rng: np.random.Generator) -> Any:
    """Draws by the exponential mechanism the index of a query on which weights and points differ most, (…), of (…, |H̃|)."""
    scores = gumbel(apart.shape, rng)
    scores += find * np.abs(apart)
    return np.argmax(scores, axis=-1)


class MwemPublic(Release):
    """MWEM from the public points' weights: half of ρ for finding queries, half for measuring them, in equal rounds.

    That is ε₀²/8 and 1/(2n²σ²) a round.
    """

    name = "mwem_public"
    source = "Liu, Vietri, Steinke, Ullman, Wu 2021 Algorithm 2"
    legend = "MWEM from public weights"
    private = True
    needs_public = True

    def release(self, problem: Problem, rng: np.random.Generator) -> Released:
        site, request = problem.site, problem.request
        cover, averages = site.cover, site.averages
        rho, noise = concentrated(request.eps, request.delta), self.numbers(cover, site.n, request)
        find, sigma = sqrt(4 * rho / ROUNDS) * site.n / 2, noise["sigma"]
        weights = started(cover.public)
        for _ in range(ROUNDS):
            current = cover.answers(weights)
            query = int(worst(averages - current, find, rng))
            value = float(np.clip(averages[query] + rng.normal(0, sigma), 1e-6, 1 - 1e-6))
            if 0 < current[query] < 1:
                weights = cover.tilted(weights, query, float(logit(value) - logit(current[query])))
        return Released(cover, cover.answers(weights), self.spent(cover, site.n, request), ROUNDS, noise=noise)

    def numbers(self, size: Size | Cover, n: int, request: ReleaseRequest) -> Mapping[str, float]:
        return {"sigma": sqrt(ROUNDS / concentrated(request.eps, request.delta)) / n}

    def work(self, size: Size, n: int, request: ReleaseRequest) -> float:
        return size.queries * (1.0 + ROUNDS)

    def spent(self, size: Size | Cover, n: int, request: ReleaseRequest) -> float:
        return spent(concentrated(request.eps, request.delta), request.delta)


def started(public: Reals) -> Reals:
    """The weights at MWEM's start: those of the public points, with a little on every cell, so that it can grow."""
    return np.asarray((public + 1e-9) / (1 + 1e-9))


MECHANISM = MwemPublic()
