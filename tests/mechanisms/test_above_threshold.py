"""A_sparseVec decision by decision: what settles the ⊥s of many queries at once against the printed loop on the same noise."""

import sys
import tracemalloc
from collections.abc import Callable, Sequence
from itertools import product
from math import floor, log, sqrt
from types import FrameType
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from harness.mechanisms import above_threshold
from harness.mechanisms.above_threshold import LaplaceNoise, a_sparse_vec, scan, settle
from harness.theory.constants.btt18a import sparse_vec_lam
from tests.support.given_order import in_order
from tests.support.printed_loop import printed_bottoms

Reals = NDArray[np.float64]


def check(noisy: Sequence[float], first: float, redrawn: Sequence[float], T: float) -> list[int]:
    """Ours agrees with the printed loop, whether it settles few queries one by one or blocks of any size."""
    printed = printed_bottoms(noisy, first, redrawn, floor(T) + 1)
    for few, block in ((above_threshold.FEW, above_threshold.BLOCK), (0, 1), (0, 3), (0, above_threshold.BLOCK)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(above_threshold, "FEW", few)
            patch.setattr(above_threshold, "BLOCK", block)
            found = settle(np.asarray(noisy, np.float64), first, np.asarray(redrawn, np.float64), floor(T) + 1)
        assert found.tolist() == printed
    return printed


@pytest.mark.at_once("0", "1", "2")
@pytest.mark.parametrize("m", range(4))
def test_all_short_streams_on_three_levels_agree_with_the_printed_loop(m: int) -> None:
    """Values, first and redrawn thresholds in {0, 1, 2}, ties among them: 2187 streams of three queries at each cutoff."""
    levels = (0.0, 1.0, 2.0)
    for noisy, first, redrawn in product(product(levels, repeat=m), levels, product(levels, repeat=m)):
        for T in (0, 1, 1.5, 10):
            check(noisy, first, redrawn, T)


@given(
    pairs=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=40),
    first=st.integers(0, 4),
    most=st.integers(1, 9),
)
def test_thresholds_that_are_drawn_when_they_are_needed_leave_the_same_bottoms(
    pairs: list[tuple[int, int]], first: int, most: int
) -> None:
    """With ties, where a value is ⊥; and none is asked for twice."""
    asked: list[int] = []
    noisy, owned = (np.array([pair[i] for pair in pairs], np.float64) for i in (0, 1))

    def redraw(places: NDArray[np.int64]) -> Reals:
        asked.extend(places.tolist())
        return owned[places]

    assert scan(noisy, float(first), redraw, most).tolist() == printed_bottoms(noisy.tolist(), first, owned.tolist(), most)
    assert len(asked) == len(set(asked))


@given(
    pairs=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=60),
    first=st.integers(0, 9),
    T=st.integers(0, 60) | st.floats(0, 60),
)
def test_streams_of_digits_agree_with_the_printed_loop(pairs: list[tuple[int, int]], first: int, T: float) -> None:
    check([noisy for noisy, _ in pairs], first, [redrawn for _, redrawn in pairs], T)


finite = st.floats(-1e6, 1e6)


@given(pairs=st.lists(st.tuples(finite, finite), max_size=40), first=finite, T=st.floats(1, 40))
def test_streams_of_reals_agree_with_the_printed_loop(pairs: list[tuple[float, float]], first: float, T: float) -> None:
    check([noisy for noisy, _ in pairs], first, [redrawn for _, redrawn in pairs], T)


# Values above the threshold w, in units of λ.
REGIMES: dict[str, Callable[[np.random.Generator, int], Reals]] = {
    "all sure ⊥": lambda rng, m: np.full(m, -1000.0),
    "all far above": lambda rng, m: np.full(m, 1000.0),
    "all at the threshold": lambda rng, m: np.zeros(m),
    "rare ⊥": lambda rng, m: np.full(m, 9.0),
    "close to the threshold": lambda rng, m: rng.normal(0, 2, m),
    "a few sure ⊥ among safe ones": lambda rng, m: np.where(rng.random(m) < 0.05, -1000.0, 1000.0),
    "sure, safe and close": lambda rng, m: rng.choice([-1000.0, -3.0, 0.0, 3.0, 1000.0], m),
    "from sure to safe": lambda rng, m: np.linspace(-20, 20, m),
    "from safe to sure": lambda rng, m: np.linspace(20, -20, m),
}


