"""Samplers of labelled intervals on uniform examples."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import exp

import numpy as np

from harness.arrays import Indices, Ints, Labels, Reals, indices_of, shared
from harness.ballots import Ballot, Queries, by_label
from harness.concepts import CALM, Calm, Hypothesis, Trainable, least_risk, trials_of
from harness.concepts.intervals.cells import BesideBoundaries
from harness.concepts.partitions import least_risk_gaps
from harness.concepts.thresholds.samplers import LEARNERS
from harness.covers.labelled import Labelled, Pieces

MOST_CELLS = 1 << 12  # numbers by which the chunks of a trial are counted, where that is quicker than to draw each chunk
BLOCK = 1 << 16  # numbers held at once, for boundaries of chunks and for drawn examples


@dataclass(frozen=True)
class IntervalSampler(Trainable):
    """The sampler of uniform examples of [0, 1], cut into `labels` intervals of one width. gamma: how often a label is flipped.

    A query is kept as (r, x − t_r) for the boundary r next to it, with full relative precision near 0: at n = 10¹⁵ the learned
    boundaries lie within 10⁻¹⁰ of the target's, where the spacing of doubles near t_r would show.
    """

    labels: int
    learner: str
    gamma: float

    @property
    def ties(self) -> int:
        """The side to which the learner breaks ties, −1 or +1."""
        return 1 if self.learner == "rightmost" else -1

    @cached_property
    def cuts(self) -> Reals:
        """t_0 = 0, t_1, …, t_{L−1}, t_L = 1."""
        return shared(np.arange(self.labels + 1) / self.labels)

    @cached_property
    def widths(self) -> Reals:
        """[0, 1] in pieces, below and above each boundary: halves of intervals, but the first and the last are whole."""
        width = np.full(2 * (self.labels - 1), 0.5)
        width[0] += 0.5
        width[-1] += 0.5
        return shared(width / self.labels)

    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        width = self.widths
        piece = rng.choice(len(width), size=m, p=width)
        distance = width[piece] * (rng.random(m) + rng.random(m) * 2.0**-53)  # the first has 53 bits
        queries = beside(piece, distance)
        return replace(queries, truth=self._flipped(queries.truth, rng), best=queries.truth) if self.gamma > 0 else queries

    def _flipped(self, labels: Labels, rng: np.random.Generator) -> Labels:
        """Each label with probability gamma one of the others, uniformly."""
        other = labels + rng.integers(1, self.labels, labels.shape, dtype=np.int8)
        flipped: Labels = np.where(rng.random(labels.shape) < self.gamma, other % self.labels, labels).astype(np.int8)
        return flipped

    def features(self, points: Reals) -> Reals:
        return (self.cuts[points[:, 0].astype(np.intp)] + points[:, 1])[:, np.newaxis]

    def learn(self, queries: Queries, labels: Labels) -> Hypothesis:
        order = np.lexsort(queries.points.T[::-1])
        boundary, offset = np.pad(queries.points[order].T, ((0, 0), (1, 1)))  # 0 before all points is t_0
        boundary[-1] = self.labels  # and after them there is t_L
        gap = least_risk_gaps(labels[order][np.newaxis], self.labels, self.ties, queries.sizes[order])[0]
        # From each target boundary: where an end of a gap is beside that one, this adds an exact 0.
        ends = (offset[end] + (self.cuts[boundary[end].astype(np.intp)] - self.cuts[1:-1]) for end in (gap, gap + 1))
        learned = LEARNERS[self.learner](*ends)

        def predict(points: Reals) -> Labels:
            from_0 = self.cuts[points[:, 0].astype(np.intp)]
            at_least = (points[:, 1] + (from_0 - cut) >= t for cut, t in zip(self.cuts[1:-1], learned, strict=True))
            labels: Labels = np.sum(list(at_least), axis=0, dtype=np.int8)
            return labels

        # Where it differs from the target it is right when the label was flipped to just that one.
        return Hypothesis(predict, self.gamma + self._erring_mass(learned) * (1 - self.gamma - self.gamma / (self.labels - 1)))

    def _erring_mass(self, learned: Reals) -> float:
        """The mass that lies between t̂_r and t_r for any r, each counted once where these overlap; learned: t̂_r − t_r."""
        mass, end = 0.0, -1.0
        for t, offset in zip(self.cuts[1:-1], learned, strict=True):
            end -= 1 / self.labels  # of what lay between for those before, now from t_r
            low, high = sorted((0.0, min(max(float(offset), -t), 1 - t)))
            mass += max(0.0, high - max(low, end))
            end = max(end, high)
        return mass

    def _between(self, x: Reals, labels: Labels) -> Reals:
        """The boundaries that the learner puts in the gaps of least risk, (chunks, L − 1). x: (chunks, s), in rising order."""
        gaps = least_risk_gaps(labels, self.labels, self.ties)
        ends = np.pad(x, ((0, 0), (1, 1)), constant_values=(0, 1))
        chunk = np.arange(len(x))[:, np.newaxis]
        return LEARNERS[self.learner](ends[chunk, gaps], ends[chunk, gaps + 1])

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        if self.gamma > 0:
            return self.full(queries, k, s, rng)
        return self._votes(queries, k, self._by_extremes(k, s, rng))

    def full(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        return self._votes(queries, k, self._by_examples(k, s, rng))

    def _by_extremes(self, k: int, s: int, rng: np.random.Generator) -> Iterator[Reals]:
        """Blocks of chunks: what is learned as offsets t̂_r − t_r, (chunks, L − 1), through the extremes in each interval."""
        width = 1 / self.labels
        rows = max(1, BLOCK // self.labels)
        for start in range(0, k, rows):
            shape = (min(rows, k - start), self.labels)
            inside = rng.multinomial(s, np.full(self.labels, width), size=shape[0])
            # Of N uniform points the least is at 1 − U^{1/N}, and the others are uniform beyond it.
            with np.errstate(divide="ignore", invalid="ignore"):
                first = -width * np.expm1(-rng.standard_exponential(shape) / inside)
                last = -(width - first) * np.expm1(-rng.standard_exponential(shape) / np.maximum(inside - 1, 0))
            # From each boundary to the next example below and above, through empty intervals or to the ends of [0, 1].
            below, above = np.empty((2, shape[0], self.labels - 1))
            reach = np.zeros(shape[0])
            for r in range(self.labels - 1):
                reach = below[:, r] = np.where(inside[:, r] > 0, -last[:, r], reach - width)
            reach = np.zeros(shape[0])
            for r in reversed(range(self.labels - 1)):
                reach = above[:, r] = np.where(inside[:, r + 1] > 0, first[:, r + 1], reach + width)
            yield LEARNERS[self.learner](below, above)

    def _by_examples(self, k: int, s: int, rng: np.random.Generator) -> Iterator[Reals]:
        """Such offsets from all examples: blocks of whole chunks or, where s is large and labels are right, of parts of one."""
        if self.gamma > 0:
            for start in range(0, k, max(1, BLOCK // s)):
                x = np.sort(rng.random((min(max(1, BLOCK // s), k - start), s)))
                right = np.searchsorted(self.cuts[1:-1], x, side="right").astype(np.int8)
                yield self._between(x, self._flipped(right, rng)) - self.cuts[1:-1]
            return
        rows, columns = max(1, BLOCK // s), min(s, BLOCK)
        cuts = self.cuts[1:-1]
        for start in range(0, k, rows):
            chunks = min(rows, k - start)
            below, above = np.zeros((chunks, len(cuts))), np.ones((chunks, len(cuts)))
            for seen in range(0, s, columns):
                x = rng.random((chunks, min(columns, s - seen)))
                for r, cut in enumerate(cuts):
                    below[:, r] = np.maximum(below[:, r], np.where(x < cut, x, 0).max(axis=1))
                    above[:, r] = np.minimum(above[:, r], np.where(x < cut, 1, x).min(axis=1))
            yield LEARNERS[self.learner](below, above) - cuts

    def _votes(self, queries: Queries, k: int, blocks: Iterator[Reals]) -> Ballot:
        """The votes of learned boundaries, given as blocks of offsets t̂_r − t_r.

        Going through the queries in order of x, learned boundary r has so many on its left, and the target's so many; what lies
        between is wrong. A chunk's mistakes are all that lies between for any r, each counted once where these overlap.
        """
        boundary, offset = queries.points[:, 0].astype(np.intp), queries.points[:, 1]
        order, m, cuts = np.lexsort([offset, boundary]), len(offset), self.cuts
        boundary, offset = boundary[order], offset[order]
        # The offsets from every boundary; from the query's own this adds an exact 0.
        relative = [offset + (cuts[boundary] - cuts[r]) for r in range(1, self.labels)]
        target = [int(np.count_nonzero((boundary < r) | ((boundary == r) & (offset < 0)))) for r in range(1, self.labels)]
        starting = np.zeros((self.labels - 1, m + 1), dtype=np.int64)  # of learned boundaries, by the queries on their left
        passed = np.append(0, np.cumsum(queries.sizes[order]))  # queries, by how many types there are on their left
        most = 0
        for learned in blocks:
            mistakes = end = np.zeros(len(learned), dtype=np.int64)
            for r in range(self.labels - 1):
                left = np.searchsorted(relative[r], learned[:, r], side="left")
                np.add.at(starting[r], left, 1)
                first, last = np.minimum(left, target[r]), np.maximum(left, target[r])
                mistakes = mistakes + np.maximum(passed[last] - passed[np.maximum(first, end)], 0)
                end = np.maximum(end, last)
            most = max(most, int(mistakes.max()))
        at_least = np.zeros((self.labels + 1, m), dtype=np.int64)  # votes for label r or more
        at_least[0] = k
        at_least[1:-1, order] = np.cumsum(starting, axis=1)[:, :-1]
        # Where queries' labels are noisy, mistakes on these are not counted.
        counts = at_least[:-1] - at_least[1:]
        most_mistakes = None if self.gamma > 0 else most
        return Ballot(counts, k, queries.truth, queries.size, most_mistakes, queries.tv_budget, queries.exposure)

    def labelled(self) -> Labelled:
        return Pieces(self.labels, self.gamma)


@dataclass(frozen=True)
class ConsistentSampler(IntervalSampler):
    """The sampler of labelled intervals without label noise, where only points near a boundary matter."""

    def singles(self, m: int, k: int, s: int) -> float:
        return self._within(m, least_risk.reach(k, s))

    def _within(self, m: int, radius: float) -> float:
        """About how many of m queries lie within a radius of any boundary; all, if that is no gain."""
        return m if radius > self.widths.min() / 4 else len(self.widths) * radius * m

    def at_once(self, m: int, k: int, s: int) -> int:
        return trials_of(self._cells(m, k, s)) if self._by_cells(m, k, s) else 1

    def block(self, m: int, k: int, s: int, trials: int, rng: np.random.Generator) -> Queries:
        """Queries so near a boundary that a learned one may be beyond them, and how many others there are beside each."""
        return self._by_type(m, least_risk.reach(k, s), rng, trials)

    def _cells(self, m: int, k: int, s: int) -> float:
        """About how many numbers it takes to count the chunks of a trial by the gaps of `cells`."""
        beside = self.labels - 1
        return (1 + m * least_risk.reach(k, s)) ** beside * 2.0**beside

    def _by_cells(self, m: int, k: int, s: int) -> bool:
        """Whether that is quicker than to draw what each chunk learns; where a boundary is between two examples, it is not."""
        few = self.singles(m, k, s) < m and self._cells(m, k, s) <= min(MOST_CELLS, k)
        return self.learner != "midpoint" and few

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        m = int(queries.sizes.sum()) // queries.trials
        if queries.width is None or not self._by_cells(m, k, s):
            return super().sufficient(queries, k, s, rng)
        offset, reach = queries.points[:, 1], least_risk.reach(k, s)
        near = indices_of((offset > 0) & (offset < reach) if self.ties > 0 else (offset <= 0) & (offset > -reach))
        boundary, trial = queries.points[near, 0].astype(np.int64) - 1, np.zeros(len(near), dtype=np.int64)
        trial = trial if queries.trial is None else queries.trial[near]
        beside = BesideBoundaries(np.abs(offset[near]), queries.sizes[near], boundary, trial)
        wrong, most = beside.errors(k, s, (queries.trials, self.labels - 1), rng)
        counts = by_label(queries.truth, np.full(len(offset), k), self.labels)
        truth = queries.truth[near]
        counts[truth, near] -= wrong
        counts[truth - self.ties, near] += wrong
        more = most, queries.tv_budget, queries.exposure, queries.trial, queries.trials
        return Ballot(counts, k, queries.truth, queries.size, *more)

    def public(self, m: int, k: int, s: int, rng: np.random.Generator, calm: Calm = CALM, trials: int = 1) -> Queries:
        if trials == 1 and m <= least_risk.FEW_POINTS:
            return self.queries(m, rng)
        points = self._by_type(m, least_risk.calm(k, s, calm.dissent), rng, trials)
        if points.width is None:
            return points
        return replace(points, dissent=calm.dissent if k > 1 else 0.0).exposed(calm.exposed, rng)

    def points_at_once(self, m: int, k: int, s: int, calm: Calm = CALM) -> int:
        singles = self._within(m, least_risk.calm(k, s, calm.dissent))
        return 1 if singles >= m else trials_of(singles) if k == 1 else self.at_once(m, k, s)

    def _by_type(self, m: int, radius: float, rng: np.random.Generator, trials: int = 1) -> Queries:
        if self._within(m, radius) >= m:
            return self.queries(m, rng)
        width = self.widths
        count = np.ascontiguousarray(rng.multinomial(m, width, trials).T)  # (pieces, trials)
        levels, place = least_risk.nearest_in_rows(count, radius / width, rng.spawn(len(width)))
        piece, trial = place // trials, place % trials
        single, far = beside(piece, width[piece] * levels), _far(self, radius, trials)
        return Queries(
            np.concatenate([single.points, far.points]),
            np.concatenate([single.truth, far.truth]),
            size=np.concatenate([np.ones(len(place), np.int64), count.ravel() - np.bincount(place, minlength=count.size)]),
            width=np.concatenate([np.zeros(len(place)), far.widths]),
            tv_budget=len(width) * exp(-least_risk.BEYOND),
            trial=None if far.trial is None else np.concatenate([trial, far.trial]),
            trials=trials,
        )

    def placed(self, queries: Queries, labelled: Ints, rng: np.random.Generator) -> tuple[Queries, Labels]:
        type_, offsets, labels, numbers = least_risk.placed(queries.points[:, 1], queries.widths, queries.target, labelled, rng)
        points = np.column_stack([queries.points[type_, 0], offsets])
        return Queries(points, queries.truth[type_], size=numbers), labels

    def least_mistakes(self, n: int, rng: np.random.Generator) -> tuple[int, float]:
        return 0, 0.0  # the target makes none


def beside(piece: Indices, distance: Reals) -> Queries:
    """The queries at these distances from boundaries of intervals: piece 2i below boundary i + 1, piece 2i + 1 above it."""
    boundary, upper, points = piece // 2 + 1, piece % 2, np.empty((len(piece), 2))
    points[:, 0], points[:, 1] = boundary, np.where(upper, distance, -distance)
    return Queries(points, (boundary - 1 + upper).astype(np.int8))


@lru_cache(maxsize=8)
def _far(sampler: IntervalSampler, radius: float, trials: int) -> Queries:
    """The types of all queries beyond a radius, piece by piece, each of all trials: without their sizes, as all blocks have
    them."""
    width = sampler.widths
    ends = beside(np.arange(len(width)), np.full(len(width), radius))
    types = Queries.of_each(ends.points, ends.truth, np.zeros((len(width), trials), np.int64))
    return replace(types, width=np.copysign(width - radius, ends.points[:, 1]).repeat(trials))
