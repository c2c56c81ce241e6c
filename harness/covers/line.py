"""Distributions on the line, and what public points on it leave open: gaps and atoms."""

from dataclasses import dataclass
from math import log
from typing import Annotated

import numpy as np
from pydantic import Field, model_validator

from harness.arrays import Ints, Reals
from harness.covers import Marginal, Points


class Line(Marginal, frozen=True):
    """The uniform distribution on [0, 1], and the base class of distributions on the line: draws points and gives P(X ≤ x)."""

    def draw(self, size: int, rng: np.random.Generator) -> Reals:
        """Draws `size` i.i.d. points."""
        return rng.random(size)

    def upto(self, x: Reals) -> Reals:
        """P(X ≤ x)."""
        return np.clip(x, 0, 1)

    def below(self, x: Reals) -> Reals:
        """P(X < x)."""
        return self.upto(x)


class LogUniform(Line, frozen=True):
    """The distribution of e^{−scale·U}, U uniform: mass at every order of magnitude to e^{−scale}, which no fixed grid fits."""

    scale: Annotated[float, Field(gt=0, le=600)] = 20.0

    def draw(self, size: int, rng: np.random.Generator) -> Reals:
        return np.exp(-self.scale * rng.random(size))

    def upto(self, x: Reals) -> Reals:
        return np.clip(1 + np.log(np.maximum(x, 1e-300)) / self.scale, 0, 1)


class HeavyAtoms(Line, frozen=True):
    """A distribution on [0, 1] with few atoms of equal mass, at first, first + 1/count, …; the rest of the mass is uniform.

    total: the mass of all atoms.

    Distinct public points count an atom once, whatever its mass: uniform weights on the cells miss it.
    """

    count: Annotated[int, Field(ge=1, le=1000)] = 1
    total: Annotated[float, Field(gt=0, le=1)] = 0.5
    first: Annotated[float, Field(gt=0, lt=1)] = 0.5

    @model_validator(mode="after")
    def _within(self) -> "HeavyAtoms":
        if self.first + (self.count - 1) / self.count >= 1:
            raise ValueError(f"the last atom would be at {self.first + (self.count - 1) / self.count:g}; allowed: below 1")
        return self

    @property
    def atoms(self) -> Reals:
        """Where they are, (count,)."""
        return self.first + np.arange(self.count) / self.count

    def draw(self, size: int, rng: np.random.Generator) -> Reals:
        heavy = rng.random(size) < self.total
        return np.where(heavy, self.atoms[rng.integers(self.count, size=size)], rng.random(size))

    def upto(self, x: Reals) -> Reals:
        return self._mass(x, np.searchsorted(self.atoms, x, side="right"))

    def below(self, x: Reals) -> Reals:
        return self._mass(x, np.searchsorted(self.atoms, x, side="left"))

    def _mass(self, x: Reals, atoms: Ints) -> Reals:
        return np.asarray(self.total * atoms / self.count + (1 - self.total) * np.clip(x, 0, 1))


LINES: dict[str, type[Line]] = {"uniform": Line, "log_uniform": LogUniform, "atoms": HeavyAtoms}


@dataclass(frozen=True)
class Cuts:
    """The distinct public points on the line, ascending, which cut it into cells (−∞, w₁], (w₁, w₂], …, (w_m̂, ∞).

    points: (m̂,). times: (m̂,), how often each was drawn. below, upto: (m̂,), P(X < w) and P(X ≤ w).
    """

    points: Reals
    times: Ints
    below: Reals
    upto: Reals

    @classmethod
    def of(cls, marginal: Line, points: Points) -> "Cuts":
        """The cuts at points as they were drawn."""
        distinct, times = np.unique(points, return_counts=True)
        return cls(distinct, times, marginal.below(distinct), marginal.upto(distinct))

    @property
    def masses(self) -> Reals:
        """The masses of the cells, (m̂ + 1,)."""
        edges = np.concatenate([[0.0], self.upto, [1.0]])
        masses = np.maximum(np.diff(edges), 0.0)
        return np.asarray(masses / masses.sum())

    @property
    def gaps(self) -> Reals:
        """The masses of the open intervals between public points, and beyond them: (m̂ + 1,)."""
        return np.asarray(np.maximum(np.append(self.below, 1.0) - np.append(0.0, self.upto), 0.0))

    @property
    def public(self) -> Reals:
        """The shares of the public points in the cells, (m̂ + 1,)."""
        return np.asarray(np.append(self.times, 0) / self.times.sum())

    def locate(self, points: Points) -> Reals:
        """The shares of points in the cells."""
        cells = np.searchsorted(self.points, points, side="left")
        return np.bincount(cells, minlength=len(self.points) + 1) / max(1, len(points))


def places(size: int) -> Reals:
    """The inner edges of `size` cells of [0, 1] of equal length, (size − 1,)."""
    return np.arange(1, size) / size


def largest(values: Reals, count: int) -> float:
    """The sum of the `count` largest of some values."""
    return float(np.sort(values)[::-1][:count].sum())


def missed_by_spacing(m: int, alpha: float, parts: int) -> float:
    """An upper bound on P(the `parts` largest gaps between m i.i.d. points, end gaps included, have total mass above alpha).

    One is then more than at/parts. Of m uniform points one given gap is with chance (1 − x)^m above x, so any of the m + 1 is
    with at most (m + 1)(1 − x)^m; atoms only shrink gaps, as X is a monotone function of a uniform U.
    """
    return float(np.exp(min(0.0, log(m + 1) + m * np.log1p(-min(alpha / parts, 1 - 1e-12)))))


def deviation_of_sums(m: int, alpha: float, parts: int) -> float:
    """An upper bound on P(a signed sum of `parts` values of m points' empirical CDF errs by over α/2) (DKW, Massart 1990)."""
    return float(2 * np.exp(-m * (alpha / parts) ** 2 / 2))
