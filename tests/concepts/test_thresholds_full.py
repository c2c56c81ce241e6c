"""Full sampling as a computation: every example is drawn once and counts, and memory does not grow with n."""

import tracemalloc

import numpy as np
import pytest
from numpy.typing import NDArray

from harness.concepts.thresholds import Hard, Uniform, samplers
from harness.concepts.thresholds.samplers import LEARNERS
from tests.support.situations import situation_of

Reals = NDArray[np.float64]


def full_with_examples(k: int, s: int, block: int, monkeypatch: pytest.MonkeyPatch) -> tuple[list[int], list[int], list[Reals]]:
    """The ones k midpoint learners vote at some points, the points, and the blocks of examples that were drawn for them."""
    sampler, drawn = Uniform(target=0.3).at(situation_of(s, "midpoint")), []

    def draw(self: object, shape: tuple[int, int], rng: np.random.Generator) -> Reals:
        drawn.append(rng.random(shape))
        return drawn[-1]

    monkeypatch.setattr(samplers, "FULL_BLOCK", block)
    monkeypatch.setattr(type(sampler), "draw", draw)
    rng = np.random.default_rng([k, s])
    queries = sampler.queries(300, rng)
    votes = sampler.full(queries, k, s, rng)
    return votes.counts[1].tolist(), (0.3 + queries.points).tolist(), drawn


@pytest.mark.parametrize(("s", "block"), [(50, 7), (50, 49), (600, 299), (600, 256), (600, 599), (3 * 2**15 + 11, 2**15)])
@pytest.mark.parametrize("k", [1, 3])
def test_the_parts_of_one_chunk_are_merged(k: int, s: int, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chunk larger than a block is seen block by block, in order: the votes are those of chunks seen whole."""
    ones, points, drawn = full_with_examples(k, s, block, monkeypatch)
    chunks = np.concatenate([part.ravel() for part in drawn]).reshape(k, s)
    learned = [(max([0.0, *chunk[chunk < 0.3]]) + min([1.0, *chunk[chunk >= 0.3]])) / 2 for chunk in chunks]
    assert ones == [sum(threshold <= point for threshold in learned) for point in points]
    assert max(part.size for part in drawn) == block


@pytest.mark.parametrize(("k", "s"), [(1, 1), (10, 1), (11, 10), (100, 3), (7, 300), (5, 1000)])
@pytest.mark.parametrize("block", [30, 1000, 2**15])
def test_exactly_ks_examples_are_drawn_and_never_more_than_a_block_at_once(
    k: int, s: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, _, drawn = full_with_examples(k, s, block, monkeypatch)
    assert sum(part.size for part in drawn) == k * s
    assert max(part.size for part in drawn) <= block


@pytest.mark.at_once("20-distribution0")
@pytest.mark.parametrize("distribution", [Uniform(), Hard()])
@pytest.mark.parametrize("k", [20, 1000, 80_000])
def test_memory_does_not_grow_with_n(distribution: Uniform | Hard, k: int) -> None:
    """All of 2·10⁷ examples would take 160 MB: the peak is a few blocks and a few arrays of k thresholds, as at n = 2·10⁶."""

    def peak(n: int) -> int:
        sampler, rng = distribution.at(situation_of(n // k, "midpoint")), np.random.default_rng(1)
        queries = sampler.queries(100, rng)
        tracemalloc.start()
        try:
            sampler.full(queries, k, n // k, rng)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    small, large = peak(2 * 10**6), peak(2 * 10**7)
    assert large < small + 2**16
    assert large < 8 * (6 * samplers.FULL_BLOCK + 8 * k)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("s", [4, 400])
def test_one_query_is_answered_as_among_many(learner: str, s: int) -> None:
    """Full sampling draws its examples before it looks at the queries."""
    sampler = Uniform(target=0.3).at(situation_of(s, learner))
    queries = sampler.queries(50, np.random.default_rng(1))
    together = sampler.full(queries, 20, s, np.random.default_rng(2)).counts[1]
    for i in (0, 17, 49):
        alone = type(queries)(queries.points[[i]], queries.truth[[i]])
        assert sampler.full(alone, 20, s, np.random.default_rng(2)).counts[1].tolist() == [together[i]]
