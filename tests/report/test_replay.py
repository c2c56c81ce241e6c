"""One trial again. About three seconds."""

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from harness.claims.engine import Verdict
from harness.claims.registry import claims
from harness.report.replay import Address, Replay, commands, replayed, shortened
from harness.report.stored import as_run
from harness.report.verdicts import Finding, judge
from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.table.counted import Done
from harness.sweep.table.schema import tabulated
from harness.sweep.table.table import Table
from harness.trials import kinds
from tests.support.doctored import settled

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

RUNS = Path("results/runs")
ENSEMBLE = {"concept": "ensemble", "learner": None, "n": None, "mechanisms": "[A_binClas]", "figure": "{x: T}"}
CUTOFF = ENSEMBLE | {
    "distribution": "split",
    "m": "100",
    "T": "[1, 3.5]",
    "claims": '["BTT18:A2-cutoff", "BTT18:A2-cutoff-repaired"]',
}
SPECS: dict[str, dict[str, str | None]] = {
    "thresholds": {},
    "alpha": {"n": None, "alpha": "[0.1, 0.2]", "m": "50", "figure": "{x: alpha, panels: [learner]}"},
    "cutoff": CUTOFF,
    "audit": dict.fromkeys(("concept", "distribution", "learner", "n", "m"))
    | {"kind": "audit", "eps": "[1, 2]", "runs": "200", "mechanisms": "[A_stab_printed, A_stab_corrected]"}
    | {"claims": '["audit"]', "figure": "{x: eps, y: hits}"},
}


def again(text: str) -> Replay:
    """A trial of what is in results/runs, again."""
    address = Address.parse(text)
    return replayed(address, as_run(address.name, RUNS))


@pytest.mark.at_once("cutoff")
@pytest.mark.parametrize("spec", SPECS)
def test_every_stored_row_is_the_same_again_and_all_its_numbers_are_told(spec: str, project: "Project") -> None:
    frame = project.run(project.sweep(spec, **SPECS[spec])).table.frame()
    for row in frame.to_dict("records"):
        replay = again(f"{spec}/{row['cell']}/{row['trial']}/{row['mechanism']}")
        assert replay.differing == {}
        assert replay.versions == {}
        told = {fact.name: fact.value for _, facts in replay.steps for fact in facts}
        assert len(told) == sum(len(facts) for _, facts in replay.steps)
        named = {"cell", "mechanism", "trial", "seconds"}
        truths = {name for name, value in row.items() if isinstance(value, bool)}
        assert told == {name: row[name] for name in row if not pd.isna(row[name]) and name not in named | truths}


def test_all_four_specs_cover_more_than_one_kind_of_trial() -> None:
    assert {str(spec.get("kind", "answers")) for spec in SPECS.values()} > {"answers"}
    assert {"answers", "audit"} <= set(kinds())


def test_a_row_that_is_not_what_the_trial_gives_is_told_apart_by_column(project: "Project", harness: "Harness") -> None:
    table = project.run(project.sweep("cutoff", **CUTOFF)).table
    rows = table.rows.to_pylist()
    rows[2] = settled(rows[2] | {"bottoms": 7, "halted_at": None, "seconds": 1.0})
    Table(tabulated(rows, "answers"), table.provenance).write(RUNS / "cutoff.parquet")
    assert again(f"cutoff/{rows[0]['cell']}/1/A_binClas").differing == {}
    assert (
        again(f"cutoff/{rows[0]['cell']}/2/A_binClas").differing.items() >= {"bottoms": (7, 2), "halted_at": (None, 2)}.items()
    )
    said = harness("replay", f"cutoff/{rows[0]['cell'][:6]}/2/A_binClas")
    assert said.code == 1
    assert "differs from results/runs/cutoff.parquet" in said.out
    assert "bottoms is 2, stored 7" in said.out
    assert "halted_at is 2, stored None" in said.out


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_it_takes_the_tables_own_seed_and_settings_and_says_what_else_has_changed(
    project: "Project", harness: "Harness"
) -> None:
    assert harness("run", "--serial", project.spec("cutoff", **CUTOFF), "--set", "T=2.5", "--set", "seed=99").code == 0
    table = project.table("cutoff")
    old = table.provenance["makes"] | {"code": "old"}
    Table(table.rows, table.provenance | {"makes": old}).write(RUNS / "cutoff.parquet")
    replay = again(f"cutoff/{table.rows['cell'][0]}/3/A_binClas")
    assert replay.differing == {}
    assert [(what, was) for what, (was, _) in replay.versions.items()] == [("code", "old")]


