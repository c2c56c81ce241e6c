"""`harness advise` against a full run of all mechanisms on a fine grid, and what it says."""

import json
from collections.abc import Mapping
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import harness as package
from harness.mechanisms.answering import mechanisms
from harness.report.advice import labels
from harness.report.advice.labels import AS_GOOD_AS_NONE, Advice, LabelQuestion, labels_shown
from harness.report.advice.means import GRID
from harness.report.calculators import advise
from harness.theory.parameters import Task
from tests.support.fine_grid import error_on, least_wrong
from tests.support.pages import section
from tests.test_readme import answer, told

if TYPE_CHECKING:
    from tests.support.project import Harness

SHARES = (0.1, 0.2, *np.arange(0.28, 0.7, 0.03), 0.75, 0.85, 1.0)
SIX = 6  # standard errors of either side: passed with a probability below 1e-8 a comparison


def refuse_other_winner(given: Mapping[str, Any], scales: Any, runs: int) -> None:
    """The winner is one of a full run, and so are those said to be as good; where there are none, no other is."""
    points = given["errs"]
    task = Task(given["m"], given["eps"], given["delta"], 0.05, 0.0, lambda s, q: error_on(s, points))
    full, advice = least_wrong(points, task, given["n"], scales, SHARES, runs), advise(**given)
    assert advice.wins is not None and advice.wins.split is not None
    best = min(full.values())

    def excess(name: str) -> float:
        """Above the best, beyond what either side leaves open."""
        other = full[name]
        margin = SIX * float(np.hypot(best.error, other.error)) + 2 * GRID * other.mean + AS_GOOD_AS_NONE
        return other.mean - best.mean - margin

    assert excess(advice.wins.name) <= 0, (given, full)
    assert all(excess(name) <= advice.wins.split.split.margin for name in advice.ties), (given, full)
    clear = [name for name in full if excess(name) > 0]
    assert not set(clear) & {advice.wins.name}
    if not advice.ties and len(clear) == len(full) - 1:
        assert advice.wins.name == min(full, key=lambda name: full[name])
    own, found = full[advice.wins.name], advice.wins.split.split
    assert abs(own.mean - found.mean) <= SIX * float(np.hypot(own.error, found.error)) + 2 * GRID * own.mean + AS_GOOD_AS_NONE


SMALL = {"errs": {50: 0.05}, "n": 20_000, "m": 20, "eps": 1.0, "delta": 1e-6}


@pytest.mark.law
def test_the_winner_is_that_of_a_full_run() -> None:
    refuse_other_winner(SMALL, 2.0 ** np.arange(-6, 1.1, 0.5), 60)


def asked(errs: Mapping[int, float], n: float, m: int, eps: float = 1.0, delta: float = 1e-6) -> dict[str, Any]:
    return {"errs": errs, "n": int(n), "m": m, "eps": eps, "delta": delta}


SLOW, STEEP, BY_ONE = {5000: 0.02}, {500: 0.001, 50_000: 1e-6}, {1000: 0.01}
TWENTY = (
    *(asked({50: 0.05}, n, m, eps) for n, m, eps in ((2e4, 20, 1), (2e5, 20, 1), (2e5, 200, 1), (2e6, 1000, 0.5))),
    *(asked(SLOW, n, m, eps, delta) for n, m, eps, delta in ((4e6, 300, 2, 1e-7), (4e6, 3000, 2, 1e-7), (1e8, 300, 0.1, 1e-8))),
    *(asked(STEEP, n, m, eps) for n, m, eps in ((2e6, 3000, 2), (2e7, 3000, 2), (2e7, 1000, 1))),
    *(asked(BY_ONE, n, m, eps) for n, m, eps in ((1e6, 1, 1), (1e7, 5, 0.2))),
    *(asked({100: 0.1}, n, m, eps) for n, m, eps in ((1e5, 50, 5), (1e6, 10, 0.3))),
    *(asked({20: 0.2, 2000: 0.002}, n, 500, eps) for n, eps in ((1e6, 1), (1e5, 3))),
    asked({5000: 0.02, 20_000: 0.01}, 1e9, 1000),
    asked({100: 0.3, 10_000: 0.1}, 1e7, 100),
    asked({10_000: 0.05}, 5e7, 2000, 8, 1e-9),
    asked({300: 0.03, 3000: 0.02}, 3e6, 100, 1, 1e-10),
)
"""Between them a vote on every query wins, or as good as that, or votes of which few are split."""


@pytest.mark.law
@pytest.mark.parametrize("given", TWENTY, ids=lambda given: f"{given['errs']}, n = {given['n']:,}, m = {given['m']:,}")
def test_the_winner_at_twenty_settings_is_that_of_a_full_run(given: dict[str, Any]) -> None:
    """All k of a fine grid, 53 of them, every share of wrong votes, all mechanisms: two and a half minutes of a core in all."""
    refuse_other_winner(given, 2.0 ** np.arange(-10, 3.1, 0.25), 60)


