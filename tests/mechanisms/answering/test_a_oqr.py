"""A_OQR decision by decision against BTT18a Algorithm 3 as printed, on the noise that our run drew."""

from collections.abc import Callable
from functools import partial
from math import exp, log

import numpy as np
import pytest
from numpy.typing import NDArray

from harness.mechanisms.answering import mechanisms
from harness.mechanisms.answering.answers import BOTTOM, UNANSWERED
from harness.mechanisms.answering.per_bottom import a_oqr
from harness.theory.constants import constants
from harness.theory.constants.btt18a import stable_distance
from harness.theory.pac import thresholds_extremal
from harness.theory.parameters import Task
from tests.support.printed_loop import printed_loop, record

CONSTANTS = constants()

# Distances to instability around w = 30, at λ = 4.
REGIMES: dict[str, Callable[[np.random.Generator, int], NDArray[np.int64]]] = {
    "all sure ⊥": lambda rng, m: np.full(m, -10_000),
    "no distance at all": lambda rng, m: np.zeros(m, dtype=np.int64),
    "rare ⊥": lambda rng, m: np.full(m, 60),
    "close to the threshold": lambda rng, m: rng.integers(20, 40, m),
    "far above": lambda rng, m: np.full(m, 10**9),
    "sure, safe and close": lambda rng, m: rng.choice([0, 25, 30, 35, 10**9], m),
}


@pytest.mark.parametrize("regime", REGIMES.values(), ids=list(REGIMES))
@pytest.mark.parametrize("T", [1.0, 3.7, 25.0, 1e6])
def test_every_answer_is_the_printed_loops(regime: Callable[[np.random.Generator, int], NDArray[np.int64]], T: float) -> None:
    rng, lam, w = np.random.default_rng(5), 4.0, 30.0
    for seed, m in enumerate([1, 1, 2, *rng.integers(3, 200, 30).tolist(), 6000]):
        values = rng.integers(0, 5, m).astype(np.int8)
        dist = regime(rng, m)
        ours, tape = record(partial(a_oqr, values, dist, lam, w, T, np.random.default_rng(seed)), lam)
        printed = printed_loop(values.tolist(), dist.tolist(), tape, T)
        assert ours.labels.tolist() == printed.labels.tolist()
        assert ours.halted_at == printed.halted_at


@pytest.mark.parametrize(
    ("bottoms_at", "labels", "halted_at"),
    [
        ([], [7, 7, 7, 7, 7], None),
        ([1], [7, BOTTOM, 7, 7, 7], None),
        ([0, 1], [BOTTOM, BOTTOM, UNANSWERED, UNANSWERED, UNANSWERED], 2),
        ([1, 3], [7, BOTTOM, 7, BOTTOM, UNANSWERED], 4),
        ([1, 4], [7, BOTTOM, 7, 7, BOTTOM], None),
        ([0, 1, 2, 3, 4], [BOTTOM, BOTTOM, UNANSWERED, UNANSWERED, UNANSWERED], 2),
    ],
    ids=["no ⊥", "one ⊥", "halt", "halt before the last query", "cutoff passed on the last query", "all ⊥"],
)
def test_at_T_1_the_second_bottom_halts_unless_no_query_is_left(
    bottoms_at: list[int], labels: list[int], halted_at: int | None
) -> None:
    dist = np.full(5, 10**6)
    dist[bottoms_at] = -(10**6)
    answers = a_oqr(np.full(5, 7, dtype=np.int8), dist, 1.0, 10.0, 1.0, np.random.default_rng(0))
    assert answers.labels.tolist() == labels
    assert answers.halted_at == halted_at


def test_the_exact_values_are_left_as_they_were() -> None:
    values = np.arange(5, dtype=np.int8)
    a_oqr(values, np.full(5, -(10**6)), 1.0, 10.0, 9.0, np.random.default_rng(0))
    assert values.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("m", [1, 100, 10**6])
@pytest.mark.parametrize("T", [1.0, 7.5, 1000.0])
@pytest.mark.parametrize(("eps", "delta", "beta"), [(1.0, 1e-6, 0.05), (0.1, 0.2, 0.9), (5.0, 1e-12, 1e-9)])
def test_queries_at_the_printed_distance_are_answered(m: int, T: float, eps: float, delta: float, beta: float) -> None:
    """BTT18a Corollary 3.9: a = 8λ ln(4mT/min(δ, β)), and at it the m tests fail with probability at most β by the union."""
    task = Task(m=m, eps=eps, delta=delta, beta=beta, gamma=0.0, pac_bound=thresholds_extremal)
    lam, w = CONSTANTS["BTT18a"].lam(task, T), CONSTANTS["BTT18a"].w(task, T)
    a = stable_distance(task, T)
    assert a == pytest.approx(8 * lam * log(4 * m * T / min(delta, beta)), rel=1e-12)
    assert m * 2 / 3 * exp(-(a - w) / (2 * lam)) <= beta


def test_its_plan_has_room_for_a_unanimous_query_and_not_for_a_chunk_less() -> None:
    task = Task(m=1000, eps=1.0, delta=1e-6, beta=0.05, gamma=0.0, pac_bound=thresholds_extremal)
    for n in (10**8, 10**12):
        plan = mechanisms()["A_OQR"].plan(CONSTANTS["BTT18a"], task, n)
        assert plan.k - 2 < stable_distance(task, plan.T) <= plan.k - 1
