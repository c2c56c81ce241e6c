"""Whole texts of commands on what is made up: claims at a glance, errata on a terminal, plans of a spec, rows made again."""

import json
from dataclasses import replace
from functools import partial
from math import comb, inf
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

from harness.report import claims as commands
from harness.report.claims import Wanted, show_papers
from harness.report.errata import Errata, assembled, sheets
from harness.report.replay import Address
from harness.report.spec_plan import SpecPlan, spec_plan
from harness.report.standing import BrokenBound, told_broken
from harness.report.verdicts import Finding
from harness.report.verify import Verified, show_verified
from harness.sweep.errors import InputError
from tests.report.test_errata import CLAIMS, judged
from tests.report.test_siblings import finding as of_nature
from tests.report.test_told_in_words import printed

if TYPE_CHECKING:
    from tests.support.project import Project

_judged = judged
"""The fixture."""


def spaced(text: str) -> list[str]:
    """Lines with single blanks."""
    return [" ".join(line.split()) for line in text.splitlines()]


def findings() -> list[Finding]:
    """Of one paper and of rivals: some hold, and some are not as they should be."""
    made = [
        of_nature("T1", "printed", "", "holds"),
        of_nature("T2", "printed", "", "refuted"),
        of_nature("T2-step", "step", "MINE:T2", "undecided"),
        of_nature("T2-repaired", "repair", "MINE:T2", "holds"),
        of_nature("T1-small", "probe", "MINE:T1", "refuted"),
    ]
    expected = ("holds", "holds", None, "holds", "refuted")
    return [
        replace(one, claim=replace(one.claim, expected=each))  # type: ignore[arg-type]
        for one, each in zip(made, expected, strict=True)
    ]


def test_papers_at_a_glance_have_what_holds_of_each_nature_what_does_not_and_what_is_not_as_it_should_be(
    judged: list[Finding],
) -> None:
    wrong = assembled(judged, [], {}, ["MINE"])
    lines = spaced(printed(lambda console: show_papers(console, findings(), wrong)))
    assert lines == [
        "claims that hold, of all there are; probes that are seen to be false",
        "paper printed steps repairs probes",
        "MINE 1 of 2 0 of 1 1 of 1 1 of 1",
        "",
        "what does not hold as printed, by cause",
        "severity MINE",
        "conclusion false 1",
        "slip of the pen 1",
        "conclusion false: MINE, On a-cause",
        "",
        "refuted, but should hold: MINE:T2",
        "a line a claim: harness claims --all, or some: harness claims --paper BTT18 --outcome refuted",
        "one in full: harness claims BTT18:T3.2; what does not hold, with counterexamples and repairs: harness claims --errata",
    ]


def test_eight_claims_that_are_not_as_they_should_be_are_named_and_the_others_counted() -> None:
    many = [of_nature(f"T{place}", "printed", "", "refuted") for place in range(11)]
    many = [replace(one, claim=replace(one.claim, expected="holds")) for one in many]
    for count, more in ((8, ""), (9, " and 1 others"), (11, " and 3 others")):
        text = printed(partial(show_papers, findings=many[:count], wrong=Errata([], [])))
        names = ", ".join(f"MINE:T{place}" for place in range(8))
        assert f"refuted, but should hold: {names}{more}\n" in text


def test_errata_on_a_terminal_have_a_row_a_point_with_what_it_rests_on(judged: list[Finding]) -> None:
    found = assembled(judged, [], {"MINE:T1": "harness replay this"}, ["MINE"])
    lines = spaced(printed(lambda console: console.print(*sheets(found), sep="\n")))
    assert lines[:11] == [
        "MINE: On a-cause (conclusion false)",
        "Printed “a-cause is printed” (MINE §1, p. 1)",
        "Printed “a-cause again” (MINE §2, p. 3)",
        "Why not One sees it at once.",
        "Counterexample 3 > 2 (tests/errata/a_cause.py)",
        "Shown by ε = 1: 0.375, where the statement allows 0.25 (MINE:T1: refuted; harness replay this)",
        "What holds 2 is enough.",
        "Repair All of T1-repaired is well. (MINE:T1-repaired: undecided)",
        "The authors might answer It is a slip.",
        "MINE: On a-slip (slip of the pen)",
        "Printed “a-slip is printed” (MINE §1, p. 1)",
    ]
    reading = lines[lines.index("The authors might answer It is a slip.", 10) + 1 :]
    assert reading[0].endswith(": MINE Theorem 1") and reading[1:3] == [
        "Read as All of T2-one is well. (MINE:T2-one: refuted)",
        "Why not One sees it at once.",
    ]


