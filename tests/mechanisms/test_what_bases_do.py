"""What the bases of mechanisms do for those that do not: blocks one by one, polls, work, and whose word ε′ is."""

from math import inf, log
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from harness.analysts import Known, Poll
from harness.ballots import Ballot
from harness.covers import Size
from harness.mechanisms.accounts import basis, named, spent_by
from harness.mechanisms.answering import mechanisms
from harness.mechanisms.answering.answers import Answers
from harness.mechanisms.answering.gaussian import GaussianVotes
from harness.mechanisms.answering.tables import Tables
from harness.mechanisms.classifying import Classifying, classifiers
from harness.mechanisms.online import BOTTOM, Online, Responder, onlines
from harness.mechanisms.online.polls import of_chunks, usual_whole
from harness.mechanisms.release import Problem, Release, Released, Site, releases
from harness.mechanisms.scoring import Answered, ScorePlan, Scoring, promised
from harness.mechanisms.scoring.histograms import Histograms

RNG = np.random.default_rng(4)
NONE: Any = None


class OneByOne(Release):
    """Says its shares and its grid's, and halts where the first share is small."""

    name, source, private = "one by one", "nobody", False
    updated: ClassVar[bool] = True

    def release(self, problem: Problem, rng: np.random.Generator) -> Released:
        own, grid = problem.site.shares, problem.grid().shares
        assert own is not None and grid is not None and own.ndim == 1
        answers = own + 10 * grid + rng.integers(1)
        return Released(problem.site.cover, answers, 0.5, 3 if self.updated else None, bool(own[0] < 1), {"sigma": 2.0})

    def needed(self, size: Any, request: Any) -> int | None:
        return None


class Together(OneByOne):
    """Takes several trials as well."""

    at_once = True

    def release(self, problem: Problem, rng: np.random.Generator) -> Released:
        assert problem.site.shares is not None
        return Released(problem.site.cover, 7 * problem.site.shares, None)


class Heir(Together):
    """Has a release of its own, of which nobody says that it takes several trials."""

    def release(self, problem: Problem, rng: np.random.Generator) -> Released:
        return OneByOne.release(self, problem, rng)


def problem_of(shares: Any, grid: Any) -> Any:
    cover: Any = SimpleNamespace()
    return Problem(SimpleNamespace(), Site(cover, 5, shares), False, lambda: Site(cover, 5, grid))  # type: ignore[arg-type]


def test_releases_of_a_block_are_made_trial_by_trial_unless_the_class_itself_takes_all_at_once() -> None:
    shares, grid = np.arange(6.0).reshape(3, 2), np.arange(6.0).reshape(3, 2) + 1
    for release in (OneByOne(), Heir()):
        done = release.release_block(problem_of(shares, grid), RNG)
        assert done.answers.tolist() == (shares + 10 * grid).tolist() and (done.spent, done.noise) == (0.5, {"sigma": 2.0})
        assert np.asarray(done.updates).tolist() == [3] * 3 and np.asarray(done.halted).tolist() == [True, False, False]
    done = Together().release_block(problem_of(shares, grid), RNG)
    assert done.answers.tolist() == (7 * shares).tolist() and done.spent is None

    alone = OneByOne().release_block(problem_of(shares[:1], grid[:1]), RNG)
    assert np.asarray(alone.updates).tolist() == [3] and alone.answers.shape == (1, 2)

    class Still(OneByOne):
        updated = False

    assert Still().release_block(problem_of(shares, grid), RNG).updates is None


REQUEST: Any = SimpleNamespace(eps=1.0, delta=1e-6, beta=0.05, alpha=0.1)


def test_a_run_of_a_release_goes_through_its_queries_once_and_at_each_update() -> None:
    class Updates(OneByOne):
        found: Any = None

        def numbers(self, size: Any, n: int, request: Any) -> Any:
            return self.found

    of, works = Updates(), list[float]()
    for numbers in (None, {}, {"c": 3.0}, {"c": 1e9}):
        of.found = numbers
        works.append(of.work(Size(100, 5.0), 10, REQUEST))
    assert works == [100, 100, 400, 100 * 101]


@pytest.mark.parametrize(("queries", "cells"), [(50, 40), (1000, 20), (3, 400)])
def test_what_is_multiplied_or_factorised_takes_more_the_more_rounds_it_has(queries: int, cells: int) -> None:
    """Numbers of all queries a round; a search for factors is over both squares of the smaller side, thirty steps of it."""
    size = Size(queries, log(cells), 1, 1)
    mwem, factorised = releases()["mwem"], releases()["factorised_averages"]
    rounds = mwem.rounds(size, 1000, REQUEST)  # type: ignore[attr-defined]
    assert mwem.work(size, 1000, REQUEST) == queries + rounds * (queries + 5000) and rounds >= 2
    assert releases()["mwem_public"].work(size, 1000, REQUEST) == 31 * queries
    search = queries * cells * min(queries, cells)
    assert factorised.work(size, 1000, REQUEST) == pytest.approx(queries + 30 * min(search, 5e7) / 100)
    for many in (1, queries):
        assert factorised.work(Size(many, 1e6, 1, 1), 1000, REQUEST) == pytest.approx(many + 30 * 5e7 / 100)


