"""Averages without private noise: those of the public points alone, and those of the private points as they are."""

from collections.abc import Mapping

import numpy as np

from harness.covers import Cover, Size
from harness.mechanisms.release import Problem, Release, Released, ReleaseRequest, sampling


class PublicAverages(Release):
    """The averages of all m public points, each as often as it was drawn; no private point is looked at."""

    name = "public_averages"
    source = "BCMNUW20 Section 1: uniform convergence of the public points"
    legend = "public points alone"
    private = True
    needs_public = True
    needs_private = False

    def release(self, problem: Problem, rng: np.random.Generator) -> Released:
        cover = problem.site.cover
        return Released(cover, cover.answers(cover.public), spent=self.spent(cover, problem.site.n, problem.request))

    def numbers(self, size: Size | Cover, n: int, request: ReleaseRequest) -> Mapping[str, float]:
        """It draws nothing, and so has none."""
        return {}

    def spent(self, size: Size | Cover, n: int, request: ReleaseRequest) -> float:
        """0, as no private point is looked at."""
        return 0.0


class ExactAverages(Release):
    """The averages of the private points on the cover, without any noise, and so without privacy."""

    name = "exact_averages"
    source = "no privacy, for comparison"
    legend = "no privacy"
    private = False
    at_once = True
    sample = 1.0

    def release(self, problem: Problem, rng: np.random.Generator) -> Released:
        return Released(problem.site.cover, problem.site.averages, spent=None)

    def numbers(self, size: Size | Cover, n: int, request: ReleaseRequest) -> Mapping[str, float]:
        """It draws nothing, and so has none."""
        return {}

    def error(self, size: Size, n: int, request: ReleaseRequest) -> float:
        return sampling(size, n, request, self.sample)


MECHANISM = (PublicAverages(), ExactAverages())