@pytest.fixture
def made_up(judged: list[Finding], monkeypatch: pytest.MonkeyPatch) -> None:
    """What the command would find of claims."""
    monkeypatch.setattr(commands, "_judged", lambda console, wanted, out, aside: ([], judged))


def told(wanted: Wanted, as_json: bool = False, every: bool = False) -> list[str]:
    return spaced(printed(lambda console: commands.show_claims(console, wanted, Path("results/runs"), as_json, every)))


@pytest.mark.usefixtures("made_up")
def test_claims_are_an_overview_a_list_a_claim_or_json_as_they_are_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    some = Wanted(None, [], {"outcome": ["refuted"]})
    assert told(Wanted(None, []))[0].startswith("claims that hold, of all there are")
    listed = told(Wanted(None, []), every=True)
    assert {line.split()[0] for line in listed if line.startswith("MINE:")} == {one.id for one in CLAIMS}
    assert {line.split()[0] for line in told(some) if line.startswith("MINE:")} == {"MINE:T1", "MINE:T2-one"}
    assert told(Wanted(None, [], {"outcome": ["vacuous"]})) == ["no claim is all of that"]
    assert told(Wanted("MINE:T1", []))[0] == f"MINE:T1 ({CLAIMS[0].kind}, printed), MINE Theorem 1"
    assert told(some, as_json=True) == []
    assert [each["id"] for each in json.loads(capsys.readouterr().out)] == ["MINE:T1", "MINE:T2-one"]


@pytest.mark.usefixtures("made_up")
def test_errata_are_a_note_sheets_or_markdown_as_they_are_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "commands", lambda findings, stored, out: {})
    everything, runs, tex = Wanted(None, []), Path("results/runs"), tmp_path / "errata.tex"
    said = printed(lambda console: commands.show_errata(console, everything, runs, tex))
    assert said.endswith(" causes; pdflatex makes a PDF of it\n") and said.startswith(f"{tex}: ")
    assert r"\cause{" in tex.read_text(encoding="utf-8")
    assert printed(lambda console: commands.show_errata(console, everything, runs)) == ""
    assert "### On a-cause (conclusion false)" in capsys.readouterr().out

    def on_terminal(console: Any) -> None:
        console._force_terminal = True
        commands.show_errata(console, Wanted(None, [], {"paper": ["MINE"]}), runs)

    sheets_told = printed(on_terminal)
    assert "MINE: On a-cause (conclusion false)" in sheets_told and "\n\n" in sheets_told
    tex.write_text("somebody's own", encoding="utf-8")
    for wanted, to in ((Wanted("MINE:T1", []), None), (Wanted(None, [], {"outcome": ["holds"]}), None), (everything, tex)):
        with pytest.raises(InputError):
            printed(partial(commands.show_errata, wanted=wanted, out=runs, tex=to))


@pytest.mark.parametrize(
    ("arguments", "filters", "said"),
    [
        (["BTT18:T3.2", "BTT18:T3.1"], {}, "2 claims: BTT18:T3.2, BTT18:T3.1; allowed: one, and spec files (.yaml)"),
        (["BTT18:T3.22"], {}, "no claim 'BTT18:T3.22'; did you mean"),
        ([], {"paper": ["BTT19"]}, "--paper: no paper 'BTT19'; did you mean 'BTT18'"),
        ([], {"outcome": ["hold"]}, "--outcome: no outcome 'hold'; did you mean 'holds'"),
        ([], {"nature": ["repairs"]}, "--nature: no nature 'repairs'; did you mean 'repair'"),
        (
            ["BTT18:T3.2"],
            {"outcome": ["holds"]},
            "--paper, --outcome and --nature choose from a list, and one claim is no list",
        ),
    ],
)
def test_claims_that_cannot_be_asked_for_are_refused_by_what_is_wrong(
    arguments: list[str], filters: dict[str, list[str]], said: str
) -> None:
    with pytest.raises(InputError) as problem:
        Wanted.of(arguments, filters)
    assert said in str(problem.value)


