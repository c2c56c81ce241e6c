"""Pairs that audits run on: each is of neighbours, no further apart than its words say and no nearer."""

from collections.abc import Callable, Iterator
from unittest.mock import Mock

import numpy as np
import pytest

from harness.analysts import Poll
from harness.arrays import Ints, Reals
from harness.ballots import by_label
from harness.covers import Cover
from harness.covers.labelled import CoordinateCuts
from harness.mechanisms import neighbours
from harness.mechanisms.answering.answers import Answers
from harness.mechanisms.answering.tables import FEW, Tables
from harness.mechanisms.answering.tables import outcomes as outcomes_on
from harness.mechanisms.answering.tables import usual as usual_tables
from harness.mechanisms.neighbours import MOST_SEARCHED, NeighbourPair, repeated, uncertain
from harness.mechanisms.online import Responder
from harness.mechanisms.online.polls import Polls, of_chunks, usual_whole
from harness.mechanisms.release.points import usual as usual_points
from harness.mechanisms.scoring.predictions import HIGH, LOW, Predictions, SingleQueries, Written
from harness.mechanisms.scoring.predictions import usual as usual_predictions
from harness.trials.audited import classifiers as audited_classifiers
from harness.trials.audited import online as one_by_one
from harness.trials.audited import scores as audited_scores
from harness.trials.audited.classifiers import RARE, choosing
from harness.trials.audited.examples import GivenExamples
from harness.trials.audited.subject import AuditSetting, NotAuditedError
from harness.trials.stable_cell import StableCell

KS, MS = (20, 21), (1, 2, 7, FEW, FEW + 3)


def lead(table: Ints) -> Ints:
    """By how many votes label 0 leads, (types,)."""
    return np.asarray(table[0] - table[1])