def test_it_says_which_quantity_broke_which_bound_of_which_claim(project: "Project", harness: "Harness") -> None:
    frame = project.run(project.sweep("cutoff", **CUTOFF)).table.frame()
    cell = frame.loc[frame["T"] == 3.5, "cell"].iloc[0]
    told = {judged.claim: judged for judged in again(f"cutoff/{cell}/0/A_binClas").judgements}
    assert [(claim, judged.failed) for claim, judged in told.items()] == [
        ("BTT18:A2-cutoff", True),
        ("BTT18:A2-cutoff-repaired", False),
    ]
    parts = [(part.quantity, part.measured, part.most, part.broken) for judged in told.values() for part in judged.event]
    assert parts == [("bottoms", 4.0, 3.5, True), ("bottoms", 4.0, 4.0, False)]
    said = harness("replay", f"cutoff/{cell[:4]}/0/A_binClas")
    assert said.code == 0
    assert f"cutoff/{cell}/0/A_binClas: identical to results/runs/cutoff.parquet" in said.out
    assert "BTT18:A2-cutoff: failed\n    bottoms 4 > 3.5" in said.out
    assert "BTT18:A2-cutoff-repaired: kept\n    bottoms 4 ≤ 4" in said.out
    for word in ("the setting", "the plan", "set by the spec", "the votes", "unstable", "what was measured", "halted_at"):
        assert word in said.out


@pytest.mark.law
def test_vacuous_claims_and_those_about_many_trials_are_said_to_be_so(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep("small", n="1e6", claims='["BTT18:T3.2", "BTT18:AC", "BTT18:T2.5"]'))
    cell = project.rows()["cell"].iloc[0]
    replay = again(f"small/{cell}/0/A_binClas")
    assert [(judged.claim, judged.event, judged.failed) for judged in replay.judgements] == [("BTT18:T3.2", (), False)]
    assert replay.elsewhere == ["BTT18:AC", "BTT18:T2.5"]
    assert "BTT18:T3.2: vacuous here" in harness("replay", f"small/{cell}/0/A_binClas").out
    assert "none of the experiment's claims speaks of this row" in harness("replay", f"small/{cell}/0/noisy_majority").out


@pytest.mark.parametrize(
    ("row", "code", "says"),
    [
        ("cutoff", 2, "NAME/CELL/TRIAL/MECHANISM"),
        ("cutoff/CELL/0", 2, "NAME/CELL/TRIAL/MECHANISM"),
        ("cutoff//0/A_binClas", 2, "NAME/CELL/TRIAL/MECHANISM"),
        ("cutoff/CELL/first/A_binClas", 2, "NAME/CELL/TRIAL/MECHANISM"),
        ("cutoff/CELL/-1/A_binClas", 2, "NAME/CELL/TRIAL/MECHANISM"),
        ("cutoff/CELL/²/A_binClas", 2, "NAME/CELL/TRIAL/MECHANISM"),
        ("cutof/CELL/0/A_binClas", 2, "no experiment 'cutof'; did you mean 'cutoff'? allowed: cutoff, unmeasured"),
        ("unmeasured/CELL/9/A_binClas", 2, "no trial 9; allowed: 0 to 3"),
        ("cutoff/xyz/0/A_binClas", 2, "no cell 'xyz'; allowed: CELLS"),
        ("cutoff/CELL/4/A_binClas", 2, "no trial 4; allowed: 0 to 3"),
        ("cutoff/CELL/0/A_bin", 2, "no mechanism 'A_bin'; did you mean 'A_binClas'? allowed: A_binClas"),
    ],
)
def test_a_row_that_is_not_there_is_told_what_is(
    row: str, code: int, says: str, project: "Project", harness: "Harness"
) -> None:
    table = project.run(project.sweep("cutoff", **CUTOFF)).table
    project.spec("unmeasured", **CUTOFF)
    cells = list(dict.fromkeys(table.rows["cell"].to_pylist()))
    said = harness("replay", row.replace("CELL", cells[0]))
    assert said.code == code
    assert says.replace("CELLS", ", ".join(cell[:8] for cell in cells)) in said.err
    assert len(said.err.splitlines()) == 1


