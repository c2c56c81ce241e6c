"""What a trial of release costs: not more with n, little with p, and far less than a query at a time."""

from collections.abc import Callable
from functools import partial

import numpy as np

from harness.arrays import Reals
from harness.concepts.covers.cube_stumps import CubeStumps, Mixture
from harness.concepts.covers.line import Line
from harness.concepts.covers.thresholds import Thresholds
from harness.mechanisms.noise import laplace
from harness.mechanisms.release.numeric_sparse import PmwNoise, PmwPlan, pmw
from harness.trials.release import KIND, ReleaseCell
from tests.support.ratios import AtMost


def test_a_pap_costs_the_same_at_any_n(takes_at_most: AtMost) -> None:
    """Thresholds, 2,000 public points and an α so small that every query is updated at both."""

    def trials(n: int) -> Callable[[], object]:
        cell = ReleaseCell(alpha=0.5, n=n, m=2000, distribution="log_uniform")
        return lambda: [KIND.rows(cell, ["A_PAP"], 1, trial) for trial in range(4)]

    takes_at_most(1.2, trials(10**12), trials(10**9), 5)


def test_pmw_on_the_cube_is_little_more_than_its_noise(takes_at_most: AtMost) -> None:
    """p = 10⁶ stumps and up to 1,000 updates, against drawing the 2p noises of the tests once."""
    p, n, rng = 10**6, 10**10, np.random.default_rng(1)
    cover = CubeStumps(dimension=p).grid(Mixture(bias=0.0, other=0.0), 2)
    averages = cover.answers(cover.private(n, rng))
    averages[rng.choice(p, 900, replace=False)] += 0.4
    plan = PmwPlan(c=1000, eta=0.05, threshold=0.2, test=0.2 / 40, value=0.001)

    def release() -> None:
        done = pmw(cover, averages, plan, PmwNoise.drawn(plan, p, rng))
        assert 800 < len(done.updated) <= 1000

    takes_at_most(3, release, partial(laplace, 2 * plan.test, 2 * p, rng), 5)


def one_by_one(table: Reals, averages: Reals, plan: PmwPlan, noise: PmwNoise) -> int:
    """The same as it is printed, a query at a time, in numpy."""
    weights = np.full(table.shape[1], 1 / table.shape[1])
    threshold, updates = plan.threshold + noise.first, 0
    for i, query in enumerate(table):
        fitted = float(query @ weights)
        apart = float(averages[i]) - fitted
        for test, value in ((2 * i, apart), (2 * i + 1, -apart)):
            if value + noise.tests[test] >= threshold and updates < plan.c:
                updates += 1
                threshold = plan.threshold + float(noise.thresholds(np.array([test]))[0])
                weights = weights * np.exp(-plan.eta * np.sign(-apart) * query)
                weights = weights / weights.sum()
    return updates


def test_blocks_of_queries_are_far_faster_than_one_by_one(takes_at_most: AtMost) -> None:
    """Ordered cells, |H̃| = 5,000, at most two updates: forty times."""
    rng = np.random.default_rng(2)
    cover = Thresholds().cover(Line(), rng.random(4999))
    table, averages = cover.table().astype(float), cover.answers(cover.private(10**9, rng))
    averages[4000] += 0.3
    plan = PmwPlan(c=400, eta=0.01, threshold=0.1, test=0.002, value=0.001)

    def in_blocks() -> None:
        for _ in range(40):
            assert len(pmw(cover, averages, plan, PmwNoise.drawn(plan, cover.queries, rng)).updated) in (1, 2)

    def printed() -> None:
        assert one_by_one(table, averages, plan, PmwNoise.drawn(plan, cover.queries, rng)) in (1, 2)

    takes_at_most(1, in_blocks, printed, 5)
