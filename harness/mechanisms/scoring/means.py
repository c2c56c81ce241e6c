"""The average of the k predictions, with Gaussian noise, and as it is."""

from functools import partial
from math import inf, sqrt

import numpy as np
from scipy.special import ndtri

from harness.arrays import Ints, Reals
from harness.mechanisms import whole_blocks
from harness.mechanisms.scoring import Answered, ScorePlan, ScoreRequest, Scoring, average, promised, trials_of
from harness.scores import Scorer
from harness.theory.privacy.gaussian import gaussian_eps, gaussian_mu

STEPS = 73  # values of k that are tried, from 1 to n


class GaussianMean(Scoring):
    """The average of each query's k predictions with N(0, σ²): one example moves one average by 1/k, and m by √m/k together.

    k is the one with the least sum of noise, the deviation of averages, and how far E h on chunks of s examples is from E h on
    all n. For a learner without bias that is as many chunks as there may be.
    """

    name = "gaussian_mean"
    source = "Balle, Wang 2018 Theorem 8"
    legend = "average, Gaussian noise"
    private = True
    averages = True

    def plan(self, request: ScoreRequest) -> ScorePlan:
        k = request.chunks or self.best(request)
        s = request.n // k
        bound, reason = promised(self._bound(request, k) if s else inf, request.n, k)
        sigma = self._sigma(request, k)
        return ScorePlan(
            n=request.n,
            k=k,
            s=s,
            alpha=request.alpha(s) if s else None,
            bound=bound,
            reason=reason,
            noise={"sigma": sigma},
            accounting=partial(gaussian_eps, sqrt(request.task.m) / (k * sigma), request.task.delta),
        )

    def best(self, request: ScoreRequest) -> int:
        """The k with the least sum of bound and bias."""
        tried: list[int] = np.unique(np.geomspace(1, request.n, STEPS).astype(np.int64)).tolist()
        whole = request.means(request.n)
        return min(tried, key=lambda k: self._bound(request, k) + self._bias(request, k, whole))

    @staticmethod
    def _sigma(request: ScoreRequest, k: int) -> float:
        task = request.task
        return sqrt(task.m) / (k * gaussian_mu(task.eps, task.delta))

    def _bound(self, request: ScoreRequest, k: int) -> float:
        """Of the distance from E h at s, but for a chance β: half of it for the noise, half for the predictions."""
        far = -float(ndtri(request.task.beta / (4 * request.task.m)))
        deviation = request.deviation(request.n // k, k)
        return far * self._sigma(request, k) + (1.0 if deviation == inf else deviation)

    @staticmethod
    def _bias(request: ScoreRequest, k: int, whole: Reals) -> float:
        return float(np.abs(request.means(request.n // k) - whole).max())

    @whole_blocks
    def answer(
        self, plan: ScorePlan, scorer: Scorer, sizes: Ints, votes: np.random.Generator, noise: np.random.Generator
    ) -> Answered:
        averages, sigma = average(scorer, votes, plan.s, plan.k, trials_of(sizes)), plan.noise["sigma"]
        least, most = extremes(sizes, noise)
        low, high = np.clip(averages + sigma * least, 0, 1), np.clip(averages + sigma * most, 0, 1)
        return Answered.all_of(low, high, sizes)


def extremes(sizes: Ints, rng: np.random.Generator) -> tuple[Reals, Reals]:
    """Draws the least and the largest of sizes[i] independent N(0, 1) variables, (…, q) each; both 0 where sizes[i] is 0.

    Through their upper tails: that of the largest of r is at most u with chance (1 − u)^r; given it, the others have larger
    tails, uniform beyond it.
    """
    r = np.maximum(sizes, 1)
    above = -np.expm1(np.log1p(-rng.random(r.shape)) / r)  # P(N > the largest)
    rest = np.maximum(r - 1, 1)
    below = (1 - above) * -np.expm1(np.log1p(-rng.random(r.shape)) / rest)  # P(N < the least)
    largest = -ndtri(above)
    least = np.where(r > 1, ndtri(below), largest)
    any_query = sizes > 0
    return np.where(any_query, least, 0.0), np.where(any_query, largest, 0.0)


class Mean(Scoring):
    """The average of each query's k predictions, k as in A_SL-Quer, without noise and so without privacy."""

    name = "mean"
    source = "no privacy"
    legend = "average, not private"
    private = False
    averages = True

    def plan(self, request: ScoreRequest) -> ScorePlan:
        k = request.chunks or request.constants.k(request.task)
        s = request.n // k
        bound, reason = promised(request.deviation(s, k) if s else inf, request.n, k)
        return ScorePlan(n=request.n, k=k, s=s, alpha=request.alpha(s) if s else None, bound=bound, reason=reason)

    @whole_blocks
    def answer(
        self, plan: ScorePlan, scorer: Scorer, sizes: Ints, votes: np.random.Generator, noise: np.random.Generator
    ) -> Answered:
        averages = average(scorer, votes, plan.s, plan.k, trials_of(sizes))
        return Answered.all_of(averages, averages, sizes)


MECHANISM = (GaussianMean(), Mean())