def test_a_list_lets_through_what_has_one_of_the_values_of_each_filter() -> None:
    every = findings()
    for filters, names in (
        ({}, 5),
        ({"outcome": ["holds"]}, 2),
        ({"outcome": ["holds", "undecided"]}, 3),
        ({"outcome": ["refuted"], "nature": ["printed"]}, 1),
        ({"outcome": ["seen"]}, 1),
        ({"paper": ["BTT18"]}, 0),
        ({"paper": []}, 5),
    ):
        assert sum(map(Wanted.of([], filters).lets, every)) == names, filters
    assert Wanted.of([], {"paper": []}).everything and not Wanted.of([], {"paper": ["BTT18"]}).everything
    assert Wanted.of(["a.yaml", "BTT18:T3.2"], {}) == Wanted("BTT18:T3.2", [Path("a.yaml")], {})


def test_the_plans_of_a_spec_are_a_line_a_mechanism_and_cell(project: "Project") -> None:
    plan = spec_plan(project.spec(mechanisms="[A_binClas, gaussian]", learner="leftmost"), {"m": "[20, 50]"})
    lines = spaced(printed(lambda console: plan.show(console, as_json=False)))
    assert lines[:3] == ["small: Does Theorem 3.2 hold?", "2 cells of kind answers", ""]
    heading, *rows = lines[3:8]
    assert plan.shown[:1] == ["m"] and heading == " ".join(["mechanism", *plan.shown])
    assert plan.shown[1:6] == ["n", "k", "s", "bound", "spent"]
    for line, row in zip(rows, plan.rows, strict=False):
        of = dict(zip(["mechanism", *plan.shown], line.split(), strict=True))
        assert of["mechanism"] == row["mechanism"] and of["m"] == str(row["m"]) and of["k"] == f"{row['k']:,}"
        assert all((of[name] == "–") == (row[name] is None) for name in plan.shown)
        assert float(of["spent"]) == pytest.approx(row["spent"], rel=1e-3)
    assert [row["spent_by"] for row in plan.json] == ["certified"] * 4 and len(rows) >= 4
    assert not any(isinstance(number, float) and not np.isfinite(number) for row in plan.json for number in row.values())


def test_of_many_plans_two_hundred_are_shown_and_what_is_declared_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from harness.report import spec_plan as module

    columns = {
        "n": SimpleNamespace(role="parameter", type="whole"),
        "eps": SimpleNamespace(role="parameter", type="real"),
        "concept_parameters": SimpleNamespace(role="parameter", type="name"),
        "w": SimpleNamespace(role="plan", type="real"),
        "k": SimpleNamespace(role="plan", type="whole"),
        "T": SimpleNamespace(role="plan", type="real"),
        "kept": SimpleNamespace(role="plan", type="truth"),
        "hits": SimpleNamespace(role="drawn", type="whole"),
    }

    def parameters(cell: int, name: str) -> dict[str, Any]:
        return {"mechanism": name, "n": cell, "eps": 1, "concept_parameters": str(cell), "w": cell / 3, "k": 5, "T": None}

    spec = SimpleNamespace(question="What?", mechanisms=["mine"])
    sweep: Any = SimpleNamespace(
        name="big", spec=spec, cells=range(203), kind=SimpleNamespace(name="any", table=columns, parameters=parameters)
    )
    monkeypatch.setattr(module, "spent_by", lambda name: "declared")
    monkeypatch.setattr(module, "told_measured", lambda names: f"seen of {', '.join(names)}")
    plan = SpecPlan(sweep)
    assert plan.shown == ["n", "k", "w"]
    lines = spaced(printed(lambda console: plan.show(console, as_json=False)))
    assert lines[:7] == [
        "big: What?",
        "203 cells of kind any",
        "",
        "mechanism n k w",
        "mine 0 5 0",
        "mine 1 5 0.3333",
        "mine 2 5 0.6667",
    ]
    assert lines[-6:] == [
        "",
        "3 more rows are not shown; --json has all",
        "",
        "mine: ε spent is what its author declares; no accountant certifies it",
        "",
        "seen of mine",
    ]
    assert sum(line.startswith("mine ") for line in lines) == 200
    sweep.cells = range(1, 2)
    assert spaced(printed(lambda console: SpecPlan(sweep).show(console, as_json=False)))[1] == "1 cell of kind any"
    monkeypatch.setattr(module, "finite", lambda value: "finite" if value == 5 else value)
    assert SpecPlan(sweep).json[0]["k"] == "finite" and len(SpecPlan(sweep).json) == 1


