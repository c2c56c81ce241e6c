"""`harness check`: 0 as expected, 1 a claim broke or rows changed, 2 bad input, 3 undecided, 4 could not run.

A doctored table is sealed again, so that only what it says is wrong with it. Most of these tests are about claims alone.
"""

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.claims.engine import Verdict
from harness.claims.registry import claims
from harness.report.summary import PAGE
from harness.sweep import engines
from harness.sweep.spec import Sweep
from tests.support.doctored import ONE, Row, all_wrong, doctor
from tests.support.serial import SerialOnly

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

T32, ALONE = "BTT18:T3.2", ("--no-reference",)
pytestmark = pytest.mark.usefixtures("quick_figures")


def test_0_when_every_claim_is_as_expected(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep(**ONE))
    said = harness("check", "experiments/small.yaml", *ALONE)
    assert (said.code, said.err) == (0, "")
    (line,) = [line for line in said.out.splitlines() if line.startswith(f"{T32} ") and "m = 20" in line]
    assert "0/150" in line and "≤ 0.1" in line and line.rstrip().endswith("holds")
    assert "1 printed: 1 holds (1 untried); any of these verdicts is false with probability at most 0.001" in said.out


def test_1_when_the_rows_refute_a_claim(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep(**ONE))
    doctor(project, all_wrong)
    said = harness("check", "experiments/small.yaml", *ALONE)
    assert said.code == 1 and "150/150" in said.out
    assert f"{T32}: refuted, but it should hold" in said.out and "1 printed: 1 refuted" in said.out


def test_1_when_a_claim_holds_that_should_not(project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch) -> None:
    project.run(project.sweep(**ONE))
    other = {T32: replace(claims()[T32], breaks=())}
    monkeypatch.setattr("harness.report.verdicts.claims", lambda: other)
    said = harness("check", "experiments/small.yaml", *ALONE)
    assert said.code == 1 and f"{T32}: holds, but it should be refuted" in said.out


def test_one_bad_cell_among_many_breaks_the_claim(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep(**ONE | {"m": "[20, 30, 40]"}))
    doctor(project, lambda row: all_wrong(row) if row["m"] == 30 else row)
    said = harness("check", "experiments/small.yaml", *ALONE)
    assert said.code == 1
    outcomes = dict(re.findall(rf"^{T32}  m = (\d+) .* (\w+) *$", said.out, re.MULTILINE))
    assert outcomes == {"20": "holds", "30": "refuted", "40": "holds"}
    assert f"{T32}: refuted, but it should hold" in said.out


@pytest.mark.parametrize("change", [{"halted_at": 7}, {"bottoms": 20}], ids=["an early halt", "too many ⊥"])
def test_every_part_of_the_event_counts(project: "Project", harness: "Harness", change: Row) -> None:
    project.run(project.sweep(**ONE))
    doctor(project, lambda row: row | change)
    assert harness("check", "experiments/small.yaml", *ALONE).code == 1


def test_2_on_bad_input_and_on_damaged_tables(project: "Project", harness: "Harness") -> None:
    spec = project.spec(**ONE | {"eps": "0"})
    assert harness("check", spec).code == 2
    project.run(project.sweep(**ONE))
    path = Path("results/runs/small.parquet")
    path.write_bytes(path.read_bytes()[:-9])
    said = harness("check", spec)
    assert (said.code, said.out) == (2, "") and said.err.count("\n") == 1


def test_3_when_there_are_too_few_trials_to_tell(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep(**ONE | {"trials": "5"}))
    said = harness("check", "experiments/small.yaml", *ALONE)
    assert said.code == 3 and "1 printed: 1 undecided" in said.out and f"{T32}: undecided, but it should hold" in said.out


@pytest.mark.law
def test_a_smaller_error_needs_more_trials(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep(**ONE))
    codes = {
        error: harness("check", "experiments/small.yaml", *ALONE, "--error", error).code
        for error in ("1e-12", "0", "1e-3", "0.5")
    }
    assert codes == {"1e-12": 3, "0": 3, "1e-3": 0, "0.5": 0}


