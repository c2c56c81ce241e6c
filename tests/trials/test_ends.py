"""Ends that no trial comes to: where a search stops, what a single query is asked, and what is said where nothing is known."""

from unittest.mock import Mock

import numpy as np
import pytest

from harness.arrays import Bools
from harness.ballots import Ballot
from harness.covers.thresholds import ThresholdQueries
from harness.mechanisms.answering import mechanisms
from harness.trials import least_constant
from harness.trials.audited import releases as audited_releases
from harness.trials.audited import scores as audited_scores
from harness.trials.audited.examples import GivenExamples, labels_of
from harness.trials.audited.subject import AuditSetting
from harness.trials.least import MOST, RATIO, UNIT, least
from harness.trials.release_cell import ReleaseSetting
from harness.trials.search import Found, Search
from harness.trials.tied import randomness_told
from tests.support.plans import task_of


@pytest.mark.parametrize("wide", [1.0, 1.3, 2.0, 5.0])
@pytest.mark.parametrize("least", [57, 1000, 12_345])
def test_where_runs_are_cheap_both_ends_are_the_last_that_can_be_shown(least: int, wide: float) -> None:
    """From `least` up to so many times as much three of twenty runs fail, which is what is allowed, and shows nothing."""

    def probe(n: int, runs: range) -> Bools:
        return np.array([n < least or (n < wide * least and index % 20 in (2, 9, 16)) for index in runs], np.bool_)

    search = Search(probe, 0.15, 10**6, 1e-6, 500, close=True)
    points = [search.point(g) for g in range(3000)]
    for start in (1, least, 10**5):
        found = search.find(start)
        assert found.high == min(point for point in points if point >= wide * least)
        assert found.low == max(point for point in points if point < least)


@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.parametrize("start", [1, 30, 1000])
def test_where_runs_are_cheap_nothing_is_looked_at_beyond_what_is_tried(fails: bool, start: int) -> None:
    asked = set[int]()

    def probe(n: int, runs: range) -> Bools:
        asked.add(n)
        return np.full(len(runs), fails)

    search = Search(probe, 0.15, 1000, 1e-6, 500, close=True)
    last = max(point for point in map(search.point, range(1000)) if point <= 1000)
    found = search.find(start)
    assert (found.low, found.high) == ((last, None) if fails else (0, 1))
    assert min(asked) >= 1 and max(asked) <= last


def test_the_least_constant_is_sought_as_close_as_the_budget_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, object]] = []

    def least(cell: object, broken: object, allowed: float, **more: object) -> tuple[dict[str, int], None]:
        asked.append(more)
        return {}, None

    monkeypatch.setattr(least_constant, "least", least)
    row = least_constant.searched(Mock(event="useful", allowed=0.05), "A_binClas", Mock())
    assert asked == [{"close": True}] and row == {"k": None, "n": None, "tv_budget": 0.0}
    assert RATIO < 1.1 and MOST * UNIT > 100


def test_where_runs_take_long_a_constant_is_sought_no_closer_than_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of releases and of scores, unless it is said."""
    close: list[bool] = []

    def search(*of: object, close: bool, seen: list[bool] = close) -> Mock:
        seen.append(close)
        return Mock(find=lambda start: Found(0, None, 1))

    monkeypatch.setattr("harness.trials.least.Search", search)
    for more in ({}, {"close": True}):
        row, enough = least(Mock(stated=1.0), Mock(), 0.05, **more)
        assert row["high"] is enough is None and row["runs"] == 1
    assert close == [False, True]


def test_a_release_is_asked_for_on_the_grid_that_it_is_audited_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing says how many points there are."""
    own = Mock(needs_public=False, private=True)
    own.needed.return_value, own.release.return_value = 50, Mock(spent=1.0)
    monkeypatch.setattr(audited_releases, "releases", lambda: {"own": own})
    audited_releases.subject("own", AuditSetting(m=5))
    assert own.needed.call_args[0][0] == ThresholdQueries().grid_sizes(5)
    assert own.release.call_args[0][0].site.n == 50