@pytest.mark.parametrize("values", REGIMES.values(), ids=list(REGIMES))
@pytest.mark.parametrize("T", [0.0, 4.7, *(pytest.param(T, marks=pytest.mark.law) for T in (1.0, 60.0, 1e9))])
def test_laplace_streams_agree_with_the_printed_loop(values: Callable[[np.random.Generator, int], Reals], T: float) -> None:
    """Noise as the mechanism draws it, λ = 1: 40 streams of 1 to 5000 queries in each regime."""
    rng = np.random.default_rng(7)
    for m in [1, 1, 2, 3, *rng.integers(4, 300, 34).tolist(), 5000]:
        noisy = values(rng, m) + rng.laplace(0, 2, m)
        first, *redrawn = rng.laplace(0, 1, m + 1).tolist()
        check(noisy.tolist(), first, redrawn, T)


@pytest.mark.parametrize("shape", [1, -1], ids=["each ⊥ lifts the threshold over the next value", "or drops it under"])
@pytest.mark.parametrize("T", [3.0, 1e9])
def test_ladders_of_thresholds_are_climbed_to_the_end(shape: int, T: float) -> None:
    """Here every decision hangs on the one before, and the guesses can only come right one query at a time."""
    noisy = [float(shape * i) for i in range(200)]
    check(noisy, 0.5, [value + shape * 1.5 for value in noisy], T)


@pytest.mark.parametrize(("T", "let_out"), [(0.0, 1), (0.9, 1), (1.0, 2), (1.5, 2), (4.0, 5), (4.999, 5)])
def test_it_halts_after_the_first_bottom_beyond_T(T: float, let_out: int) -> None:
    """The loop runs while c ≤ T, so ⌊T⌋ + 1 are let out: in order, one by one, and of one type."""
    assert check([-1.0] * 10, 0.0, [0.0] * 10, T) == list(range(let_out))
    assert in_order(np.full(10, -1e9), 1.0, 0.0, T, np.random.default_rng(0)).tolist() == list(range(let_out))
    for sizes in (np.ones(10, dtype=np.int64), np.array([10])):
        stream = a_sparse_vec(np.full(len(sizes), -1e9), sizes, 1.0, 0.0, T, np.random.default_rng(0))
        assert (stream.bottoms.sum(), stream.unanswered.sum()) == (let_out, 10 - let_out)


def test_a_value_at_the_threshold_is_bottom() -> None:
    """⊤ is for values strictly above."""
    assert check([2.0], 2.0, [0.0], 9.0) == [0]


def lines_of_python(run: Callable[[], object]) -> int:
    """How many lines of the module a call executes."""
    lines = 0

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return count if frame.f_code.co_filename == above_threshold.__file__ else None

    before = sys.gettrace()
    sys.settrace(count)
    try:
        run()
    finally:
        sys.settrace(before)
    return lines


