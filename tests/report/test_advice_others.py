"""`harness advise --release` and `--classifier`: against all settings of every mechanism, and what they say."""

import json
from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import partial
from itertools import product
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import harness as package
from harness.mechanisms.release import Release, releases
from harness.mechanisms.release.noisy import GaussianAverages
from harness.report.advice import classifiers
from harness.report.advice import releases as advised
from harness.report.advice.changes import Blind, changes
from harness.report.advice.means import GRID, MeanOfRuns
from harness.report.advice.race import Contender, Race, ranked
from harness.report.advice.search import GridSearch, Setting
from harness.transfer import private_learners
from harness.trials.release import errors, refuse
from tests.support.guests import guest

if TYPE_CHECKING:
    from tests.support.project import Harness

SIX = 6  # standard errors of either side: passed with a probability below 1e-8 a comparison


def refuse_other_winner(race: Race, full: dict[str, MeanOfRuns]) -> None:
    """The winner is one of a full run, up to what either side leaves open."""
    assert race.wins is not None
    best = min(full.values(), key=lambda each: each.mean)
    own = full[race.wins.name]
    margin = SIX * float(np.hypot(best.error, own.error)) + 2 * GRID * own.mean
    assert own.mean <= best.mean + margin, (race.wins, sorted(full.items(), key=lambda each: each[1].mean)[:3])


def everywhere(
    search: GridSearch, first: Callable[[Setting], Hashable] = lambda setting: tuple(setting.values())
) -> MeanOfRuns | None:
    """The least over all combinations of settings; of those whose first runs are the same, one is measured."""
    every = (dict(zip(search.axes, each, strict=True)) for each in product(*search.axes.values()))
    different = {first(setting): setting for setting in every}
    found = [search.error(setting) for setting in different.values()]
    return min((each for each in found if each is not None), key=lambda each: each.mean, default=None)


def first_errors(trying: advised.TriedRelease, setting: Setting) -> Hashable:
    """Of a release at a setting: a run on each distribution, with points and grid; of what cannot be run the setting."""
    cells = {name: trying.cell(setting, name) for name in trying.question.distributions}
    if any(refuse(cell, trying.name) is not None or trying.work(cell) > advised.MOST_WORK for cell in cells.values()):
        return tuple(setting.values())
    runs = (
        errors(cell, trying.name, *trying.size(cell), range(1), trying.streams(name, 0), "error_on_cover")
        for name, cell in cells.items()
    )
    return setting["m"], setting["grid"], *(float(run[0]) for run in runs)


RELEASES: tuple[dict[str, Any], ...] = (
    {"n": 10**5, "grid": 50},
    {"n": 2000, "grid": 200, "eps": 0.5},
    {"n": 10**5, "m": 100},
    {"n": 300, "m": 1000},
    {"n": 10**4, "m": 40, "concept": {"name": "stumps", "d": 2}},
    {"n": 3000, "m": 30, "concept": "intervals", "distribution": "log_uniform"},
    {"n": 3000, "concept": {"name": "parities", "d": 7}},
    {"n": 1000, "concept": {"name": "parities", "d": 9}, "distribution": {"name": "planted", "bias": 0.5}},
    {"n": 3000, "concept": {"name": "random_queries", "count": 1000, "cells": 100}},
    {
        "n": 5000,
        "m": 100,
        "concept": {"name": "cube_stumps", "dimension": 16},
        "distribution": {"name": "product", "spread": 0.5},
    },
)


@pytest.mark.law
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("given", RELEASES, ids=str)
def test_the_winner_of_releases_is_that_of_all_settings(given: dict[str, Any]) -> None:
    question = advised.ReleaseQuestion.model_validate(given)
    trying = {name: advised.TriedRelease(question, name) for name, each in releases().items() if each.private}
    full = {name: everywhere(each.search, partial(first_errors, each)) for name, each in trying.items()}
    refuse_other_winner(advised.advice(question), {name: found for name, found in full.items() if found is not None})


CLASSIFIERS: tuple[dict[str, Any], ...] = (
    {"n": 10**6},
    {"n": 10**5, "m": 200, "eps": 2},
    {"n": 10**5, "gamma": 0.1},
    {"n": 10**7, "concept": {"name": "halfspaces"}},
    {"n": 300, "concept": {"name": "halfspaces"}},
    {"n": 1000, "m": 5, "concept": {"name": "halfspaces"}},
)
"""Of the last two n is small enough to train on, and with so few public points as in the last nothing else can be run."""


@pytest.mark.law
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("given", CLASSIFIERS, ids=str)
def test_the_winner_of_classifiers_is_that_of_all_settings(given: dict[str, Any]) -> None:
    question = classifiers.ClassifierQuestion.model_validate(given)
    trying = {name: classifiers.TriedConstruction(question, name) for name, each in private_learners().items() if each.private}
    full = {name: found for name, each in trying.items() if (found := everywhere(each.search)) is not None}
    refuse_other_winner(classifiers.advice(question), full)


