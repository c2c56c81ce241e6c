"""A trial's cost does not depend on m: ratios at equal numbers of ⊥s and of queries that are not unanimous, and memory."""

import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest

from harness.mechanisms.above_threshold import a_sparse_vec
from harness.mechanisms.answering import mechanisms
from harness.trials.answers import KIND
from harness.trials.cell import Cell

AtMost = Callable[[float, Callable[[], object], Callable[[], object], int], None]
AtMostTrial = Callable[[float, Cell, Cell, str], None]


def blocks(cell: Cell, name: str) -> Callable[[], object]:
    """Four blocks of trials after another, of which the first has been run: it does more than the next."""
    KIND.run(cell, [name], 1, 0)
    numbers = iter(range(1, 10**9))
    return lambda: [KIND.run(cell, [name], 1, next(numbers)) for _ in range(4)]


@pytest.fixture
def trial_takes_at_most(takes_at_most: AtMost) -> AtMostTrial:
    """Whether a trial of one cell takes at most so many times as long as one of another: of blocks, each of its own size."""

    def check(limit: float, cell: Cell, reference: Cell, name: str) -> None:
        takes_at_most(limit * KIND.block(cell) / KIND.block(reference), blocks(cell, name), blocks(reference, name), 7)

    return check


def hard(m: int, n: int, V: int = 8, **other: object) -> Cell:
    given = {"concept": "cube_stumps", "V": V, "distribution": "hard", "m": m, "n": n, "T": 100}
    return Cell.model_validate(given | other)


def unlike(cell: Cell) -> float:
    """About how many queries chunks may differ on, at the k and s of A_binClas."""
    return cell.sample.singles(cell.sampler("A_binClas"), cell.m, cell.plan("A_binClas").k, cell.plan("A_binClas").s)


@pytest.mark.parametrize("name", [name for name, each in mechanisms().items() if each.private])
def test_a_hard_trial_at_10_to_the_10_queries_takes_at_most_twice_as_long_as_at_10_to_the_6(
    name: str, trial_takes_at_most: AtMostTrial
) -> None:
    """V = 8 and T = 100, at the n of each that makes as many queries rare: n is m times as large too."""
    large, small = (hard(m, 10**5 * m) for m in (10**10, 10**6))
    trial_takes_at_most(2.0, large, small, name)


@pytest.mark.parametrize("learner", ["leftmost", "midpoint"])
def test_a_threshold_trial_at_10_to_the_10_queries_takes_at_most_twice_as_long_as_at_10_to_the_6(
    learner: str, trial_takes_at_most: AtMostTrial
) -> None:
    """As many queries near the target: k grows with ln m, and n is such that s is m times as large."""

    def cell(m: int, s: int) -> Cell:
        k = Cell(m=m, n=10**15, T=10, learner=learner).plan("A_binClas").k
        return Cell(m=m, n=s * k, T=10, learner=learner)

    small = cell(10**6, 10**4)
    large = cell(10**10, 10**8)
    assert 1000 < unlike(small) < 20_000 and 0.8 < unlike(large) / unlike(small) < 1.3
    trial_takes_at_most(2.0, large, small, "A_binClas")


def test_a_hard_trial_at_v_64_takes_at_most_16_times_as_long_as_at_v_8(trial_takes_at_most: AtMostTrial) -> None:
    """The same T, m = 10¹⁰ and n = 10¹⁵. Of 7 rare atoms all sets are counted; 63 take some V²/4 binomials a trial."""
    large, small = (hard(10**10, 10**15, V) for V in (64, 8))
    trial_takes_at_most(16.0, large, small, "A_binClas")


@pytest.mark.parametrize(
    "fields",
    [
        {"n": 10**18},
        {"n": 10**18, "learner": "midpoint", "gamma": 0.1, "T": 100},
        {"n": 10**18, "concept": "intervals"},
        {"n": 10**18, "concept": "halfspaces"},
        {"n": 10**15, "concept": "cube_stumps", "V": 8, "distribution": "hard"},
    ],
    ids=str,
)
def test_a_trial_at_10_to_the_12_queries_takes_less_than_50_MB(fields: dict[str, object]) -> None:
    """Those that pay for ⊥s alone: others have so many chunks that these differ on most queries."""
    cell = Cell.model_validate({"m": 10**12} | fields)
    names = ["A_subSamp", *["A_binClas"][: cell.concept_class.label_count == 2]]
    KIND.rows(cell, names, 1, 0)
    tracemalloc.start()
    try:
        KIND.rows(cell, names, 1, 1)
        assert tracemalloc.get_traced_memory()[1] < 50 * 10**6
    finally:
        tracemalloc.stop()


def test_bottoms_that_are_hardly_in_doubt_cost_nothing_in_their_number(takes_at_most: AtMost) -> None:
    """10⁷ queries 60λ below the threshold of A_sparseVec, beside as many as are not drawn: as long as 10⁴ of them."""

    def stream(size: int) -> Callable[[], object]:
        values, sizes = np.array([-60.0, 1e3]), np.array([size, 10**9])
        return lambda: [a_sparse_vec(values, sizes, 1.0, 0.0, 1e9, np.random.default_rng(1)) for _ in range(20)]

    takes_at_most(1.5, stream(10**7), stream(10**4), 20)
