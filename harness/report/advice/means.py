"""Means of what is measured, and when two of them are as good as one another."""

from dataclasses import dataclass
from math import sqrt

from harness.arrays import Reals

Z = 3.3
"""Standard errors: the mean of many runs is within as many, with probability 0.999."""

GRID = 0.03
"""Of the least mean: what settings between those tried may still be worth."""


@dataclass(frozen=True)
class MeanOfRuns:
    """The mean of some runs, and its standard error. share: the share of wrong votes where classifiers' errors coincide."""

    mean: float
    error: float
    share: float | None = None

    @property
    def margin(self) -> float:
        """The mean of the law is within so much of it, with probability 0.999."""
        return Z * self.error


def mean(runs: Reals) -> MeanOfRuns:
    """The mean, with its standard error, of what some runs measured, (runs,)."""
    return MeanOfRuns(float(runs.mean()), float(runs.std(ddof=1)) / sqrt(len(runs)))


def as_good(best: MeanOfRuns, other: MeanOfRuns, nothing: float) -> bool:
    """Whether another mean is as good as the best, as far as is measured: up to 3.3 standard errors, and 3 % of the best.

    nothing: as much as this is as good as none.
    """
    margin = Z * sqrt(best.error**2 + other.error**2) + GRID * best.mean
    return other.mean <= max(best.mean + margin, nothing)
