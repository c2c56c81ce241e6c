"""Whole trials by types of queries have the joint law of trials query by query: for every class, distribution, learner, noise
and sampling, each with a third of the mechanisms in turn.

What a mechanism makes of the types of any ballot is in tests/mechanisms: here they meet the ballots that samplings make.

The slow way draws all queries one by one and the votes on each, and goes through them with the papers' pseudo-code. Votes are
those of `full` sampling where there are few examples; else of the same sampling on the single queries, which is compared with
`full` in tests/concepts. Each comparison fails falsely with probability at most 1e-9; there are fewer than 1000 in each test.
"""

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

import numpy as np
import pytest

from harness.arrays import Ints
from harness.ballots import Ballot
from harness.mechanisms.answering import mechanisms
from harness.trials.answers import counts
from harness.trials.kind import NULL
from tests.support.cases import EVERY, Case, distinct
from tests.support.plans import K, by_hand, task_of
from tests.support.query_by_query import COUNTED, SAYS, counted, expanded
from tests.support.same_law import assert_same_law

M = 120
TRIALS, FEWER = 500, 200  # of ballots and of the sparse vectors; of the others
FEW_EXAMPLES = 10_000

TURNS = 3  # of its mechanisms each case has every third

SAMPLED = {f"{name}-{sampling}": (case, sampling) for name, case in EVERY.items() for sampling in case.samplings()}
COMPARED = [
    pytest.param(turn % TURNS, case, sampling, id=f"{name}-{sampling}")
    for turn, (name, case, sampling) in enumerate(
        (name, case, sampling) for name, case in distinct(EVERY).items() for sampling in case.samplings() if sampling != "full"
    )
]
"""One case of those that are alike. `full` sampling is the slow way itself."""


@pytest.fixture(autouse=True)
def by_types_at_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """However few queries there are, they come by types."""
    monkeypatch.setattr("harness.concepts.least_risk.FEW_POINTS", 0)
    monkeypatch.setattr("harness.concepts.exact_error.MOST", 0)


def sizes(case: Case) -> Iterator[int]:
    """Chunk sizes from small to large."""
    yield case.small
    sized = (round(20 * 1.25**i) for i in range(40))
    yield from takewhile(lambda s: s < 10**5, (s for s in sized if case.distribution.refuse(case.situation(s)) is None))


def least_s(case: Case, sampling: str) -> int:
    """The least chunk size at which queries are not drawn one by one, or a small one where they always are."""
    singles = case.samplings()[sampling].singles
    return next((s for s in sizes(case) if singles(case.sampler(s), M, K, s) < M), case.small)


def by_types(case: Case, sampling: str, s: int, rng: np.random.Generator) -> Ballot:
    sampler, sample = case.sampler(s), case.samplings()[sampling]
    ballot = sample.votes(sampler, sample.queries(sampler, M, K, s, 1, rng), K, s, rng)
    assert ballot.m == M and ballot.tv_budget < 1e-9
    return ballot


def one_by_one(case: Case, sampling: str, s: int, rng: np.random.Generator) -> Ballot:
    sampler, samplings = case.sampler(s), case.samplings()
    queries = sampler.queries(M, rng)
    sample = samplings["full"] if sampling != "deferred" and K * s <= FEW_EXAMPLES else samplings[sampling]
    ballot = sample.votes(sampler, queries, K, s, rng)
    return expanded(ballot, rng) if case.concept.synthetic else ballot  # there the split votes come first


def votes_in_short(ballot: Ballot, most: bool) -> list[int]:
    """How many queries have all votes right, all wrong, a wrong winner and the label 1; wrong votes; and the most mistakes."""
    none, all_, lost, ones = (
        int(ballot.number(which)[0])
        for which in (ballot.wrong == 0, ballot.wrong == K, ballot.winner != ballot.truth, ballot.truth == 1)
    )
    return [none, all_, lost, ones, int(ballot.wrong @ ballot.sizes), int(np.max(ballot.max_mistakes or 0)) * most]


def whole(counted: Any, null: int | None) -> int | None:
    """A count of one trial; what stands for it where there is none."""
    number = NULL if counted is None else int(np.ravel(counted)[0])
    return null if number == NULL else number


@pytest.mark.parametrize(("turn", "case", "sampling"), COMPARED)
def test_a_trial_by_types_counts_by_the_law_of_one_query_by_query(turn: int, case: Case, sampling: str) -> None:
    rng, s = np.random.default_rng(1), least_s(case, sampling)
    quick, slow = ([draw(case, sampling, s, rng) for _ in range(TRIALS)] for draw in (by_types, one_by_one))
    most = quick[0].max_mistakes is not None and slow[0].max_mistakes is not None
    assert_same_law(*(np.array([votes_in_short(each, most) for each in ballots]) for ballots in (quick, slow)))
    if case.samplings()[sampling].singles(case.sampler(s), M, K, s) >= M:
        return  # the same ballots, and what mechanisms make of them is in tests/mechanisms
    able = [each for each in mechanisms().items() if not (each[1].binary and len(quick[0].counts) > 2)]
    for name, mechanism in able[turn::TURNS]:
        trials = TRIALS if mechanism.pays_for == "bottoms" else FEWER
        plan, task, least = by_hand(mechanism), task_of(M), {"halted_at": M + 1, "max_mistakes": 0}
        rows = [counts(ballot, mechanism.answer(ballot, plan, task, rng)) for ballot in quick[:trials]]
        ours: Ints = np.array([[whole(row[column], least.get(column)) for column in COUNTED] for row in rows])
        theirs = np.array([counted(each, SAYS[name](each.counts.T.tolist(), plan, rng)) for each in slow[:trials]])
        assert_same_law(ours[:, : len(COUNTED) - (not most)], theirs[:, : len(COUNTED) - (not most)])


def test_most_samplings_that_could_are_seen_by_types() -> None:
    """What is compared above is not the slow way with itself: but for noise, and learners that must see the points."""
    seen = {
        name for name, (case, sampling) in SAMPLED.items()
        if case.samplings()[sampling].singles(case.sampler(least_s(case, sampling)), M, K, least_s(case, sampling)) < M
    }  # fmt: skip
    assert all(("sufficient" in name or "deferred" in name) for name in seen)
    left = {name for name in SAMPLED.keys() - seen if "full" not in name}
    assert len(seen) > 3 * len(left), left