SETTING = {"m": 0, "grid": 16, "alpha": 0.5, "constants": "repaired"}


@pytest.fixture(scope="module")
def race() -> Race:
    """What would change it is not looked for until it is asked."""
    return package.advise_release(n=20_000, grid=16, alpha=0.05)


@pytest.mark.law
def test_a_release_is_advised_of_every_private_mechanism(race: Race) -> None:
    found = replace(race, moved=[]).json
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert set(found["mechanisms"]) == {name for name, each in releases().items() if each.private}
    assert race.wins is not None and race.wins.error is not None and race.wins.most is not None
    assert race.wins.error.mean <= race.wins.most
    assert all(one.error.mean < one.promised for one in race.race if one.error is not None and one.promised is not None)
    assert {one.name for one in race.every if one.why} >= {"public_averages", "A_PAP"}


@pytest.mark.law
def test_a_promise_of_releases_is_what_their_theory_says(race: Race) -> None:
    """That of gaussian_averages by its own formula: the error that is solved for is the one that it keeps to at this n."""
    found = next(one for one in race.every if one.name == "gaussian_averages")
    cell = advised.ReleaseQuestion(n=20_000, grid=16).cell("uniform", m=0, grid=16, alpha=0.5)
    error = releases()["gaussian_averages"].error(cell.sizes, 20_000, cell.sharp)
    assert found.promised == pytest.approx(error, rel=1e-6) and found.promised_at == {"sample by": "DKW"}


class Quiet(GaussianAverages):
    """Says of itself that it is private, and draws hardly any noise."""

    name = "quiet"

    def numbers(self, size: Any, n: int, asked: Any) -> dict[str, float]:
        return {"sigma": 1e-9}


@pytest.mark.law
def test_where_a_run_takes_long_there_are_few_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    many = advised.ReleaseQuestion(n=10**6, m=10**6)
    matrix = {"name": "random_queries", "count": 2048, "cells": 8192}
    assert many.long and advised.ReleaseQuestion.model_validate({"n": 10**6, "concept": matrix}).long
    axes = {name: advised.TriedRelease(many, name).search.axes for name in ("mwem", "public_averages")}
    assert axes["mwem"]["m"][:2] == [2**17, 2**13] and axes["public_averages"]["m"][:2] == [10**6, 62_500]
    few = advised.ReleaseQuestion(n=20_000, grid=16)
    assert not few.long

    def runs() -> int:
        errs = advised.TriedRelease(few, "gaussian_tree").runs(SETTING, "atoms", 0)
        return 0 if errs is None else len(errs)

    usual = runs()
    monkeypatch.setattr(advised, "LONG", 10)
    monkeypatch.setattr(advised, "WORK", (1, 1))
    assert (usual, runs()) == (12, 2)
    race = advised.advice(few)
    assert race.changes == [] and "What would change that was not sought, as a run takes long." in race.sentences()
    assert race.notes[1] == "A run takes long here, so that there are few of each, and of fewer settings."


def test_what_an_author_declares_of_a_release_never_wins() -> None:
    with guest(MECHANISM=Quiet()):
        question = advised.ReleaseQuestion(n=20_000, grid=16)
        found = advised.entry(question, "quiet")
        assert isinstance(releases()["quiet"], Release)
    assert found.why == "(ε, δ)-DP as its author declares, certified by no accountant"


@pytest.mark.law
def test_a_setting_that_has_no_say_is_not_told(race: Race) -> None:
    assert next(one for one in race.every if one.name == "gaussian_averages").settings == {}
    assert set(next(one for one in race.every if one.name == "PMW").settings) <= {"α", "constants"}


@pytest.mark.law
def test_it_says_what_is_kept_and_proved(harness: "Harness", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advised, "changes", lambda *given: [])
    said = harness("advise", "--release", "--n", "20000", "--grid", "16", "--alpha", "0.05")
    assert said.code == 0 and said.err == ""
    flat = " ".join(said.out.split())
    for words in (
        "release of thresholds: n = 20,000 private points, no public ones: the queries of a grid of 16 cells",
        "An error of 0.05 is kept in 95% of the runs by ",
        " wins",
        "By what is promised ",
        "mwem_public, A_PAP, A_PAP_calibrated; each is made of public points, and m = 0 means none.",
    ):
        assert words in flat


@pytest.mark.law
def test_a_classifier_by_a_learning_curve_adds_up_what_is_wrong() -> None:
    """The error of the winner is twice its wrong labels and the curve's own error, both of which `advise` says."""
    asked: dict[str, Any] = {"errs": "0.02@500", "n": 10**6, "m": 20, "eps": 2}
    best = package.advise_classifier(**asked).wins
    assert best is not None and best.error is not None
    at = int(best.settings["m"].replace(",", ""))
    labels = package.advise(**{**asked, "m": at}).question.votes
    split, alone = labels.advised(best.name).split, labels.curve.error(at)
    assert split is not None and best.error.mean == pytest.approx(2 * split.split.mean / at + alone)
    assert best.promised is None or best.error.mean < best.promised


