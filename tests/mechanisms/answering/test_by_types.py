"""The joint law of what a trial counts is the same by types of queries as one query at a time, for every mechanism.

The slow way puts all queries of a ballot in a random order and goes through them with the papers' pseudo-code. Each comparison
fails falsely with probability at most 1e-9 (`tests/support/same_law.py`); there are fewer than 300.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from harness.arrays import Ints
from harness.ballots import Ballot
from harness.mechanisms.answering import Answering, mechanisms
from harness.theory.plan import Plan
from harness.trials.answers import counts
from tests.support.epochs import FAULTS, Fault, epochs, in_its_place
from tests.support.plans import by_hand, task_of
from tests.support.query_by_query import COUNTED, SAYS, counted, expanded
from tests.support.same_law import assert_same_law

TRIALS = 1500


def ballot_of(*types: tuple[tuple[int, ...], int, int]) -> Ballot:
    """Types as (counts, truth, size)."""
    tallies, truth, size = zip(*types, strict=True)
    return Ballot(np.array(tallies).T, sum(tallies[0]), np.array(truth, dtype=np.int8), np.array(size))


BALLOTS = {
    "most unanimous, some not, some labels noisy": ballot_of(
        ((20, 0), 0, 20), ((0, 20), 1, 15), ((0, 20), 0, 2), ((14, 6), 0, 3), ((9, 11), 0, 1), ((3, 17), 1, 1)
    ),
    "all of one type, close to the threshold": ballot_of(((4, 16), 1, 30)),
    "ties, right and wrong": ballot_of(((10, 10), 0, 6), ((10, 10), 1, 6), ((0, 20), 1, 8)),
    "one by one": ballot_of(*(((i, 20 - i), i % 2, 1) for i in range(21))),
    "one query": ballot_of(((7, 13), 1, 1)),
}
MORE_LABELS = {
    "three labels": ballot_of(
        ((20, 0, 0), 0, 15), ((0, 20, 0), 1, 5), ((10, 10, 0), 0, 4), ((8, 7, 5), 2, 6), ((2, 3, 15), 2, 1)
    ),
    "five labels, all alike": ballot_of(((4, 4, 4, 4, 4), 3, 12), ((0, 0, 0, 20, 0), 3, 9)),
}
CASES = [
    pytest.param(mechanism, ballot, id=f"{mechanism.name}-{name}")
    for mechanism in mechanisms().values()
    for name, ballot in (BALLOTS if mechanism.binary else BALLOTS | MORE_LABELS).items()
]


def by_types(mechanism: Answering[Any], plan: Plan, ballot: Ballot, trials: int, rng: np.random.Generator) -> Ints:
    """What trials count, (trials, 6)."""
    rows = (counts(ballot, mechanism.answer(ballot, plan, task_of(ballot.m), rng)) for _ in range(trials))
    least = {"halted_at": ballot.m + 1, "max_mistakes": 0}
    found = [[-1 if row[name] is None else int(np.ravel(row[name])[0]) for name in COUNTED] for row in rows]
    return np.array(
        [[least[name] if value < 0 else value for name, value in zip(COUNTED, each, strict=True)] for each in found]
    )


def one_by_one(mechanism: Answering[Any], plan: Plan, ballot: Ballot, trials: int, rng: np.random.Generator) -> Ints:
    """The same query by query."""
    queries = [expanded(ballot, rng) for _ in range(trials)]
    return np.array([counted(each, SAYS[mechanism.name](each.counts.T.tolist(), plan, rng)) for each in queries])


@pytest.mark.parametrize(("mechanism", "ballot"), CASES)
def test_what_is_counted_by_types_has_the_law_of_the_pseudo_code(mechanism: Answering[Any], ballot: Ballot) -> None:
    plan, rng = by_hand(mechanism), np.random.default_rng(1)
    assert_same_law(by_types(mechanism, plan, ballot, TRIALS, rng), one_by_one(mechanism, plan, ballot, TRIALS, rng))


@pytest.mark.parametrize(
    ("distance", "T", "w"),
    [
        ("printed", 0.0, 4.0),
        ("corrected", 1.5, 4.0),
        ("printed", 12.0, -10.0),
        ("printed", 100.0, 30.0),
        ("corrected", 1.5, 30.0),
    ],
)
def test_sparse_vectors_have_it_at_any_cutoff_threshold_and_distance(distance: str, T: float, w: float) -> None:
    """From hardly a ⊥ to nothing but ⊥s, with and without a halt."""
    mechanism, rng = mechanisms()["A_subSamp"], np.random.default_rng(2)
    plan = replace(by_hand(mechanism, T=T, w=w), distance=distance)  # type: ignore[call-arg]
    for ballot in (*BALLOTS.values(), *MORE_LABELS.values()):
        assert_same_law(by_types(mechanism, plan, ballot, 800, rng), one_by_one(mechanism, plan, ballot, 800, rng))


UNEVEN = ballot_of(((0, 20), 1, 60), ((20, 0), 1, 10), ((8, 12), 1, 20), ((13, 7), 1, 10))
"""Right, wrong, unstable: in an order by type, what comes before a halt is not a fair share of each."""

CLOSE = ballot_of(((5, 15), 1, 60), ((15, 5), 1, 20))
"""A distance of 9, at the threshold: how many are ⊥ hangs on each threshold for as long as it is in effect."""


def in_place_of_the_loop(fault: Fault | None, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """The comparison above, with epochs by hypergeometric draws in the place of the harness's loop."""
    in_its_place(partial(epochs, fault=fault))(monkeypatch)
    mechanism, rng = mechanisms()["A_binClas"], np.random.default_rng(3)

    def compare() -> None:
        for ballot, T in ((UNEVEN, 5.0), (CLOSE, 100.0)):
            plan = by_hand(mechanism, T=T)
            assert_same_law(by_types(mechanism, plan, ballot, TRIALS, rng), one_by_one(mechanism, plan, ballot, TRIALS, rng))

    return compare


def test_epochs_with_hypergeometric_draws_have_the_law_too(monkeypatch: pytest.MonkeyPatch) -> None:
    in_place_of_the_loop(None, monkeypatch)()


@pytest.mark.parametrize("fault", FAULTS)
def test_the_comparison_fails_where_the_loop_is_wrong(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssertionError):
        in_place_of_the_loop(fault, monkeypatch)()


def test_every_mechanism_has_its_pseudo_code() -> None:
    assert SAYS.keys() == mechanisms().keys()