SIZES = np.array([[2, 0, 1], [1, 3, 0]])


class Scores(Scoring):
    """Scores that are how many queries there are, one more for the least."""

    name, source, private = "scores", "nobody", False
    seen: Any = None

    def plan(self, request: Any) -> ScorePlan:
        return ScorePlan(n=1, k=1, s=1)

    def answer(self, plan: Any, scorer: Any, sizes: Any, votes: Any, noise: Any) -> Answered:
        assert sizes.ndim == 1
        return Answered(sizes - 1.0, sizes + 0.0, sizes, 2 * sizes, 3 * sizes, 4 * sizes, self.seen)


def test_scores_of_a_block_are_those_of_its_trials_in_order() -> None:
    done = Scores().answer_block(NONE, NONE, SIZES, NONE, NONE)
    names = ("low", "high", "first", "second", "bottoms", "unanswered")
    assert [getattr(done, name).tolist() for name in names] == [
        each.tolist() for each in (SIZES - 1, SIZES, SIZES, 2 * SIZES, 3 * SIZES, 4 * SIZES)
    ]
    assert done.seen is None
    of = Scores()
    of.seen = Histograms(np.arange(12).reshape(3, 4), np.array([2, 2, 2]))
    for trials in (1, 2):
        joined = of.answer_block(NONE, NONE, SIZES[:trials], NONE, NONE).seen
        assert joined is not None and joined.halves.shape == (trials, 3, 4) and joined.bins.tolist() == [2, 2, 2]


def test_scores_that_are_given_to_all_queries_are_none_where_there_is_none() -> None:
    done = Answered.all_of(np.full((2, 3), 0.25), np.full((2, 3), 0.5), SIZES)
    assert (np.isnan(done.low) == (SIZES == 0)).all() and (np.isnan(done.high) == (SIZES == 0)).all()
    assert done.first is SIZES and not (done.second.any() or done.bottoms.any() or done.unanswered.any())
    assert done.error(np.array([0.3, 0.9, 0.1])).tolist() == pytest.approx([0.4, 0.65])
    none = Answered.all_of(np.zeros(2), np.zeros(2), np.zeros(2, int))
    assert np.isnan(none.error(np.zeros(2)))


@pytest.mark.parametrize(
    ("bound", "n", "said"),
    [
        (0.1, 4, "n = 4 is less than k = 5: there is not one example a chunk"),
        (inf, 5, "α is not known of this learner"),
        (0.5, 5, "the bound on the error is 0.5, and an answer of ½ errs by no more than that"),
    ],
)
def test_a_bound_of_scores_says_something_below_one_half_from_one_example_a_chunk_on(bound: float, n: int, said: str) -> None:
    assert promised(bound, n, 5) == (None, said) and promised(0.4999, 5, 5) == (0.4999, None)


class Counting:
    """A run that answers 7 to an even poll and ⊥ else, until it has heard as many as it may."""

    def __init__(self, most: int) -> None:
        self.most = most

    @property
    def halted(self) -> bool:
        return self.most == 0

    def answer(self, poll: Poll) -> int | None:
        self.most -= 1
        return 7 if poll.truth % 2 == 0 else None


class Asked(Online[Any]):
    """Hears three polls at most. Its distance of a poll is what is true of it, and ten."""

    name, source, private = "asked", "nobody", False

    def plan(self, constants: Any, task: Any, n: int, values: int | None) -> Any:
        return None

    def begin(self, plan: Any, m: int, values: int | None, rng: np.random.Generator) -> Any:
        return Counting(min(3, m))

    def distance(self, plan: Any, poll: Any) -> Any:
        return poll.truth + 10


def known(truth: Any) -> Known:
    truth = np.asarray(truth)
    labels = np.broadcast_to(np.arange(2), (*truth.shape, 2))
    return Known(labels, np.ones_like(labels), truth, np.ones(truth.shape, bool))


def test_known_polls_are_asked_in_order_until_the_run_halts() -> None:
    polls = known([[2, 1, 4, 6], [1, 1, 1, 1]])
    answers, heard = Asked().answer_known(None, polls, None, RNG)
    assert answers.tolist() == [[7, BOTTOM, 7, BOTTOM], [BOTTOM] * 4] and heard.tolist() == [3, 3]
    answers, heard = Asked().answer_known(None, known([[2, 2]]), None, RNG)
    assert answers.tolist() == [[7, 7]] and heard.tolist() == [2]
    assert np.asarray(Asked().distances(None, polls)).tolist() == [[12, 11, 14, 16], [11] * 4]
    assert Asked().promised_distance(None, None, None) is None and Asked().neighbours(None, 3) == ()  # type: ignore[arg-type]


