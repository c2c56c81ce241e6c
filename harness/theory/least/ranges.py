"""A setting of m, T, ε, δ and β, and a range of them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from math import exp, log

import numpy as np

from harness.theory.parameters import Task


@dataclass(frozen=True)
class ConstantSetting:
    """A setting that a constant may depend on: m, the cutoff T of at most m, ε, δ and β."""

    m: int
    T: float
    eps: float
    delta: float
    beta: float

    @property
    def task(self) -> Task:
        """The setting as a mechanism's task, whose PAC bound is 0 as nothing here depends on a learner."""
        return Task(self.m, self.eps, self.delta, self.beta, 0.0, lambda s, q: 0.0)


@dataclass(frozen=True)
class Extreme:
    """The largest value of a function over a range, and the setting where it is attained; None: it is the same everywhere."""

    value: float
    setting: ConstantSetting | None


@dataclass(frozen=True)
class Range:
    """All settings with m from 1 to `queries`, T from 1 to m, and ε, δ and β between two ends each."""

    queries: int = 10**9
    eps: tuple[float, float] = (0.01, 1.0)
    delta: tuple[float, float] = (1e-10, 0.2)
    beta: tuple[float, float] = (1e-10, 0.2)

    def corners(self, halved: Iterable[float] = ()) -> Iterator[ConstantSetting]:
        """The corners of the range in ln m, ln T, ln ε, ln δ, ln β, cut along δ = β/h for every h of `halved`.

        There a function that is quasi-convex in these logarithms on both sides of every cut is at its largest.
        """
        pairs = [*product(self.delta, self.beta)]
        for h in halved:
            pairs += [(beta / h, beta) for beta in self.beta if self.delta[0] <= beta / h <= self.delta[1]]
            pairs += [(delta, delta * h) for delta in self.delta if self.beta[0] <= delta * h <= self.beta[1]]
        for (m, T), eps, (delta, beta) in product(self._sizes, self.eps, pairs):
            yield ConstantSetting(m, T, eps, delta, beta)

    @property
    def _sizes(self) -> tuple[tuple[int, float], ...]:
        return (1, 1.0), (self.queries, 1.0), (self.queries, float(self.queries))

    def largest(self, value: Callable[[ConstantSetting], float], halved: Iterable[float] = ()) -> Extreme:
        """The largest value of a function at the corners of the range, and the corner where it is attained."""
        corner = max(self.corners(halved), key=value)
        return Extreme(value(corner), corner)

    def drawn(self, rng: np.random.Generator, count: int) -> Iterator[ConstantSetting]:
        """Draws `count` settings: m, ε, δ, β uniform in their logarithms, T too, and half of the time next to m or 1."""
        for _ in range(count):
            m = round(exp(rng.uniform(0, log(self.queries))))
            share = float(np.clip(rng.uniform(-0.5, 1.5), 0, 1))
            eps, delta, beta = (exp(rng.uniform(log(low), log(high))) for low, high in (self.eps, self.delta, self.beta))
            yield ConstantSetting(m, float(m) ** share, eps, delta, beta)

    def __contains__(self, setting: ConstantSetting) -> bool:
        between = ((setting.eps, self.eps), (setting.delta, self.delta), (setting.beta, self.beta))
        inside = all(low * (1 - 1e-9) <= value <= high * (1 + 1e-9) for value, (low, high) in between)
        return inside and 1 <= setting.m <= self.queries and 1 <= setting.T <= setting.m


STANDARD = Range()
"""The range that constants are said for, where nothing else is said."""