def test_the_beginning_of_two_cells_is_neither(project: "Project") -> None:
    there: Done = {("abc1", "A"): (range(1),), ("abc2", "A"): (range(1),)}
    with pytest.raises(InputError, match="'abc' is the beginning of 2 cells: abc1, abc2"):
        Address("x", "abc", 0, "A").resolved(there, {}, [])
    assert Address("x", "abc2", 0, "A").resolved(there, {}, []).cell == "abc2"


def test_a_spec_that_no_longer_asks_for_the_cell_cannot_be_replayed(project: "Project") -> None:
    table = project.run(project.sweep("cutoff", **CUTOFF)).table
    project.spec("cutoff", **(CUTOFF | {"T": "2"}))
    with pytest.raises(CannotRunError, match=r"cutoff\.yaml has changed"):
        again(f"cutoff/{table.rows['cell'][0]}/0/A_binClas")


def test_a_cell_is_shortened_to_what_no_other_cell_begins_with() -> None:
    cells = ["0123456789abcdef", "0123456789ffffff", "fedcba9876543210"]
    assert [shortened(cell, cells) for cell in cells] == ["0123456789a", "0123456789f", "fedcba98"]


@pytest.mark.law
@pytest.mark.parametrize("asked", [("run", "--serial"), ("check",), ("claims", "BTT18:A2-cutoff")])
@pytest.mark.parametrize("out", ["results/runs", "else where"])
def test_the_command_that_a_refuted_claim_prints_replays_its_first_failure(
    asked: tuple[str, ...], out: str, project: "Project", harness: "Harness"
) -> None:
    spec = project.spec("cutoff", **CUTOFF)
    words = [*asked, *([] if asked[0] == "claims" else [spec]), "--out", out]
    assert harness("run", "--serial", spec, "--out", out).code == 0
    offered = re.findall(r"^(\S+) refuted: harness (replay .*)$", harness(*words).out, re.MULTILINE)
    assert [claim for claim, _ in offered] == ["BTT18:A2-cutoff"]
    said = harness(*shlex.split(offered[0][1]))
    assert said.code == 0
    assert "BTT18:A2-cutoff: failed" in said.out


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_a_spec_from_elsewhere_is_offered_by_its_path(project: "Project", harness: "Harness") -> None:
    path = project.spec("cutoff", **CUTOFF).rename("mine.yaml")
    said = harness("run", "--serial", path)
    (command,) = re.findall(r"refuted: harness (replay .*)$", said.out, re.MULTILINE)
    assert command.startswith("replay mine.yaml/")
    assert harness(*shlex.split(command)).code == 0


def test_the_trial_that_is_offered_is_the_first_that_failed_and_no_exact_claim_has_one(project: "Project") -> None:
    table = project.run(project.sweep("cutoff", **CUTOFF)).table
    rows: list[dict[str, Any]] = table.rows.to_pylist()
    for row in rows[:2]:
        row |= settled(row | {"bottoms": 0})
    Table(tabulated(rows, "answers"), table.provenance).write(RUNS / "cutoff.parquet")
    stored = as_run("cutoff", RUNS)
    findings = judge([stored.evidence], names=["BTT18:A2-cutoff", "BTT18:A2-cutoff-repaired", "BTT18:T3.1-dist"])
    exact = Verdict("BTT18:T3.1", "refuted", rows[0]["cell"], "A_binClas", trials=1, failures=1, failed_trial=0)
    findings.append(Finding(claims()["BTT18:T3.1"], [("cutoff", exact)]))
    refuted = {finding.claim.id for finding in findings if finding.outcome == "refuted"}
    assert refuted == {"BTT18:A2-cutoff", "BTT18:T3.1-dist", "BTT18:T3.1"}
    command = f"harness replay cutoff/{rows[0]['cell'][:8]}/2/A_binClas"
    assert commands(findings, [stored], RUNS) == {"BTT18:A2-cutoff": command}
