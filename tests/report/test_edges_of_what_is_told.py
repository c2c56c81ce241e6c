"""Edges of what is told: of audits, costs, estimates, sizes, changes and constants, each where one step further is another."""

import json
from contextlib import nullcontext
from dataclasses import replace
from io import StringIO
from math import comb, inf, nan
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from harness.claims.engine import Limit, Probability, Verdict
from harness.report import (
    calculators,
    findings,
    guard,
    headline,
    history,
    measured,
    regression,
    running,
    schema,
)
from harness.report import claims as commands
from harness.report.audits import AuditReport, AuditsReport
from harness.report.console import Terminal
from harness.report.cost import Forecast
from harness.report.defaults import RUNS
from harness.report.enough import enough
from harness.report.grids import EXACT, value
from harness.report.history import HEAD, read
from harness.report.html.answers import _theorems
from harness.report.mathematics import typeset
from harness.report.numerals import duration, size
from harness.report.release_plan import ReleaseCalculation, release_setting
from harness.report.show import claim_json
from harness.report.siblings import limits
from harness.report.verdicts import Finding
from harness.report.worksheet import Worksheet
from harness.sweep.errors import InputError
from harness.theory.least import STANDARD, ConstantSetting
from tests.report.test_siblings import finding
from tests.report.test_told_in_words import ONE, printed

if TYPE_CHECKING:
    pass

NOTHING: Any = None


def test_of_a_single_audit_in_a_list_all_is_told_and_a_refutation_is_red() -> None:
    alone = AuditsReport([ONE], [])
    assert "of all together with confidence 0.999\n" in printed(lambda console: console.print(alone))
    styles = [getattr([*AuditReport(replace(ONE, lower=lower)).parts()][-1], "style", "") for lower in (0.5, 2.5)]
    assert styles == ["bold", "bold red"]