def test_polls_of_tables_are_one_a_query_in_their_order() -> None:
    tables = Tables("words", np.array([[3, 0], [1, 4]]), np.array([[2, 1], [2, 3]]), np.array([2, 1]))
    polls = of_chunks(tables)
    assert [poll.counts.tolist() for poll in polls.before] == [[3, 1], [3, 1], [0, 4]] and polls.words == "words"
    assert [poll.counts.tolist() for poll in polls.after] == [[2, 2], [2, 2], [1, 3]]
    assert {(poll.truth, *poll.labels.tolist()) for poll in (*polls.before, *polls.after)} == {(0, 0, 1)}


@pytest.mark.parametrize("n", [10, 11])
def test_records_are_split_by_a_gap_and_one_is_added_for_the_label_that_does_not_lead(n: int) -> None:
    found = {polls.words: polls for polls in usual_whole(n, 4, [n % 2 + 4])}
    assert list(found) == [
        "all queries tied, and one record added",
        f"all queries at gaps of {n % 2 + 4} and {n % 2 + 3} records, and one record added",
    ]
    for polls, gap in zip(found.values(), (n % 2, n % 2 + 4), strict=True):
        assert len(polls.before) == len(polls.after) == 4
        for before, after in zip(polls.before, polls.after, strict=True):
            first, second = before.counts.tolist()
            assert first + second == n and first - second == gap and after.counts.tolist() == [first, second + 1]


def ballot() -> Ballot:
    return Ballot(np.array([[3, 0], [0, 3]]), 3, np.zeros(2, np.int8), np.array([4, 5]))


@pytest.mark.parametrize(
    ("given", "more", "fault"),
    [
        ([[4, 0], [0, 5]], {}, ""),
        ([[3, 0], [0, 3]], {"bottoms": [1, 1], "unanswered": [0, 1]}, ""),
        ([[4, 0], [0, 4]], {}, "are not as many"),
        ([[4, 0], [0, 5]], {"bottoms": [1, 0]}, "are not as many"),
        ([[4, 0], [0, 5]], {"unanswered": [0, 1]}, "are not as many"),
        ([[4], [0]], {}, "of shape \\(2, 1\\); allowed: whole numbers of shape \\(2, 2\\)"),
        ([[4.0, 0], [0, 5]], {}, "answers given are float64"),
    ],
)
def test_answers_are_to_each_query_once_and_whole(given: Any, more: dict[str, Any], fault: str) -> None:
    others: dict[str, Any] = {name: np.array(each) for name, each in more.items()}
    answers = Answers(np.array(given), **others)
    if fault:
        with pytest.raises(ValueError, match=fault):
            answers.refuse_strange(ballot())
    else:
        answers.refuse_strange(ballot())


class Renamed(GaussianVotes):
    """Is called otherwise."""

    name, source, legend = "renamed", "somebody", "Renamed"


class Louder(GaussianVotes):
    """Answers in its own way."""

    name = "louder"

    def answer(self, *given: Any) -> Any:
        return None


class SaysWhatMayChange(GaussianVotes):
    """Says that it may change what nothing above it says may be."""

    may_change = frozenset({"answer"})


def test_whose_word_a_spent_eps_is_follows_from_what_a_class_defines() -> None:
    own = Renamed()
    assert (basis(GaussianVotes()), basis(own), basis(Louder())) == ("certified", "certified", "declared")
    own.__dict__["legend"] = "by another name"
    own.__dict__["kept"] = 3
    assert basis(own) == "certified"
    own.__dict__["plan"] = lambda *given: None
    assert basis(own) == "declared"
    assert basis(SaysWhatMayChange()) == "declared"
    made = [type("Made", (GaussianVotes,), own) for own in ({"name": "made"}, {"answer": Louder.answer})]
    assert [basis(kind()) for kind in made] == ["certified", "declared"]
    majority = type(mechanisms()["noisy_majority"])  # which says that its share may be another
    assert [basis(type("Made", (kind,), {"share": vars(majority)["share"]})()) for kind in (majority, GaussianVotes)] == [
        "certified",
        "declared",
    ]
    assert (spent_by("gaussian"), spent_by("majority"), spent_by("no such")) == ("certified", None, None)
    assert named("gaussian") is mechanisms()["gaussian"] and named("no such") is None


@pytest.mark.parametrize(("kind", "method"), [(Responder, "answer"), (Classifying, "refuse")])
def test_what_may_say_nothing_has_to_be_said_all_the_same(kind: type, method: str) -> None:
    with pytest.raises(TypeError, match=f"abstract .*{method}"):
        type("Silent", (kind,), {})()
    assert onlines() and classifiers()  # all of which can be made
