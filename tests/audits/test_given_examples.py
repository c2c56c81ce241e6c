"""What private learners are audited on: examples and votes that are given, pairs of which one example is another, and runs."""

from math import log
from unittest.mock import Mock

import numpy as np
import pytest

from harness.mechanisms.answering.tables import Tables
from harness.mechanisms.classifying import classifiers
from harness.theory.plan import Plan
from harness.trials.audited import classifiers as audited
from harness.trials.audited import releases
from harness.trials.audited.examples import GivenExamples, by_purpose, labels_of
from harness.trials.audited.subject import AuditSetting, NotAuditedError


def rng() -> np.random.Generator:
    return np.random.default_rng(11)


@pytest.mark.parametrize("m", [1, 7, 50])
def test_the_error_of_what_is_learned_tells_all_labels(m: int) -> None:
    """Of fifty points too: an error has so many digits."""
    given = GivenExamples(m, 0, 0)
    queries = given.queries(m, rng())
    for labels in (*rng().integers(0, 2, (20, m)).astype(np.int8), np.ones(m, np.int8), np.zeros(m, np.int8)):
        learned = given.learn(queries, labels)
        assert (labels_of(learned.error, m) == labels).all() and 0 <= learned.error < 1
        assert (learned.predict(queries.points) == labels).all()


def test_given_votes_and_points_are_what_every_way_to_draw_them_gives() -> None:
    votes = ((5, 1, 0), (0, 4, 5))
    given = audited.voted(votes)
    assert (given.m, given.zeros, given.ones) == (3, 0, 0)
    for queries in (given.queries(3, rng()), given.public(3, 5, 1, rng())):
        assert queries.points.tolist() == [0, 1, 2] and queries.truth.tolist() == [0, 0, 0]
        for ballot in (given.full(queries, 5, 1, rng()), given.sufficient(queries, 5, 1, rng())):
            assert ballot.counts.tolist() == [list(row) for row in votes] and ballot.k == 5
    assert audited.unanimous(3) == ((1, 1, 1), (0, 0, 0)) and given.least_mistakes(9, rng()) == (0, 0.0)


def test_given_labels_are_on_the_first_of_cells_of_one_mass() -> None:
    labelled = GivenExamples(4, 30, 7).labelled()
    cover = labelled.cover(4, rng())
    assert cover.examples(99, rng()).tolist() == [[[30, 0, 0, 0, 0]], [[7, 0, 0, 0, 0]]]
    assert cover.law.tolist() == [[[0] * 5], [[1 / 5] * 5]]
    assert labelled.log_size(4) == pytest.approx(log(5)) and [labelled.missed(m, 0.1) for m in (3, 4, 5)] == [1, 0, 0]


