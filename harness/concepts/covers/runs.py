"""Covers whose queries are runs of ordered cells: thresholds, intervals, stumps on ℝ^d, halfspaces in the plane.

The cells stand in one array, in segments, one for each direction that points are ordered along. A query looks at one segment,
and holds on few runs of its cells, so that averages are differences of cumulative sums. Weights are one distribution a segment:
over several segments X̃ is their product, which is never written down.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from harness.arrays import Ints, Reals
from harness.concepts.covers import Cover


@dataclass(frozen=True, eq=False)
class RunsCover(Cover):
    """starts, stops: (|H̃|, runs), the cells from start up to but without stop. ends: (segments + 1,), where segments begin."""

    starts: Ints
    stops: Ints
    ends: Ints = field(default_factory=lambda: np.zeros(1, np.int64))

    @cached_property
    def segments(self) -> list[slice]:
        """Of the array of cells."""
        return [slice(int(start), int(stop)) for start, stop in zip(self.ends[:-1], self.ends[1:], strict=True)]

    def sums(self, weights: Reals) -> Reals:
        """The cumulative sums within segments, (cells + segments,): of each segment from 0 to 1."""
        return np.concatenate([np.concatenate([[0.0], np.cumsum(weights[segment])]) for segment in self.segments])

    def of_sums(self, sums: Reals) -> Reals:
        """Averages of cumulative sums: (|H̃|,)."""
        found: Reals = sums[self._stops[:, 0]] - sums[self._starts[:, 0]]
        for run in range(1, self.starts.shape[1]):
            found = found + (sums[self._stops[:, run]] - sums[self._starts[:, run]])
        return found

    def answers(self, weights: Reals) -> Reals:
        return self.of_sums(self.sums(weights))

    def uniform(self) -> Reals:
        counts = np.diff(self.ends)
        return np.repeat(1 / counts, counts)

    def tilted(self, weights: Reals, query: int, by: float) -> Reals:
        moved = weights.copy()
        for start, stop in zip(self.starts[query], self.stops[query], strict=True):
            moved[start:stop] *= np.exp(by)
        segment = self.segments[int(self._segment[query])]
        moved[segment] /= moved[segment].sum()
        return moved

    def private(self, n: int, rng: np.random.Generator) -> Reals:
        return np.concatenate([rng.multinomial(n, self.masses[segment]) / n for segment in self.segments])

    @cached_property
    def _segment(self) -> Ints:
        return np.asarray(np.searchsorted(self.ends, self.starts[:, 0], side="right") - 1, np.int64).clip(0, len(self.ends) - 2)

    @cached_property
    def _starts(self) -> Ints:
        """Places in the cumulative sums, of which there is one more a segment than there are cells."""
        return self.starts + self._segment[:, np.newaxis]

    @cached_property
    def _stops(self) -> Ints:
        return self.stops + self._segment[:, np.newaxis]
