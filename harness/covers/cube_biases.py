"""Rows of the cube with biases of their own: the distribution of a tracing attack (BCMNUW20 Theorem 14).

Each coordinate's chance is a multiple of 2⁻¹⁶, drawn uniformly; the rows are drawn by comparing 16 random bits with it, which
is exact. Rows come in blocks, and the same rows come again from the same stream, so that they do not have to be kept.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from harness.arrays import Bools, Ints, Reals
from harness.covers.cube_stumps import Cube, biased, of_trials

STEPS = 2**16
BLOCK = 2**17
"""Numbers drawn at a time: few enough to stay in the cache."""

MOST_IN_A_BYTE = 2**8 - 1
"""So many rows are counted without a wider number, which takes ten times as long."""


class Biased(Cube, frozen=True, arbitrary_types_allowed=True):
    """A distribution on {0, 1}^p of independent bits that are 1 with chance chances/2¹⁶. chances: (p,), from 1 to 2¹⁶ − 1."""

    chances: NDArray[np.uint16]

    @classmethod
    def drawn(cls, p: int, largest: float, rng: np.random.Generator) -> "Biased":
        """Draws a distribution with biases, of ±1, uniform on [−largest, largest]; largest is in (0, 1]."""
        reach = min(STEPS // 2 - 1, round(largest * STEPS / 2))
        return cls(chances=rng.integers(STEPS // 2 - reach, STEPS // 2 + reach, p, np.uint16, endpoint=True))

    @cached_property
    def biases(self) -> Reals:
        """μ, of ±1, (p,)."""
        return np.asarray(2.0 * self.chances / STEPS - 1)

    def means(self, p: int) -> Reals:
        return np.asarray(self.chances / STEPS)

    def differ(self, first: Ints, second: Ints) -> Reals:
        return np.where(first == second, 0.0, (1 - self.biases[first] * self.biases[second]) / 2)

    def counts(self, coordinates: Ints, n: int, p: int, rng: np.random.Generator, trials: int | None = None) -> Reals:
        return np.asarray(rng.binomial(n, self.means(p)[coordinates], of_trials(trials, len(coordinates))), np.float64)

    def bits(self, size: int, p: int, rng: np.random.Generator) -> Bools:
        return biased(size, p, self.means(p), rng)

    def blocks(self, rows: int, stream: Callable[[], np.random.Generator]) -> Iterator[Bools]:
        """The first `rows` rows, in order, (rows of the block, p). stream: gives the same generator whenever it is asked."""
        p, source = len(self.chances), stream().bit_generator
        size = max(1, BLOCK // p)
        for start in range(0, rows, size):
            count = min(size, rows - start)
            words = np.asarray(source.random_raw(-(-count * p // 4)), "<u8")
            yield words.view("<u2")[: count * p].reshape(count, p) < self.chances

    def total(self, blocks: Iterable[Bools]) -> Reals:
        """How many of the rows are 1 at each coordinate, (p,)."""
        total = np.zeros(len(self.chances))
        for block in blocks:
            for start in range(0, len(block), MOST_IN_A_BYTE):
                total += np.add.reduce(block[start : start + MOST_IN_A_BYTE].view(np.uint8), axis=0, dtype=np.uint8)
        return total

    def scores(self, weights: Reals, blocks: Iterable[Bools]) -> Reals:
        """The tracing scores ⟨weights, y − μ⟩ of the rows y, as ±1, (rows,)."""
        centre = float(weights @ (1 + self.biases))
        scores = [2 * (block @ weights) - centre for block in in_turn(blocks)]
        return np.concatenate(scores) if scores else np.empty(0)


def in_turn(blocks: Iterable[Bools]) -> Iterator[Reals]:
    """Yields blocks of booleans as numbers 0 and 1; each overwrites the one before, as new memory would take most time."""
    memory = np.empty((0, 0))
    for block in blocks:
        if len(memory) < len(block):
            memory = np.empty(block.shape)
        numbers = memory[: len(block)]
        numbers[...] = block
        yield numbers