@pytest.mark.parametrize("k", KS)
@pytest.mark.parametrize("m", MS)
def test_one_vote_of_every_query_is_another_which_ways_is_in_the_words(k: int, m: int) -> None:
    gap = 6 + k % 2
    of: dict[str, Tables] = {tables.words: tables for tables in usual_tables(k, m, [gap])}
    assert len(of) == (10 if m > 1 else 4)
    for words, tables in of.items():
        assert tables.sizes.sum() == m and (m > FEW or len(tables.sizes) == m)
        assert {*tables.before.sum(axis=0), *tables.after.sum(axis=0)} == {k}
        way = np.repeat(np.sign(lead(tables.after) - lead(tables.before)), tables.sizes)
        expected = np.full(m, -1)
        if "single query" in words:
            expected[1:] = 0
        elif "in turn" in words or "now to one" in words:
            expected = np.where(np.arange(m) < m - m // 2, -1, 1) if m > FEW else np.where(np.arange(m) % 2, 1, -1)
        elif "last" in words:
            expected[-1] = 1
        elif "half" in words:
            expected[m - m // 2 :] = 1
            expected = -expected if "half of the queries moved up" in words else expected
        assert way.tolist() == expected.tolist(), words
        levels = {*lead(tables.before), *lead(tables.after)}
        tied = {k % 2, k % 2 - 2} | ({k} if "single query" in words and m > 1 else set())
        near = {k, k - 2} if "unanimous but" in words else {gap, gap - 2}
        assert levels == (tied if "tied" in words else near), words


@pytest.mark.parametrize("runs", [1, 3])
@pytest.mark.parametrize("side", [0, 1])
def test_runs_on_a_table_are_the_trials_of_one_ballot(side: int, runs: int) -> None:
    """Each with all of the table's votes; told is of each run what each type got, and what all did."""
    mechanism, tables = Mock(), Tables("", np.array([[3, 0], [1, 4]]), np.array([[2, 1], [2, 3]]), np.array([2, 1]))
    mechanism.answer_in_order.side_effect = lambda ballot, *_: Answers(by_label(ballot.winner, ballot.sizes, 2))
    told = outcomes_on(mechanism, Mock(), Mock(), tables, side, runs, np.random.default_rng(1))
    ballot = mechanism.answer_in_order.call_args.args[0]
    trials = [*ballot.by_trial()]
    assert len(trials) == runs == ballot.trials and (ballot.trial is None) == (runs == 1)
    for each in trials:
        assert each.counts.tolist() == (tables.before, tables.after)[side].tolist()
        assert (each.k, each.sizes.tolist()) == (4, [2, 1])
    assert told.tolist() == [[0, 1, 0, 0, 0, 0, 1, 0, 0]] * runs


def scores(written: Written) -> Reals:
    """What each chunk predicts, (k, m)."""
    return np.repeat(np.array(written.scores), written.chunks, axis=0)


def test_predictions_that_are_written_are_drawn_as_they_are_at_places_equally_likely() -> None:
    written, places = Written(chunks=(3, 2), scores=((0.0, 1.0), (0.5, 0.25))), SingleQueries(m=2)
    (drawn,) = written.drawn(places, "full", np.random.default_rng(1), 1, 5)
    assert np.array_equal(drawn, scores(written)) and drawn.shape == (5, 2)
    fitted = written.fit(places, np.zeros((1, 4)), np.zeros((1, 4), np.int8), np.arange(4))
    assert np.array_equal(fitted, scores(written)[:4])
    edges, rng = np.array([[0.2, 0.6], [0.2, 0.9]]), np.random.default_rng(1)
    assert written.counted(places, "full", rng, 1, 5, edges, 3).tolist() == [[[3, 2, 0], [0, 2, 3]]] * 3
    assert (places.shares.tolist(), places.truth.tolist(), places.half.tolist()) == ([0.5] * 2, [0.5] * 2, [0.5])
    assert places.features(places.asked).tolist() == [[0.0], [0.5]]
    assert np.unique(places.draw(rng, (30, 2))).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("k", KS)
@pytest.mark.parametrize("m", [1, 2, 7])
def test_one_chunk_predicts_otherwise_at_every_query(k: int, m: int) -> None:
    gap, pairs = 6 + k % 2, 0
    for pair in usual_predictions(k, m, [gap]):
        before, after = scores(pair.before), scores(pair.after)
        assert before.shape == after.shape == (k, m)
        assert (before != after).sum(axis=0).tolist() == [1] * m and (before != after).any(axis=1).sum() == 1
        leads = [{int(of) for of in 2 * (side == HIGH).sum(axis=0) - k} for side in (before, after)]
        tie = 2 - k % 2
        high = tie if "as many" in pair.words else k if "alike" in pair.words else gap
        assert leads[0] | leads[1] == {high, high - 2}
        one_way = m == 1 or not ("in turn" in pair.words or "other way" in pair.words)
        assert (leads == [{high}, {high - 2}]) if one_way else (leads[0] == leads[1])
        about = f"{gap} and {gap - 2} more predictions of 1 than of 0, about where the answer is uncertain"
        assert high != gap or pair.words == about
        assert "in turn" not in pair.words or np.diff((before == HIGH).sum(axis=0)).all()
        pairs += 1
    assert pairs == (5 if m > 1 else 3)


def test_fixed_predictions_have_the_mean_of_all_chunks() -> None:
    written = Written(chunks=(5, 2, 1), scores=((0.0, 1.0), (0.5, 0.25), (1.0, 0.0)))
    assert written.means(Mock(), "sufficient", 1).tolist() == scores(written).mean(axis=0).tolist() == [0.25, 0.6875]


def test_predictions_of_two_chunks_are_no_neighbours() -> None:
    with pytest.raises(ValueError, match="no neighbours"):
        Predictions("two", Written(chunks=(2, 1), scores=((0.0,), (1.0,))), Written(chunks=(3,), scores=((0.5,),)))


@pytest.mark.parametrize("n", [10, 11])
def test_one_record_is_added_for_the_label_that_does_not_lead(n: int) -> None:
    gap = 4 + n % 2
    pairs = [*usual_whole(n, 3, [gap])]
    assert len(pairs) == 2
    for pair, ahead in zip(pairs, (n % 2, gap), strict=True):
        assert len(pair.before) == len(pair.after) == 3
        for before, after in zip(pair.before, pair.after, strict=True):
            assert before.counts.sum() == n and before.counts[0] - before.counts[1] == ahead
            assert (after.counts - before.counts).tolist() == [0, 1]


def test_a_table_of_types_is_a_poll_a_query() -> None:
    tables = Tables("", np.array([[3, 2], [1, 2]]), np.array([[2, 2], [2, 2]]), np.array([1, 2]))
    pair = of_chunks(tables)
    assert [poll.counts.tolist() for poll in pair.before] == [[3, 1], [2, 2], [2, 2]]
    assert [poll.counts.tolist() for poll in pair.after] == [[2, 2], [2, 2], [2, 2]]


@pytest.mark.parametrize("n", [1, 4, 5])
def test_one_of_n_points_is_moved(n: int) -> None:
    cover = Mock(spec=Cover)
    cover.uniform.return_value = np.full(5, 0.2)
    pairs = [*usual_points(cover, (np.eye(5)[0], np.eye(5)[4]), n)]
    assert len(pairs) == 3
    for pair in pairs:
        for weights in (pair.before, pair.after):
            assert weights.sum() == pytest.approx(1) and (weights >= -1e-15).all()
        assert np.abs(pair.after - pair.before).sum() / 2 == pytest.approx(1 / n)
    assert pairs[1].before[4] == pytest.approx((n // 2) / n)


@pytest.fixture(params=[2000, 2001])
def k(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def losing(scale: float) -> Callable[[int], float]:
    return lambda gap: float(np.exp(-gap / scale))


def test_the_gaps_where_the_answer_is_uncertain_are_near_a_half_and_a_tenth(k: int) -> None:
    tried: list[int] = []

    def lost(gap: int) -> float:
        tried.append(gap)
        return losing(100)(gap)

    tenth, half = uncertain(lost, k)[::-1]
    assert half % 2 == tenth % 2 == k % 2
    assert half == pytest.approx(100 * np.log(2), rel=0.1) and tenth == pytest.approx(100 * np.log(10), rel=0.1)
    assert {gap % 2 for gap in tried} == {k % 2} and min(tried) >= 3 and max(tried) <= k
    assert len(tried) <= neighbours.LEVELS + 2 * len(neighbours.SHARES) * neighbours.NARROWED
    assert uncertain(lambda gap: 0.0, k) == uncertain(lambda gap: 1.0, k) == []


@pytest.mark.parametrize("scale", [37, 60, 100, 140])
def test_of_all_gaps_that_are_tried_the_nearest_to_a_half_and_to_a_tenth_are_told(scale: int, k: int) -> None:
    tried: dict[int, float] = {}

    def lost(gap: int) -> float:
        return tried.setdefault(gap, losing(scale)(gap))

    found = uncertain(lost, k)
    assert found == [min(tried, key=lambda gap: abs(tried[gap] - share)) for share in (0.5, 0.1)]


def outcomes(k: int) -> Iterator[tuple[Callable[[int], Reals], int | None]]:
    """What runs say at a gap, and where the answer turns."""
    rng = np.random.default_rng(1)
    yield lambda gap: np.array([float(gap > 12)]), 13 if k % 2 else 14
    yield lambda gap: np.array([float(gap > MOST_SEARCHED + 10)]), None
    yield lambda gap: np.zeros(1), None
    yield lambda gap: rng.normal(size=1), None


def test_where_runs_repeat_each_other_the_first_gap_with_another_answer_is_told(k: int) -> None:
    for said, gap in outcomes(k):
        assert repeated(said, k) == gap


@pytest.mark.parametrize(("votes", "last"), [(9, 9), (10, 10), (MOST_SEARCHED + 1, MOST_SEARCHED - 1), (10**6, MOST_SEARCHED)])
def test_gaps_are_searched_up_to_all_votes_and_to_the_largest(votes: int, last: int) -> None:
    assert repeated(lambda gap: np.array([float(gap >= last)]), votes) == last
    assert repeated(lambda gap: np.array([float(gap > last)]), votes) is None


def test_an_answer_that_is_certain_with_all_votes_alone_is_uncertain_just_below(k: int) -> None:
    """The nearest to a tenth is none then, and to a half any of the two."""
    assert k in uncertain(lambda gap: float(gap < k), k)


class Scripted(Responder):
    """Says what is written, and halts after it."""

    def __init__(self, said: list[int | None]) -> None:
        self.said = said

    def answer(self, poll: object) -> int | None:
        answer = self.said.pop(0)
        self.halted = not self.said
        return answer


def test_an_outcome_of_queries_one_by_one_tells_labels_bottoms_and_silence_apart() -> None:
    """Runs that say 0 and ⊥ and then halt, or 1 and 0: of three queries, and of all together."""
    online = Mock()
    online.begin.side_effect = [Scripted([0, None]), Scripted([1, 0])]
    pair = Polls("", [Mock()] * 3, [])
    seen = one_by_one.on_side(online, Mock(), 2, pair, 0, 2, np.random.default_rng(1))
    told = dict(zip(one_by_one.outputs(3), seen.T.tolist(), strict=True))
    ones = {"label of query 1": [0, 1], "⊥ of query 2": [1, 0], "no answer of query 3": [1, 1]}
    whole = {"label of all queries": [0, 1], "⊥ of all queries": [1, 0], "no answer of all queries": [1, 1]}
    assert {name: values for name, values in told.items() if any(values)} == ones | whole


@pytest.mark.parametrize("runs", [1, 2])
@pytest.mark.parametrize("m", [1, 3])
def test_an_outcome_of_queries_one_by_one_has_a_number_for_each_of_its_names(m: int, runs: int) -> None:
    online = Mock()
    online.begin.side_effect = [Scripted([1] * m) for _ in range(runs)]
    seen = one_by_one.on_side(online, Mock(), 2, Polls("", [Mock()] * m, []), 0, runs, np.random.default_rng(1))
    assert seen.shape == (runs, len(one_by_one.outputs(m))) and (seen[:, :m] == 1).all()


def leads_of(pairs: list[NeighbourPair], n: int) -> list[int]:
    """By how many examples labelled 1 those labelled 0 are outnumbered, of pairs whose neighbour has one label changed."""
    found = []
    for pair in pairs:
        before, after = pair.run.args[1]  # type: ignore[attr-defined]
        assert before.zeros + before.ones == after.zeros + after.ones == n and before.ones - after.ones == 1
        found.append(before.ones - before.zeros)
    return found


@pytest.mark.parametrize("eps", [0.5, 1.0])
def test_what_chooses_a_cut_is_run_where_a_constant_has_about_a_chance_that_is_meant(eps: float) -> None:
    """Of m + 1 cuts all but one make `gap` mistakes more, and the exponential mechanism takes one of these m(e^−ε·gap/2)."""
    m, n = 100, 1000
    pairs = choosing(Mock(), m, n, eps)
    gaps = leads_of(pairs, n)
    chances = [m * np.exp(-eps * gap / 2) for gap in gaps]
    assert gaps[0] == 2  # the nearest to a tie
    for share, chance in zip(sorted(RARE, reverse=True), chances[1:], strict=True):
        assert abs(np.log(chance / share)) <= 0.75 * eps + 1e-9  # gaps are whole numbers, of the parity of n


@pytest.mark.parametrize("averages", [False, True])
def test_scores_are_audited_where_about_half_and_a_tenth_are_lost(averages: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A score is lost to ⊥, or an average to the other end, in a share e^(−gap/50) of the runs."""

    def said(_: object, plan: Mock, m: int, pair: Predictions, side: int, runs: int, rng: object) -> Reals:
        gap = int(2 * (scores(pair.before)[:, 0] == HIGH).sum()) - plan.k
        lost = np.arange(runs) < round(runs * np.exp(-gap / 50))
        answers = np.zeros((runs, 3, m))
        answers[:, 0], answers[:, 1] = (np.where(lost, LOW, HIGH)[:, None], 0) if averages else (0, lost[:, None])
        return answers.reshape(runs, -1)

    monkeypatch.setattr(audited_scores, "outcomes", said)
    mechanism = Mock(averages=averages)
    mechanism.neighbours.return_value = []
    pairs = audited_scores.neighbours(mechanism, Mock(k=1000), 2, np.random.default_rng(1))
    half, tenth = sorted(int(pair.words.split()[0]) for pair in pairs if "uncertain" in pair.words)
    assert half == pytest.approx(50 * np.log(2), rel=0.15) and tenth == pytest.approx(50 * np.log(10), rel=0.15)


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("k", [1000, 1001])
def test_queries_one_by_one_are_audited_where_about_half_and_a_tenth_are_lost(
    whole: bool, k: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The winner of a poll is lost to the other label in a share e^(−gap/50) of the runs."""

    def said(online: object, plan: object, labels: int, polls: list[Poll], runs: int, rng: object) -> Reals:
        (poll,) = polls
        gap = int(poll.counts[0] - poll.counts[1])
        return np.where(np.arange(runs) < round(runs * np.exp(-gap / 50)), 1.0, 0.0)[:, np.newaxis]

    monkeypatch.setattr(one_by_one, "outcomes", said)
    online = Mock(whole=whole)
    online.neighbours.return_value = []
    pairs = one_by_one.neighbours(online, Mock(k=k), 2, 2, np.random.default_rng(1))
    gaps = {int(pair.words.partition("gaps of ")[2].split()[0]) for pair in pairs if "gaps of" in pair.words}
    half, tenth = sorted(gaps)
    assert half == pytest.approx(50 * np.log(2), rel=0.15) and tenth == pytest.approx(50 * np.log(10), rel=0.15)


def test_votes_of_a_learner_are_audited_where_about_half_and_a_tenth_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two labels; each public point is a query of its own."""

    def lost(labeller: object, plan: Mock, task: object, labels: int, gap: int, rng: object) -> float:
        assert labels == 2
        return float(np.exp(-gap / 50))

    monkeypatch.setattr(audited_classifiers, "lost_at", lost)
    tables = [*audited_classifiers.tables_for(Mock(), Mock(k=1000), Mock(), 60, np.random.default_rng(1))]
    gaps = {int(lead(each.before).max()) for each in tables if "about where" in each.words}
    assert sorted(gaps) == [pytest.approx(50 * np.log(2), rel=0.15), pytest.approx(50 * np.log(10), rel=0.15)]
    assert all(each.sizes.tolist() == [1] * 60 and each.before.shape == (2, 60) for each in tables)


def test_a_learner_with_less_than_one_example_a_chunk_is_not_audited() -> None:
    with pytest.raises(NotAuditedError, match="n = 1 is not one example a chunk"):
        audited_classifiers.learner("A_Priv", AuditSetting(n=1, m=3, alpha=0.3)).pairs(np.random.default_rng(1))


def test_what_is_chosen_of_given_examples_is_told_by_its_error() -> None:
    """Of m + 1 constants up to a place; examples of both labels are on the first cell, which all but the first label 1."""
    cover = GivenExamples(3, 20, 30).labelled().cover(3, np.random.default_rng(1))
    assert isinstance(cover, CoordinateCuts)
    assert len(set(cover.errors.round(12))) == len(cover.errors) == 4
    assert cover.mistakes(cover.examples(50, np.random.default_rng(1))).tolist() == [30, 20, 20, 20]


@pytest.mark.parametrize("whole", [False, True])
def test_queries_one_by_one_are_asked_of_what_is_given_or_of_as_many_as_the_constants_need(
    whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What asks chunks sets their number itself, whatever n is."""
    planned = list[int]()

    def plan(constants: object, task: object, n: int, labels: int) -> Mock:
        planned.append(n)
        return Mock(spent=None)

    monkeypatch.setattr(one_by_one, "onlines", lambda: {"own": Mock(whole=whole, plan=plan)})
    for n in (None, 700):
        one_by_one.subject("own", AuditSetting(m=5, T=2, n=n))
    cell = StableCell(m=5, T=2)
    assert planned == [cell.calibration.whole_k(cell.task, 2) if whole else 1, 700]
