"""What a trial of release costs: not more with n, little with p, and far less than a query at a time."""

from collections.abc import Callable
from functools import partial
from itertools import count

import numpy as np
import pytest
from scipy import stats

from harness.arrays import Reals
from harness.covers.cube_stumps import CubeStumpQueries, Mixture
from harness.covers.line import Line
from harness.covers.thresholds import ThresholdQueries
from harness.mechanisms.noise import laplace
from harness.mechanisms.release import releases
from harness.mechanisms.release.numeric_sparse import PmwNoise, PmwPlan, pmw
from harness.trials.release import KIND, ReleaseBlock, ReleaseCell
from harness.trials.seeds import BlockStreams
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
    cover = CubeStumpQueries(dimension=p).grid(Mixture(bias=0.0, other=0.0), 2)
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
    cover = ThresholdQueries().cover(Line(), rng.random(4999))
    table, averages = cover.table().astype(float), cover.answers(cover.private(10**9, rng))
    averages[4000] += 0.3
    plan = PmwPlan(c=400, eta=0.01, threshold=0.1, test=0.002, value=0.001)

    def in_blocks() -> None:
        for _ in range(40):
            assert len(pmw(cover, averages, plan, PmwNoise.drawn(plan, cover.queries, rng)).updated) in (1, 2)

    def printed() -> None:
        assert one_by_one(table, averages, plan, PmwNoise.drawn(plan, cover.queries, rng)) in (1, 2)

    takes_at_most(1, in_blocks, printed, 5)


GRID = ReleaseCell(m=0, alpha=0.2, n=10**6, grid=100)
"""Thresholds on 100 places: an average is the share of the points in the first cells."""


def script(name: str, trials: int, rng: np.random.Generator) -> Reals:
    """The errors of so many trials on the grid, in numpy alone."""
    known = np.arange(100) / 100
    shares = rng.multinomial(GRID.n or 0, np.full(100, 0.01), trials) / (GRID.n or 1)
    answers = np.concatenate([np.zeros((trials, 1)), np.cumsum(shares, axis=1)[:, :-1]], axis=1)
    if name != "exact_averages":
        numbers = releases()[name].numbers(GRID.grid_cover, GRID.n or 0, GRID.asked)
        assert numbers is not None
        sigma = numbers["sigma"]
        noise = rng.normal if name == "gaussian_averages" else rng.laplace
        answers += noise(0, sigma, answers.shape)
    answers = np.clip(answers, 0, 1)
    return np.asarray(2 * np.maximum(np.abs(answers - known), np.abs(answers - known - 0.01)).max(axis=1))


every_noise = pytest.mark.parametrize("name", ["exact_averages", "gaussian_averages", "laplace_averages"])


@every_noise
def test_a_block_takes_a_few_times_as_long_as_a_script_of_its_law(name: str, takes_at_most: AtMost) -> None:
    rng, numbers, trials = np.random.default_rng(1), count(), KIND.block(GRID)
    assert trials == 256
    takes_at_most(3, lambda: KIND.run(GRID, [name], 1, next(numbers)), lambda: script(name, trials, rng), 20)


@every_noise
def test_the_script_draws_from_the_law_of_a_block(name: str) -> None:
    """False-failure probability: 1e-9 for each."""
    rng = np.random.default_rng(2)
    drawn = np.concatenate([KIND.run(GRID, [name], 1, number)[0]["error"] for number in range(8)])
    assert stats.ks_2samp(drawn, script(name, 2048, rng)).pvalue > 1e-9


def test_weights_of_a_block_go_step_by_step_together(takes_at_most: AtMost) -> None:
    """PMW with some 50 updates a trial, against as many trials one by one: at most a third of the time."""
    loud = {"from": "proved", "c_threshold": 0.5}
    cell = ReleaseCell.model_validate({"m": 0, "alpha": 0.2, "n": 10**5, "grid": 100, "delta": 0.1, "constants": loud})
    trials, numbers = KIND.block(cell), count()
    single = [ReleaseBlock(cell, 0, BlockStreams(cell.identity, 2, trial)) for trial in range(trials)]
    takes_at_most(
        1 / 3,
        lambda: KIND.run(cell, ["PMW"], 1, next(numbers)),
        lambda: [each.made(releases()["PMW"], each.cover(), 10**5) for each in single],
        3,
    )


@pytest.mark.parametrize("name", ["square_root_sums", "gaussian_histogram"])
def test_correlated_noise_costs_as_much_as_a_tree(name: str, takes_at_most: AtMost) -> None:
    """Of 10,000 cells; isotonic regression takes most of either's time."""
    cell, numbers = ReleaseCell(m=0, alpha=0.2, n=10**6, grid=10_000), count()
    takes_at_most(
        1.2,
        lambda: KIND.run(cell, [name], 1, next(numbers)),
        lambda: KIND.run(cell, ["gaussian_tree"], 1, next(numbers)),
        10,
    )


def test_rounds_of_a_block_are_gone_through_together(takes_at_most: AtMost) -> None:
    """MWEM on the unions of two intervals, against as many trials one by one: at most a third of the time."""
    unions = {"name": "interval_unions", "intervals": 2}
    cell = ReleaseCell.model_validate({"m": 0, "alpha": 0.2, "n": 3000, "grid": 10, "concept": unions})
    trials, numbers = KIND.block(cell), count()
    single = [ReleaseBlock(cell, 0, BlockStreams(cell.identity, 2, trial)) for trial in range(trials)]
    takes_at_most(
        1 / 3,
        lambda: KIND.run(cell, ["mwem"], 1, next(numbers)),
        lambda: [each.made(releases()["mwem"], each.cover(), 3000) for each in single],
        3,
    )


@pytest.mark.parametrize(("name", "limit"), [("factorised_averages", 3.0), ("PMW_calibrated", 8.0)])
def test_a_trial_of_a_release_that_is_searched_for_is_a_few_times_that_of_noise_on_every_average(
    name: str, limit: float, takes_at_most: AtMost
) -> None:
    """Intervals on some 60 cells, the search for factors or settings done before: against Gaussian noise on all averages.

    Both are drawn in blocks. The rounds of private multiplicative weights follow one another.
    """
    cell = ReleaseCell.model_validate({"concept": "intervals", "alpha": 0.2, "n": 10**5, "m": 60, "distribution": "uniform"})
    for each in (name, "gaussian_averages"):
        KIND.rows(cell, [each], 1, 0)
    numbers = count(1)
    takes_at_most(
        limit,
        lambda: KIND.rows(cell, [name], 1, next(numbers)),
        lambda: KIND.rows(cell, ["gaussian_averages"], 1, next(numbers)),
        5,
    )
