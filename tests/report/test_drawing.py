"""What ran is what is drawn, and a figure is whole or what was there. About fifteen seconds."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
from matplotlib.figure import Figure

from harness.report import figures
from harness.report.defaults import RUNS
from harness.report.drawing import FEW, Drawing, drawn, drawn_before
from harness.report.figures.caption import Caption
from harness.report.settings import View
from harness.report.stored import FORMATS, Stored, figure_paths, gather
from harness.sweep.files.object_store import Location
from harness.sweep.run.batches import Batches, Serial
from harness.sweep.run.work import Result
from tests.support.picture import stand_in

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

SPEC = Path("experiments/small.yaml")
ONE: dict[str, str | None] = {"m": "20", "learner": "leftmost", "figure": "{x: m}"}


def folder_instead() -> None:
    """A folder in the spec's place."""
    SPEC.unlink()
    SPEC.mkdir()


EDITS: dict[str, Callable[[], object]] = {
    "another title": lambda: SPEC.write_text(SPEC.read_text().replace("A small sweep", "Another"), encoding="utf-8"),
    "another figure": lambda: SPEC.write_text(SPEC.read_text().replace("{x: m}", "{x: eps}"), encoding="utf-8"),
    "other cells": lambda: SPEC.write_text(SPEC.read_text().replace("m: 20", "m: 30"), encoding="utf-8"),
    "rubbish": lambda: SPEC.write_text("title: [", encoding="utf-8"),
    "no UTF-8": lambda: SPEC.write_bytes(b"\xff"),
    "none": SPEC.unlink,
    "a folder": folder_instead,
}
Shown = list[tuple[str, str, set[int]]]


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Shown:
    """Of each figure its title, axis and m."""
    seen: Shown = []

    def note(frame: pd.DataFrame, view: View, formats: Sequence[str] = FORMATS) -> dict[str, bytes]:
        seen.append((view.spec.title, view.figure.x, set(frame["m"])))
        return stand_in(frame, view, formats)

    monkeypatch.setattr(figures, "rendered", note)
    return seen


@pytest.mark.at_once("another title")
@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_an_edit_during_the_run_is_not_drawn_nor_in_the_table_and_the_run_ends_well(
    project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch, shown: Shown, edit: Callable[[], object]
) -> None:
    take, before = Serial.run, project.spec(**ONE).read_text()

    def edited(engine: Serial, batches: Batches) -> Iterator[Result]:
        edit()
        yield from take(engine, batches)

    monkeypatch.setattr(Serial, "run", edited)
    said = harness("run", SPEC, "--serial", "--set", "eps=2")
    assert (said.code, said.err) == (0, "") and "figure  results/runs/small.png" in said.out
    assert shown == [("A small sweep", "m", {20})]
    assert (project.table().provenance["spec"], project.table().provenance["set"]) == (before, {"eps": "2"})


EDITING = """
from pathlib import Path
class Editing:
    def fit(self, X, y):
        for number in range(99) if Path("results").exists() else ():  # all are read by then
            Path(f"experiments/e{number}.yaml").unlink(missing_ok=True)
        self.cut = X[y == 0].max(initial=0)

    def predict(self, X):
        return X[:, 0] > self.cut

LEARNER = Editing
"""


@pytest.mark.process
def test_specs_that_their_own_run_removes_are_drawn_by_several_processes(project: "Project") -> None:
    """As they were read, for all that is left of them."""
    Path("editing.py").write_text(EDITING, encoding="utf-8")
    full: dict[str, str | None] = {"sampling": "full", "n": "6e3", "T": "1", "constants": "k_tight", "k_scale": "0.03"}
    names = [f"e{number}" for number in range(FEW + 1)]
    settings = ONE | full | {"learner": "Editing", "trials": "2", "mechanisms": "[A_binClas]", "claims": "[]"}
    specs = [project.spec(name, **settings) for name in names]
    said = project.process("--plugin", "editing", "run", *specs, "--serial")
    assert (said.code, said.err) == (0, ""), said.err
    assert not list(Path("experiments").iterdir())
    for name in names:
        assert all(path.stat().st_size > 200 for path in figure_paths(Path("results/runs") / name))


