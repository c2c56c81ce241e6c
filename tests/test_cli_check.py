"""`harness check`: 0 as expected, 1 a claim broke or a reference regressed, 2 bad input, 3 undecided, 4 could not run.

A doctored table is sealed again, so that only what it says is wrong with it.
"""

import json
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from harness.report.evidence import FORMATS
from harness.sweep import engines
from harness.sweep.batches import Batches, Serial
from harness.sweep.spec import Spec, Sweep
from harness.sweep.table import Table
from harness.sweep.work import Result, tabulated
from harness.theory.claims import claims
from harness.theory.claims.btt18_t3_2 import MisclassificationRate

if TYPE_CHECKING:
    from tests.conftest import Harness, Project

T32 = "BTT18:T3.2"
ONE: dict[str, str | None] = {
    "m": "20",
    "learner": "leftmost",
    "trials": "150",
    "mechanisms": "[A_binClas]",
    "figure": "{x: m}",
}
"""One cell with trials enough to decide it: 150 without a failure, at most 0.1 claimed, error 10⁻³."""

Row = dict[str, Any]
pytestmark = pytest.mark.usefixtures("quick_figures")


def doctor(project: "Project", change: Callable[[Row], Row], name: str = "small", out: Path = Path("results/runs")) -> None:
    """Change every row of a stored table and seal it again."""
    table = project.table(name, out)
    rows = [change(row) for row in table.rows.to_pylist()]
    Table(tabulated(rows, table.provenance["kind"]), table.provenance).write(out / f"{name}.parquet")


def all_wrong(row: Row) -> Row:
    return row | {"misclassified": row["m"], "wrong": row["m"], "misclassification_rate": 1.0}


def test_0_when_every_claim_is_as_expected(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep(**ONE))
    said = harness("check", "experiments/small.yaml")
    assert (said.code, said.err) == (0, "")
    (line,) = [line for line in said.out.splitlines() if line.startswith(f"{T32} ") and "m = 20" in line]
    assert "0/150" in line and "≤ 0.1" in line and line.rstrip().endswith("holds")
    assert "1 claim: 1 holds; any of these verdicts is false with probability at most 0.001" in said.out


def test_1_when_the_rows_refute_a_claim(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep(**ONE))
    doctor(project, all_wrong)
    said = harness("check", "experiments/small.yaml")
    assert said.code == 1 and "150/150" in said.out
    assert f"{T32} is refuted, expected: holds" in said.out and "1 claim: 1 refuted" in said.out


def test_1_when_a_claim_holds_that_should_not(project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch) -> None:
    project.run(project.sweep(**ONE))
    monkeypatch.setattr(MisclassificationRate, "expected", "refuted")
    said = harness("check", "experiments/small.yaml")
    assert said.code == 1 and f"{T32} is holds, expected: refuted" in said.out


def test_one_bad_cell_among_many_breaks_the_claim(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep(**ONE | {"m": "[20, 30, 40]"}))
    doctor(project, lambda row: all_wrong(row) if row["m"] == 30 else row)
    said = harness("check", "experiments/small.yaml")
    assert said.code == 1
    outcomes = dict(re.findall(rf"^{T32}  m = (\d+) .* (\w+) *$", said.out, re.MULTILINE))
    assert outcomes == {"20": "holds", "30": "refuted", "40": "holds"}
    assert f"{T32} is refuted, expected: holds" in said.out


@pytest.mark.parametrize("change", [{"halted_at": 7}, {"bottoms": 20}], ids=["an early halt", "too many ⊥"])
def test_every_part_of_the_event_counts(project: "Project", harness: "Harness", change: Row) -> None:
    project.run(project.sweep(**ONE))
    doctor(project, lambda row: row | change)
    assert harness("check", "experiments/small.yaml").code == 1


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
    said = harness("check", "experiments/small.yaml")
    assert said.code == 3 and "1 claim: 1 undecided" in said.out and f"{T32} is undecided, expected: holds" in said.out


def test_a_smaller_error_needs_more_trials(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep(**ONE))
    codes = {
        error: harness("check", "experiments/small.yaml", "--error", error).code for error in ("1e-12", "0", "1e-3", "0.5")
    }
    assert codes == {"1e-12": 3, "0": 3, "1e-3": 0, "0.5": 0}


