"""Private multiplicative weights through NumericSparse, as DR14 print it (Algorithms 3, 5 and 6), on a cover.

The queries stand in one stream of tests, two a query: share of the data less share of the weights, and the reverse.
NumericSparse releases the values of those that exceed a noisy threshold, at most c of them, and after each it draws the
threshold anew. Here each test owns the threshold that is drawn if it exceeds; only one draw is used between two, so the law
is the printed one. Between updates all answers of the weights are one vector, and whole blocks of tests are looked at
together: the cost is (updates + 1) × (cells + queries). Where an update moves its own query's answer alone, as for stumps on
the cube, one look is enough.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from math import ceil, inf, log, sqrt

import numpy as np

from harness.arrays import Ints, Reals
from harness.covers import Cover
from harness.mechanisms.above_threshold import scan
from harness.mechanisms.noise import laplace
from harness.theory.constants.bcmnuw20 import C_ETA, C_SIGMA, C_SPLIT, C_THRESHOLD, C_UPDATES
from harness.theory.factors import PRINTED, ConstantValues
from harness.theory.privacy.calibration import Calibration
from harness.theory.privacy.composition import compose_pure, pure_share
from harness.theory.privacy.distance import VALUES
from harness.theory.privacy.sparse_vector import epoch_eps
from harness.theory.privacy.spent import spent_lower

BLOCK = 1024
"""Queries looked at together at first; twice as many each time that none of them is updated."""

STOCK = 128
"""Noises drawn at a time."""

ROUNDING = 1e-9
"""More than the last digits of a composition."""

TESTS = 64
"""A release that an analyst asks at most to show what is spent."""


@dataclass(frozen=True)
class PmwPlan:
    """The numbers of a run of PMW: the most releases c, the weights' learning rate eta, the tests' threshold, and noise scales.

    The noise on the threshold is Lap(test), on a test Lap(2·test), on a released value Lap(value); all in shares.
    """

    c: float
    eta: float
    threshold: float
    test: float
    value: float

    @classmethod
    def of(
        cls,
        queries: float,
        log_cells: float,
        n: int,
        accuracy: float,
        beta: float,
        eps: float,
        delta: float,
        values: ConstantValues = PRINTED,
    ) -> "PmwPlan":
        """The numbers of DR14 Algorithm 6 at accuracy α', with σ(ε) = √(32 c ln(2/δ))/ε, and ε√512 : ε for tests : values."""
        c = values[C_UPDATES] * max(log_cells, log(2)) / accuracy**2
        scale = sqrt(values[C_SIGMA] * c * log(2 / delta)) / (eps * n)
        split = sqrt(values[C_SPLIT])
        return cls(
            c=c,
            eta=accuracy / values[C_ETA],
            threshold=values[C_THRESHOLD] * sqrt(c * log(2 / delta)) * (log(queries) + log(4 * c / beta)) / (eps * n),
            test=scale * (split + 1) / split,
            value=scale * (split + 1),
        )

    def calibrated(self, n: int, eps: float, delta: float, threshold: float) -> "PmwPlan":
        """The plan at this threshold, with all noise multiplied by what makes a run spend ε at δ, by exact composition."""
        by = self._of_an_epoch(n) / pure_share(eps, ceil(self.c), delta) * (1 + ROUNDING)
        return replace(self, threshold=threshold, test=self.test * by, value=self.value * by)

    def _of_an_epoch(self, n: int) -> float:
        """The ε of pure DP that the tests up to a release, and its value, spend together."""
        return epoch_eps(1 / n, self.test) + 1 / n / self.value

    def spent(self, n: int, delta: float) -> float:
        """An ε' at which a run is certainly (ε', δ)-DP: see `spent`."""
        return spent(ceil(self.c), self._of_an_epoch(n), delta)

    def off(self, queries: float, log_cells: float, chance: float) -> float:
        """How far all shares of a run are from the points' at most, but for a chance; infinite where nothing is proved.

        The proof is in `weights_calibrated`.
        """
        c, share = ceil(self.c), chance / 3
        tests = 2 * self.test * log(2 * queries / share) + self.test * log(c / share)
        apart = self.threshold - tests
        nearer = self.eta * apart - self.eta**2 / 8
        if apart <= self.value * log(c / share) or self.c * nearer <= log_cells:
            return inf
        return self.threshold + tests

    def shown(self, n: int, delta: float) -> float:
        """An ε' below which NumericSparse is certainly not (ε', δ)-DP, by which tests exceed, whatever values it releases.

        An event on two tables whose tests are apart by 1/n, of an analyst who asks as many of them as it likes.
        """
        tests = Calibration("tests", "DR14 Algorithm 3", VALUES, lambda *_: n * self.test, lambda *_: n * self.threshold)
        releases = ceil(self.c)
        return spent_lower(tests, 1.0, delta, TESTS * releases, releases - 1)


@cache
def spent(releases: int, share: float, delta: float) -> float:
    """The ε' at δ of a run of PMW, which is ⌈c⌉ epochs, each ended by one release, composed as pure mechanisms.

    An epoch of tests that move by 1/n either way is 2/(nσ)-DP, whatever adaptive tests it meets (`epoch_eps`); the value that
    ends it is Lap(σ') on what moves by 1/n. The weights follow from what was released.
    """
    return compose_pure(share, releases, delta)