@pytest.mark.law
def test_a_figure_that_was_not_drawn_when_its_table_was_written_is_drawn_by_the_same_command(
    project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch, shown: Shown
) -> None:
    """Though one of an earlier table is there."""
    assert harness("run", project.spec(**ONE), "--serial").code == 0
    with monkeypatch.context() as patch:
        patch.setattr(figures, "rendered", lambda *_: 1 / 0)
        said = harness("run", project.spec(**ONE, seed="8"), "--serial", "--fresh")
    assert (said.code, said.err) == (
        4,
        "error: the figure of small cannot be drawn from its table: ZeroDivisionError: division by zero\n",
    )
    for drawings in (2, 2):
        assert "nothing to do" in harness("run", SPEC, "--serial").out and len(shown) == drawings


@pytest.mark.law
def test_options_that_change_only_what_is_shown_are_drawn(project: "Project", harness: "Harness", shown: Shown) -> None:
    for options, title in (((), "A small sweep"), (("--set", "title=Another"), "Another"), ((), "A small sweep")):
        assert harness("run", project.spec(**ONE), "--serial", *options).code == 0
        assert shown[-1][0] == title
    assert len(shown) == 3
    assert harness("run", SPEC, "--serial").code == 0 and len(shown) == 3


@pytest.mark.at_once("figure", "other cells", "seed")
@pytest.mark.parametrize(
    ("changes", "code", "drawn"),
    [
        ({"title": "Another"}, 0, ("Another", "m", {20})),
        ({"figure": "{x: eps}"}, 0, ("A small sweep", "eps", {20})),
        ({"m": "30"}, 2, None),
        ({"m": "[20, 30]"}, 4, None),
        ({"seed": "8"}, 2, None),
    ],
    ids=["title", "figure", "other cells", "more cells", "seed"],
)
def test_figures_are_drawn_later_by_the_spec_as_it_is_if_it_is_of_the_same_cells(
    project: "Project",
    harness: "Harness",
    shown: Shown,
    changes: dict[str, str | None],
    code: int,
    drawn: tuple[str, str, set[int]] | None,
) -> None:
    project.run(project.sweep(**ONE))
    project.spec(**ONE | changes)
    said = harness("figures", "--results", "results/runs")
    assert said.code == code and shown == ([] if drawn is None else [drawn])


def test_a_figure_is_whole_or_what_was_there(project: "Project", monkeypatch: pytest.MonkeyPatch) -> None:
    """A drawing that stops in the middle leaves nothing of it, here and where programs keep what is for a while."""
    sweep = project.sweep(**ONE)
    table = project.run(sweep).table
    for path in figure_paths(Path("figure")):
        path.write_text("as it was")

    def half(self: Figure, file: Any, **_: Any) -> None:
        file.write(b"half a")
        raise KeyboardInterrupt

    monkeypatch.setattr(Figure, "savefig", half)
    monkeypatch.setattr(tempfile, "mkdtemp", lambda *_, **__: pytest.fail("a folder that a kill would leave"))
    monkeypatch.setattr(tempfile, "tempdir", str(project.root))
    before = project.files()
    with pytest.raises(KeyboardInterrupt):
        list(drawn([Drawing(View.of(sweep), table, Path("figure"))]))
    assert project.files() == before and Path("figure.png").read_text() == "as it was"


def before(stored: Stored) -> Location | None:
    return drawn_before(stored, Caption.of(stored.frame, stored.view).text())


@pytest.mark.law
def test_what_was_drawn_is_used_again_where_its_caption_is_that_of_the_table_and_the_spec(
    project: "Project", harness: "Harness"
) -> None:
    assert harness("run", str(project.spec(**ONE)), "--serial").code == 0
    (stored,) = gather([project.sweep(**ONE)], RUNS)
    assert before(stored) == RUNS / "small.svg"
    (renamed,) = gather([project.sweep(**ONE | {"title": "Another"})], RUNS)
    (otherwise,) = gather([project.sweep(**ONE | {"figure": "{x: m, y: bottoms}"})], RUNS)
    assert before(renamed) is before(otherwise) is None
    (RUNS / "small.tex").unlink()
    assert before(stored) is None
