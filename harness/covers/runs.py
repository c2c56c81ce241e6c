"""Covers whose queries are runs of ordered cells: thresholds, intervals, stumps on ℝ^d, halfspaces in the plane.

The cells stand in one array, in segments, one for each direction that points are ordered along. A query looks at one segment,
and holds on few runs of its cells, so that averages are differences of cumulative sums. Weights are one distribution a segment:
over several segments X̃ is their product, which is never written down.
"""

from dataclasses import dataclass, field
from functools import cached_property
from math import exp

import numpy as np

from harness.arrays import Bools, Ints, Reals
from harness.covers import ALL, Cover, raised

TOGETHER = 2**15
"""Answers of several trials that are added up together: they stay in the cache."""


@dataclass(frozen=True, eq=False)
class RunsCover(Cover):
    """A cover of ordered cells whose queries are 1 on intervals of consecutive cells: cumulative sums give their averages.

    starts, stops: (|H̃|, runs), the cells from start up to but without stop. ends: (segments + 1,), where segments begin.
    """

    starts: Ints
    stops: Ints
    ends: Ints = field(default_factory=lambda: np.zeros(1, np.int64))

    @cached_property
    def segments(self) -> list[slice]:
        """The slices of the array of cells that are segments."""
        return [slice(int(start), int(stop)) for start, stop in zip(self.ends[:-1], self.ends[1:], strict=True)]

    def sums(self, weights: Reals) -> Reals:
        """The cumulative sums of weights within segments, (…, cells + segments): of each segment from 0 to 1."""
        sums = np.zeros((*weights.shape[:-1], weights.shape[-1] + len(self.segments)))
        for position, segment in enumerate(self.segments):
            inner = slice(segment.start + position + 1, segment.stop + position + 1)
            np.cumsum(weights[..., segment], axis=-1, out=sums[..., inner])
        return sums

    def of_sums(self, sums: Reals, part: slice = ALL) -> Reals:
        """The averages of queries from cumulative sums of weights: (…, |H̃|)."""
        answers = np.zeros((*sums.shape[:-1], len(range(self.queries)[part])))
        by_trial, of_trial = np.atleast_2d(answers), np.atleast_2d(sums)  # both are the arrays themselves
        size = max(1, TOGETHER // max(1, answers.shape[-1]))
        for start in range(0, len(of_trial), size):
            totals, few = by_trial[start : start + size], of_trial[start : start + size]
            for begin, end in self._runs:
                totals += few.take(end[part], axis=1)
                if begin is not None:
                    totals -= few.take(begin[part], axis=1)
        return answers

    def answers(self, weights: Reals, part: slice = ALL) -> Reals:
        return self.of_sums(self.sums(weights), part)

    def table(self) -> Bools:
        cells = np.indices(tuple(np.diff(self.ends))).reshape(len(self.segments), -1)
        within = (cells + self.ends[:-1, np.newaxis])[self._segment]
        table = np.zeros(within.shape, np.bool_)
        for start, stop in zip(self.starts.T, self.stops.T, strict=True):
            table |= (start[:, np.newaxis] <= within) & (within < stop[:, np.newaxis])
        return table

    def uniform(self) -> Reals:
        counts = np.diff(self.ends)
        return np.repeat(1 / counts, counts)

    def tilted(self, weights: Reals, query: int, by: float) -> Reals:
        moved, factor = weights.copy(), exp(by)
        for start, stop in zip(self.starts[query].tolist(), self.stops[query].tolist(), strict=True):
            moved[start:stop] *= factor
        segment = self.segments[self._segment[query]]
        moved[segment] /= moved[segment].sum()
        return moved

    def tilted_each(self, weights: Reals, queries: Ints, by: Reals) -> Reals:
        if len(self.segments) > 1:
            return super().tilted_each(weights, queries, by)
        cell = np.arange(weights.shape[1])
        starts, stops = (edges[queries, :, np.newaxis] for edges in (self.starts, self.stops))
        return raised(weights, np.asarray(((starts <= cell) & (cell < stops)).any(axis=1)), by)

    def private(self, n: int, rng: np.random.Generator, trials: int | None = None) -> Reals:
        return np.concatenate([rng.multinomial(n, self.masses[segment], trials) / n for segment in self.segments], axis=-1)

    @cached_property
    def _segment(self) -> Ints:
        """The segment that each query looks at."""
        return np.asarray(np.searchsorted(self.ends, self.starts[:, 0], side="right") - 1, np.int64).clip(0, len(self.ends) - 2)

    @cached_property
    def _runs(self) -> list[tuple[Ints | None, Ints]]:
        """For each run, where in the cumulative sums it begins and ends; None where all begin where the sums are 0."""
        shift, runs = self._segment, []
        for start, stop in zip(self.starts.T, self.stops.T, strict=True):
            first = np.array_equal(start, self.ends[shift])
            if not (first and np.array_equal(start, stop)):
                runs.append((None if first else start + shift, stop + shift))
        return runs