@pytest.mark.parametrize(
    ("sure", "most", "said"),
    [
        (
            True,
            9,
            "9 trials in 1 cell, about 6 s in this process; about 2.0 kB of memory a worker; 18 rows, at most 3.0 kB on disk",
        ),
        (
            True,
            20,
            "9 to 20 trials in 1 cell, at least 6 s in this process; about 2.0 kB of memory a worker; 18 rows, "
            "at most 3.0 kB on disk",
        ),
        (
            False,
            9,
            "9 trials in 1 cell, at least 6 s in this process; at least 2.0 kB of memory a worker; 18 rows, "
            "at most 3.0 kB on disk",
        ),
    ],
)
def test_a_cost_is_about_what_was_measured_or_at_least_that(sure: bool, most: int, said: str) -> None:
    """At least where more trials may be run, or where not all was measured."""
    forecast = Forecast(NOTHING, SimpleNamespace(workers=None), elsewhere=False)
    cell = SimpleNamespace(identity="a")
    spec = SimpleNamespace(merging=None)
    each: Any = SimpleNamespace(
        **{"seconds": 6.0, "trials": 9, "most": most, "rows": 18, "disk": 3000, "memory": 2000, "sure": sure},
        tasks=[(cell, 2, 3.0)],
        sweep=SimpleNamespace(spec=spec),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(forecast, "_here", lambda estimates: True)
        assert forecast._cost([each]) == said
        spec.merging = "anything"
        about = "at least" if most > 9 else "about"
        assert forecast._cost([each]).endswith(f"; {about} 18 rows, {about} 3.0 kB on disk")
        each.disk, each.memory = 0, 0
        assert forecast._cost([each]).endswith("; 18 rows; what they will cost is not known, for no trial could be measured")


def test_an_estimate_of_trials_is_within_a_hundredth_after_a_few_rulings(monkeypatch: pytest.MonkeyPatch) -> None:
    """One a doubling up to the first that decides, and seven to halve what is between to a hundredth of it."""
    asked = list[int]()
    decider = Probability((Limit("bottoms", 3),))

    def ruling(self: Any, failures: int, trials: int, allowed: float, error: float) -> tuple[str, dict[str, Any]]:
        asked.append(trials)
        return ("holds" if trials >= 300_000 else "undecided"), {}

    monkeypatch.setattr(Probability, "ruling", ruling)
    verdict = Verdict("MINE:T1", "undecided", trials=1000, failures=0, bound=0.1, claimed=0.1, error=1e-5)
    found = enough(decider, verdict)
    assert found is not None and 300_000 <= found <= 303_000 and len(asked) <= 9 + 8


@pytest.mark.parametrize("unit", [(1e3, "kB"), (1e6, "MB"), (1e9, "GB"), (1e12, "TB")])
def test_sizes_are_rounded_in_the_unit_that_is_named(unit: tuple[float, str]) -> None:
    """Just below and just above what is half way between two numbers."""
    power, name = unit
    for whole in (10, 57, 998):
        assert size((whole + 0.5) * power - 0.5) == f"{whole} {name}"
        assert size((whole + 0.5) * power + 0.5) == f"{whole + 1} {name}"
    assert size(1.25 * power + power * 1e-7) == f"1.3 {name}" and size(1.25 * power - power * 1e-7) == f"1.2 {name}"


@pytest.mark.parametrize("unit", [(60, "min", 89), (3600, "h", 35), (86_400, "days", 99_999)])
def test_times_are_rounded_in_the_unit_that_is_named(unit: tuple[int, str, int]) -> None:
    seconds, name, most = unit
    for whole in (10, most):
        assert duration((whole + 0.5) * seconds - 0.001) == f"{whole} {name}"
        assert duration((whole + 0.5) * seconds + 0.001) == f"{whole + 1} {name}"


def test_whole_reals_are_told_in_full_as_long_as_each_whole_number_is_a_real() -> None:
    assert EXACT == 2**53 and value(2.0**53 - 1) == "9,007,199,254,740,991" and value(2.0**53) == "9.0072e+15"
    assert value(float("inf")) == "inf" and value(-3.0) == "-3"


def test_what_was_found_is_said_where_a_spec_has_a_finding_that_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    def made(table: object, spec: str) -> str:
        if spec == "fallen":
            raise headline.FallenError("it does not hold")
        return f"So it is {spec}"

    monkeypatch.setattr(findings, "finding", made)

    def stored(spec: str | None) -> Any:
        figure = SimpleNamespace(finding=spec)
        return SimpleNamespace(sweep=SimpleNamespace(spec=SimpleNamespace(figure=figure)), table=SimpleNamespace(cells=None))

    assert [findings.answer_to(stored(spec)) for spec in (None, "here", "fallen")] == [None, "So it is here.", None]


def test_of_the_cells_of_which_a_claim_says_nothing_any_more_the_first_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = [(f"{place}abcdef012345678", f"mechanism {place}") for place in range(4)]
    said = iter([{"MINE:T1": dict.fromkeys(cells, "holds")}, {"MINE:T1": {cells[0]: "refuted", cells[3]: "undecided"}}])
    monkeypatch.setattr(guard, "_said", lambda findings, name: next(said))
    monkeypatch.setattr(guard, "judge", lambda *given, **more: [])
    monkeypatch.setattr(guard, "Evidence", lambda *given: None)
    spec = SimpleNamespace(claims=["MINE:T1"])
    stored: Any = SimpleNamespace(sweep=SimpleNamespace(spec=spec, name="mine", kind=SimpleNamespace(name="any")))
    assert [*guard._less_decided(stored, SimpleNamespace(cells=None), [])] == [  # type: ignore[arg-type]
        "MINE:T1 decided 1 of 4 cells of the reference, and says nothing of 1abcdef0 with mechanism 1"
    ]


@pytest.mark.parametrize("fields", [1, len(HEAD) - 1, len(HEAD) + 1])
def test_a_line_of_a_history_has_as_many_fields_as_its_head(fields: int, tmp_path: Path) -> None:
    path = tmp_path / "history.csv"
    path.write_text(f"{','.join(HEAD)}\n{','.join('abcde')}\n{','.join('x' * fields)}\n", encoding="utf-8")
    with pytest.raises(InputError, match=rf"history\.csv:3: has {fields} fields; allowed: {len(HEAD)}"):
        read(path)
    assert history.GONE


def test_theorems_of_the_first_screen_have_what_limits_them_where_they_hold_and_why_not_where_they_do_not() -> None:
    made = [
        finding("T1", "printed", "", "holds"),
        finding("T1-one", "reading", "MINE:T1", "refuted"),
        finding("T2", "printed", "", "refuted"),
        finding("T2-one", "reading", "MINE:T2", "refuted"),
        finding("T3", "printed", "", "undecided"),
        finding("T4", "printed", "", "untested"),
        finding("L5", "printed", "", "holds"),
    ]
    made[2] = Finding(replace(made[2].claim, expected="refuted", why="It is false. That is so."), made[2].verdicts)
    told = [(one.finding.claim.id, one.why, one.fails) for one in _theorems(made)]
    assert told == [("MINE:T1", "", ["MINE:T1-one"]), ("MINE:T2", "It is false", []), ("MINE:T3", "", [])]
    assert [one.claim.id for one in limits(made[2], made)] == ["MINE:T2-one"]


def test_a_claim_as_an_object_names_what_it_belongs_to_and_has_null_for_what_it_has_not() -> None:
    repaired, alone = (claim_json(finding(*of, "holds")) for of in (("T1-r", "repair", "MINE:T1"), ("T1", "printed", "")))
    assert repaired["of"] == "MINE:T1" and alone["of"] is None
    assert (alone["quote"], alone["check"], alone["untested"], alone["verdict"]) == (None, None, None, "holds")


def test_where_a_proof_is_enough_its_place_is_told_unless_what_is_too_small_is_as_near(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured, "_printed_value", lambda family: 10.0)
    family: Any = SimpleNamespace(of="answering", set="BTT18", constant="c_k", event="private", within=STANDARD)
    hard, proved = ConstantSetting(2, 1.0, 1.0, 1e-6, 0.05), ConstantSetting(100, 1.0, 1.0, 1e-6, 0.05)

    def told(low: float, high: float | None) -> tuple[Any, ...]:
        least = None if high is None else SimpleNamespace(value=high, setting=proved)
        found = measured._over_range(family, least, (low, hard), [])  # type: ignore[arg-type]
        return found.low, found.high, found.provable, found.instance

    first, second = measured.in_words(hard), measured.in_words(proved)
    assert told(2.0, 4.0) == (2.0, 4.0, 4.0, f"{first}; proof: {second}")
    assert told(3.95, 4.0) == (3.95, 4.0, 4.0, second) and told(2.0, None) == (2.0, None, None, first)


@pytest.mark.parametrize(("low", "seen"), [(-1.0, None), (0.0, None), (0.25, 0.25), (1.0, 1.0)])
def test_any_value_above_0_that_a_table_shows_to_be_too_small_counts(
    low: float, seen: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = ConstantSetting(100, 1.0, 1.0, 1e-6, 0.05)
    monkeypatch.setattr(measured, "setting", lambda of, row: place)
    table: Any = SimpleNamespace(sweep=SimpleNamespace(name="mine"))
    family: Any = SimpleNamespace(of="answering", event="answered", within=STANDARD)
    found = measured._too_small(family, None, [(table, pd.Series({"low": low}))])
    assert found == ((0.0, None, None) if seen is None else (seen, measured.in_words(place), "mine"))


@pytest.mark.parametrize(("share", "weak"), [(1.9 / comb(6, 3), True), (2 / comb(6, 3), False)])
def test_trials_are_too_few_where_the_least_p_of_both_sides_is_above_the_error(share: float, weak: bool) -> None:
    """Of three against three it is two of twenty."""
    pair: Any = SimpleNamespace(kind=SimpleNamespace(drawn=["any"]), shared=[SimpleNamespace(sizes=(3, 3))])
    said = "too few trials for any change to show in 1 of 1 places: 3 against 3"
    assert regression._too_few(pair, share) == ([said] if weak else [], 1)


class Answer(Worksheet):
    """An answer to nothing."""

    def __init__(self, of: Any) -> None:
        self.of = of

    @property
    def json(self) -> Any:
        return self.of

    def parts(self) -> Any:
        yield from ()


def test_an_answer_as_json_is_indented_by_two_in_its_own_letters_and_has_no_number_that_is_none(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Answer({"ε": [1]}).show(NOTHING, as_json=True)
    assert capsys.readouterr().out == '{\n  "ε": [\n    1\n  ]\n}\n'
    for number in (nan, inf):
        with pytest.raises(ValueError, match="not JSON compliant"):
            Answer(number).show(NOTHING, as_json=True)


def test_learners_of_classes_and_of_plugins_are_named_once_each_in_a_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "concepts", lambda: {"a": SimpleNamespace(learners=["one", "both"])})
    monkeypatch.setattr(schema, "parts", lambda sort: {"both": None, "mine": None})
    named = json.dumps(schema._learner())
    assert [named.count(f'"{name}"') for name in ("one", "both", "mine")] == [1, 1, 1]


@pytest.mark.parametrize(
    ("given", "there", "brought"), [([], False, 0), (["a.py"], False, 1), ([], True, 1), (["a.py"], True, 1)]
)
def test_plugins_are_brought_where_any_is_named_or_installed(
    given: list[str], there: bool, brought: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = list[Any]()
    monkeypatch.setattr(calculators, "installed", lambda: there)
    monkeypatch.setattr("harness.sweep.plugins.bring", seen.append)
    calculators.loaded(given)
    assert seen == [given] * brought


def test_what_is_said_of_tables_that_are_read_goes_aside_where_an_answer_is_for_another_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    aside = list[bool]()
    monkeypatch.setattr(commands, "halves", lambda *given: SimpleNamespace(stored=[], verdicts=None))
    monkeypatch.setattr(commands, "judge", lambda *given, **more: [])
    monkeypatch.setattr(commands, "show_far", lambda console, stored: aside.append(console.stderr))
    monkeypatch.setattr(commands, "show_papers", lambda *given: None)
    monkeypatch.setattr(commands, "assembled", lambda *given: SimpleNamespace(causes=[]))
    monkeypatch.setattr(commands, "markdown", lambda shown: "")
    monkeypatch.setattr(commands, "reader", lambda count: nullcontext())
    console = Terminal(file=StringIO())
    commands.show_claims(console, commands.Wanted(None, []), RUNS, as_json=False, every=False)
    commands.show_claims(console, commands.Wanted(None, []), RUNS, as_json=True, every=False)
    commands.show_errata(console, commands.Wanted(None, []), RUNS)
    assert aside == [False, True, True] and console.stderr is False


def test_a_run_from_python_prints_nothing_unless_it_is_told_where(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        running, "Forecast", lambda console, *given: SimpleNamespace(of=lambda *a, **more: console.print("it costs") or [])
    )
    running.run_all([], RUNS, NOTHING, draw=False)
    assert capsys.readouterr().out == ""
    out = StringIO()
    running.run_all([], RUNS, NOTHING, draw=False, show=Terminal(file=out))
    assert out.getvalue() == "it costs\n"


@pytest.mark.parametrize(
    ("said", "set"),
    [("x²′ and x³", "$x^{2'}$ and $x^{3}$"), ("10⁻ⁿ", "$10^{-n}$"), ("x⁺", "$x^{+}$")],
)
def test_what_stands_high_or_low_is_set_so_with_a_prime_behind_it(said: str, set: str) -> None:
    assert typeset(said) == set


@pytest.mark.parametrize("needed", [0, 1, 7])
def test_numbers_of_a_release_are_those_of_one_private_point_at_least(needed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no number is enough there are none."""
    asked = ReleaseCalculation(release_setting({"alpha": 0.1}))
    monkeypatch.setattr(ReleaseCalculation, "n", needed)
    found = asked.plan
    monkeypatch.setattr(ReleaseCalculation, "n", max(needed, 1))
    assert found == asked.plan
    monkeypatch.setattr(ReleaseCalculation, "n", max(needed, 1) + 1)
    assert found != asked.plan