ASKED = ("advise", "--errs", "0.02@5000", "--n", "4e6", "--m", "30", "--eps", "2", "--delta", "1e-7")


def advice_on(m: int) -> Advice:
    """What would change it, which takes as long again, is not looked for."""
    return replace(advise(errs="0.02@5000", n="4e6", m=m, eps=2, delta=1e-7), moved=[])


@pytest.fixture(scope="module")
def advice() -> Advice:
    """On a tenth of the queries of the README's question, which take a quarter of the time."""
    return advice_on(30)


@pytest.fixture(scope="module")
def of_readme() -> Advice:
    return advice_on(300)


def test_the_object_has_every_private_mechanism_and_is_json(advice: Advice) -> None:
    found = advice.json
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert set(found["mechanisms"]) == {name for name, each in mechanisms().items() if each.private}
    assert found["wins"] == "gaussian" and found["mechanisms"]["gaussian"]["out"] is None
    own = found["mechanisms"]["gaussian"]["split"]
    assert own["k"] * own["s"] <= 4_000_000 and 0.4 < own["share_of_votes"] < 1
    assert own["wrong_independent"] < own["wrong_split"] < found["mechanisms"]["gaussian"]["promised"]


def test_what_is_not_certified_never_wins(advice: Advice) -> None:
    out = {one.name: one.why for one in advice.every if one.why}
    assert out == {"A_OQR": "not certified to be (ε, δ)-DP"} and not {"A_OQR"} & {*advice.ties, *advice.independent}


def test_what_an_author_declares_never_wins(advice: Advice, monkeypatch: pytest.MonkeyPatch) -> None:
    """Measured anew is the one that would win; the others are what they are."""
    monkeypatch.setattr("harness.report.advice.votes.spent_by", lambda name: "declared" if name == "gaussian" else "certified")
    declared = advice.question.votes.advised("gaussian")
    other = replace(advice, every=[declared if one.name == "gaussian" else one for one in advice.every])
    assert other.wins is not None and other.wins.name == "GNMax"
    assert declared.why == "(ε, δ)-DP as its author declares, certified by no accountant"


def test_the_same_question_has_the_same_answer(advice: Advice, monkeypatch: pytest.MonkeyPatch) -> None:
    """However it is written, and whatever was asked before: two mechanisms are measured anew."""
    names = ("gaussian", "A_binClas")
    monkeypatch.setattr(
        labels, "advice", lambda asked: Advice(asked, [asked.votes.advised(name) for name in names], [], asked.votes.blind)
    )
    again = package.advise(errs={5000: 0.02}, n=4 * 10**6, m=30, eps=2, delta=1e-7)
    assert again.question == advice.question
    for name, own in zip(names, again.every, strict=True):
        (known,) = (one for one in advice.every if one.name == name)
        assert (own.split, own.independent, own.promised) == (known.split, known.independent, known.promised)