@dataclass(frozen=True)
class PmwNoise:
    """All noise of a run of PMW.

    tests: (2|H̃|,), on each test. first: on the first threshold. thresholds, values: on those that given tests own.
    """

    tests: Reals
    first: float
    thresholds: Callable[[Ints], Reals]
    values: Callable[[Ints], Reals]

    @classmethod
    def drawn(cls, plan: PmwPlan, queries: int, rng: np.random.Generator) -> "PmwNoise":
        """Draws the noise of a run over `queries` queries."""
        return cls(
            tests=laplace(2 * plan.test, 2 * queries, rng),
            first=float(laplace(plan.test, 1, rng)[0]),
            thresholds=_Stock(plan.test, rng),
            values=_Stock(plan.value, rng),
        )


class _Stock:
    """Lap(scale) whenever it is asked for, drawn many at a time: an update asks for one."""

    def __init__(self, scale: float, rng: np.random.Generator) -> None:
        self._scale, self._rng, self._left = scale, rng, np.empty(0)

    def __call__(self, tests: Ints) -> Reals:
        if len(tests) > len(self._left):
            self._left = laplace(self._scale, max(STOCK, len(tests)), self._rng)
        drawn, self._left = self._left[: len(tests)], self._left[len(tests) :]
        return drawn


@dataclass(frozen=True)
class StreamAnswers:
    """What a run of PMW answers to the queries of a cover, in their order.

    answers: as the stream ran, (|H̃|,), not cut off at 0 and 1; of queries after the halt those of the last weights.

    updated: the queries that moved the weights, in order.
    """

    answers: Reals
    updated: Ints
    halted: bool


def pmw(cover: Cover, averages: Reals, plan: PmwPlan, noise: PmwNoise) -> StreamAnswers:
    """Runs PMW on all queries of a cover in their order. averages: of the private points, (|H̃|,)."""
    return _at_once(cover, averages, plan, noise) if cover.separate else _in_blocks(cover, averages, plan, noise)


def _at_once(cover: Cover, averages: Reals, plan: PmwPlan, noise: PmwNoise) -> StreamAnswers:
    """Every query meets the first weights, as far as it can see: all tests are known at the start."""
    weights = cover.answers(cover.uniform())
    apart = averages - weights
    tests = noise.tests.copy()
    tests[0::2] += apart
    tests[1::2] -= apart
    exceeding = scan(
        np.negative(tests, out=tests),
        -(plan.threshold + noise.first),
        lambda tests_passed: -(plan.threshold + noise.thresholds(tests_passed)),
        ceil(plan.c),
    )
    updated, place = np.unique(exceeding // 2, return_index=True)
    answers, tested = weights.copy(), exceeding[place]
    answers[updated] = averages[updated] + np.where(tested % 2, -1.0, 1.0) * noise.values(tested)
    return StreamAnswers(answers, updated, halted=len(exceeding) >= plan.c)


def _in_blocks(cover: Cover, averages: Reals, plan: PmwPlan, noise: PmwNoise) -> StreamAnswers:
    weights, threshold = cover.uniform(), plan.threshold + noise.first
    answers, updated = np.empty(cover.queries), list[int]()
    position, releases, size = 0, 0, BLOCK
    while position < cover.queries and releases < plan.c:
        block = slice(position, min(cover.queries, position + size))
        current = cover.answers(weights, block)
        test = _first_above(averages[block] - current, noise.tests[2 * block.start : 2 * block.stop], threshold)
        if test is None:
            answers[block], position, size = current, block.stop, 2 * size
            continue
        query, place = position + test // 2, np.array([2 * position + test])
        fitted = float(current[test // 2])
        answers[position:query], position, size = current[: test // 2], query + 1, BLOCK
        value = float(averages[query] + (-1 if test % 2 else 1) * noise.values(place)[0])
        threshold, releases = plan.threshold + float(noise.thresholds(place)[0]), releases + 1
        reverse = fitted - averages[query] + noise.tests[2 * query + 1]
        if test % 2 == 0 and releases < plan.c and reverse >= threshold:  # its second test exceeds as well
            threshold, releases = plan.threshold + float(noise.thresholds(place + 1)[0]), releases + 1
        answers[query] = value
        updated.append(query)
        weights = cover.tilted(weights, query, -plan.eta if value < fitted else plan.eta)
    answers[position:] = cover.answers(weights, slice(position, None))
    return StreamAnswers(answers, np.array(updated, np.int64), halted=releases >= plan.c)


def _first_above(apart: Reals, noise: Reals, threshold: float) -> int | None:
    """The first test of a block that reaches the threshold. apart: (queries,). noise: (2·queries,)."""
    above = np.empty(len(noise), np.bool_)
    np.greater_equal(apart + noise[0::2], threshold, out=above[0::2])
    np.greater_equal(noise[1::2] - apart, threshold, out=above[1::2])
    first = int(above.argmax())
    return first if above[first] else None