def test_4_when_nothing_was_measured(project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch) -> None:
    """What theory alone decides is as expected here: to work it out takes seconds."""
    decided = {id: [Verdict(id, claim.expected or "holds")] for id, claim in claims().items() if not claim.trials}
    monkeypatch.setattr("harness.report.verdicts._computed", lambda claim: decided.get(claim.id, []))

    def refusal(*words: str | Path) -> str:
        said = harness("check", *words)
        assert (said.code, said.out) == (4, "") and said.err.startswith("error: ") and said.err.count("\n") == 1
        return said.err.removeprefix("error: ").rstrip("\n")

    assert refusal() == "there is nothing to check: no specs in experiments/"
    spec = project.spec(**ONE)
    assert refusal(spec) == f"nothing was measured for {spec}; `harness check {spec} --run` runs what is missing"
    assert refusal() == f"nothing was measured for {spec}; `harness check {spec} --run` runs what is missing"
    project.run(project.sweep(**ONE))
    assert "BTT18:L3.3" in refusal() and refusal().endswith(": no experiment asks for it")
    wider = project.spec(**ONE | {"m": "[20, 30]"})
    assert refusal(wider) == f"results/runs/small.parquet lacks 1 of the 2 cells of {wider}; run it again"


ABOUT = "and BTT18 Theorem 3.2 is about"
SILENT: dict[str, tuple[dict[str, str | None], str]] = {
    "no claim": ({"claims": "[]"}, "nothing was measured: these specs name no claim, and nothing was compared"),
    "another mechanism": (
        {"mechanisms": "[majority]"},
        f"nothing was measured for {T32}: mechanism is majority {ABOUT} mechanism = A_binClas",
    ),
    "other constants": (
        {"constants": "BTT18a"},
        f"nothing was measured for {T32}: constants is BTT18a {ABOUT} constants = BTT18",
    ),
    "another k": ({"k_scale": "0.294"}, f"nothing was measured for {T32}: k_scale is 0.294 {ABOUT} k_scale = 1"),
    "one of two claims": (
        {"claims": '["BTT18:T3.2", "BTT18a:C4.1"]'},
        "nothing was measured for BTT18a:C4.1: mechanism is A_binClas and BTT18a Corollary 4.1 is about mechanism = A_subSamp",
    ),
    "all vacuous": ({"n": "4e5", "m": "50"}, "nothing was measured: every bound is vacuous"),
}


@pytest.mark.parametrize(("changes", "reason"), SILENT.values(), ids=SILENT)
def test_4_and_never_0_when_no_row_speaks_of_a_claim(
    project: "Project", harness: "Harness", changes: dict[str, str | None], reason: str
) -> None:
    project.run(project.sweep(**ONE | {"trials": "3"} | changes))
    said = harness("check", "experiments/small.yaml", *ALONE)
    assert said.code == 4 and said.err == f"error: {reason}\n"


def test_json_has_the_verdicts_and_stdout_nothing_else(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep(**ONE | {"m": "[20, 30]"}))
    said = harness("check", "experiments/small.yaml", *ALONE, "--json")
    found = json.loads(said.out)
    verdicts, stored = found.pop("verdicts"), found.pop("as_stored")["answers"]
    assert {"wrong", "bottoms", "seconds"} < {*stored} and not {"eps", "k", "lam", "bound", "spent"} & {*stored}
    assert (said.code, said.err, len(verdicts), found) == (0, "", 2, {"compared": [], "notes": [], "broken": []})
    cells = [cell.identity for cell in project.sweep(**ONE | {"m": "[20, 30]"}).cells]
    for verdict, cell in zip(verdicts, cells, strict=True):
        assert (verdict["experiment"], verdict["claim"], verdict["cell"]) == ("small", T32, cell)
        assert (verdict["outcome"], verdict["failures"], verdict["trials"]) == ("holds", 0, 150)
        assert verdict["lower"] == 0 and verdict["upper"] < verdict["claimed"] == 0.1
        assert verdict["error"] == pytest.approx(0.0005)
        assert verdict["measured"] == 0 and verdict["slack"] == pytest.approx(verdict["bound"] / verdict["resolution"])


