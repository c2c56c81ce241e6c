"""What a race of made-up mechanisms says, whole: who wins, by how much, who is out, and what would change it."""

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from harness.report.advice.changes import Alternative, Blind
from harness.report.advice.labels import Advice, LabelQuestion
from harness.report.advice.means import MeanOfRuns
from harness.report.advice.race import Contender, Race
from harness.report.advice.votes import Advised
from tests.report.test_told_in_words import printed

COIN = Blind("a coin", 0.5)
EVERY = (
    Contender(
        "best", {"α": "0.1", "sample by": "DKW"}, MeanOfRuns(0.01, 0.0005), 0.02, "uniform", 0.125, {"constants": "lean"}
    ),
    Contender("close", {}, MeanOfRuns(0.0101, 0.0005), 0.03, "hard", 0.5),
    Contender("far", {"k": "7"}, MeanOfRuns(0.05, 0.001), None, "", 0.25),
    Contender("refused", why="it has no order"),
    Contender("other", why="it has no order"),
    Contender("verb", why="verb needs more points"),
    Contender("loose", error=MeanOfRuns(0.001, 0.0), why="not certified to be (ε, δ)-DP"),
    Contender("freer", error=MeanOfRuns(0.002, 0.0), why="not certified to be (ε, δ)-DP"),
)
MOVED = (Alternative("n", True, 12_000, "far"), Alternative("m", False, 30, "close"))


def race(every: Sequence[Contender] = EVERY, moved: Sequence[Alternative] = MOVED, moves: str = "so many more") -> Race:
    return Race("What is best?", "error of all", every, moved, 0.05, ["One note.", "Another."], moves, COIN)


def said(of: Any) -> list[str]:
    return [" ".join(line.split()) for line in printed(lambda console: of.show(console, as_json=False)).splitlines()]


def test_a_race_is_told_by_a_line_each_and_in_sentences() -> None:
    assert said(race()) == [
        "What is best?",
        "",
        "error of all at its own best settings",
        "mechanism settings error 95% promised",
        "best α = 0.1, sample by DKW 0.01 ± 0.0016 0.02 0.12",
        "close 0.01 ± 0.0016 0.03 0.5",
        "far k = 7 0.05 ± 0.0033 – 0.25",
        "One note. Another.",
        "",
        "best wins, with α = 0.1, sample by DKW. Its error is 0.01 on uniform, where it errs most.",
        "As good, as far as is measured: close.",
        "The next is far, with 0.05, 5 times as much.",
        "By what is promised best is best, with constants = lean: at most 0.12.",
        "By a few runs another does better: far from about n = 12,000 up, all else the same; close from about m = 30 down, all "
        "else the same.",
        "Out of the race: refused, other; each has no order.",
        "Out of the race: verb needs more points.",
        "Out of the race: loose, freer: not certified to be (ε, δ)-DP.",
    ]


@pytest.mark.parametrize(
    ("of", "sentences"),
    [
        (race(EVERY[3:]), ["None wins.", "Out of the race: refused, other; each has no order."]),
        (
            race(EVERY[:1], ()),
            ["best wins, with α = 0.1", "By what is promised best is best", "No other does better at so many more."],
        ),
        (race(EVERY[:1], (), ""), ["best wins", "By what", "What would change that was not sought, as a run takes long."]),
        (
            race([replace(EVERY[0], error=MeanOfRuns(0.46, 0.0), promised=None, where="", settings={})], ()),
            [
                "best wins. Its error is 0.46.",
                "None is clearly better than a coin, which sees no data, with 0.5.",
                "Nothing is promised of any of them here: every bound is vacuous.",
                "No other",
            ],
        ),
        (
            race([replace(EVERY[0], error=MeanOfRuns(0.0, 0.0)), replace(EVERY[2], promised=0.0625)], ()),
            ["best wins", "The next is far, with 0.05.", "By what is promised far is best: at most 0.062.", "No other"],
        ),
        (race([EVERY[0], EVERY[3]], ()), ["best wins", "By what", "No other", "Out of the race: refused, it has no order."]),
    ],
)
def test_sentences_of_a_race_are_those_that_are_true_of_it(of: Race, sentences: list[str]) -> None:
    found = list(of.sentences())
    assert all(one.startswith(other) for one, other in zip(found, sentences, strict=False)), found
    assert len(found) == len(sentences) or of.wins is None