WRONG = (Address("small", "abcd", 3, "gaussian"), ("w", "k"))


def test_rows_made_again_are_told_by_table_with_what_would_have_been_found() -> None:
    """Of 400 rows 100 are made again: one of 1% that are wrong is missed with chance C(396, 100)/C(400, 100)."""
    whole, wrong = Verified("small", 400, 100, 90, 10, ()), Verified("other", 2000, 1000, 998, 1, (WRONG,))
    codes = list[int]()

    def show(*tables: Verified) -> str:
        return printed(lambda console: codes.append(show_verified(console, tables, 7, as_json=False)))

    lines = spaced(show(whole, wrong))
    least = next(k for k in range(1, 400) if 1 - comb(400 - k, 100) / comb(400, 100) >= 0.95)
    seen = 1 - comb(396, 100) / comb(400, 100)
    assert lines[:3] == [
        "experiment rows again identical alike wrong found if wrong (p ≥ 0.95) found if 1% wrong",
        f"small 400 100 90 10 0 ≥ {least} ({least / 400:.2g}) {seen:.2g}",
        "other 2,000 1,000 998 1 1 ≥ 5 (0.0025) 1",
    ]
    assert lines[3] == "other: another w, k comes out: harness replay small/abcd/3/gaussian" and len(lines) == 5
    assert lines[4].startswith("the sample is that of --seed 7. alike: reals differ in their last digits") and codes == [1]
    show(whole)
    assert codes == [1, 0]


def broken(cell: str, failures: int, times: float, expected: str = "") -> BrokenBound:
    return BrokenBound(
        experiment="small",
        mechanism="mine",
        quantity="wrong",
        bound="bound",
        cell=cell,
        failures=failures,
        trials=1200,
        allowed=0.1,
        times=times,
        expected_by=expected,
        failed_trial=int(cell[-1]),
    )


def test_bounds_that_are_broken_are_told_once_a_mechanism_by_the_cell_where_it_is_most_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cells = pa.table({"cell": ["aaaa1", "aabb2", "bbbb3"]})
    sweep = SimpleNamespace(name="small", path=Path("experiments/small.yaml"))
    table: Any = SimpleNamespace(sweep=sweep, table=SimpleNamespace(rows=cells), path=Path("results/runs/small.parquet"))
    every = [broken("aaaa1", 150, 2.0), broken("aabb2", 1150, 1500.0), broken("bbbb3", 1160, inf, "MINE:T1")]
    (line,) = told_broken(every, [table])
    assert line.startswith(
        "mine breaks its own bound in 2 cells of small, in one of them in 1,150 of 1,200 trials, where a share of 0.1 may: "
        "wrong is more than bound, up to 1.5e+03 times as much; harness replay small/aab"
    )
    assert line.endswith("/2/mine")
    (alone,) = told_broken([broken("bbbb3", 130, inf)], [table])
    assert alone.startswith(
        "mine breaks its own bound in small, in 130 of 1,200 trials, where a share of 0.1 may: wrong is more"
    )
    assert "times as much" not in alone and alone.endswith("/3/mine")