def contender(name: str, error: float, promised: float | None = None) -> Contender:
    return Contender(name, error=MeanOfRuns(error, 0.01), promised=promised)


@pytest.mark.parametrize(("error", "said"), [(0.95, True), (0.8, False)])
def test_what_is_hardly_better_than_no_data_is_told_so(error: float, said: bool) -> None:
    race = Race("a question", "error", [contender("own", error)], [], 0.05, [], "any n", Blind("a guess", 1.0))
    assert ("None is clearly better than a guess, which sees no data, with 1." in list(race.sentences())) == said


def test_what_is_out_of_the_race_for_one_reason_is_told_together() -> None:
    whys = {
        "a": "a is for cells",
        "b": "too few",
        "c": "c is for cells",
        "d": "d is dear",
        "e": "too few",
        "f": "it is unknown",
    }
    whys |= {"f": "it is unknown", "g": "it takes long", "h": "it takes long"}
    out = [Contender(name, why=why) for name, why in whys.items()]
    race = Race("a question", "error", [contender("own", 0.1), *out], [], 0.05, [], "any n", Blind("a guess", 1.0))
    lines = [each for each in race.sentences() if each.startswith("Out of the race: ")]
    ends = ["a, c; each is for cells.", "b, e: too few.", "d is dear.", "f, it is unknown.", "g, h; each takes long."]
    assert lines == [f"Out of the race: {each}" for each in ends]


def test_of_those_that_are_as_good_the_one_that_promises_most_wins() -> None:
    every = [contender("least", 0.20), contender("near", 0.21, 0.5), contender("nearer", 0.2, 0.9), contender("far", 0.5, 0.4)]
    assert [one.name for one in ranked(every)] == ["near", "nearer", "least", "far"]
    assert ranked(every[:0]) == []


@pytest.mark.parametrize(("blind", "found"), [(1.0, ["other"]), (0.5, [])])
def test_no_other_is_named_that_is_hardly_better_than_no_data(blind: float, found: list[str]) -> None:
    """Of a mechanism that errs 0.48 wherever the first of them cannot be run."""

    class Moved:
        def __init__(self, n: int) -> None:
            self.n, self.blind = n, Blind("a guess", blind)

        def value(self, axis: str) -> int:
            return self.n

        def moved(self, axis: str, value: int) -> "Moved":
            return Moved(value)

        def least(self, name: str, below: float = inf) -> float:
            return inf if name == "first" and self.n < 1000 else 0.48

    assert [each.name for each in changes(Moved(1000), ["first", "other"], {"n": 10**9}, 1e-6)] == found


@pytest.mark.law
def test_a_classifier_of_a_known_class_is_advised() -> None:
    question = classifiers.ClassifierQuestion(n=10**5)
    found = classifiers.entry(question, "exponential")
    assert int(found.settings["public points"].replace(",", "")) > 100
    assert found.error is not None and found.promised is not None and found.error.mean < found.promised and found.why is None
    nothing = classifiers.entry(classifiers.ClassifierQuestion(n=20), "A_Priv")
    assert nothing.error is None and nothing.why == "n = 20 examples are too few at each setting that was tried"
    few = classifiers.entry(question.model_copy(update={"m": 2}), "A_Priv")
    assert few.why is not None and "there are 2" in few.why


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--release"], "--n: this key is required"),
        (["--release", "--classifier", "--n", "5"], "one thing is advised on at a time"),
        (["--release", "--n", "5", "--errs", "0.1@5"], "--errs: it has no say here; allowed: concept, distribution, n, m,"),
        (["--release", "--n", "100", "--concept", "cube_stumps"], "--distribution: uniform weights, which see no data"),
        (["--release", "--n", "100", "--concept", "{name: stumps"], "--concept: not valid YAML: "),
        (["--release", "--n", "100", "--concept", "{d: 3}"], "names nothing; allowed: a name, or a mapping in quotes, such as"),
        (["--release", "--n", "100", "--concept", "{name: stumps, e: 3}"], "allowed: d"),
        (["--release", "--n", "100", "--distribution", "unifrom"], "--distribution: no distribution 'unifrom'; did you mean"),
        (["--classifier", "--n", "100", "--concept", "threshold"], "--concept: no concept class 'threshold'; did you mean"),
        (["--classifier", "--n", "100", "--gamma", "0.7"], "--gamma: gamma = 0.7"),
    ],
)
def test_bad_input_is_told_of_its_option(harness: "Harness", given: list[str], said: str) -> None:
    ended = harness("advise", *given)
    assert ended.code == 2 and said in " ".join(ended.err.split()) and "Traceback" not in ended.err
