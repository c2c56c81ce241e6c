"""Advice as a whole, of mechanisms that are made up: who is asked, at which settings, and all that is said above and below."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from harness.report.advice import classifiers, releases, transfers
from harness.report.advice.classifiers import ClassifierQuestion, TriedConstruction
from harness.report.advice.labels import LabelQuestion
from harness.report.advice.means import MeanOfRuns
from harness.report.advice.race import Contender
from harness.report.advice.releases import ReleaseQuestion, TriedRelease
from harness.report.advice.transfers import Transfer
from harness.sweep.errors import InputError
from harness.theory.constants import constants
from harness.trials.concept_cell import MAX_N
from harness.trials.release_cell import MOST_PUBLIC

QUESTION = ClassifierQuestion(n=100_000)
PRIVATE = {name: SimpleNamespace(private=name != "open", pays_for=name) for name in ("a", "b", "open", "c", "d")}
ERRORS = {"a": 0.3, "b": 0.1, "c": 0.2, "d": 0.4}


def contender(question: Any, name: str) -> Contender:
    """Of the made-up mechanisms."""
    return Contender(name, error=MeanOfRuns(ERRORS[name], 0.0))


def asked_of(module: Any, monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[str], dict[str, int], float]]:
    """Who is asked what would change an advice, each time: names, axes, and what is as good as none."""
    asked = list[Any]()

    def changes(of: Any, names: Sequence[str], axes: dict[str, int], care: float) -> tuple[()]:
        asked.append((list(names), dict(axes), care))
        return ()

    monkeypatch.setattr(module, "changes", changes)
    return asked


def test_advice_on_classifiers_is_of_every_private_one_and_moves_the_three_best(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = asked_of(classifiers, monkeypatch)
    monkeypatch.setattr(classifiers, "private_learners", lambda: PRIVATE)
    monkeypatch.setattr(classifiers, "entry", contender)
    race = classifiers.advice(QUESTION)
    assert [one.name for one in race.race] == ["b", "c", "a", "d"] and race.of == "error of every private classifier"
    assert race.moves == "up to 1,000 times more or fewer examples" and race.blind.words == "a coin"
    assert race.question == (
        "a private classifier of thresholds: n = 100,000 examples, as many public points as are asked for\n"
        "ε = 1, δ = 1e-06, β = 0.05, γ = 0; distribution: uniform; learner: leftmost"
    )
    assert race.notes == [
        "error: the exact chance of a wrong label on a fresh example, as a mean of runs with its margin; 95%: not exceeded in "
        "so many runs; promised: claimed by its theorem with probability 0.85; k ×: times the k of the constants."
    ]
    other = ClassifierQuestion.model_validate({"n": 500, "m": 4000, "gamma": 0.1, "concept": {"name": "stumps", "d": 3}})
    moved = classifiers.advice(other)
    assert moved.question.startswith(
        "a private classifier of stumps, d = 3: n = 500 examples, m = 4,000 public points\nε = 1, δ = 1e-06, β = 0.05, "
        "γ = 0.1; distribution: "
    )
    assert moved.moves == "up to 1,000 times more or fewer examples or public points" and moved.beta == 0.05
    most = MAX_N
    assert asked == [(["b", "c", "a"], {"n": most}, 1e-6), (["b", "c", "a"], {"n": most, "m": most}, 1e-6)]


RUNS = np.linspace(0.0, 0.2, 21)


def construction(monkeypatch: pytest.MonkeyPatch, runs: Any = RUNS, basis: str = "certified", points: int | None = 1234) -> Any:
    """What is entered of one whose best settings are known."""
    setting = {"alpha": 0.05, "constants": "tight", "k_scale": 0.25}
    tried = SimpleNamespace(
        best=lambda: None if runs is None else (setting, MeanOfRuns(0.5, 0.1)),
        runs=lambda of, stage: runs if (of, stage) == (setting, 1) else None,
        reason=lambda: "it is not measured",
        search=SimpleNamespace(says=lambda of: ["constants", "alpha", "k_scale"]),
        cell=lambda of: SimpleNamespace(problem="of the cell"),
        learner=SimpleNamespace(points=lambda problem: points),
    )
    monkeypatch.setattr(classifiers, "TriedConstruction", lambda question, name: tried)
    monkeypatch.setattr(classifiers, "promised", lambda question, name: (0.3, {"constants": "lean"}))
    monkeypatch.setattr(classifiers, "private_learners", lambda: {"any": "the learner"})
    monkeypatch.setattr(classifiers, "basis", lambda learner: basis)
    return classifiers.entry(QUESTION, "any")


def test_a_classifier_enters_with_its_settings_in_words_and_the_error_that_all_but_a_share_of_runs_keep_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = construction(monkeypatch)
    assert list(found.settings.items()) == [("public points", "1,234"), ("constants", "tight"), ("α", "0.05"), ("k ×", "0.25")]
    assert found.error.mean == pytest.approx(0.1) and found.most == pytest.approx(0.19) and found.why is None
    assert (found.promised, found.promised_at) == (0.3, {"constants": "lean"})
    assert "public points" not in construction(monkeypatch, points=None).settings
    assert construction(monkeypatch, basis="declared").why == "(ε, δ)-DP as its author declares, certified by no accountant"
    assert construction(monkeypatch, runs=None).why == "it is not measured"
    failed = construction(monkeypatch, runs=np.ones(5))
    assert failed.why == "n = 100,000 examples are too few at each setting that was tried" and failed.promised == 0.3
    assert construction(monkeypatch, runs=np.array([1.0, 0.5])).why is None
    monkeypatch.setattr(classifiers, "promised", lambda question, name: None)
    assert classifiers.entry(QUESTION, "any").promised is None


def searched(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A search for settings where the error is least at α = 0.02 and a sixteenth of k, and the third set of constants."""
    third = list(constants())[2]
    tried = TriedConstruction(QUESTION, "any")

    def runs(self: Any, setting: Any, stage: int) -> Any:
        away = abs(np.log(setting["alpha"] / 0.02)) + abs(np.log2(setting["k_scale"]) + 4) / 8 + (setting["constants"] != third)
        return np.array([away, away + 1])

    monkeypatch.setattr(TriedConstruction, "runs", runs)
    return tried.best(), third


