"""What `harness check` and its neighbours say of tables that lack trials, or are not the experiment's."""

import json
import re
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import pytest

from harness.report.headline import headline
from harness.report.settings import View
from harness.report.stored import FORMATS
from harness.sweep import engines
from harness.sweep.run.batches import Batches, Serial
from harness.sweep.run.work import Result
from harness.sweep.spec import Sweep
from harness.sweep.table.schema import tabulated
from harness.sweep.table.table import Table
from tests.support.doctored import ONE, all_wrong, doctor
from tests.support.picture import blank
from tests.support.serial import SerialOnly

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

T32, ALONE = "BTT18:T3.2", ("--no-reference",)
pytestmark = pytest.mark.usefixtures("quick_figures", "blocks_of_one")


def stop(project: "Project", after: int, **changes: str | None) -> None:
    """A run that is stopped after so many trials, and was not yet at its end."""

    class Stopping(Serial):
        def run(self, batches: Batches) -> Iterator[Result]:
            yield from islice(super().run(batches), after)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        project.run(project.sweep(**ONE | changes), Stopping(), batch_seconds=0)


FAR = "small: stopped at 40 of 150 trials, or still running; judged on what is there"


@pytest.mark.law
def test_3_at_best_while_trials_are_missing_of_a_run_that_was_stopped(project: "Project", harness: "Harness") -> None:
    """The claim is decided by what is there, at a greater error; but what is there is not all."""
    stop(project, 40)
    before = project.files()
    said = harness("check", "experiments/small.yaml", *ALONE, "--error", "0.5", "--summary", "page.md")
    assert (said.code, said.err) == (3, "") and "1 printed: 1 holds" in said.out and f"\n{FAR}\n" in said.out
    assert FAR in Path("page.md").read_text(encoding="utf-8")
    said = harness("check", "experiments/small.yaml", *ALONE, "--json")
    assert said.code == 3 and json.loads(said.out)["verdicts"][0]["trials"] == 40 and said.err == f"{FAR}\n"
    assert project.files() - {"page.md"} == before
    assert harness("run", "experiments/small.yaml", "--serial").code == 0
    said = harness("check", "experiments/small.yaml", *ALONE)
    assert said.code == 0 and "stopped" not in said.out


@pytest.mark.law
def test_1_when_the_rows_of_a_run_that_was_stopped_refute_a_claim(project: "Project", harness: "Harness") -> None:
    stop(project, 40)
    for part in Path("results/runs/.small").glob("*.parquet"):  # of which there are several where it took more than a second
        table = Table.read(part)
        rows = [all_wrong(row) for row in table.rows.to_pylist()]
        Table(tabulated(rows, "answers"), table.provenance).write(part)
    said = harness("check", "experiments/small.yaml", *ALONE)
    assert said.code == 1 and FAR in said.out and "40/40" in said.out


@pytest.mark.law
def test_a_stopped_run_is_told_of_drawn_reported_and_replayed_as_far_as_it_is(
    project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch
) -> None:
    titles: list[tuple[str, int]] = []

    def note(frame: pd.DataFrame, view: View, formats: Sequence[str] = FORMATS) -> dict[str, bytes]:
        titles.append((headline(frame, view), len(frame)))
        blank(picture := BytesIO())
        return {"png": picture.getvalue()}

    stop(project, 40)
    Path("results/runs/.copies").mkdir()
    Path("results/runs/.copies/small.parquet").touch()  # which is no part of any table
    with monkeypatch.context() as patched:
        patched.setattr("harness.report.figures.rendered", note)
        said = harness("figures", "--results", "results/runs", "--out", "drawn")
    assert (said.code, said.err) == (0, "") and "small: stopped at 40 of 150 trials, or still running; drawn from" in said.out
    assert titles == [("A small sweep (40 of 150 trials)", 40)]
    assert harness("report").code == 0 and FAR in Path("results/runs/report.html").read_text(encoding="utf-8")
    assert FAR in harness("claims", T32).out and FAR in harness("claims", "--json").err
    cell = project.sweep(**ONE).cells[0].identity
    assert harness("replay", f"small/{cell}/39/A_binClas").code == 0


@pytest.mark.law
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
    said = harness("check", "experiments/small.yaml", *ALONE)
    assert (said.code, said.err) == (3, "") and "stopped at 3 of 300 trials" in said.out


@pytest.mark.law
def test_run_completes_what_was_stopped(project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "Local", SerialOnly)
    stop(project, 40)
    said = harness("check", "experiments/small.yaml", *ALONE, "--run")
    assert said.code == 0 and "110 trials run, 40 rows were there" in said.out


def test_3_at_best_when_a_table_has_fewer_trials_than_its_spec_asks_for(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep(**ONE | {"trials": "140"}))
    assert harness("check", "experiments/small.yaml", *ALONE).code == 0
    project.spec(**ONE)
    said = harness("check", "experiments/small.yaml", *ALONE)
    assert said.code == 3 and "1 printed: 1 holds" in said.out
    assert "small: results/runs/small.parquet has 140 of 150 trials; judged on what is there" in said.out
    project.run(Sweep(project.spec(**ONE), {"trials": "2"}), fresh=True)
    assert "has 2 of 150 trials (made with --trials 2)" in harness("check", "experiments/small.yaml", *ALONE).out


def test_it_is_complete_with_more_trials_than_its_spec_asks_for(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep(**ONE))
    project.spec(**ONE | {"trials": "20"})
    assert harness("check", "experiments/small.yaml", *ALONE).code == 0


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


@pytest.mark.at_once("another's")
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


@pytest.mark.at_once("of another kind", "another's", "of more cells")
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


@pytest.mark.law
def test_accept_reads_all_before_it_writes_any(project: "Project", harness: "Harness") -> None:
    for name in ("small", "other"):
        project.run(project.sweep(name, **ONE))
    before = project.files()
    project.text("title: [", "other")
    said = harness("accept", "small", "other")
    assert said.code == 2 and said.err.startswith("error: experiments/other.yaml:") and project.files() == before
