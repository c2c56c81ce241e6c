"""Many runs of PMW on one cover, step by step together: each is what `pmw` makes of it alone, to the last bit.

An update looks at few queries, and its price alone is that of calling numpy. Here a step is an update, or a window without one,
of all runs that go on, each at its own query.
"""

from collections.abc import Sequence
from math import exp

import numpy as np

from harness.arrays import Bools, Ints, Reals
from harness.covers import Cover
from harness.covers.runs import RunsCover
from harness.mechanisms.noise import laplace
from harness.mechanisms.release.numeric_sparse import STOCK, PmwNoise, PmwPlan, StreamAnswers, pmw

WINDOWS = 128
"""Into so many the queries are divided, each at least NARROWEST wide."""

NARROWEST = 16

TOGETHER = 2**20
"""Tests of all runs that are looked at together."""


def pmw_of_all(
    cover: Cover, averages: Reals | Sequence[Reals], plan: PmwPlan, rngs: Sequence[np.random.Generator]
) -> list[StreamAnswers]:
    """Runs PMW on several averages of private points, (|H̃|,) each, on one cover at once, with noise from the stream of each.

    Several may have one stream.
    """
    if not isinstance(cover, RunsCover) or len(cover.segments) > 1 or len(rngs) == 1:
        noises = (PmwNoise.drawn(plan, cover.queries, rng) for rng in rngs)
        return [pmw(cover, own, plan, noise) for own, noise in zip(averages, noises, strict=True)]
    size = max(1, TOGETHER // cover.queries)
    starts = range(0, len(rngs), size)
    parts = (_Lockstep(cover, np.array(averages[at : at + size]), plan, rngs[at : at + size]) for at in starts)
    return [done for part in parts for done in part.answered()]


class _Stocks:
    """Lap(scale) for given runs, drawn many at a time from the stream of each."""

    def __init__(self, scale: float, rngs: Sequence[np.random.Generator]) -> None:
        self._scale, self._rngs = scale, rngs
        self._drawn, self._at = np.empty((len(rngs), STOCK)), np.full(len(rngs), STOCK)

    def __call__(self, runs: Ints) -> Reals:
        for run in runs[self._at[runs] == STOCK].tolist():
            self._drawn[run], self._at[run] = laplace(self._scale, STOCK, self._rngs[run]), 0
        drawn = self._drawn[runs, self._at[runs]]
        self._at[runs] += 1
        return np.asarray(drawn)


class _Lockstep:
    """averages: (runs, |H̃|). Of each run one number, or row, changes: the next query, releases, threshold, weights."""

    def __init__(self, cover: RunsCover, averages: Reals, plan: PmwPlan, rngs: Sequence[np.random.Generator]) -> None:
        self.cover, self.averages, self.plan = cover, averages, plan
        noises = [PmwNoise.drawn(plan, cover.queries, rng) for rng in rngs]
        self.tests = np.array([noise.tests for noise in noises])
        self.threshold = plan.threshold + np.array([noise.first for noise in noises])
        self.thresholds, self.values = _Stocks(plan.test, rngs), _Stocks(plan.value, rngs)
        self.weights = np.tile(cover.uniform(), (len(rngs), 1))
        self.sums = np.zeros((len(rngs), self.weights.shape[1] + 1))
        self._add_up(np.arange(len(rngs)))
        self.position, self.releases = np.zeros(len(rngs), np.int64), np.zeros(len(rngs), np.int64)
        self.answers, self.updated = np.empty(averages.shape), list[tuple[Ints, Ints]]()
        self.window = np.arange(max(NARROWEST, -(-cover.queries // WINDOWS)))

    def answered(self) -> list[StreamAnswers]:
        """All runs to their ends."""
        queries = self.cover.queries
        while len(going := np.flatnonzero((self.position < queries) & (self.releases < self.plan.c))):
            self._step(going)
        for run in np.flatnonzero(self.position < queries).tolist():
            rest = slice(int(self.position[run]), None)
            self.answers[run, rest] = self.cover.answers(self.weights[run], rest)
        none, halted = np.empty(0, np.int64), self.releases >= self.plan.c
        runs, updated = (np.concatenate([none, *(each[i] for each in self.updated)]) for i in (0, 1))
        return [StreamAnswers(answers, updated[runs == run], bool(halted[run])) for run, answers in enumerate(self.answers)]

    def _step(self, runs: Ints) -> None:
        """A window of each of these runs, up to its first update."""
        query = self.position[runs, np.newaxis] + self.window
        there = query < self.cover.queries
        query = np.minimum(query, self.cover.queries - 1, out=query)
        run = runs[:, np.newaxis]
        flat = run * self.cover.queries + query  # to take by one index takes half the time
        fitted = self._fitted(run, query)
        apart, threshold = self.averages.take(flat) - fitted, self.threshold[run]
        first = apart + self.tests.take(2 * flat) >= threshold
        above: Bools = (first | (self.tests.take(2 * flat + 1) - apart >= threshold)) & there
        place, row = above.argmax(axis=1), np.arange(len(runs))
        hit = above[row, place]
        seen = there & (self.window < np.where(hit, place, len(self.window))[:, np.newaxis])
        self.answers.reshape(-1)[flat[seen]] = fitted[seen]
        self.position[runs] = np.where(
            hit, query[row, place] + 1, np.minimum(self.position[runs] + len(self.window), self.cover.queries)
        )
        hits = row[hit], place[hit]
        if hit.any():
            self._update(runs[hit], query[hits], fitted[hits], first[hits])

    def _fitted(self, run: Ints, query: Ints) -> Reals:
        """What the weights of runs answer, in the order in which `RunsCover.of_sums` adds."""
        fitted, row = np.zeros(query.shape), run * self.sums.shape[1]
        for begin, end in self.cover._runs:
            fitted += self.sums.take(row + end.take(query))
            if begin is not None:
                fitted -= self.sums.take(row + begin.take(query))
        return fitted

    def _update(self, runs: Ints, query: Ints, fitted: Reals, first: Bools) -> None:
        """One query of each run is released, after its first test or its second, and moves the weights."""
        plan, true = self.plan, self.averages[runs, query]
        value = true + np.where(first, 1, -1) * self.values(runs)
        self.threshold[runs] = plan.threshold + self.thresholds(runs)
        self.releases[runs] += 1
        reverse = fitted - true + self.tests[runs, 2 * query + 1]
        again = runs[first & (self.releases[runs] < plan.c) & (reverse >= self.threshold[runs])]
        self.threshold[again] = plan.threshold + self.thresholds(again)
        self.releases[again] += 1
        self.answers[runs, query] = value
        self.updated.append((runs, query))
        factor, cell = np.where(value < fitted, exp(-plan.eta), exp(plan.eta)), np.arange(self.weights.shape[1])
        starts, stops = self.cover.starts[query, :, np.newaxis], self.cover.stops[query, :, np.newaxis]
        held = ((starts <= cell) & (cell < stops)).any(axis=1)
        moved = self.weights[runs] * np.where(held, factor[:, np.newaxis], 1.0)
        self.weights[runs] = moved / moved.sum(axis=1)[:, np.newaxis]
        self._add_up(runs)

    def _add_up(self, runs: Ints) -> None:
        """The cumulative sums of their weights."""
        self.sums[runs, 1:] = np.cumsum(self.weights[runs], axis=1)