def test_4_when_nothing_was_measured(project: "Project", harness: "Harness") -> None:
    def refusal(*words: str | Path) -> str:
        said = harness("check", *words)
        assert (said.code, said.out) == (4, "") and said.err.startswith("error: ") and said.err.count("\n") == 1
        return said.err.removeprefix("error: ").rstrip("\n")

    assert refusal() == "there is nothing to check: no specs in experiments/"
    spec = project.spec(**ONE)
    assert refusal(spec) == f"nothing was measured for {spec}; `harness check --run` runs what is missing"
    assert refusal() == f"nothing was measured for {spec}; `harness check --run` runs what is missing"
    project.run(project.sweep(**ONE))
    assert "BTT18:L3.3" in refusal() and refusal().endswith(": no row meets the hypotheses")
    wider = project.spec(**ONE | {"m": "[20, 30]"})
    assert refusal(wider) == f"results/runs/small.parquet lacks 1 of the 2 cells of {wider}; run it again"


SILENT: dict[str, tuple[dict[str, str | None], str]] = {
    "no claim": ({"claims": "[]"}, "nothing was measured: these specs name no claim"),
    "another mechanism": ({"mechanisms": "[majority]"}, f"nothing was measured for {T32}: no row meets the hypotheses"),
    "other constants": ({"constants": "BTT18a"}, f"nothing was measured for {T32}: no row meets the hypotheses"),
    "one of two claims": (
        {"claims": '["BTT18:T3.2", "BTT18a:C4.1"]'},
        "nothing was measured for BTT18a:C4.1: no row meets the hypotheses",
    ),
    "all vacuous": ({"n": "4e5", "m": "50"}, "nothing was measured: every bound is vacuous"),
}


@pytest.mark.parametrize(("changes", "reason"), SILENT.values(), ids=SILENT)
def test_4_and_never_0_when_no_row_speaks_of_a_claim(
    project: "Project", harness: "Harness", changes: dict[str, str | None], reason: str
) -> None:
    project.run(project.sweep(**ONE | {"trials": "3"} | changes))
    said = harness("check", "experiments/small.yaml")
    assert said.code == 4 and said.err == f"error: {reason}\n"


def test_json_is_a_list_of_verdicts_and_nothing_else(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep(**ONE | {"m": "[20, 30]"}))
    said = harness("check", "experiments/small.yaml", "--json")
    verdicts = json.loads(said.out)
    assert (said.code, said.err, len(verdicts)) == (0, "", 2)
    cells = [cell.identity for cell in project.sweep(**ONE | {"m": "[20, 30]"}).cells]
    for verdict, cell in zip(verdicts, cells, strict=True):
        assert (verdict["experiment"], verdict["claim"], verdict["cell"]) == ("small", T32, cell)
        assert (verdict["outcome"], verdict["failures"], verdict["trials"]) == ("holds", 0, 150)
        assert verdict["lower"] == 0 and verdict["upper"] < verdict["claimed"] == 0.1
        assert verdict["error"] == pytest.approx(0.0005)
        assert verdict["measured"] == 0 and verdict["slack"] == pytest.approx(verdict["bound"] / verdict["resolution"])


@pytest.mark.parametrize(("trials", "change", "code"), [("150", all_wrong, 1), ("5", dict, 3)], ids=["refuted", "undecided"])
def test_json_ends_with_the_same_codes(
    project: "Project", harness: "Harness", trials: str, change: Callable[[Row], Row], code: int
) -> None:
    project.run(project.sweep(**ONE | {"trials": trials}))
    doctor(project, change)
    said = harness("check", "experiments/small.yaml", "--json")
    assert said.code == code and len(json.loads(said.out)) == 1


