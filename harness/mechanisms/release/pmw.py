"""PMW on the cover that there is, and A_PAP, which makes one of public points first (BCMNUW20 Algorithms 1 and 3)."""

from abc import abstractmethod
from collections.abc import Mapping
from math import ceil, log

import numpy as np

from harness.concepts.covers import Cover, Size
from harness.mechanisms.release import Asked, Problem, Release, Released
from harness.mechanisms.release.numeric_sparse import PmwNoise, PmwPlan, pmw


class Weights(Release):
    """Online multiplicative weights over all queries of the cover in their order, at an accuracy α' that the constants say."""

    private = True

    def own(self, asked: Asked) -> Asked:
        """What the weights are asked for: half of α and of β where the other halves are for a cover of public points."""
        return asked.halved() if self.needs_public else asked

    @staticmethod
    @abstractmethod
    def resolved(size: Size | Cover, asked: Asked, n: int) -> PmwPlan:
        """All its numbers on n private points."""

    def release(self, problem: Problem, rng: np.random.Generator) -> Released:
        site, asked = problem.site, self.own(problem.asked)
        cover = site.cover
        plan = self.resolved(cover, asked, site.n)
        done = pmw(cover, site.averages, plan, PmwNoise.drawn(plan, cover.queries, rng))
        return Released(
            cover=cover,
            answers=done.answers,
            spent=self.spent(cover, site.n, problem.asked),
            updates=len(done.updated),
            halted=done.halted,
            noise=self.numbers(cover, site.n, problem.asked),
        )

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
