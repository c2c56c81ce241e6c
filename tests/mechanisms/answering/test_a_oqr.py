"""A_OQR decision by decision against BTT18a Algorithm 3 as printed, on the noise that our run drew."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import exp, floor, log

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chisquare

from harness.ballots import Ballot
from harness.mechanisms.answering import mechanisms
from harness.mechanisms.answering.per_bottom import a_oqr
from harness.theory.constants import constants
from harness.theory.constants.btt18a import stable_distance
from harness.theory.pac import thresholds_extremal
from harness.theory.parameters import Task
from tests.support.one_by_one import BOTTOM, UNANSWERED, ballot_of, labels
from tests.support.plans import by_hand, task_of
from tests.support.printed_loop import printed_bottoms, record

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
    """Queries of a type each. What is not among those that could be ⊥ is answered, if it comes before a halt."""
    rng, lam, w = np.random.default_rng(5), 4.0, 30.0
    for seed, m in enumerate([1, 1, 2, *rng.integers(3, 200, 30).tolist(), 6000]):
        ballot, dist = ballot_of(rng.integers(0, 10, m), 9, np.zeros(m, dtype=np.int8)), regime(rng, m)
        answers, tape = record(partial(a_oqr, ballot, dist, lam, w, T, np.random.default_rng(seed)))
        said, allowed, threshold = labels(answers), floor(T) + 1, tape.before[0]
        for part, before in zip(tape.parts, tape.before, strict=True):
            assert before == threshold and (np.diff(part.when) >= 0).all() and len(set(part.type)) == len(part.type)
            bottoms = printed_bottoms(part.noisy.tolist(), threshold, part.owned.tolist(), allowed)
            last = bottoms[-1] if len(bottoms) == allowed else len(part.type)
            expected = np.where(np.arange(len(part.type)) <= last, ballot.winner[part.type], UNANSWERED)
            expected[bottoms] = BOTTOM
            assert said[part.type].tolist() == expected.tolist()
            allowed -= len(bottoms)
            threshold = part.owned[bottoms[-1]] if bottoms else threshold
        others = np.setdiff1d(np.arange(m), np.concatenate([part.type for part in tape.parts]))
        assert ((said[others] == ballot.winner[others]) | ((said[others] == UNANSWERED) & (allowed == 0))).all()
        assert answers.halted_at == (None if (said != UNANSWERED).all() else np.count_nonzero(said != UNANSWERED))


@pytest.mark.at_once("False-no \\u22a5", "False-one \\u22a5", "True-one \\u22a5")
@pytest.mark.parametrize(("bottoms", "answered"), [(0, 5), (1, 5), (2, None), (5, 2)], ids=["no ⊥", "one ⊥", "halt", "all ⊥"])
@pytest.mark.parametrize("by_type", [False, True])
def test_at_T_1_the_second_bottom_halts_unless_no_query_is_left(bottoms: int, answered: int | None, by_type: bool) -> None:
    """With two ⊥s among five queries there is no halt where the second is the last: one time in 2/5, as C(4, 1)/C(5, 2)."""
    sizes = np.array([5 - bottoms, bottoms]) if by_type else None
    which = np.array([0, 1]) if by_type else np.arange(5) >= 5 - bottoms
    dist = np.where(which, -(10**6), 10**6)
    ballot = Ballot(np.tile([[2], [7]], len(dist)), 9, np.ones(len(dist), dtype=np.int8), sizes)
    runs = [a_oqr(ballot, dist, 1.0, 10.0, 1.0, np.random.default_rng(seed)) for seed in range(400)]
    for answers in runs:
        assert answers.bottom_count == min(2, bottoms)
        assert answers.given[0].sum() == 0
        total = int(answers.given.sum()) + answers.bottom_count
        assert total + answers.unanswered_count == 5
        assert answers.halted_at == (None if total == 5 else total)
        assert answered is None or total == answered
    if answered is None:
        places = np.bincount([5 if answers.halted_at is None else answers.halted_at for answers in runs], minlength=6)
        assert not places[:2].any()
        assert chisquare(places[2:], 400 * np.array([1, 2, 3, 4]) / 10).pvalue > 1e-8


def test_the_ballot_is_left_as_it_was() -> None:
    ballot = Ballot(np.array([[2, 3], [7, 6]]), 9, np.ones(2, dtype=np.int8), np.array([10, 20]))
    a_oqr(ballot, np.full(2, -(10**6)), 1.0, 10.0, 9.0, np.random.default_rng(0))
    assert ballot.counts.tolist() == [[2, 3], [7, 6]] and ballot.sizes.tolist() == [10, 20]


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


@pytest.mark.parametrize("runs", [1, 3])
def test_in_order_each_run_has_its_own_bottoms_and_halt(runs: int) -> None:
    """Votes far from the threshold on either side, with hardly any noise: the loop by hand. Chance of another one: e^−1000."""
    mechanism, T, m = mechanisms()["A_subSamp"], 2.0, 12
    plan, task = by_hand(mechanism, T=T, lam=0.001, w=9.0), task_of(m)
    tied = np.random.default_rng(6).random((runs, m)) < 0.4
    tied[-1] = np.arange(m) > 8  # three ⊥s, of which the last is the last query: no halt
    ones = np.where(tied, 10, 0).ravel()
    ballot = ballot_of(ones, 20, np.zeros(runs * m, dtype=np.int8))
    if runs > 1:
        ballot = replace(ballot, trial=np.repeat(np.arange(runs), m), trials=runs)
    said = labels(mechanism.answer_in_order(ballot, plan, task, np.random.default_rng(1))).reshape(runs, m)
    for row, own in zip(said, tied, strict=True):
        left, expected = floor(T) + 1, []
        for bottom in own:
            expected.append(UNANSWERED if left == 0 else BOTTOM if bottom else 0)
            left -= bottom and left > 0
        assert row.tolist() == expected
    assert (said[-1] != UNANSWERED).all() and (runs == 1 or (said == UNANSWERED).any())
