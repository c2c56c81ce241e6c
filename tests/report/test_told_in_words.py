"""What is said of audits, comparisons, findings and numbers, in words and as JSON, of made-up ones."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from math import inf, nan, tanh
from typing import Any

import numpy as np
import pytest

from harness.claims.engine import Certain, Claim, Limit, Outcome, Verdict
from harness.claims.engine.nature import MEANS_WHEN_BROKEN
from harness.report import audits, numerals
from harness.report.audits import AuditReport, AuditsReport, audits_of
from harness.report.comparisons import SHOWN, changes, comparison_json
from harness.report.console import Terminal
from harness.report.grids import NUMBERS, Sheet
from harness.report.one_claim import loose, worst
from harness.report.privacy_curve import allowed
from harness.report.regression import Change, ColumnMean, Comparison
from harness.report.show import summarise, tally
from harness.report.siblings import by_theorem
from harness.report.verdicts import Finding
from harness.report.verify import same
from harness.sweep.errors import InputError
from harness.trials.audited.outcome import Audited
from harness.trials.audited.subject import AuditSetting, NotAuditedError
from tests.report.test_siblings import finding, judged

_judged = judged
"""The fixture."""

SETTING = AuditSetting(m=3, eps=2.0, constants="BTT18")
ONE = Audited(
    "mine", SETTING, 0.5, 2.0, 1.75, "certified", 1e-6, 0.999, "a pair", "an event", 30, 10, 500, 1000, 7, ((0.1, 0.2),)
)


def printed(say: Callable[[Terminal], object]) -> str:
    """What is printed where nothing is cut or wrapped."""
    out = StringIO()
    say(Terminal(file=out, width=10_000, soft_wrap=True))
    return out.getvalue()


def cells(text: str) -> dict[str, str]:
    """A table of two columns."""
    rows = (line.split(maxsplit=1) for line in text.splitlines())
    return {row[0]: row[1].strip() for row in rows if len(row) == 2}


def test_an_audit_says_what_was_measured_said_and_counted_and_how_to_run_it_again() -> None:
    text = printed(lambda console: AuditReport(ONE).show(console, as_json=False))
    told = cells(text)
    assert text.startswith("mine: m = 3, T = 1, ε = 2, δ = 10⁻⁶, β = 0.05, α = 0.1, γ = 0, constants = BTT18, labels = 2\n")
    assert told["measured"] == "ε ≥ 0.5 at δ = 1e-06, with confidence 0.999"
    assert told["said"] == "ε = 2 asked for; 1.75 spent by its plan, certified by an accountant"
    assert (told["neighbours"], told["event"]) == ("a pair", "an event")
    assert told["counted"] == "in 30 of 500 runs on one of the two, in 10 on the other"
    assert told["again"] == "harness audit mine --m 3 --eps 2 --constants BTT18 --runs 1000 --seed 7"
    sentence = "not refuted: what was seen takes no more than ε = 0.5, 25% of what it is said to keep to."
    assert text.rstrip().endswith(f"{sentence} {audits.SAYS_NOT}")
    seen_nothing = AuditReport(replace(ONE, lower=0.0)).sentence
    assert seen_nothing == f"not refuted: what was seen takes no more than ε = 0. {audits.SAYS_NOT}"
    broken = AuditReport(replace(ONE, lower=2.5))
    assert broken.refuted and broken.sentence == "refuted: it spends more than the ε = 2 that it is said to keep to."
    assert not AuditReport(ONE).refuted


def test_an_audit_of_what_promises_nothing_or_does_not_say_what_it_spends() -> None:
    nothing = AuditReport(replace(ONE, claimed=inf, spent=inf, said="nothing"))
    assert nothing.sentence == "It promises no privacy: nothing to refute."
    assert cells(printed(lambda console: nothing.show(console, as_json=False)))["said"] == "nothing: it is not private"
    silent = AuditReport(replace(ONE, spent=inf, said="declared"))
    said = cells(printed(lambda console: silent.show(console, as_json=False)))["said"]
    assert said == "ε = 2 asked for; its plan does not say what is spent"
    assert (nothing.json["claimed"], nothing.json["spent"], silent.json["claimed"]) == (None, None, 2.0)


def test_an_audit_as_an_object_has_all_that_was_measured() -> None:
    told = AuditReport(ONE).json
    assert json.loads(json.dumps(told)) == {
        **{"mechanism": "mine", "lower": 0.5, "claimed": 2.0, "spent": 1.75, "said": "certified", "delta": 1e-6},
        **{"confidence": 0.999, "pair": "a pair", "event": "an event", "hits": 30, "others": 10, "judged": 500},
        **{"runs": 1000, "seed": 7, "verdict": "not refuted", "setting": SETTING.model_dump(), "curve": [[0.1, 0.2]]},
    }


def test_audits_of_all_are_as_sure_together_as_one_and_the_most_seen_comes_first() -> None:
    others = (
        replace(ONE, mechanism="second", lower=0.1, said="declared"),
        replace(ONE, mechanism="none", claimed=0.0, lower=0.0),
    )
    report = AuditsReport((ONE, *others), ("left: it cannot be run",))
    heading, sheet, note = (printed(lambda console, part=part: console.print(part)) for part in report.parts())  # type: ignore[misc]
    assert "of all together with confidence 0.997" in heading and note.strip() == "not audited: left: it cannot be run"
    rows = [line.split() for line in sheet.splitlines() if line.split()]
    assert rows[0] == ["mechanism", "measured", "said", "share", "verdict", "neighbours"]
    assert [row[:4] for row in rows[1:]] == [
        ["mine", "0.5", "2", "25%"],
        ["second", "0.1", "2,", "declared"],
        ["none", "0", "0", "0%"],
    ]
    assert report.refuted is False and AuditsReport((replace(ONE, lower=3.0), ONE), ()).refuted
    assert [each["mechanism"] for each in report.json] == ["mine", "second", "none"]


def test_the_error_is_shared_by_all_that_promise_privacy_and_what_cannot_run_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class Sort:
        @staticmethod
        def mechanisms() -> dict[str, Any]:
            return {name: type("M", (), {"private": name != "open"}) for name in ("a", "b", "c", "open")}

    def audited(name: str, setting: AuditSetting, seed: int, **given: Any) -> Audited:
        if name == "c":
            raise NotAuditedError("too large")
        calls.append((name, seed, given))
        return replace(ONE, mechanism=name, lower=0.1 if name == "a" else 0.7, confidence=1 - given["error"])

    calls: list[Any] = []
    monkeypatch.setattr(audits, "subjects", lambda: {name: (Sort, name) for name in Sort.mechanisms()})
    monkeypatch.setattr(audits, "audited", audited)
    done, left_out = audits_of({"m": 3}, 5, 1000, 2.0, 0.003)
    assert [each.mechanism for each in done] == ["b", "a"] and left_out == ["c: too large"]
    assert calls == [(name, 5, {"runs": 1000, "seconds": 2.0, "error": pytest.approx(0.001)}) for name in ("a", "b")]


@pytest.mark.parametrize("delta", [0.0, 0.1])
def test_the_least_delta_that_follows_is_that_of_a_randomised_response_beside_a_chance_that_tells_all(delta: float) -> None:
    """At ε = 0 tanh(ε₀/2) of the rest, from ε₀ on δ alone."""
    found = allowed(np.array([0.0, 0.5, 1.0, 3.0]), 1.0, delta)
    response = (np.e - np.exp(0.5)) / (1 + np.e)
    np.testing.assert_allclose(found, [delta + (1 - delta) * each for each in (tanh(0.5), response, 0.0, 0.0)], atol=1e-15)


MEAN = ColumnMean(0.25, 2, 10)


def change(place: int, **more: Any) -> Change:
    given: dict[str, Any] = {"result": "changed", "cell": f"{place:016x}", "mechanism": "one", "column": "rate"}
    return Change(**given | {"fresh": 1.5, "reference": 2} | more)


def test_of_many_changes_ten_are_told_the_worst_first_each_place_once() -> None:
    made = [change(place, p=1e-3, fresh=MEAN, reference=replace(MEAN, nulls=0)) for place in range(14)]
    made += [change(3, result="broken", trial=5), change(4, p=1e-9, fresh=replace(MEAN, nulls=10), null_is="best")]
    lines = [line.plain for line in changes([Comparison("one", 10, False, made)])]
    assert len(lines) == SHOWN + 1 == 11
    assert lines[0] == "broken in one/00000000/5/one: rate 1.5, reference 2 though all that makes rows is the same"
    assert lines[1] == "changed in one/00000000/*/one: mean rate null in 10 of 10 trials, reference 2; null is its best"
    assert lines[2] == "changed in one/00000000/*/one: mean rate 0.25 and null in 2 of 10 trials, reference 0.25"
    assert lines[-1] == "and 5 more changes of cells and mechanisms of one"
    assert len(changes([Comparison("one", 10, False, made[:SHOWN])])) == SHOWN


def test_what_was_left_out_and_what_to_do_stand_below_changes() -> None:
    part = Comparison("one", 10, False, (), lacking=["3 trials"], versions=["other code"], advice="do it")
    assert [line.plain for line in changes([part])] == ["one: made with other code", "one: 3 trials", "do it"]
    none = replace(part, nothing="no reference")
    assert [line.plain for line in changes([none])] == ["one: nothing was compared: no reference", "do it"]


@pytest.mark.parametrize(
    ("value", "plain"),
    [(nan, None), (inf, None), (0.5, 0.5), (np.float64(2.5), 2.5), (np.int64(3), 3), (True, True), ("a", "a")],
)
def test_a_change_as_an_object_has_null_where_there_is_no_number(value: Any, plain: Any) -> None:
    told = comparison_json(Comparison("one", 1, False, [change(0, fresh=value, reference=replace(MEAN, value=value))]))
    assert told["changes"][0]["fresh"] == plain and told["changes"][0]["reference"]["value"] == plain
    assert (told["result"], told["code"]) == ("changed", 1) and json.dumps(told, allow_nan=False)


@pytest.mark.parametrize(
    ("count", "said"),
    [
        *[(0, "0.0 kB"), (400, "0.4 kB"), (9_940, "9.9 kB"), (9_950, "10 kB"), (999_400, "999 kB"), (999_500, "1.0 MB")],
        *[(2.5e7, "25 MB"), (1.234e9, "1.2 GB"), (5e12, "5.0 TB"), (4e16, "40000 TB")],
    ],
)
def test_sizes_are_told_in_two_digits_or_whole_units(count: float, said: str) -> None:
    assert numerals.size(count) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        *[(0.012, "0.012 s"), (0.5, "0.5 s"), (1.4, "1 s"), (89, "89 s"), (90, "1.5 min"), (600, "10 min"), (5399, "90 min")],
        *[(5400, "1.5 h"), (36_000, "10 h"), (129_600, "1.5 days"), (8.64e6, "100 days")],
    ],
)
def test_times_are_told_in_a_unit_of_which_there_are_one_and_a_half_at_least(seconds: float, said: str) -> None:
    assert numerals.duration(seconds) == said


def test_two_values_are_the_same_where_processors_agree_and_nan_is_nan() -> None:
    assert same(nan, nan) and same(1.0, 1.0 + 1e-15) and same(3, 3) and same("a", "a") and same(None, None)
    assert not (same(nan, 1.0) or same(1.0, nan) or same(1.0, 1.001) or same(3, 4) or same(1.0, None) or same(inf, nan))


def test_all_that_belongs_to_a_theorem_stands_below_it_what_fails_first_and_probes_last(judged: list[Finding]) -> None:
    grouped = {head: [each.claim.id for each in those] for head, those in by_theorem(judged[::-1]).items()}
    assert list(grouped) == ["MINE:T2", "MINE:T1"] and grouped["MINE:T2"] == ["MINE:T2"]
    assert grouped["MINE:T1"][0] == "MINE:T1" and grouped["MINE:T1"][-1] == "probe:MINE:T1-small"
    assert set(grouped["MINE:T1"][1:3]) == {"MINE:T1-step", "MINE:T1-one"}
    without = by_theorem([each for each in judged if each.claim.id != "MINE:T1"])
    assert set(without) == {"MINE:T1-one", "MINE:T1-two", "MINE:T1-step", "probe:MINE:T1-small", "MINE:T2"}


def test_numbers_of_tables_are_set_right_and_names_are_not() -> None:
    shown = ("failed", "P(fail) within", "claimed", "measured", "bound", "stands", "slack", "decisions", "n*", "m*", "price")
    within = ("n* within", "m* within", "its theorem's n", "its theorem's m", "price within")
    assert (
        set(shown) | set(within) <= NUMBERS
        and not {"claim", "setting", "kind", "verdict", "construction", "challenged"} & NUMBERS
    )
    sheet = Sheet("", ("claim", "bound"))
    for row in (("a", "1"), ("long name", "1000")):
        sheet.add_row(*row)
    assert printed(lambda console: console.print(sheet)).splitlines()[1:] == ["a              1", "long name   1000"]


def verdict(outcome: Outcome, measured: float | None, bound: float | None, **more: Any) -> Verdict:
    return Verdict("MINE:T1", outcome, measured=measured, bound=bound, **more)


def test_what_makes_a_verdict_comes_first_and_of_that_the_least_slack() -> None:
    said = finding("T1", "printed", "", "refuted").claim
    of: list[tuple[str | None, Verdict]] = [
        ("a", verdict("holds", 0.5, 1.0)),
        ("b", verdict("refuted", 2.0, 1.0)),
        ("c", verdict("holds", 0.1, 1.0)),
        ("d", verdict("refuted", 4.0, 1.0)),
        ("e", verdict("vacuous", None, None)),
        ("f", verdict("holds", 0.0, 1.0, resolution=0.25)),
    ]
    assert [name for name, _ in worst(Finding(said, of))] == ["d", "b", "a", "f", "c", "e"]
    assert loose(Finding(said, of)) == (
        "how loose: where it holds the bound is 2 to 10 times what was measured, where anything was (median 6; 2 settings), "
        "and more than 4 times what a trial could show, where nothing was (1 setting)"
    )
    assert loose(Finding(said, of[1:2])) == ""


def test_a_tally_counts_the_verdicts_of_each_nature_and_what_is_not_as_it_should_be_is_told(judged: list[Finding]) -> None:
    text = tally(judged, 0.001)
    assert text.endswith("any of these verdicts is false with probability at most 0.001")
    assert sum(map(int, re.findall(r"(\d+) (?:holds|refuted|seen)", text))) == len(judged)
    assert tally([], 0.001) == "no claim was judged"
    claim = Claim("MINE:T3", "MINE 3", "So it is.", Certain((Limit("wrong", 0),)), expected="holds")

    def told(verdicts: list[tuple[str | None, Verdict]], why: str = "") -> list[str]:
        return printed(lambda console: summarise(console, [Finding(claim, verdicts, why)], 0.01)).splitlines()[2:]

    first, second = told([(None, Verdict("MINE:T3", "refuted"))])
    assert first == "MINE:T3: refuted, but it should hold" and second == f"  {MEANS_WHEN_BROKEN[claim.nature]}"
    assert told([(None, Verdict("MINE:T3", "holds"))]) == []
    assert told([], "no row has it") == ["MINE:T3: untested, but it should hold (no row has it)"]


def test_what_cannot_be_audited_is_said_of_the_mechanism_and_a_name_that_nobody_has_with_its_like(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(*_: object, **__: object) -> Audited:
        raise NotAuditedError("n is too small")

    monkeypatch.setattr(audits, "audited", refused)
    for name, settings, runs, said in (
        ("gaussian", {"m": 3}, 1000, "n is too small"),
        ("gausian", {"m": 3}, 1000, "no mechanism 'gausian' to audit; did you mean 'gaussian'?"),
        ("gaussian", {"m": 0}, 1000, "m"),
        ("gaussian", {"m": 3}, 1, "run"),
    ):
        with pytest.raises(InputError) as problem:
            audits.audit_of(name, settings, 1, runs, 1.0, 1e-3)
        assert said in str(problem.value), problem.value
