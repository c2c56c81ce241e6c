"""PMW on the cover that there is, and A_PAP, which makes one of public points first (BCMNUW20 Algorithms 1 and 3)."""

from abc import abstractmethod
from collections.abc import Mapping
from math import ceil, log

import numpy as np

from harness.concepts.covers import Cover, Size
from harness.mechanisms.release import Asked, Problem, Release, Released
from harness.mechanisms.release.lockstep import pmw_of_all
from harness.mechanisms.release.numeric_sparse import PmwPlan


class Weights(Release):
    """Online multiplicative weights over all queries of the cover in their order, at an accuracy α' that the constants say."""

    private = True
    at_once = True

    def own(self, asked: Asked) -> Asked:
        """What the weights are asked for: half of α and of β where the other halves are for a cover of public points."""
        return asked.halved() if self.needs_public else asked

    @staticmethod
    @abstractmethod
    def resolved(size: Size | Cover, asked: Asked, n: int) -> PmwPlan:
        """All its numbers on n private points."""

    def release(self, problem: Problem, rng: np.random.Generator) -> Released:
        cover, n, asked, averages = problem.site.cover, problem.site.n, problem.asked, problem.site.averages
        of_trials = np.atleast_2d(averages)
        done = pmw_of_all(cover, of_trials, self.resolved(cover, self.own(asked), n), [rng] * len(of_trials))
        spent, noise = self.spent(cover, n, asked), self.numbers(cover, n, asked)
        if averages.ndim == 1:
            return Released(cover, done[0].answers, spent, len(done[0].updated), done[0].halted, noise)
        answers, updates = np.array([each.answers for each in done]), np.array([len(each.updated) for each in done])
        return Released(cover, answers, spent, updates, np.array([each.halted for each in done]), noise)

    def numbers(self, size: Size | Cover, n: int, asked: Asked) -> Mapping[str, float]:
        own = self.own(asked)
        plan, accuracy = self.resolved(size, own, n), own.alpha / own.constants.share
        return {"c": plan.c, "eta": plan.eta, "threshold": plan.threshold, "accuracy": accuracy, "sigma": plan.value}

    def spent(self, size: Size | Cover, n: int, asked: Asked) -> float:
        return self.resolved(size, self.own(asked), n).spent(n, asked.delta)


class PMW(Weights):
    """Online PMW as DR14 print it."""

    name = "PMW"
    source = "DR14 Algorithm 6"
    legend = "PMW"

    def needed(self, size: Size, asked: Asked) -> int:
        """n as the constants say it."""
        cells = max(size.log_cells, log(2))
        return ceil(asked.constants.n(size.queries, cells, asked.alpha, asked.beta, asked.eps, asked.delta))

    @staticmethod
    def resolved(size: Size | Cover, asked: Asked, n: int) -> PmwPlan:
        own = asked.constants
        beta, accuracy = asked.beta * own.noise, asked.alpha / own.share
        return PmwPlan.of(size.queries, size.log_cells, n, accuracy, beta, asked.eps, asked.delta, own.values)


class APAP(PMW):
    """PMW on the cover of the distinct public points, with half of α and of β."""

    name = "A_PAP"
    source = "BCMNUW20 Algorithm 3"
    legend = "A_PAP"
    needs_public = True


MECHANISM = (PMW(), APAP())
