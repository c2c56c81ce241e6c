"""What an attack looks at, beside the same sums over rows that are numbers of their own."""

from collections.abc import Callable

import numpy as np

from harness.arrays import Reals
from harness.covers.cube_biases import Biased

AtMost = Callable[[float, Callable[[], object], Callable[[], object], int], None]


def rows() -> np.random.Generator:
    return np.random.default_rng(3)


def test_rows_that_stay_bits_take_less_than_numbers(takes_at_most: AtMost) -> None:
    """270 rows of p = 12,288: as numbers they are new memory of eight bytes each; the sums are the same to the bit."""
    marginal, weights = Biased.drawn(12288, 0.8, np.random.default_rng(1)), np.random.default_rng(2).normal(size=12288)

    def as_bits() -> tuple[Reals, Reals]:
        blocks = list(marginal.blocks(270, rows))
        return marginal.total(blocks), marginal.scores(weights, blocks)

    def as_numbers() -> tuple[Reals, Reals]:
        blocks = [block.astype(np.float64) for block in marginal.blocks(270, rows)]
        centre = float(weights @ (1 + marginal.biases))
        total = np.zeros(12288)
        for block in blocks:
            total += np.ones(len(block)) @ block
        return total, np.concatenate([2 * (block @ weights) - centre for block in blocks])

    for ours, theirs in zip(as_bits(), as_numbers(), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    takes_at_most(0.7, as_bits, as_numbers, 20)
