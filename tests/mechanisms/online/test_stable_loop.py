"""A_OQR a query at a time: decision by decision against Algorithm 3 as printed, and in law against the loop over types."""

from dataclasses import replace

import numpy as np
import pytest

from harness.analysts import Poll, QuerySite
from harness.analysts.boundary import BoundarySearch, Points
from harness.mechanisms.noise import laplace
from harness.mechanisms.online.a_subsamp import ONLINE as A_SUBSAMP
from harness.mechanisms.online.stable_loop import StableLoop
from harness.theory.fixed_point import CutoffPlan
from tests.support.given_order import in_order
from tests.support.printed_loop import printed_bottoms
from tests.support.same_law import assert_same_law

PLAN = CutoffPlan(n=1, k=1, s=1, alpha=0.0, bound=None, T=3.0, lam=4.0, w=30.0)


def at(distance: int) -> Poll:
    """A query at a distance of its own."""
    return Poll(np.array([0]), np.array([1]), truth=0, distance=distance)


def own(poll: Poll) -> int:
    assert poll.distance is not None
    return poll.distance


@pytest.mark.parametrize("T", [1.0, 3.7, 40.0])
@pytest.mark.parametrize("seed", range(20))
def test_every_decision_on_an_adaptive_stream_is_the_printed_loops(T: float, seed: int) -> None:
    """The next distance depends on the last answer: after ⊥ it is near the threshold, else anywhere."""
    rng, m = np.random.default_rng(seed), 80
    loop = StableLoop(replace(PLAN, T=T), m, own, np.random.default_rng(seed))
    asked: list[int] = []
    said: int | None = 0
    while not loop.halted and len(asked) < m:
        asked.append(int(rng.integers(25, 36) if said is None else rng.choice([0, 28, 40, 90])))
        said = loop.answer(at(asked[-1]))
        assert (said is None) == (bool(loop.bottoms) and loop.bottoms[-1] == len(asked) - 1)
    noisy = [distance + noise for distance, noise in zip(asked, loop.noise, strict=False)]
    assert loop.bottoms == printed_bottoms(noisy, loop.first, loop.redrawn, int(T) + 1)
    assert loop.halted == (len(loop.bottoms) == int(T) + 1)


def test_its_noise_is_of_the_printed_scales() -> None:
    """The same draws as the noise that is said: ŵ = w + Lap(λ), and Lap(2λ) on a query, in this order."""
    loop, rng = StableLoop(PLAN, 5, own, np.random.default_rng(9)), np.random.default_rng(9)
    thresholds = 30 + laplace(4.0, 6, rng)
    assert [loop.first, *loop.redrawn] == thresholds.tolist()
    assert loop.noise == laplace(8.0, 5, rng).tolist()


@pytest.mark.law
def test_its_bottoms_have_the_law_of_the_loop_on_queries_that_are_known() -> None:
    """How many, the first and the last of them; false-failure probability 1e-9."""
    values, runs = np.array([20, 30, 34, 60, 28, 31, 0, 33, 29, 40]), 2000

    def online(seed: int) -> list[int]:
        loop = StableLoop(PLAN, len(values), own, np.random.default_rng(seed))
        for value in values.tolist():
            if not loop.halted:
                loop.answer(at(value))
        return summary(loop.bottoms)

    def summary(bottoms: list[int]) -> list[int]:
        return [len(bottoms), *([bottoms[0], bottoms[-1]] if bottoms else [-1, -1])]

    known = [summary(in_order(values, 4.0, 30.0, 3.0, np.random.default_rng(10**6 + seed)).tolist()) for seed in range(runs)]
    ours = np.array([online(seed) for seed in range(runs)])
    assert_same_law(ours, np.array(known))
    shifted = [in_order(values + 2, 4.0, 30.0, 3.0, np.random.default_rng(seed)).tolist() for seed in range(runs)]
    with pytest.raises(AssertionError):
        assert_same_law(ours, np.array([summary(bottoms) for bottoms in shifted]))


@pytest.mark.parametrize(
    ("counts", "printed", "corrected"), [((9,), 8, 4), ((5, 4), 0, 0), ((6, 4), 1, 0), ((3, 3, 3), 0, 0), ((1, 2, 6), 3, 1)]
)
def test_a_query_of_chunks_is_at_the_distance_of_its_constants(counts: tuple[int, ...], printed: int, corrected: int) -> None:
    poll = Poll(np.arange(len(counts)) * 10**6, np.array(counts), truth=0)
    assert A_SUBSAMP.distance(PLAN, poll) == printed
    assert A_SUBSAMP.distance(replace(PLAN, distance="corrected"), poll) == corrected


def test_an_adaptive_analyst_meets_the_unstable_query_that_a_random_one_misses() -> None:
    """On the same chunks: the search for the boundary ends in ⊥s until the run halts, random points are nearly all answered."""
    plan = replace(PLAN, w=60.0, lam=1.0, T=2.0, distance="corrected")
    answered = {}
    for analyst in (BoundarySearch(), Points()):
        session = analyst.chunks(QuerySite(400, 301, 10**6, 0), np.random.default_rng(1))
        loop, last = A_SUBSAMP.begin(plan, 400, 2, np.random.default_rng(2)), None
        count = 0
        while not loop.halted and count < 400:
            last = loop.answer(session.ask(last))
            count += 1
        answered[analyst.name] = count
    assert answered["search"] < 100 and answered["points"] == 400
