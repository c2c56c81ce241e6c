"""Tables that mechanisms are run on: gaps about the threshold of what pays for its ⊥s alone, and how others are sought."""

from unittest.mock import Mock

import numpy as np
import pytest

from harness.ballots import Ballot, by_label
from harness.mechanisms.answering import mechanisms
from harness.mechanisms.answering import tables as module
from harness.mechanisms.answering.answers import Answers, winners
from harness.mechanisms.answering.tables import lost_at
from harness.theory.constants import constants
from harness.theory.privacy.distance import DISTANCES
from tests.support.plans import task_of


@pytest.mark.parametrize("m", [2, 7])
def test_queries_are_moved_down_from_the_threshold_and_from_a_lambda_above_it(m: int) -> None:
    """The first are at the least gap whose distance is not below that, the last at one of a λ below, and moves up."""
    mechanism, task = mechanisms()["A_binClas"], task_of(m)
    plan = mechanism.plan(constants()["BTT18"], task, 10**9)
    found = mechanism.neighbours(plan, task, 2)
    assert [tables.words.split("λ")[0][-1] for tables in found] == ["0", "1"]
    gaps = np.arange(plan.k % 2 or 2, plan.k + 1, 2)
    distances = DISTANCES[plan.distance].of(gaps)
    low = gaps[distances >= plan.w - plan.lam][0]
    for tables, level in zip(found, (0, 1), strict=True):
        edge = gaps[distances >= plan.w + level * plan.lam][0]
        assert (tables.before[0] - tables.before[1]).tolist() == [edge] * (m - 1) + [low]
        assert (tables.after[0] - tables.after[1]).tolist() == [edge - 2] * (m - 1) + [low + 2]
        assert tables.sizes.tolist() == [1] * m and set(tables.before.sum(axis=0)) == {plan.k}


def test_of_one_query_and_of_very_many_there_is_no_such_pattern() -> None:
    mechanism = mechanisms()["A_binClas"]
    for m in (1, 1000):
        task = task_of(m)
        assert mechanism.neighbours(mechanism.plan(constants()["BTT18"], task, 10**9), task, 2) == []


def test_a_gap_where_runs_repeat_each_other_is_sought_by_single_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []

    def said(ballot: Ballot, *_: object) -> Answers:
        asked.append(ballot.trials)
        return winners(ballot)

    mechanism = Mock(answer_in_order=Mock(side_effect=said))
    monkeypatch.setattr(module, "uncertain", lambda *_: [])
    mechanism.neighbours.return_value = []
    pairs = module.neighbours(mechanism, Mock(k=9), Mock(m=2), 2, np.random.default_rng(1))
    assert set(asked) == {1}
    assert {("one run at a time" in pair.words, pair.weight, pair.block == 1) for pair in pairs} == {
        (False, 1.0, False),
        (True, 1 / 32, True),
    }


def test_where_runs_repeat_each_other_the_votes_are_moved_over_the_gap_at_which_they_say_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A mechanism that gives the winner where it leads by five votes, and else the other label."""

    def said(ballot: Ballot, *_: object) -> Answers:
        lead = np.abs(ballot.counts[0] - ballot.counts[1])
        return Answers(by_label((ballot.winner ^ (lead < 5)).astype(np.int8), ballot.sizes, 2))

    mechanism = Mock(answer_in_order=Mock(side_effect=said))
    monkeypatch.setattr(module, "uncertain", lambda *_: [])
    mechanism.neighbours.return_value = []
    pairs = module.neighbours(mechanism, Mock(k=9), Mock(m=2), 2, np.random.default_rng(1))
    (moved, alone) = [pair for pair in pairs if "repeat each other" in pair.words]
    assert "gaps of 5 and 3 votes" in moved.words and "one run at a time" in alone.words
    for pair in (moved, alone):
        said_of = [pair.run(side, 1, np.random.default_rng(1))[0, :2].tolist() for side in (0, 1)]
        assert said_of == [[0, 0], [1, 1]]


@pytest.mark.parametrize("labels", [2, 3])
def test_the_winner_of_the_first_query_is_lost_in_a_share_of_the_runs_at_a_gap(labels: int) -> None:
    def said(ballot: Ballot, *_: object) -> Answers:
        lead = np.sort(ballot.counts, axis=0)
        assert set(lead[-1] - lead[-2]) == {5} and set(ballot.counts.sum(axis=0)) == {21} and set(ballot.sizes) == {1}
        loser = (ballot.winner + (np.arange(ballot.trials) % 3 == 0)).astype(np.int8) % 2
        return Answers(by_label(loser, ballot.sizes, labels))

    mechanism = Mock(answer_in_order=Mock(side_effect=said))
    assert lost_at(mechanism, Mock(k=21), Mock(), labels, 5, np.random.default_rng(1)) == pytest.approx(1 / 3)
