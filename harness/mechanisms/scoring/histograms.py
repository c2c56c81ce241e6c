"""γ-partitions of [0, 1], the half-shifted ones, and the histograms of k predictions on both (BTT18a Definitions 5.1 to 5.3).

Both partitions are made of half-bins: [i·γ/2, (i+1)·γ/2), the last one closed. Bin j of the γ-partition is half-bins 2j and
2j + 1; bin j of the shifted one is 2j + 1 and 2j + 2, and the outermost half-bins are in none.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from harness.arrays import Ints, Reals

MOST_BINS = 1 << 20
"""Half-bins over all types of queries: so many are counted in a trial."""

BEYOND = 2.0
"""An edge that no score reaches, where a type has fewer bins than another."""


def half_edges(bins: Ints) -> Reals:
    """The inner edges of the half-bins, (q, 2·max bins − 1), from the number of bins of each type, (q,)."""
    numbers = np.arange(1, 2 * int(bins.max()))
    edges = numbers / (2.0 * bins[:, np.newaxis])
    return np.where(numbers < 2 * bins[:, np.newaxis], edges, BEYOND)


@dataclass(frozen=True)
class Tested:
    """Statistics of histograms of predictions, one histogram a type: the two largest counts and the fullest bin's midpoint.

    top, second: the two largest counts, (…, q); second is 0 where there is one bin. midpoint: of the bin with the largest
    count, (…, q); a tie goes to the smaller bin.
    """

    top: Ints
    second: Ints
    midpoint: Reals

    @cached_property
    def distance(self) -> Ints:
        """The distance to instability of each histogram: max(0, top − second − 1), (…, q)."""
        distance: Ints = np.maximum(self.top - self.second - 1, 0)
        return distance


@dataclass(frozen=True)
class Histograms:
    """The predictions of each type, counted in half-bins.

    halves: (…, q, 2·max bins), how many predictions of each type are in each half-bin. bins: 1/γ, (q,).
    """

    halves: Ints
    bins: Ints

    @cached_property
    def plain(self) -> Tested:
        """The histogram on the γ-partition."""
        return self._tested(self.halves.reshape(*self.halves.shape[:-1], -1, 2).sum(axis=-1), first=1)

    @cached_property
    def shifted(self) -> Tested:
        """The histogram on the half-shifted partition, without its outer halves."""
        inner = self.halves[..., 1:-1].reshape(*self.halves.shape[:-1], -1, 2).sum(axis=-1)
        # Where a type has fewer bins than another its last half-bin is no half of a bin.
        inner[..., np.arange(inner.shape[-1]) >= self.bins[:, np.newaxis] - 1] = 0
        return self._tested(inner, first=2)

    def _tested(self, counts: Ints, first: int) -> Tested:
        """first: the midpoint of the first bin, in half-bins."""
        winner = counts.argmax(axis=-1)
        none = np.zeros((*counts.shape[:-1], 1), np.int64)
        two = np.partition(np.concatenate([none, counts], axis=-1), -2, axis=-1)[..., -2:]
        return Tested(two[..., 1], two[..., 0], (first + 2 * winner) / (2.0 * self.bins))