@pytest.mark.law
@pytest.mark.parametrize(
    ("close", "most_lines", "most_rounds"), [(False, 4000, 3), (True, 10**5, 40)], ids=["certain ⊥s", "close calls"]
)
def test_a_million_queries_take_few_rounds_and_no_python_of_their_own(
    close: bool, most_lines: int, most_rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted, not timed, with 10⁵ ⊥s or more: the lines of Python, and the rounds that a query sees.

    A loop over the queries runs 10⁶ lines at least, one over the ⊥s 2·10⁵. Without blocks close calls take hundreds of rounds.
    """
    m = 10**6
    rng = np.random.default_rng(3)
    values = np.full(m, 2.0) if close else np.where(rng.random(m) < 0.11, -50, 10**6)
    noisy, owned = values + rng.laplace(0, 2, m), rng.laplace(0, 1, m)
    assert lines_of_python(lambda: settle(noisy, 0.0, owned, 10**9)) <= most_lines

    rounds = Mock(wraps=above_threshold._last_bottom)
    monkeypatch.setattr(above_threshold, "_last_bottom", rounds)
    bottoms = settle(noisy, 0.0, owned, 10**9)
    assert sum(len(call.args[0]) for call in rounds.call_args_list) <= most_rounds * m
    assert len(bottoms) >= 10**5
    assert bottoms.tolist() == printed_bottoms(noisy.tolist(), 0.0, owned.tolist(), 10**9)


def test_a_halt_ends_the_work() -> None:
    """After the halt nothing is left to decide: ten ⊥s among a million close calls take a few lines."""
    rng = np.random.default_rng(3)
    noisy, owned = rng.laplace(0, 2, 10**6), rng.laplace(0, 1, 10**6)
    assert lines_of_python(lambda: settle(noisy, 0.0, owned, 10)) <= 1000


@pytest.mark.parametrize(("distance", "size"), [(2.0, 10**15), (26.0, 10**9), (26.0, 10**15), (50.0, 10**15)])
def test_a_large_type_is_seen_in_parts_until_the_halt(distance: float, size: int) -> None:
    """Close calls, and ⊥s of chances 1e-6 and 1e-11 among so many that thousands or more could be.

    A block or so of candidates at a time: lines of Python and memory are those of the ⊥s, not of the queries. The more could be
    ⊥, the higher the highest of their thresholds is, and the more could be ⊥ under that: all at once they take a gigabyte.
    """
    values, sizes = np.array([distance, 150.0]), np.array([size, 10**15])
    rng = np.random.default_rng(4)
    assert lines_of_python(lambda: a_sparse_vec(values, sizes, 1.0, 0.0, 9.0, rng)) <= 2000
    tracemalloc.start()
    stream = a_sparse_vec(values, sizes, 1.0, 0.0, 9.0, rng)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert stream.bottoms.tolist() == [10, 0] and 0 < stream.unanswered[0] < size
    assert peak < 10**7


@pytest.mark.parametrize(("T", "eps", "delta"), [(1.0, 1.0, 1e-6), (12.5, 0.1, 0.3)])
def test_the_printed_scale_is_that_of_theorem_2_7(T: float, eps: float, delta: float) -> None:
    assert sparse_vec_lam(eps, delta, T) == pytest.approx(4 * sqrt(2) * sqrt(T) * sqrt(-log(delta)) / eps, rel=1e-12)


def test_one_seed_gives_one_stream() -> None:
    values, sizes = np.arange(50), np.arange(50)
    one, same, other = (a_sparse_vec(values, sizes, 5.0, 25.0, 9.0, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert (one.bottoms.tolist(), one.unanswered.tolist()) == (same.bottoms.tolist(), same.unanswered.tolist())
    assert one.bottoms.tolist() != other.bottoms.tolist()


@given(
    types=st.lists(st.tuples(st.integers(-20, 20), st.integers(0, 40)), min_size=1, max_size=8),
    T=st.integers(0, 30),
    seed=st.integers(0, 10**6),
)
def test_all_queries_of_each_type_are_accounted_for(types: list[tuple[int, int]], T: int, seed: int) -> None:
    """⊥s and unanswered ones are among those there are, and something is unanswered only after ⌊T⌋ + 1 ⊥s."""
    values, sizes = (np.array(each) for each in zip(*types, strict=True))
    before = sizes.copy()
    stream = a_sparse_vec(values, sizes, 3.0, 0.0, T, np.random.default_rng(seed))
    assert (stream.bottoms >= 0).all() and (stream.unanswered >= 0).all()
    assert (stream.bottoms + stream.unanswered <= sizes).all()
    assert stream.bottoms.sum() <= T + 1
    assert stream.bottoms.sum() == T + 1 or not stream.unanswered.any()
    assert np.array_equal(sizes, before)


@pytest.mark.parametrize(("T", "let_out"), [(0.0, 1), (2.5, 3), (100.0, 5)])
def test_with_next_to_no_noise_what_is_below_the_threshold_is_bottom_until_the_halt(T: float, let_out: int) -> None:
    values = np.array([9.0, 3, 7, 4, 5, 9, 1, 8, 2, 6.1])
    below = np.flatnonzero(values < 5.5).tolist()
    assert in_order(values, 1e-6, 5.5, T, np.random.default_rng(1)).tolist() == below[:let_out] and len(below) == 5
    stream = a_sparse_vec(values, np.ones(10, np.int64), 1e-6, 5.5, T, np.random.default_rng(1))
    assert stream.bottoms.sum() == let_out and set(np.flatnonzero(stream.bottoms)) <= set(below)
    assert (stream.unanswered.sum() == 0) == (T == 100)


def test_noise_on_values_is_twice_that_on_thresholds() -> None:
    """Against the laws written out, and each quantile where the chance is."""
    noise, x = LaplaceNoise(3.0), np.array([-40.0, -6.0, 0.0, 2.5])
    np.testing.assert_allclose(noise.below(x), scipy.stats.laplace(scale=6.0).cdf(x), rtol=1e-12)
    chances = np.array([1e-9, 0.2, 0.5, 0.9])
    np.testing.assert_allclose(noise.quantile(chances), scipy.stats.laplace(scale=6.0).ppf(chances), rtol=1e-9, atol=1e-12)
    threshold, value = (np.abs(draw(4000, np.random.default_rng(1))).mean() for draw in (noise.thresholds, noise.values))
    assert value == pytest.approx(2 * threshold, rel=1e-9)
    assert threshold == pytest.approx(3.0, abs=6 * 3.0 / 4000**0.5)  # six deviations of a mean of |Lap(3)|