def told_again(advice: Advice, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command, which is to ask the same question, has the answer that is there."""

    def known(**given: Any) -> Advice:
        assert LabelQuestion(**given) == advice.question
        return advice

    monkeypatch.setattr("harness.report.calculators.advise", known)


def test_it_says_what_it_found(advice: Advice, harness: "Harness", monkeypatch: pytest.MonkeyPatch) -> None:
    told_again(advice, monkeypatch)
    said = harness(*ASKED)
    assert said.code == 0 and said.err == ""
    for words in (
        "a learner that errs 0.02 on 5,000 examples",
        "of one point, the cautious way: like 1/s below s = 5,000, like 1/√s beyond",
        "gaussian wins, with k = ",
        "As good, as far as is measured: GNMax.",
        "The next is noisy_max_exponential",
        "By what is proved gaussian is best, with k = 237: at most 4.",
        "No point of the curve is near s = ",
        "Out of the race: A_OQR, not certified to be (ε, δ)-DP.",
    ):
        assert words in said.out


@pytest.mark.law
def test_readme_and_the_page_say_what_it_says(of_readme: Advice) -> None:
    """The numbers of gaussian, and on the page of A_binClas and of what is proved."""
    best, others = of_readme.wins, {one.name: one.split for one in of_readme.race}
    assert best is not None and best.split is not None and best.promised is not None
    said = [
        f"in {best.split.plan.k} chunks",
        f"{labels_shown(best.split.split.mean)} wrong labels",
        labels_shown(best.split.independent.mean),
    ]
    found = others["A_binClas"]
    assert found is not None
    page = " ".join(Path("harness/docs/pages/labels.md").read_text(encoding="utf-8").split())
    assert all(each in " ".join(Path("README.md").read_text(encoding="utf-8").split()) and each in page for each in said)
    assert f"`A_binClas` has {labels_shown(found.split.mean)}" in page
    assert f"at most {labels_shown(best.promised)} wrong labels, in {best.least.k} chunks" in page


@pytest.mark.law
def test_readme_and_the_page_say_what_the_command_does(
    of_readme: Advice, harness: "Harness", monkeypatch: pytest.MonkeyPatch
) -> None:
    """The best mechanism with its k, and its wrong labels in both cases; what is proved, and what `A_binClas` has."""
    errs, s, n, m, eps, delta, k, split, independent = answer("I have a learner of my own")
    given = f"--errs {errs:g}@{s:g} --n {n:g} --m {m:g} --eps {eps:g} --delta {delta:g} --json".split()
    told_again(of_readme, monkeypatch)
    found = json.loads(harness("advise", *given).out)["mechanisms"]
    best = min(found, key=lambda name: found[name]["split"]["wrong_split"])
    at, ours = found["gaussian"]["split"], found["A_binClas"]["split"]
    assert (best, at["k"]) == ("gaussian", k)
    assert [at["wrong_split"], at["wrong_independent"]] == pytest.approx([split, independent], rel=0.02)
    said = told(section("What should I use for a learner of my own?"))
    assert f"in {k:g} chunks wins, with {split:g} wrong labels of {m:g} where votes are split and {independent:g} where" in said
    assert f"`A_binClas` has {ours['wrong_split']:.1f}," in said
    promised = min(found.values(), key=lambda each: each["promised"] or inf)
    assert promised is found["gaussian"]
    assert f"at most {promised['promised']:.1f} wrong labels, in {promised['promised_k']} chunks" in said


@pytest.mark.law
def test_what_may_let_thousands_out_is_measured_at_its_own_best() -> None:
    """Of 10⁶ labels: up to 9,283 ⊥s at the k of its guarantee, and more than 30,000 of a learner that errs 0.1."""
    votes = LabelQuestion(errs=["0.01@1000"], n=10**9, m=10**6).votes
    found = votes.advised("gaussian_sparse_vector")
    assert found.promised is not None and found.why is None
    assert found.together.split.mean < found.promised and found.together.plan.noise["T"] > 2000
    worse = LabelQuestion(errs=["0.1@1000"], n=10**9, m=10**6).votes.advised("A_binClas")
    assert worse.split is None and "it is not measured: up to T = " in (worse.why or "")


@pytest.mark.law
def test_it_says_at_which_n_another_wins() -> None:
    """A learner whose errors vanish with 1/s²: with many examples few votes are split, and to pay for these alone is best."""
    found = advise(errs={500: 0.001, 50_000: 1e-6}, n=2 * 10**5, m=10_000, eps=2, delta=1e-7)
    assert found.wins is not None and found.wins.name == "gaussian"
    up = [each for each in found.changes if each.axis == "n" and each.up]
    assert [each.name for each in up] == ["gaussian_sparse_vector"]
    at = advise(errs={500: 0.001, 50_000: 1e-6}, n=2 * 10**6, m=10_000, eps=2, delta=1e-7)
    assert at.wins is not None and at.wins.name == "gaussian_sparse_vector"
    assert [each.name for each in at.changes if each.axis == "n" and not each.up] == ["gaussian"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--errs", "0.02", "--n", "5", "--m", "3"], "--errs: an error and a number of examples are needed"),
        (["--n", "5", "--m", "3"], "--errs: this key is required"),
        (["--errs", "0.02@50", "--m", "3"], "--n: this key is required"),
        (["--errs", "0.02@50", "--n", "5", "--m", "x"], "--m: a number is needed, not 'x'"),
        (
            ["--errs", "0.02@50", "--n", "5", "--m", "3", "--constants", "leen"],
            "--constants: no constants 'leen'; did you mean",
        ),
    ],
)
def test_bad_input_is_told_of_its_option(harness: "Harness", given: list[str], said: str) -> None:
    ended = harness("advise", *given)
    assert ended.code == 2 and said in ended.err and "Traceback" not in ended.err


def test_where_nothing_can_be_run_it_says_so(harness: "Harness") -> None:
    said = harness("advise", "--errs", "0.02@50", "--n", "1", "--m", "3")
    assert (said.code == 0 and "wins" in said.out) or "None wins." in said.out


def test_numbers_of_labels_are_told_to_two_or_three_digits() -> None:
    shown = [labels_shown(labels) for labels in (0, 0.0123, 4.597, 45.97, 459.7, 45970)]
    assert shown == ["0", "0.012", "4.6", "46.0", "460", "45,970"]
