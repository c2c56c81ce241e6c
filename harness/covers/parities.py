"""Parities on {0, 1}^d: h_S(x) = 1 where an odd number of the bits in S are 1. There are 2^d, of cells too, in no order.

Averages of all are one Walsh–Hadamard transform of what is on the cells, at a cost of 2^d·2^(d/2).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import exp, log
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field, model_validator

from harness.arrays import Bools, Ints, Reals, shared
from harness.covers import ALL, Cover, Marginal, Points, QueryClass, Size, raised
from harness.covers.affine_halfspaces import FiniteCover, finite_cover

MOST_BITS = 17
MOST_WRITTEN_OUT = 12
"""The most bits of which all parities are written out on public points."""


class Planted(Marginal, frozen=True):
    """A distribution on {0, 1}^d whose last `count` parities, as ±1, have mean `bias`; all others but the constant mean 0."""

    count: Annotated[int, Field(ge=0, le=100)] = 1
    bias: Annotated[float, Field(ge=-1, le=1)] = 0.5

    @model_validator(mode="after")
    def _is_one(self) -> "Planted":
        if self.count * abs(self.bias) > 1:
            raise ValueError(f"{self.count} parities of mean {self.bias:g} may have masses below 0; allowed: count·|bias| ≤ 1")
        return self

    def masses(self, d: int) -> Reals:
        """The masses of the cells, (2^d,)."""
        means = np.zeros(2**d)
        means[len(means) - min(self.count, len(means) - 1) :] = self.bias
        means[0] = 1
        return np.asarray(np.maximum(transformed(means) / 2**d, 0.0))


class Bits(Marginal, frozen=True):
    """A distribution of independent bits of mean `bias` as ±1: the parity of S has mean bias^|S|, up to a sign."""

    bias: Annotated[float, Field(ge=-1, le=1)] = 0.5

    def masses(self, d: int) -> Reals:
        """The masses of the cells, (2^d,)."""
        ones = np.bitwise_count(np.arange(2**d))
        return np.asarray(((1 + self.bias) / 2) ** ones * ((1 - self.bias) / 2) ** (d - ones))


class Spike(Marginal, frozen=True):
    """A distribution on {0, 1}^d with mass `heavy` more on the last cell, else uniform: all parities have mean ±heavy."""

    heavy: Annotated[float, Field(ge=0, le=1)] = 0.3

    def masses(self, d: int) -> Reals:
        """The masses of the cells, (2^d,)."""
        masses = np.full(2**d, (1 - self.heavy) / 2**d)
        masses[-1] += self.heavy
        return masses


@cache
def signs(d: int) -> Reals:
    """The matrix of (−1)^|S ∩ x| for all S and x, (2^d, 2^d); for few bits."""
    table = np.ones((1, 1))
    for _ in range(d):
        table = np.block([[table, table], [table, -table]])
    return shared(table)


def transformed(values: Reals) -> Reals:
    """The Walsh–Hadamard transform of values, Σ_x (−1)^|S ∩ x| values(x) for every S, (…, 2^d).

    By the lower and the upper half of the bits.
    """
    d = (values.shape[-1] - 1).bit_length()
    low = d // 2
    square = values.reshape(*values.shape[:-1], 2 ** (d - low), 2**low)
    return np.asarray((signs(d - low) @ square @ signs(low)).reshape(values.shape))


@dataclass(frozen=True, eq=False)
class ParityCover(Cover):
    """The cover of all parities on all of {0, 1}^d. Weights are one number a cell, (2^d,)."""

    def answers(self, weights: Reals, part: slice = ALL) -> Reals:
        total = weights.sum(axis=-1, keepdims=True)
        return np.asarray((total - transformed(weights)[..., part]) / 2)

    def table(self) -> Bools:
        places = np.arange(self.queries)
        return np.asarray(np.bitwise_count(places[:, np.newaxis] & places) % 2 == 1)

    def uniform(self) -> Reals:
        return np.full(self.queries, 1 / self.queries)

    def tilted(self, weights: Reals, query: int, by: float) -> Reals:
        odd = np.bitwise_count(np.arange(self.queries) & query) % 2 == 1
        moved = np.where(odd, weights * exp(by), weights)
        return np.asarray(moved / moved.sum())

    def tilted_each(self, weights: Reals, queries: Ints, by: Reals) -> Reals:
        return raised(weights, np.bitwise_count(np.arange(self.queries) & queries[:, np.newaxis]) % 2 == 1, by)

    def private(self, n: int, rng: np.random.Generator, trials: int | None = None) -> Reals:
        return np.asarray(rng.multinomial(n, self.masses, trials) / n)


class Parities(QueryClass, frozen=True):
    """The class of parities of d bits as queries: linear maps to 𝔽₂, of VC dimension d and of dual VC dimension d."""

    name: ClassVar[str] = "parities"
    inequality: ClassVar[str] = "Hoeffding"
    distributions: ClassVar[Mapping[str, type[Marginal]]] = {"planted": Planted, "bits": Bits, "spike": Spike}
    d: Annotated[int, Field(ge=2, le=MOST_BITS)] = 10

    @property
    def vc(self) -> int:
        return self.d

    @property
    def dual_vc(self) -> int:
        return self.d

    @classmethod
    def of_vc(cls, V: int) -> "Parities":
        return cls(d=min(max(2, V), MOST_BITS))

    @classmethod
    def of_dual(cls, p: int) -> "Parities":
        return cls.of_vc(p)

    def draw(self, marginal: Planted | Bits | Spike, size: int, rng: np.random.Generator) -> Ints:
        return np.asarray(rng.choice(2**self.d, size, p=self._masses(marginal)), np.int64)

    def cover(self, marginal: Planted | Bits | Spike, points: Points) -> FiniteCover:
        return finite_cover(self.grid(marginal, 1).table(), self._masses(marginal), points)

    def grid(self, marginal: Planted | Bits | Spike, size: int) -> ParityCover:
        """The whole domain, which is finite as it is."""
        masses, count = self._masses(marginal), 2**self.d
        expected = (1 - transformed(masses)) / 2

        def locate(drawn: Points) -> Reals:
            return np.bincount(drawn, minlength=count) / max(1, len(drawn))

        return ParityCover(
            masses=masses,
            public=np.full(count, 1 / count),
            low=expected,
            high=expected,
            radius=0.0,
            distinct=0,
            log_cells=self.d * log(2),
            locate=locate,
        )

    def _masses(self, marginal: Planted | Bits | Spike) -> Reals:
        masses = marginal.masses(self.d)
        return np.asarray(masses / masses.sum())

    def most_bits(self, m: int) -> float:
        """On public points all parities are written out."""
        return float("inf") if m and self.d > MOST_WRITTEN_OUT else m

    def sizes(self, m: int) -> Size:
        return Size(2.0 ** min(m, self.d), self.d * log(2))

    def grid_sizes(self, size: int) -> Size:
        return Size(2.0**self.d, self.d * log(2))

    def missed(self, m: int, alpha: float) -> float:
        """Two of the parities that differ with chance above `at` agree on all m points with chance at most (1 − at)^m."""
        return float(min(1.0, 2.0 ** (2 * self.d - 1) * np.exp(m * np.log1p(-min(alpha, 1 - 1e-12)))))

    def deviation(self, m: int, alpha: float) -> float:
        """Hoeffding, for each of the 2^d means."""
        return min(1.0, 2.0 ** (self.d + 1) * exp(-m * alpha**2 / 2))


QUERIES = Parities
