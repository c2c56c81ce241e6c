"""`harness accept`: a reference is replaced only by its like, together with its figures, or not at all. About ten seconds."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from shutil import copytree
from typing import TYPE_CHECKING

import pandas as pd
import pytest

from harness.report.settings import View
from harness.report.stored import FORMATS
from harness.sweep.errors import CannotRunError
from harness.sweep.run.batches import Serial
from harness.sweep.run.store import Store
from harness.sweep.spec import Sweep
from harness.sweep.table.schema import tabulated
from harness.sweep.table.table import Table
from tests.support.picture import CAPTION

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

FRESH, REFERENCE = Path("results/runs/small.parquet"), Path("results/small.parquet")
KEPT = {"results/small.parquet", "figures/small.png", "figures/small.pdf", "figures/small.svg", "figures/small.tex"}
AUDIT: dict[str, str | None] = dict.fromkeys(("concept", "distribution", "learner", "n", "m")) | {
    "kind": "audit",
    "eps": "[1, 2]",
    "runs": "200",
    "mechanisms": "[A_stab_printed]",
    "claims": '["audit"]',
    "figure": "{plot: audit, x: eps, y: hits}",
}
NOT_ASKED_FOR = "not the table that experiments/small.yaml asks for: "
NOT_ITS = "not the table of experiments/small.yaml: "
INSIST = "; --anyway accepts it all the same"


def write(frame: pd.DataFrame, view: View, formats: Sequence[str] = FORMATS) -> dict[str, bytes]:
    """Figures that say what they show."""
    said = f"{view.spec.title}: {len(frame)} rows, eps {set(frame['eps'])}"
    return {suffix: f"{said}{CAPTION.decode() * (suffix == 'tex')}".encode() for suffix in formats}


@pytest.fixture(autouse=True)
def told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.report.figures.rendered", write)


@pytest.fixture
def reference(project: "Project", harness: "Harness", module_project: "Project") -> "Project":
    """A project with a fresh table that is the reference, which the first test keeps for all."""
    accepted = module_project.root / "accepted"
    if not accepted.exists():
        assert harness("run", project.spec(), "--serial").code == harness("accept", "small").code == 0
        copytree(".", accepted)
    copytree(accepted, ".", dirs_exist_ok=True)
    return project


def contents(project: "Project") -> dict[str, bytes]:
    """All files of references, hidden ones too."""
    return {path: (project.root / path).read_bytes() for path in project.files() if not path.startswith("results/runs")}


def anew(project: "Project", name: str = "small", /, **changes: str | None) -> None:
    """The fresh table of the spec with changes, which stay in it."""
    project.run(project.sweep(name, **changes), fresh=True)


def overridden(project: "Project", name: str = "small", /, **settings: str) -> None:
    """The fresh table of a run with --set, and with --trials."""
    project.run(Sweep(project.spec(name), settings), fresh=True)


def few_rows(project: "Project") -> None:
    table = project.table()
    Table(table.rows[:3], table.provenance).write(FRESH)


def changed(project: "Project", **changes: str) -> None:
    project.spec(**changes)


def none(project: "Project") -> None:
    Table(tabulated([], "answers"), project.table().provenance).write(FRESH)


def copied(project: "Project", **changes: str | None) -> None:
    project.run(project.sweep("other", **changes))
    Path("results/runs/other.parquet").rename(FRESH)


UNLIKE: dict[str, tuple[Callable[["Project"], object], str]] = {
    "another experiment's": (
        lambda project: copied(project, eps="2"),
        "4 of its cells are not among the 4 asked for, with eps = 2.0; it lacks 4 of the 4 cells; it has 0 of 16 trials "
        "(made by other)",
    ),
    "three rows": (few_rows, "it lacks 3 of the 4 cells; it has 1 of 16 trials"),
    "one trial": (lambda project: overridden(project, trials="1"), "it has 4 of 16 trials (made with --trials 1)"),
    "another eps": (
        lambda project: overridden(project, eps="3"),
        "4 of its cells are not among the 4 asked for, with eps = 3.0; it lacks 4 of the 4 cells; it has 0 of 16 trials "
        "(made with --set eps=3)",
    ),
    "a seed": (lambda project: overridden(project, seed="8"), "its seed is 8, not 7 (made with --set seed=8)"),
    "a mechanism fewer": (
        lambda project: overridden(project, mechanisms="[A_binClas]"),
        "it lacks noisy_majority in 4 of the 4 cells; it has 0 of 16 trials (made with --set 'mechanisms=[A_binClas]')",
    ),
    "a mechanism more": (
        lambda project: changed(project, mechanisms="[A_binClas]"),
        "it has rows of noisy_majority, which are not asked for",
    ),
    "the spec has other cells now": (
        lambda project: changed(project, m="[20, 80]"),
        "2 of its cells are not among the 4 asked for, with m = 50; it lacks 2 of the 4 cells; it has 8 of 16 trials",
    ),
    "the spec has more trials now": (lambda project: changed(project, trials="6"), "it has 16 of 24 trials"),
    "the rule asks for more": (
        lambda project: changed(project, trials="{until: decided, max: 500}"),
        "it has 16 of at least 1,024 trials",
    ),
}


@pytest.mark.at_once("a mechanism fewer", "another eps")
@pytest.mark.parametrize(("change", "says"), UNLIKE.values(), ids=UNLIKE)
def test_what_is_not_the_specs_whole_table_is_refused_and_taken_only_by_one_who_insists(
    reference: "Project", harness: "Harness", change: Callable[["Project"], object], says: str
) -> None:
    before = contents(reference)
    change(reference)
    said = harness("accept", "small")
    assert (said.code, said.out, said.err) == (2, "", f"error: {FRESH}: {NOT_ASKED_FOR}{says}{INSIST}\n")
    assert contents(reference) == before
    insisted = harness("accept", "small", "--anyway")
    assert (insisted.code, insisted.err) == (0, "")
    assert f"\n  accepted all the same: {says}\n" in insisted.out
    assert reference.table(out=Path("results")).rows.equals(reference.table().rows)
    assert contents(reference).keys() == KEPT


IMPOSSIBLE: dict[str, tuple[Callable[["Project"], object], str]] = {
    "no rows": (none, f"{NOT_ITS}it has no rows"),
    "another kind": (
        lambda project: copied(project, **AUDIT),
        f"{NOT_ITS}its trials are of kind audit, not answers (made by other)",
    ),
    "damaged": (lambda _: FRESH.write_bytes(FRESH.read_bytes()[:-9]), "damaged, or not a Parquet file: "),
    "none": (lambda _: FRESH.unlink(), "no such table\n"),
}


@pytest.mark.parametrize("insist", [(), ("--anyway",)], ids=["", "anyway"])
@pytest.mark.parametrize(("change", "says"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_what_no_figure_can_be_drawn_from_never_becomes_a_reference(
    reference: "Project", harness: "Harness", change: Callable[["Project"], object], says: str, insist: tuple[str, ...]
) -> None:
    before = contents(reference)
    change(reference)
    said = harness("accept", "small", *insist)
    assert (said.code, said.out) == (2, "") and said.err.startswith(f"error: {FRESH}: {says}") and said.err.count("\n") == 1
    assert contents(reference) == before


@pytest.mark.parametrize(
    "changes",
    [
        {"title": "Another"},
        {"question": "Why?"},
        {"figure": "{x: m, y: bottoms, panels: [learner]}"},
        {"claims": "[]"},
        {"trials": "3"},
    ],
)
def test_a_title_a_figure_or_fewer_trials_in_the_spec_change_nothing_that_matters(
    reference: "Project", harness: "Harness", changes: dict[str, str | None]
) -> None:
    reference.spec(**changes)
    said = harness("accept", "small")
    assert (said.code, said.err) == (0, "") and "all the same" not in said.out
    assert Path("figures/small.png").read_text() == f"{changes.get('title', 'A small sweep')}: 32 rows, eps {{1.0}}"


@pytest.mark.law
def test_a_rule_until_decided_is_met_by_what_it_asks_for(reference: "Project", harness: "Harness") -> None:
    changes: dict[str, str | None] = {
        "trials": "{until: decided, max: 300}",
        "m": "20",
        "learner": "leftmost",
        "figure": "{x: m}",
    }
    anew(reference, **changes)
    assert (harness("accept", "small").code, reference.table().rows.num_rows) == (0, 2 * 256)
    table = reference.table()
    Table(table.rows[:-2], table.provenance).write(FRESH)
    said = harness("accept", "small")
    assert said.code == 2 and "it has 255 of at least 256 trials" in said.err


@pytest.mark.law
def test_it_says_what_the_reference_before_held_and_the_new_one_does_not(reference: "Project", harness: "Harness") -> None:
    anew(reference, m="20", trials="3")
    said = harness("accept", "small")
    assert said.code == 0
    assert said.out.splitlines()[-1] == "  the reference before had 20 rows in 4 cells that it has not"
    assert "reference before" not in harness("accept", "small").out


@pytest.fixture
def stopped(reference: "Project", monkeypatch: pytest.MonkeyPatch) -> "Project":
    """A longer run of the same experiment, stopped after three batches."""
    take = Serial.run

    def three(engine: Serial, batches: object) -> Iterator[object]:
        for _, result in zip(range(3), take(engine, batches), strict=False):  # type: ignore[arg-type]
            yield result
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Store, "flush_seconds", -1.0)
        patch.setattr(Serial, "run", three)
        with suppress(KeyboardInterrupt):
            reference.run(reference.sweep(trials="9"), batch_seconds=0)
    return reference


@pytest.mark.at_once("")
@pytest.mark.usefixtures("blocks_of_one")
@pytest.mark.parametrize("insist", [(), ("--anyway",)], ids=["", "anyway"])
def test_a_run_that_was_stopped_never_becomes_a_reference(
    stopped: "Project", harness: "Harness", insist: tuple[str, ...]
) -> None:
    before = contents(stopped)
    said = harness("accept", "small", *insist)
    assert (said.code, said.out) == (2, "") and contents(stopped) == before
    again = "or still running; `harness run experiments/small.yaml` completes it"
    assert said.err == f"error: {FRESH}: stopped at 19 of 36 trials, {again}\n"


@pytest.mark.at_once("the first")
@pytest.mark.parametrize("first", [True, False], ids=["the first", "the second"])
def test_when_a_figure_cannot_be_drawn_nothing_is_replaced(
    reference: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch, first: bool
) -> None:
    """Of either of two experiments."""
    anew(reference, "other")
    before = contents(reference)

    def broken(frame: pd.DataFrame, view: View, formats: Sequence[str] = FORMATS) -> dict[str, bytes]:
        if (view.spec.title == "Another") == first:
            raise ValueError("a plot\nthat is broken")
        return write(frame, view, formats)

    monkeypatch.setattr("harness.report.figures.rendered", broken)
    anew(reference, title="Another", trials="5")
    said = harness("accept", "small", "other")
    assert (said.code, said.out) == (4, "")
    name = "small" if first else "other"
    assert said.err == f"error: the figure of {name} cannot be drawn from its table: ValueError: a plot\n"
    assert contents(reference) == before


@pytest.mark.law
@pytest.mark.parametrize("table", ["small", "other"])
def test_when_a_table_cannot_be_written_nothing_is_replaced(
    reference: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    """The disk fills up when all figures are on it and maybe a table."""
    anew(reference, "other")
    anew(reference, title="Another", trials="5")
    before, save = contents(reference), Table.write

    def full(own: Table, path: Path) -> None:
        if path.stem == table:
            raise CannotRunError(f"{path} cannot be written: No space left on device")
        save(own, path)

    monkeypatch.setattr(Table, "write", full)
    said = harness("accept", "small", "other")
    assert said.code == 4 and said.err.endswith(f"{table}.parquet cannot be written: No space left on device\n")
    assert contents(reference) == before
    assert not list(Path().glob("*/.accepted~"))


def test_what_is_in_the_way_is_named_before_anything_is_replaced(reference: "Project", harness: "Harness") -> None:
    Path("figures/small.pdf").unlink()
    Path("figures/small.pdf").mkdir()
    before = contents(reference)
    anew(reference, trials="5")
    said = harness("accept", "small")
    assert (said.code, said.err) == (4, "error: figures/small.pdf cannot be replaced: it is a folder, not a file\n")
    assert contents(reference) == before


def test_all_names_are_checked_before_any_is_replaced(reference: "Project", harness: "Harness") -> None:
    anew(reference, title="Another", trials="5")
    overridden(reference, "other", trials="1")
    before = contents(reference)
    said = harness("accept", "small", "other")
    assert said.code == 2 and said.err.startswith("error: results/runs/other.parquet: not the table that")
    assert contents(reference) == before


READERS = (
    ("check",),
    ("check", "--out", "nowhere"),
    ("figures",),
    ("report", "--out", "nowhere"),
    ("claims", "--out", "nowhere"),
    ("replay", "small/CELL/0/A_binClas", "--out", "nowhere"),
)


@pytest.mark.usefixtures("theory_untold")
def test_what_is_half_replaced_is_told_by_all_that_read_it_and_completed_by_the_next_acceptance(
    reference: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when the fresh table is no more."""
    anew(reference, title="Another", trials="5")
    cell, fresh = reference.table().rows["cell"][0].as_py(), reference.table()

    def dies(*_: object) -> None:
        raise CannotRunError("killed")

    with monkeypatch.context() as patch:
        patch.setattr("harness.report.reference._settle", dies)
        assert harness("accept", "small").code == 4
    for words in READERS:
        said = harness(*(word.replace("CELL", cell) for word in words))
        assert (said.code, said.err) == (4, f"error: {REFERENCE} is half replaced; `harness accept small` completes that\n")
    FRESH.unlink()
    said = harness("accept", "small")
    assert (said.code, said.out) == (2, f"{REFERENCE}: what was half replaced is now replaced\n")
    assert said.err == f"error: {FRESH}: no such table\n"
    assert reference.table(out=Path("results")).rows.equals(fresh.rows)
    assert Path("figures/small.pdf").read_text().startswith("Another: 40 rows")
    assert contents(reference).keys() == KEPT and not list(Path().glob("*/.accepted~"))


def test_two_at_once_do_not_mix(reference: "Project", harness: "Harness") -> None:
    lock = "fcntl.flock(os.open('results', os.O_RDONLY), fcntl.LOCK_EX)"
    hold = f"import fcntl, os, sys; {lock}; print(flush=True); sys.stdin.read()"
    before = contents(reference)
    with subprocess.Popen([sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None and other.stdout.readline()
        said = harness("accept", "small")
        other.kill()
    assert (said.code, said.err) == (4, "error: another `harness accept` is at work in results/; wait for it\n")
    assert contents(reference) == before and harness("accept", "small").code == 0