@pytest.mark.parametrize("m", [1, 2, 3])
def test_scores_of_several_queries_are_told_together_too(m: int) -> None:
    sorts = ("score", "⊥", "no answer")
    of_all = [f"{each} of all queries" for each in sorts] if m > 1 else []
    assert list(audited_scores.outputs(m)) == [f"{each} of query {place + 1}" for each in sorts for place in range(m)] + of_all


def test_a_release_of_one_query_is_audited_on_the_cover_of_two() -> None:
    one, two, three = (audited_releases.grid(places) for places in (1, 2, 3))
    assert one.queries == two.queries < three.queries


def test_the_error_of_what_chooses_from_given_examples_tells_where_it_cuts() -> None:
    """Every cell has an equal chance and label 1, so that each cell that is given the label 0 adds as much."""
    cover = GivenExamples(3, 20, 30).labelled().cover(3, np.random.default_rng(1))
    assert cover.law.sum() == pytest.approx(1) and cover.law[0].sum() == 0
    np.testing.assert_allclose(cover.law[1, 0], [0.25] * 4)


@pytest.mark.parametrize("labels", [[0, 1, 1], [1, 0, 0, 1], [1] * 12])
def test_labels_are_read_from_their_error(labels: list[int]) -> None:
    error = GivenExamples(len(labels), 0, 0).learn(Mock(), np.array(labels)).error
    assert error is not None and labels_of(float(error), len(labels)).tolist() == labels


def test_public_points_are_those_asked_for_or_as_many_as_the_bound_says_or_beyond_all_numbers() -> None:
    public = ReleaseSetting.public.fget  # type: ignore[attr-defined]
    assert [public(Mock(m=m, explicit_m=explicit)) for m, explicit in ((7, 9), (0, 9), (None, 9), (None, None))] == [
        7,
        0,
        9,
        10**18,
    ]


@pytest.mark.parametrize("name", ["noisy_majority", "gaussian", "majority"])
def test_queries_with_noise_of_their_own_or_none_are_no_fault(name: str) -> None:
    assert randomness_told(mechanisms()[name], task_of(100), 10**6) == []


class SharedNoise:
    """One coin a run, for all of its queries; or the same in every run."""

    def __init__(self, kept: bool = False) -> None:
        self.kept, self.runs = kept, 0

    def plan(self, constants: object, task: object, n: int) -> Mock:
        return Mock(k=10)

    def answer(self, ballot: Ballot, plan: object, task: object, rng: np.random.Generator) -> Mock:
        self.runs += 1
        assert ballot.counts.sum(axis=0).tolist() == [ballot.k] * 2 and not ballot.gap.any()  # of ten votes five for each
        label = self.runs % 2 if self.kept else int(rng.integers(2))
        given = np.zeros((2, len(ballot.sizes)), np.int64)
        given[label] = ballot.sizes
        return Mock(given=given)


def test_one_coin_for_all_queries_and_what_is_kept_from_run_to_run_are_faults() -> None:
    shared = randomness_told(SharedNoise(), Mock(), 10)  # type: ignore[arg-type]
    assert len(shared) == 1 and "get one label in each of 60 runs, and not always the same" in shared[0]
    kept = randomness_told(SharedNoise(kept=True), Mock(), 10)  # type: ignore[arg-type]
    assert len(kept) == 2 and "a run that is repeated with the same random stream is another" in kept[1]


class Tired:
    """Gives ⊥ from its so many runs on, or up to then."""

    def __init__(self, rested: range) -> None:
        self.rested, self.runs = rested, 0

    def plan(self, constants: object, task: object, n: int) -> Mock:
        return Mock(k=10)

    def answer(self, ballot: Ballot, plan: object, task: object, rng: np.random.Generator) -> Mock:
        self.runs += 1
        labels = ballot.sizes if self.runs in self.rested else 0 * ballot.sizes
        return Mock(given=np.array([labels, 0 * ballot.sizes]))


@pytest.mark.parametrize("rested", [range(1, 61), range(61, 121)])
def test_state_is_told_whether_fewer_or_more_labels_are_given_because_of_it(rested: range) -> None:
    """Sixty runs are made, and sixty again."""
    (said,) = randomness_told(Tired(rested), Mock(), 10)  # type: ignore[arg-type]
    assert "a run that is repeated with the same random stream is another" in said
