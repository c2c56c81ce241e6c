"""What sampling costs: nothing in n when only what the votes depend on is drawn, and little beyond the draws when all is."""

from collections.abc import Callable

import numpy as np
import pytest

from harness.concepts.thresholds import Hard, Uniform, samplers
from harness.trials.answers import KIND
from harness.trials.cell import Cell
from tests.support.situations import situation_of

AtMost = Callable[[float, Callable[[], object], Callable[[], object], int], None]


@pytest.mark.parametrize("distribution", [Uniform(), Hard()], ids=["uniform", "hard"])
@pytest.mark.parametrize("s", [30, 1000, 10**6])
def test_full_sampling_is_within_4_times_of_drawing_its_uniforms(
    distribution: Uniform | Hard, s: int, takes_at_most: AtMost
) -> None:
    """n = 5·10⁷, in the blocks that full sampling draws."""
    k = 5 * 10**7 // s
    sampler, rng = distribution.at(situation_of(s, "leftmost")), np.random.default_rng(1)
    queries = sampler.queries(1000, rng)
    block = samplers.FULL_BLOCK // s * s if s <= samplers.FULL_BLOCK else samplers.FULL_BLOCK

    def uniforms() -> None:
        for start in range(0, k * s, block):
            rng.random(min(block, k * s - start))

    takes_at_most(4.0, lambda: sampler.full(queries, k, s, rng), uniforms, 3)


def test_sufficient_sampling_is_1000_times_as_fast_as_full_sampling(takes_at_most: AtMost) -> None:
    """A trial of A_binClas at n = 10⁹, m = 10³ and the printed constants."""
    quick = Cell(m=1000, n=10**9)
    slow = Cell(m=1000, n=10**9, sampling="full")
    assert quick.plan("A_binClas") == slow.plan("A_binClas")
    KIND.rows(quick, ["A_binClas"], 1, 0)  # a first run does more than a trial: imports and caches
    takes_at_most(1 / 1000, lambda: KIND.rows(quick, ["A_binClas"], 1, 0), lambda: KIND.rows(slow, ["A_binClas"], 1, 0), 1)


@pytest.mark.parametrize("learner", ["leftmost", "midpoint"])
def test_noisy_thresholds_at_a_thousand_times_the_n_take_as_long(learner: str, takes_at_most: AtMost) -> None:
    """n = 10¹² against n = 10⁹ at k = 10⁴ and m = 2·10⁵: within a factor 1.3, for fewer queries are near the target."""
    k, rng = 10**4, np.random.default_rng(1)

    def trial(n: int) -> Callable[[], object]:
        sampler = Uniform().at(situation_of(n // k, learner, gamma=0.1))
        queries = sampler.queries(200_000, rng)
        return lambda: sampler.sufficient(queries, k, n // k, rng)

    takes_at_most(1.3, trial(10**12), trial(10**9), 20)


def test_full_sampling_of_small_noisy_chunks_is_within_2_5_times_of_their_numbers_in_order(takes_at_most: AtMost) -> None:
    """10⁶ examples in chunks of 13, as many flips, and the order of each chunk."""
    s, k = 13, 80_000
    sampler, rng = Uniform().at(situation_of(s, "leftmost", gamma=0.1)), np.random.default_rng(1)
    queries, rows = sampler.queries(100, rng), samplers.FULL_BLOCK // s

    def numbers() -> None:
        for start in range(0, k, rows):
            x = rng.random((min(rows, k - start), s))
            x.sort(axis=1)
            rng.random(x.shape)

    takes_at_most(2.5, lambda: sampler.full(queries, k, s, rng), numbers, 5)
