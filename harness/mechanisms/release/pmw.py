"""PMW on the cover that there is, and A_PAP, which makes one of public points first (BCMNUW20 Algorithms 1 and 3)."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from math import ceil, log

import numpy as np

from harness.concepts.covers import Cover, Size
from harness.mechanisms.release import Asked, Problem, Release, Released
from harness.mechanisms.release.lockstep import pmw_of_all
from harness.mechanisms.release.numeric_sparse import PmwPlan


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
        return self.release_all([problem], [rng])[0]

    def release_all(self, problems: Sequence[Problem], rngs: Sequence[np.random.Generator]) -> list[Released]:
        cover, n, asked = problems[0].site.cover, problems[0].site.n, problems[0].asked
        if any(problem.site.cover is not cover for problem in problems):
            return super().release_all(problems, rngs)
        averages = [problem.site.averages for problem in problems]
        spent, noise = self.spent(cover, n, asked), self.numbers(cover, n, asked)
        return [
            Released(cover, done.answers, spent, len(done.updated), done.halted, noise)
            for done in pmw_of_all(cover, averages, self.resolved(cover, self.own(asked), n), rngs)
        ]

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