def test_given_examples_are_relabelled_all_alike_by_those_that_are_drawn() -> None:
    """One label for all: that of the few drawn, the likelier the larger the tilt is, and either without one."""
    queries = GivenExamples(2, 0, 0).queries(2, rng())

    def share(zeros: int, ones: int, tilt: float, runs: int = 10) -> float:
        by, stream, total = GivenExamples(2, zeros, ones).relabelling(), rng(), 0
        for draw in (by.sufficient, by.full):
            for _ in range(runs // 2):
                counts = draw(queries, 5, 2, tilt, stream).counts
                assert counts.tolist() in ([[5, 5], [0, 0]], [[0, 0], [5, 5]])
                total += int(counts[1, 0] == 5)
        return total / runs

    assert share(0, 10, 50.0) == 1 and share(10, 0, 50.0) == 0
    assert share(6, 4, 50.0) == 0 and share(40, 60, 0.0, 100) == pytest.approx(0.5, abs=0.3)  # beyond it: below 1e-8
    assert share(6, 4, 1.0, 100) == pytest.approx(1 / (1 + np.exp(2)), abs=0.21)  # all ten are drawn: below 1e-6


def test_every_purpose_of_a_run_has_a_generator_of_its_own_that_begins_anew() -> None:
    streams, others = by_purpose(rng()), by_purpose(np.random.default_rng(12))
    first = [each.integers(2**60) for each in (streams("a"), streams("a"), streams("b"), others("a"))]
    assert first[0] == first[1] and len(set(first)) == 3


@pytest.mark.parametrize(("m", "n", "eps"), [(10, 1000, 1.0), (100, 1001, 0.3), (3, 5, 1.0)])
def test_data_sets_for_what_chooses_differ_in_one_label(m: int, n: int, eps: float) -> None:
    seen = list[tuple[int, int, int]]()

    def of(examples: GivenExamples, streams: object) -> float:
        seen.append((examples.m, examples.zeros, examples.ones))
        return 0.25

    pairs = audited.choosing(of, m, n, eps)
    gaps = {1, *(round(2 * log(m * times) / eps) for times in (2, 10, 100))}
    assert [int(pair.words.split()[0]) for pair in pairs] == sorted(gap for gap in gaps if gap < n)
    for pair in pairs:
        seen.clear()
        assert [pair.run(side, 2, rng()).tolist() for side in (0, 1)] == [[[0.25], [0.25]]] * 2
        (_, zeros, ones), (_, other_zeros, other_ones) = seen[0], seen[2]
        assert seen[0] == seen[1] and seen[2] == seen[3] and {each[0] for each in seen} == {m}
        assert zeros + ones == other_zeros + other_ones == n and (other_zeros, other_ones) == (zeros + 1, ones - 1)
        assert ones - zeros - int(pair.words.split()[0]) in (0, 1)


def test_every_learner_is_audited_but_those_whose_search_is_charged_nothing() -> None:
    assert set(audited.both_sorts()) == {*classifiers(), *audited.learners()}
    assert {"A_Priv", "exponential", "A_Priv_relabelled"} <= set(audited.learners())
    assert not {name for name in audited.learners() if "free" in name}


@pytest.mark.parametrize("n", [20, 7])
def test_what_trains_is_run_on_directions_of_which_one_is_turned_to_either_side(n: int) -> None:
    of, sides = Mock(), list[np.ndarray]()

    def trained(x: np.ndarray, problem: object, streams: object) -> np.ndarray:
        sides.append(x)
        return np.asarray(x[0])

    of.trained = trained
    pairs = audited.training(of, AuditSetting(n=None if n == 20 else n))
    assert [pair.outputs for pair in pairs] == [("w along", "w across")] * 2
    for pair, back in zip(pairs, (0.0, 0.5), strict=True):
        sides.clear()
        found = [pair.run(side, 3, rng()) for side in (0, 1)]
        assert [each.shape for each in found] == [(3, 2)] * 2
        one, other = sides[0], sides[3]
        assert one.shape == other.shape == (n, 2) and (np.linalg.norm(one, axis=1) == pytest.approx(1))
        assert (one[1:] == [1.0, 0.0]).all() and (other[1:] == [1.0, 0.0]).all()
        assert one[0].tolist() == pytest.approx([-back, (1 - back**2) ** 0.5])
        assert other[0].tolist() == pytest.approx([-back, -((1 - back**2) ** 0.5)])
        assert pair.words.startswith(f"{n - 1} examples of one direction, and one that is turned {back:g} backwards")


def test_what_labels_public_points_is_run_on_votes_and_tells_labels_and_how_many_are_1(monkeypatch: pytest.MonkeyPatch) -> None:
    """With much privacy to spend, points on which the chunks agree have their labels."""
    m, k = 3, list[int]()

    def tables_for(labeller: object, plan: Plan, task: object, points: int, stream: object) -> list[Tables]:
        k.append(plan.k)
        before = np.array([[plan.k, 0, plan.k], [0, plan.k, 0]])
        after = before + np.array([[-1, 0, 0], [1, 0, 0]])
        return [Tables("one vote of the first point", before, after, np.ones(points, np.int64))]

    monkeypatch.setattr(audited, "tables_for", tables_for)
    setting = AuditSetting(m=m, eps=100, alpha=0.3)
    (pair,) = audited.learner("A_Priv", setting).pairs(rng())
    assert pair.outputs == ("label of point 1", "label of point 2", "label of point 3", "labels 1")
    assert pair.words == "one vote of the first point" and k[0] > 1
    for side in (0, 1):
        assert pair.run(side, 2, rng()).tolist() == [[0, 1, 0, 1]] * 2
    with pytest.raises(NotAuditedError, match=f"n = {k[0] // 2} is not one example a chunk; allowed: a larger n"):
        audited.learner("A_Priv", setting.model_copy(update={"n": k[0] // 2})).pairs(rng())


@pytest.mark.parametrize("name", ["exponential", "A_Priv_relabelled"])
def test_what_chooses_or_relabels_is_run_on_given_labels(name: str) -> None:
    for pair in audited.learner(name, AuditSetting(m=3, n=None if name == "A_Priv_relabelled" else 40)).pairs(rng()):
        assert pair.outputs == ("error of the classifier",) and "one label changed" in pair.words
        assert pair.run(0, 1, rng()).shape == pair.run(1, 1, rng()).shape == (1, 1)


@pytest.mark.parametrize(
    ("name", "setting", "said"),
    [
        ("A_Priv", {"m": 51}, "m = 51 public points are too many to be told apart; allowed: m ≤ 50"),
        ("A_Priv_pac", {"gamma": 0.1}, "is for labels without noise, and gamma = 0.1; allowed: gamma = 0"),
        ("A_Priv", {"constants": "none"}, "no constants 'none' for this mechanism; "),
    ],
)
def test_what_cannot_be_audited_is_told(name: str, setting: dict[str, object], said: str) -> None:
    with pytest.raises(NotAuditedError) as raised:
        audited.learner(name, AuditSetting.model_validate(setting)).pairs(rng())
    assert said in str(raised.value)
    audited.learner("A_Priv", AuditSetting(m=50))


def test_a_release_is_run_on_data_sets_of_which_one_point_is_moved() -> None:
    """Without noise the averages of the two are those of their points: off by 2/n at most, and somewhere off."""
    cover, n = releases.grid(5), 40
    pairs = releases.subject("exact_averages", AuditSetting(m=5, n=n)).pairs(rng())
    assert pairs and all(len(pair.outputs) == cover.queries for pair in pairs)
    assert pairs[0].outputs[:2] == ("average 1", "average 2")
    for pair in pairs:
        one, other = (pair.run(side, 3, rng()) for side in (0, 1))
        assert one.shape == other.shape == (3, cover.queries) and (one == one[0]).all() and (other == other[0]).all()
        assert 0 < np.abs(one - other).max() <= 1 / n + 1e-12
    assert releases.grid(0).queries == releases.grid(2).queries


def test_where_nothing_says_how_many_examples_there_are_a_thousand_are_chosen_by(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = list[int]()

    def error(examples: GivenExamples, *rest: object) -> float:
        seen.append(examples.zeros + examples.ones)
        return 0.5

    monkeypatch.setattr(audited, "classifiers", lambda: {"own": Mock(error=error, plan=lambda *of: Mock(spent=None))})
    for n in (None, 40):
        audited.classifying("own", AuditSetting(m=3, n=n)).pairs(rng())[0].run(0, 1, rng())
    assert seen == [1000, 40]
