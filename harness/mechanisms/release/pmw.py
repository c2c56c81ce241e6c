"""PMW on the cover that there is, and A_PAP, which makes one of public points first (BCMNUW20 Algorithms 1 and 3)."""

from abc import abstractmethod
from collections.abc import Mapping
from math import ceil, log

import numpy as np

from harness.covers import Cover, Size
from harness.mechanisms.release import Problem, Release, Released, ReleaseRequest
from harness.mechanisms.release.lockstep import pmw_of_all
from harness.mechanisms.release.numeric_sparse import PmwPlan


class Weights(Release):
    """The base of releases by online private multiplicative weights (PMW), run at accuracy α' on a cover's queries in order."""

    private = True
    at_once = True

    @staticmethod
    @abstractmethod
    def resolved(size: Size | Cover, request: ReleaseRequest, n: int) -> PmwPlan:
        """All numbers of a run of PMW on n private points."""

    def release(self, problem: Problem, rng: np.random.Generator) -> Released:
        cover, n, request, averages = problem.site.cover, problem.site.n, problem.on_cover, problem.site.averages
        of_trials = np.atleast_2d(averages)
        done = pmw_of_all(cover, of_trials, self.resolved(cover, request, n), [rng] * len(of_trials))
        spent, noise = self.spent(cover, n, request), self.numbers(cover, n, request)
        if averages.ndim == 1:
            return Released(cover, done[0].answers, spent, len(done[0].updated), done[0].halted, noise)
        answers, updates = np.array([each.answers for each in done]), np.array([len(each.updated) for each in done])
        return Released(cover, answers, spent, updates, np.array([each.halted for each in done]), noise)

    def numbers(self, size: Size | Cover, n: int, request: ReleaseRequest) -> Mapping[str, float]:
        plan, accuracy = self.resolved(size, request, n), request.alpha / request.constants.share
        return {"c": plan.c, "eta": plan.eta, "threshold": plan.threshold, "accuracy": accuracy, "sigma": plan.value}

    def spent(self, size: Size | Cover, n: int, request: ReleaseRequest) -> float:
        return self.resolved(size, request, n).spent(n, request.delta)


class PMW(Weights):
    """Online private multiplicative weights (PMW) as DR14 print it, on private points alone."""

    name = "PMW"
    source = "DR14 Algorithm 6"
    legend = "PMW"

    def needed(self, size: Size, request: ReleaseRequest) -> int:
        """The number n of private points that the constants ask for."""
        cells = max(size.log_cells, log(2))
        return ceil(request.constants.n(size.queries, cells, request.alpha, request.beta, request.eps, request.delta))

    @staticmethod
    def resolved(size: Size | Cover, request: ReleaseRequest, n: int) -> PmwPlan:
        constants = request.constants
        beta, accuracy = request.beta * constants.noise, request.alpha / constants.share
        return PmwPlan.of(size.queries, size.log_cells, n, accuracy, beta, request.eps, request.delta, constants.values)


class APAP(PMW):
    """A_PAP: PMW on the cover of the distinct public points, with half of α and of β."""

    name = "A_PAP"
    source = "BCMNUW20 Algorithm 3"
    legend = "A_PAP"
    needs_public = True


MECHANISM = (PMW(), APAP())