def test_the_best_settings_of_a_construction_are_those_of_least_error(monkeypatch: pytest.MonkeyPatch) -> None:
    (setting, error), third = searched(monkeypatch)
    assert setting == {"alpha": 0.02, "constants": third, "k_scale": 0.0625} and error.mean == 0.5


def test_runs_of_a_construction_are_few_while_settings_are_sought_and_many_to_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each with randomness of its own, the same at every setting; none where it cannot be run."""
    seen = list[tuple[Any, int, Any]]()

    def run(problem: Any, n: int, stream: Any) -> Any:
        seen.append((problem, n, (stream.cell, stream.seed, stream.number)))
        return SimpleNamespace(error=len(seen) / 1000)

    monkeypatch.setattr(classifiers, "private_learners", lambda: {"any": SimpleNamespace(run=run)})
    monkeypatch.setattr(TriedConstruction, "_why", lambda self, cell: None)
    tried = TriedConstruction(QUESTION, "any")
    setting = {"alpha": 0.1, "constants": "tight", "k_scale": 1.0}
    few, again, many = (tried.runs(setting, stage) for stage in (0, 0, 1))
    assert few is not None and few.tolist() == [place / 1000 for place in range(1, 7)] and again is not None and len(again) == 6
    assert many is not None and len(many) == 200 and {n for _, n, _ in seen} == {100_000}
    drawn = [value for _, _, value in seen]
    assert drawn[:6] == drawn[6:12] and len(set(drawn)) == 206
    monkeypatch.setattr(TriedConstruction, "_why", lambda self, cell: "it cannot")
    assert tried.runs(setting, 0) is None


def test_why_nothing_could_be_run_is_told_of_the_largest_error_and_then_of_a_tenth(monkeypatch: pytest.MonkeyPatch) -> None:
    whys = {0.3: None, 0.1: "it is dear"}
    monkeypatch.setattr(TriedConstruction, "_why", lambda self, cell: whys[cell.alpha])
    assert TriedConstruction(QUESTION, "any").reason() == "it is dear"
    whys[0.3] = "it is refused"
    assert TriedConstruction(QUESTION, "any").reason() == "it is refused"
    whys |= {0.3: None, 0.1: None}
    assert TriedConstruction(QUESTION, "any").reason() == "it cannot be run at any setting that was tried"


@pytest.mark.parametrize("error", [OverflowError, ValueError])
def test_a_construction_that_asks_for_more_than_floats_hold_is_refused_in_words(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def raising(cell: Any, name: str) -> Any:
        raise error

    nowhere: Any = None
    monkeypatch.setattr(classifiers, "refuse", raising)
    assert classifiers.refusal_of(nowhere, "any") == "it asks for more examples than are reckoned with"
    refusal = SimpleNamespace(message="it has no such thing; allowed: another")
    monkeypatch.setattr(classifiers, "refuse", lambda cell, name: refusal)
    assert classifiers.refusal_of(nowhere, "any") == "it has no such thing"
    monkeypatch.setattr(classifiers, "refuse", lambda cell, name: None)
    assert classifiers.refusal_of(nowhere, "any") is None


def vars_of(tried: TriedConstruction | TriedRelease) -> dict[str, Any]:
    """What is tried, and on which grid."""
    return {"of": tried.name, "coarse": tried.coarse}


def test_a_classifier_is_tried_on_the_thinner_grid_where_something_is_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = {"of": "any", "coarse": True}
    monkeypatch.setattr(TriedConstruction, "best", lambda self: (vars_of(self), MeanOfRuns(0.25, 0.0)))
    monkeypatch.setattr(TriedRelease, "best", lambda self: (vars_of(self), MeanOfRuns(0.5, 0.0)))
    assert QUESTION.tried("any") == (tried, MeanOfRuns(0.25, 0.0)) and QUESTION.least("any") == 0.25
    of_release = ReleaseQuestion(n=10, m=7)
    assert of_release.tried("any") == (tried, MeanOfRuns(0.5, 0.0))
    assert (of_release.value("m"), of_release.moved("m", 5).m, of_release.moved("n", 5).value("n")) == (7, 5, 5)
    monkeypatch.setattr(TriedRelease, "best", lambda self: None)
    assert of_release.least("any") == float("inf")


CURVED = LabelQuestion(errs=["0.1@100", "0.05@400"], n=4000, m=800, beta=0.1)


def test_a_classifier_by_labels_enters_at_the_number_of_points_that_is_best_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measured it is at 200 of 800 points, proved at 400; its margin is that of its wrong labels."""
    split = SimpleNamespace(split=MeanOfRuns(10.0, 4.0), plan=SimpleNamespace(k=5678))
    advised = SimpleNamespace(split=split, why=None)
    moved = SimpleNamespace(advised=lambda name: advised)
    of = Transfer(CURVED.votes)
    monkeypatch.setattr(Transfer, "points", [800, 400, 200])
    monkeypatch.setattr(Transfer, "error", lambda self, name, m: abs(m - 200) / 800)
    monkeypatch.setattr(Transfer, "promised", lambda self, name, m: 0.5 + abs(m - 400) / 800)
    monkeypatch.setattr(type(of.votes), "moved", lambda self, axis, value: moved if (axis, value) == ("m", 200) else None)
    found = of.entry("any")
    assert found.settings == {"m": "200", "k": "5,678"} and (found.promised, found.promised_at) == (0.5, {"m": "400"})
    assert found.error == MeanOfRuns(min(1.0, 0.1 + CURVED.votes.curve.error(200)), 0.04)
    monkeypatch.setattr(Transfer, "promised", lambda self, name, m: 1.0)
    assert of.entry("any").promised is None
    advised.split, advised.why = None, "it is refused"
    assert of.entry("any") == Contender("any", why="it is refused")