def test_run_runs_what_is_missing_and_only_that(
    project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine is a serial one here; what it says of its progress goes beside the JSON, not into it."""
    monkeypatch.setattr(engines, "Cluster", lambda address, workers: nullcontext(Serial()))
    project.run(project.sweep("there", **ONE))
    before = Path("results/runs/there.parquet").stat().st_mtime_ns
    project.spec("absent", **ONE)
    said = harness("check", "experiments/there.yaml", "experiments/absent.yaml", "--run", "--json")
    assert said.code == 0 and {verdict["experiment"] for verdict in json.loads(said.out)} == {"there", "absent"}
    assert "absent: 150 trials run" in said.err and "there:" not in said.err
    assert Path("results/runs/there.parquet").stat().st_mtime_ns == before
    said = harness("check", "experiments/there.yaml", "experiments/absent.yaml", "--run")
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
    for where in ("harness.cli.claims", "harness.report.verdicts.claims"):
        monkeypatch.setattr(where, lambda: only)
    for name in ("one", "two"):
        project.run(project.sweep(name, **ONE))
    said = harness("check", "--json")
    assert said.code == 0 and [verdict["experiment"] for verdict in json.loads(said.out)] == ["one", "two"]
    assert "one: Does" not in harness("check").out and "one: Does" in harness("check", "--cells").out


@pytest.mark.parametrize("json_too", [(), ("--json",)], ids=["plain", "json"])
def test_a_summary_is_added_to_a_file_and_changes_nothing_else(
    project: "Project", harness: "Harness", json_too: tuple[str, ...]
) -> None:
    """A job's page: what other steps wrote stays, and a claim that broke is told with the command that replays it."""
    project.run(project.sweep(**ONE))
    harness("accept", "small")
    doctor(project, all_wrong)
    words = ("check", "experiments/small.yaml", *json_too)
    page = Path("page.md")
    page.write_text("Another step.\n\n", encoding="utf-8")
    assert harness(*words, "--summary", page) == harness(*words)
    lines = page.read_text(encoding="utf-8").splitlines()
    cell = project.table().rows["cell"][0].as_py()
    assert [line for line in lines if line][:2] == ["Another step.", "## 0 of 1 claims as expected"]
    assert "| claim | verdict | expected | measured | bound | slack | challenged |" in lines
    assert any(re.fullmatch(rf"\| {T32} \| refuted \| holds \| 1 \| .*× \| yes \|", line) for line in lines)
    assert f"| {T32} | harness replay small/{cell[:8]}/0/A\\_binClas |" in lines
    assert "| small | 150 | 0 | broken |" in lines and any("reference 0" in line for line in lines)


def test_a_summary_also_says_for_which_claims_nothing_was_measured(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep(**ONE | {"claims": '["BTT18:T3.2", "BTT18a:C4.1"]'}))
    said = harness("check", "experiments/small.yaml", "--summary", "page.md")
    assert (said.code, said.out) == (4, "") and "BTT18a:C4.1: no row meets the hypotheses" in said.err
    rows = [line for line in Path("page.md").read_text(encoding="utf-8").splitlines() if line.startswith("| BTT")]
    assert [row.split(" | ")[:2] for row in rows] == [["| BTT18a:C4.1", "untested"], [f"| {T32}", "holds"]]


@pytest.mark.parametrize("json_too", [(), ("--json",)], ids=["plain", "json"])
def test_4_when_the_summary_cannot_be_written(project: "Project", harness: "Harness", json_too: tuple[str, ...]) -> None:
    project.run(project.sweep(**ONE))
    before = project.files()
    for path, reason in ((".", "Is a directory"), ("no/page.md", "No such file or directory"), ("/dev/full", "No space left")):
        said = harness("check", "experiments/small.yaml", "--summary", path, *json_too)
        assert (said.code, said.out) == (4, "") and project.files() == before
        assert said.err.startswith(f"error: --summary {path} cannot be written: {reason}") and said.err.count("\n") == 1


def test_another_repository_guards_a_bound_of_its_own(project: "Project", harness: "Harness") -> None:
    """As the README tells it: a spec anywhere, its table in results/, and in every job a fresh run against it."""
    made = project.spec(**ONE)
    spec = Path("bounds/rate.yaml")
    spec.parent.mkdir()
    made.rename(spec)
    assert harness("run", spec, "--serial").code == 0
    said = harness("accept", spec)
    assert (said.code, said.out.splitlines()[1]) == (0, "  figure  figures/rate.png, figures/rate.pdf")
    shutil.rmtree("results/runs")  # which is not committed
    assert project.files() == {"bounds/rate.yaml", "results/rate.parquet", "figures/rate.png", "figures/rate.pdf"}
    assert harness("check", spec).code == 0 and harness("figures", spec).code == 0
    cell = Sweep(spec).cells[0].identity
    assert harness("replay", f"{spec}/{cell[:8]}/0/A_binClas").code == 0
    assert harness("run", spec, "--serial", "--out", "fresh").code == 0
    assert harness("check", spec, "--out", "fresh", "--summary", "page.md").code == 0
    assert "| rate | 150 | 0 | identical |" in Path("page.md").read_text(encoding="utf-8").splitlines()
    doctor(project, all_wrong, "rate", Path("fresh"))
    assert harness("check", spec, "--out", "fresh", "--summary", "page.md").code == 1
    assert "## 0 of 1 claims as expected" in Path("page.md").read_text(encoding="utf-8")


def stop(project: "Project", after: int, **changes: str | None) -> None:
    """A run that is stopped after so many trials, and was not yet at its end."""

    class Stopping(Serial):
        def run(self, batches: Batches) -> Iterator[Result]:
            yield from islice(super().run(batches), after)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        project.run(project.sweep(**ONE | changes), Stopping(), batch_seconds=0)


FAR = "small: stopped at 40 of 150 trials, or still running; judged on what is there"


def test_3_at_best_while_trials_are_missing_of_a_run_that_was_stopped(project: "Project", harness: "Harness") -> None:
    """The claim is decided by what is there, at a greater error; but what is there is not all."""
    stop(project, 40)
    before = project.files()
    said = harness("check", "experiments/small.yaml", "--error", "0.5", "--summary", "page.md")
    assert (said.code, said.err) == (3, "") and "1 claim: 1 holds" in said.out and f"\n{FAR}\n" in said.out
    assert FAR in Path("page.md").read_text(encoding="utf-8")
    said = harness("check", "experiments/small.yaml", "--json")
    assert said.code == 3 and json.loads(said.out)[0]["trials"] == 40 and said.err == f"{FAR}\n"
    assert project.files() - {"page.md"} == before
    assert harness("run", "experiments/small.yaml", "--serial").code == 0
    said = harness("check", "experiments/small.yaml")
    assert said.code == 0 and "stopped" not in said.out


def test_1_when_the_rows_of_a_run_that_was_stopped_refute_a_claim(project: "Project", harness: "Harness") -> None:
    stop(project, 40)
    part = Path("results/runs/.small/000000001.parquet")
    table = Table.read(part)
    rows = [all_wrong(row) for row in table.rows.to_pylist()]
    Table(tabulated(rows, "answers"), table.provenance).write(part)
    said = harness("check", "experiments/small.yaml")
    assert said.code == 1 and FAR in said.out and "40/40" in said.out


def test_a_stopped_run_is_told_of_drawn_reported_and_replayed_as_far_as_it_is(
    project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch
) -> None:
    titles: list[tuple[str, int]] = []

    def note(frame: pd.DataFrame, spec: Spec, stem: Path, formats: Sequence[str] = FORMATS) -> list[Path]:
        titles.append((spec.title, len(frame)))
        stem.with_name(f"{stem.name}.png").write_bytes(bytes(24))
        return [stem.with_name(f"{stem.name}.png")]

    monkeypatch.setattr("harness.report.figures.draw", note)
    stop(project, 40)
    Path("results/runs/.copies").mkdir()
    Path("results/runs/.copies/small.parquet").touch()  # which is no part of any table
    said = harness("figures", "--results", "results/runs", "--out", "drawn")
    assert (said.code, said.err) == (0, "") and "small: stopped at 40 of 150 trials, or still running; drawn from" in said.out
    assert titles == [("A small sweep (40 of 150 trials)", 40)]
    assert harness("report").code == 0 and FAR in Path("results/runs/report.html").read_text(encoding="utf-8")
    assert FAR in harness("claims", T32).out and FAR in harness("claims", "--json").err
    cell = project.sweep(**ONE).cells[0].identity
    assert harness("replay", f"small/{cell}/39/A_binClas").code == 0


def test_a_stopped_run_goes_before_the_committed_table_and_is_compared_in_part(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep(**ONE))
    assert harness("accept", "small").code == 0
    project.store(project.sweep(**ONE)).clear()
    stop(project, 40)
    said = harness("check", "experiments/small.yaml", "--summary", "page.md")
    assert said.code == 3 and re.search(r"^small +40 +0 +identical, in part$", said.out, re.MULTILINE)
    assert "| small | 40 | 0 | identical, in part |" in Path("page.md").read_text(encoding="utf-8")
    doctor(project, lambda row: row | {"unstable": 3}, out=Path("results"))
    assert harness("check", "experiments/small.yaml").code == 1


def test_claims_of_which_a_stopped_run_has_no_row_yet_are_undecided(project: "Project", harness: "Harness") -> None:
    stop(project, 3, claims='["BTT18:T3.2", "BTT18:AC"]', mechanisms="[A_binClas, noisy_majority]", m="[20, 30]")
    said = harness("check", "experiments/small.yaml")
    assert (said.code, said.err) == (3, "") and "stopped at 3 of 300 trials" in said.out


def test_run_completes_what_was_stopped(project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "Cluster", lambda address, workers: nullcontext(Serial()))
    stop(project, 40)
    said = harness("check", "experiments/small.yaml", "--run")
    assert said.code == 0 and "110 trials run, 40 rows were there" in said.out


def test_3_at_best_when_a_table_has_fewer_trials_than_its_spec_asks_for(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep(**ONE | {"trials": "140"}))
    assert harness("check", "experiments/small.yaml").code == 0
    project.spec(**ONE)
    said = harness("check", "experiments/small.yaml")
    assert said.code == 3 and "1 claim: 1 holds" in said.out
    assert "small: results/runs/small.parquet has 140 of 150 trials; judged on what is there" in said.out
    project.run(Sweep(project.spec(**ONE), {"trials": "2"}), fresh=True)
    assert "has 2 of 150 trials (made with --trials 2)" in harness("check", "experiments/small.yaml").out


def test_it_is_complete_with_more_trials_than_its_spec_asks_for(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep(**ONE))
    project.spec(**ONE | {"trials": "20"})
    assert harness("check", "experiments/small.yaml").code == 0


STRANGE: dict[str, tuple[dict[str, str | None], dict[str, str], str]] = {
    "another's": ({"eps": "2"}, {}, "1 of its cells are not among the 1 asked for, with eps = 2.0"),
    "of other settings": ({}, {"eps": "3"}, "1 of its cells are not among the 1 asked for, with eps = 3.0"),
    "of more cells": ({"m": "[20, 30]"}, {}, "1 of its cells are not among the 1 asked for, with m = 30"),
    "of another seed": ({}, {"seed": "8"}, "its seed is 8, not 7"),
    "of other mechanisms": ({"mechanisms": "[majority]"}, {}, "it has rows of majority, which are not asked for"),
    "of another kind": (
        dict.fromkeys(("concept", "distribution", "learner", "n", "m"))
        | {
            "kind": "audit",
            "eps": "1",
            "runs": "200",
            "mechanisms": "[A_stab_printed]",
            "claims": "[]",
            "figure": "{x: eps, y: hits}",
        },
        {},
        "its trials are of kind audit, not answers",
    ),
}


@pytest.mark.parametrize(("changes", "overrides", "says"), STRANGE.values(), ids=STRANGE)
def test_2_when_the_table_is_not_the_experiments(
    project: "Project", harness: "Harness", changes: dict[str, str | None], overrides: dict[str, str], says: str
) -> None:
    """Whatever reads it says so, and nothing is drawn or written of it."""
    project.run(Sweep(project.spec("other", **ONE | {"trials": "4"} | changes), overrides))
    Path("experiments/other.yaml").unlink()
    spec, path = project.spec(**ONE | {"trials": "4"}), Path("results/runs/small.parquet")
    Path("results/runs/other.parquet").rename(path)
    before = project.files()
    readers = (("check", spec), ("check",), ("figures", "small", "--results", "results/runs"), ("report", spec), ("claims",))
    for words in readers:
        said = harness(*words)
        assert (said.code, said.out) == (2, "") and said.err.count("\n") == 1
        assert said.err.startswith(f"error: {path}: not the table of {spec}: {says}") and "(made by other" in said.err
    assert project.files() == before
    assert harness("run", spec, "--serial").code == 2


@pytest.mark.parametrize(("changes", "overrides", "says"), STRANGE.values(), ids=STRANGE)
def test_a_row_is_replayed_by_what_made_it_or_not_at_all(
    project: "Project", harness: "Harness", changes: dict[str, str | None], overrides: dict[str, str], says: str
) -> None:
    """With --set it is the experiment's in other settings, and cells that two experiments have are the same in both."""
    table = project.run(Sweep(project.spec("other", **ONE | {"trials": "4"} | changes), overrides)).table
    project.spec(**ONE | {"trials": "4"})
    Path("results/runs/other.parquet").rename("results/runs/small.parquet")
    row = table.rows.to_pylist()[0]
    said = harness("replay", f"small/{row['cell']}/0/{row['mechanism']}")
    if overrides or changes.get("m"):
        assert said.code == 0 and "identical to results/runs/small.parquet" in said.out
    else:
        assert said.code == 2 and said.err.startswith("error: results/runs/small.parquet: not the table of experiments/small")


def test_accept_reads_all_before_it_writes_any(project: "Project", harness: "Harness") -> None:
    for name in ("small", "other"):
        project.run(project.sweep(name, **ONE))
    before = project.files()
    project.text("title: [", "other")
    said = harness("accept", "small", "other")
    assert said.code == 2 and said.err.startswith("error: experiments/other.yaml:") and project.files() == before