@pytest.mark.at_once("refuted")
@pytest.mark.parametrize(("trials", "change", "code"), [("150", all_wrong, 1), ("5", dict, 3)], ids=["refuted", "undecided"])
def test_json_ends_with_the_same_codes(
    project: "Project", harness: "Harness", trials: str, change: Callable[[Row], Row], code: int
) -> None:
    project.run(project.sweep(**ONE | {"trials": trials}))
    doctor(project, change)
    said = harness("check", "experiments/small.yaml", *ALONE, "--json")
    assert said.code == code and len(json.loads(said.out)["verdicts"]) == 1


@pytest.mark.law
def test_run_runs_what_is_missing_and_only_that(
    project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine is a serial one here; what it says of its progress goes beside the JSON, not into it."""
    monkeypatch.setattr(engines, "Local", SerialOnly)
    project.run(project.sweep("there", **ONE))
    before = Path("results/runs/there.parquet").stat().st_mtime_ns
    project.spec("absent", **ONE)
    said = harness("check", "experiments/there.yaml", "experiments/absent.yaml", "--run", "--json", *ALONE)
    assert said.code == 0 and {verdict["experiment"] for verdict in json.loads(said.out)["verdicts"]} == {"there", "absent"}
    assert "absent: 150 trials run" in said.err and "there:" not in said.err
    assert Path("results/runs/there.parquet").stat().st_mtime_ns == before
    said = harness("check", "experiments/there.yaml", "experiments/absent.yaml", "--run", *ALONE)
    assert (said.code, said.err) == (0, "") and "trials run" not in said.out


def test_a_fresh_table_goes_before_the_committed_one(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep(**ONE))
    harness("accept", "small")
    doctor(project, all_wrong)
    assert harness("check", "experiments/small.yaml").code == 1
    Path("results/runs/small.parquet").unlink()
    assert harness("check", "experiments/small.yaml").code == 0


def test_1_when_a_fresh_table_differs_from_a_reference_that_should_be_the_same(project: "Project", harness: "Harness") -> None:
    """The claim still holds by far; but seed, code and numpy are the same, so the rows should be."""
    project.run(project.sweep(**ONE))
    harness("accept", "small")
    assert harness("check", "experiments/small.yaml").code == 0
    doctor(project, lambda row: row | {"unstable": 3} if row["trial"] == 77 else row)
    said = harness("check", "experiments/small.yaml")
    assert said.code == 1 and "small/" in said.out and "/77/A_binClas: unstable 3, reference " in said.out


@pytest.mark.law
def test_the_question_is_shown_for_the_specs_that_are_named(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep(**ONE))
    project.run(project.sweep("other", **ONE | {"question": "Another question?"}))
    said = harness("check", "experiments/other.yaml")
    assert "other: Another question? (results/runs/other.parquet)" in said.out and "Does Theorem" not in said.out


def test_all_experiments_are_checked_by_default_on_all_claims(
    project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one claim in the registry all is measured by the two experiments that there are."""
    only = {T32: claims()[T32]}
    for where in ("harness.commands.claims", "harness.report.verdicts.claims"):
        monkeypatch.setattr(where, lambda: only)
    for name in ("one", "two"):
        project.run(project.sweep(name, **ONE))
    said = harness("check", "--json", *ALONE)
    assert said.code == 0 and [verdict["experiment"] for verdict in json.loads(said.out)["verdicts"]] == ["one", "two"]
    assert "one: Does" not in harness("check").out and "one: Does" in harness("check", "--cells").out


@pytest.mark.at_once("plain")
@pytest.mark.parametrize("json_too", [(), ("--json",)], ids=["plain", "json"])
def test_a_summary_is_added_to_a_file_and_changes_nothing_else(
    project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch, json_too: tuple[str, ...]
) -> None:
    """A job's page: what other steps wrote stays, and a claim that broke is told with the command that replays it."""
    project.run(project.sweep(**ONE))
    harness("accept", "small")
    doctor(project, all_wrong)
    words = ("check", "experiments/small.yaml", *json_too)
    page = Path("page.md")
    monkeypatch.setenv(PAGE, "page.md")
    page.write_text("Another step.\n\n", encoding="utf-8")
    assert harness(*words, "--summary", page) == harness(*words)
    lines = page.read_text(encoding="utf-8").splitlines()
    cell = project.table().rows["cell"][0].as_py()
    assert [line for line in lines if line][:2] == ["Another step.", "## 0 of 1 claims as expected"]
    assert "| claim | verdict | as it should be | measured | bound | stands | slack | challenged |" in lines
    assert any(re.fullmatch(rf"\| {T32} \| refuted \| no, it should hold \| 1 \| .*× \| yes \|", line) for line in lines)
    assert f"| {T32} | harness replay small/{cell[:8]}/0/A\\_binClas |" in lines
    assert "| small | 150 | 0 | broken |" in lines and any("reference 0" in line for line in lines)


def test_a_summary_also_says_for_which_claims_nothing_was_measured(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep(**ONE | {"claims": '["BTT18:T3.2", "BTT18a:C4.1"]'}))
    said = harness("check", "experiments/small.yaml", "--summary", "page.md")
    assert (said.code, said.out) == (
        4,
        "",
    ) and "BTT18a:C4.1: mechanism is A_binClas and BTT18a Corollary 4.1 is about" in said.err
    rows = [line for line in Path("page.md").read_text(encoding="utf-8").splitlines() if line.startswith("| BTT")]
    assert [row.split(" | ")[:2] for row in rows] == [["| BTT18a:C4.1", "untested"], [f"| {T32}", "holds, untried"]]


@pytest.mark.law
@pytest.mark.parametrize("json_too", [(), ("--json",)], ids=["plain", "json"])
def test_4_when_the_summary_cannot_be_written(project: "Project", harness: "Harness", json_too: tuple[str, ...]) -> None:
    project.run(project.sweep(**ONE))
    before = project.files()
    for path, reason in ((".", "Is a directory"), ("no/page.md", "No such file or directory"), ("/dev/full", "No space left")):
        said = harness("check", "experiments/small.yaml", "--summary", path, *json_too)
        assert (said.code, said.out) == (4, "") and project.files() == before
        assert said.err.startswith(f"error: --summary {path} cannot be written: {reason}") and said.err.count("\n") == 1


@pytest.mark.law
def test_another_repository_guards_a_bound_of_its_own(project: "Project", harness: "Harness") -> None:
    """As the page on guards tells it: a spec anywhere, its table in results/, and in every job a fresh run against it."""
    made = project.spec(**ONE)
    spec = Path("bounds/rate.yaml")
    spec.parent.mkdir()
    made.rename(spec)
    assert harness("run", spec, "--serial").code == 0
    said = harness("accept", spec)
    assert (said.code, said.out.splitlines()[1]) == (
        0,
        "  figure  figures/rate.png, figures/rate.pdf, figures/rate.svg, figures/rate.tex",
    )
    shutil.rmtree("results/runs")  # which is not committed
    drawn = {f"figures/rate.{suffix}" for suffix in ("png", "pdf", "svg", "tex")}
    assert project.files() == {"bounds/rate.yaml", "results/rate.parquet", *drawn}
    assert harness("check", spec).code == 0 and harness("figures", spec).code == 0
    cell = Sweep(spec).cells[0].identity
    assert harness("replay", f"{spec}/{cell[:8]}/0/A_binClas").code == 0
    assert harness("run", spec, "--serial", "--out", "fresh").code == 0
    assert harness("check", spec, "--out", "fresh", "--summary", "page.md").code == 0
    assert "| rate | 150 | 0 | identical |" in Path("page.md").read_text(encoding="utf-8").splitlines()
    doctor(project, all_wrong, "rate", Path("fresh"))
    assert harness("check", spec, "--out", "fresh", "--summary", "page.md").code == 1
    assert "## 0 of 1 claims as expected" in Path("page.md").read_text(encoding="utf-8")