def test_advice_on_classifiers_by_labels_is_of_every_private_mechanism(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = asked_of(transfers, monkeypatch)
    monkeypatch.setattr(transfers, "mechanisms", lambda: PRIVATE)
    monkeypatch.setattr(Transfer, "entry", contender)
    race = transfers.advice(CURVED)
    assert [one.name for one in race.race] == ["b", "c", "a", "d"]
    assert asked == [(["b", "c", "d", "a"], {"n": MAX_N, "m": 10**6}, 1e-6)]
    assert race.of == "error of a classifier by every private mechanism" and race.blind.wrong == 0.5 and race.beta == 0.1
    assert race.moves == "up to 1,000 times more or fewer examples or public points"
    assert race.question == (
        "a private classifier: n = 4,000 examples, m = 800 public points, ε = 1, δ = 1e-06, β = 0.1\n"
        "a learner that errs 0.1 on 100, 0.05 on 400 examples\n"
        "Its errors fall by the power s^−0.5 through both points, also below and beyond them."
    )
    assert race.notes[0].endswith("2w/m and its error on m examples; promised: with what is proved of w, with probability 0.8.")


def releases_asked(monkeypatch: pytest.MonkeyPatch, trivial: bool = False, long: bool = False) -> list[Any]:
    monkeypatch.setattr(ReleaseQuestion, "trivial", trivial)
    monkeypatch.setattr(ReleaseQuestion, "long", long)
    needs = {"a": (True, True), "b": (False, True), "c": (False, True), "d": (True, False), "open": (False, False)}
    every = {
        name: SimpleNamespace(private=name != "open", needs_public=public, needs_private=private)
        for name, (public, private) in needs.items()
    }
    monkeypatch.setattr(releases, "releases", lambda: every)
    monkeypatch.setattr(releases, "entry", contender)
    return asked_of(releases, monkeypatch)


@pytest.mark.parametrize(
    ("m", "heading", "moves"),
    [
        (0, "no public ones: the queries of a grid of 4,096 cells", "up to 1,000 times more or fewer private points"),
        (2500, "m = 2,500 public points", "up to 1,000 times more or fewer private or public points"),
    ],
)
def test_advice_on_releases_moves_the_two_best_and_the_best_of_each_kind(
    m: int, heading: str, moves: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = releases_asked(monkeypatch)
    question = ReleaseQuestion(n=1500, m=m, grid=4096, distribution="log_uniform")
    race = releases.advice(question)
    assert [one.name for one in race.race] == ["b", "c", "a", "d"] and race.moves == moves
    axes = {"n": MAX_N, "m": MOST_PUBLIC} if m else {"n": MAX_N}
    assert [(sorted(names), of, care) for names, of, care in asked] == [(["a", "b", "c", "d"], axes, 1e-6)]
    name, *dimensions = race.question.partition(":")[0].split(", ")
    assert name.startswith("release of ") and all(" = " in each for each in dimensions)
    assert race.question.partition(": ")[2] == (
        f"n = 1,500 private points, {heading}\nε = 1, δ = 1e-06, β = 0.05; distributions: log_uniform"
    )
    assert race.of == "error of every private mechanism" and race.blind.wrong == 1.0


def test_nothing_is_moved_where_a_run_takes_long_and_a_trivial_question_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = releases_asked(monkeypatch, long=True)
    race = releases.advice(ReleaseQuestion(n=1500))
    assert (race.moves, list(race.moved), asked) == ("", [], [])
    assert "What would change that was not sought, as a run takes long." in list(race.sentences())
    releases_asked(monkeypatch, trivial=True)
    with pytest.raises(InputError, match="uniform weights, which see no data, are right on it; allowed: one with parameters"):
        releases.advice(ReleaseQuestion(n=1500))


@pytest.mark.parametrize(
    ("refused", "why"),
    [
        (["it has no order; allowed: another"], "it has no order"),
        ([None], "its runs would take too long at all settings that were tried"),
    ],
)
def test_why_a_release_could_not_run_is_told_of_the_fewest_points_and_the_largest_error(
    refused: Sequence[str | None], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = list[Any]()

    def refuse(cell: Any, name: str) -> Any:
        cells.append(cell)
        return None if refused[0] is None else SimpleNamespace(message=refused[0])

    monkeypatch.setattr(releases, "refuse", refuse)
    monkeypatch.setattr(releases, "promised", lambda question, release: None)
    assert TriedRelease(ReleaseQuestion(n=20_000, m=1000), "A_PAP").reason() == why
    (cell,) = cells
    assert (cell.m, cell.alpha) == (4, releases.ALPHAS[0])