def test_a_race_as_json_has_all_numbers_and_null_where_there_is_none() -> None:
    found = race().json
    assert found["question"] == "What is best?" and (found["wins"], found["ties"]) == ("best", ["close"])
    assert list(found["mechanisms"]) == ["best", "close", "far", "refused", "other", "verb", "loose", "freer"]
    assert found["mechanisms"]["best"] == {
        "settings": {"α": "0.1", "sample by": "DKW"},
        "error": 0.01,
        "error_within": EVERY[0].measured.margin,
        "error_most": 0.02,
        "worst": "uniform",
        "promised": 0.125,
        "promised_at": {"constants": "lean"},
        "out": None,
    }
    refused = found["mechanisms"]["refused"]
    assert (refused["error"], refused["error_within"], refused["promised"], refused["out"]) == (
        None,
        None,
        None,
        "it has no order",
    )
    assert found["changes"] == [
        {"axis": "n", "from": 12_000, "up": True, "wins": "far"},
        {"axis": "m", "from": 30, "up": False, "wins": "close"},
    ]
    none = race(EVERY[3:]).json
    assert none["wins"] is None and none["ties"] == [] and none["changes"] == []


QUESTION = LabelQuestion(errs=["0.1@100", "0.05@400"], n=4000, m=800, beta=0.1)


def labels(mean: float, k: int, s: int, share: float | None = None, error: float = 1.0) -> Any:
    plan = SimpleNamespace(k=k, s=s, alpha=0.125)
    return SimpleNamespace(
        plan=plan, split=SimpleNamespace(mean=mean, margin=2 * error, share=share, error=error), independent=None
    )


def advised(name: str, split: float, independent: float, promised: float | None, s: int = 200) -> Advised:
    together, alone = (labels(split, k, s, 0.25) for k in (1500, 20))
    for one in (together, alone):
        one.independent = MeanOfRuns(independent, 0.5)
        one.split = SimpleNamespace(mean=split, margin=2.0, share=0.25)
    least: Any = SimpleNamespace(k=12_345, spent=1.0)
    return Advised(name, least, promised, None, MeanOfRuns(split, 1.0), together, alone)


def test_advice_on_labels_is_told_by_a_line_each_and_in_sentences() -> None:
    out = Advised("out", SimpleNamespace(k=1, spent=2.0), None, "not certified to be (ε, δ)-DP")  # type: ignore[arg-type]
    every = [advised("best", 12.0, 30.0, 250.0), advised("next", 240.0, 1.0, 120.0), out]
    found = said(Advice(QUESTION, every, (), Blind("a coin for each label", 400.0)))
    assert found[:5] == [
        "labels by votes: n = 4,000 examples, m = 800 queries, ε = 1, δ = 1e-06, β = 0.1",
        "a learner that errs 0.1 on 100, 0.05 on 400 examples",
        "Its errors fall by the power s^−0.5 through both points, also below and beyond them.",
        "",
        "wrong labels of every private mechanism at its own best k",
    ]
    assert found[5:9] == [
        "mechanism k s split independent promised",
        "best 1,500 200 12.0 ± 2 30.0 ± 1.6 250",
        "next 1,500 200 240 ± 2 1 ± 1.6 120",
        "out – – – – –",
    ]
    assert "with probability 0.8, at the k that the proof needs." in found[9]
    assert found[11:] == [
        "best wins, with k = 1,500 chunks of 200 examples, on each of which the learner errs 0.125. Of 800 labels 12.0 are "
        "wrong where 25% of the votes are wrong on 50.00% of the queries, which is the worst, and 30.0 where errors are "
        "independent.",
        "The next is next, with 240, 20 times as many.",
        "By what is proved next is best, with k = 12,345: at most 120.",
        "Were errors independent, best would be, with 1 wrong: next (k = 20).",
        "No other does better at up to 1,000 times more or fewer examples or queries.",
        "Out of the race: out, not certified to be (ε, δ)-DP.",
    ]


@pytest.mark.parametrize(("s", "told"), [(99, True), (100, False), (400, False), (401, True)])
def test_a_curve_that_has_no_point_near_the_chunks_is_said_to_decide(s: int, told: bool) -> None:
    found = list(Advice(QUESTION, [advised("best", 12.0, 3.0, None, s)], (), Blind("a coin", 400.0)).sentences())
    assert ("how it is filled decides. Measure your learner there." in " ".join(found)) == told
    assert ("Nothing is proved of any of them here: every bound is vacuous." in found) and (
        f"s = {s}" in " ".join(found)
    ) == told
