"""What is on disk while a run is under way, and after all that can happen to it."""

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from harness.sweep.errors import InputError
from harness.sweep.files.object_store import Location
from harness.sweep.run.batches import Batches, Serial
from harness.sweep.run.store import Store
from harness.sweep.run.work import Result
from harness.sweep.table.parquet_writer import write_groups
from harness.sweep.table.table import Table

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

pytestmark = pytest.mark.usefixtures("blocks_of_one")

PARTS = Path("results/runs/.small")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are put on disk as each batch arrives, not once a second."""
    monkeypatch.setattr(Store, "flush_seconds", -1.0)


class Stopping(Serial):
    """Runs some batches and stops, as if there were no more."""

    def __init__(self, batches: int) -> None:
        self.batches = batches

    def run(self, batches: Batches) -> Iterator[Result]:
        for _, result in zip(range(self.batches), super().run(batches), strict=False):
            yield result
        raise KeyboardInterrupt


@pytest.mark.usefixtures("impatient")
def test_rows_are_on_disk_as_they_arrive_and_parts_become_the_table(project: "Project") -> None:
    sweep = project.sweep()
    with pytest.raises(KeyboardInterrupt):
        project.run(sweep, Stopping(3), batch_seconds=0)
    assert project.files() == {f"{PARTS}/{name}" for name in ("lock", *(f"00000000{part}.parquet" for part in (1, 2, 3)))}
    assert [Table.read(part).rows.num_rows for part in sorted(PARTS.glob("*.parquet"))] == [2, 2, 2]
    project.run(sweep)
    assert project.files() == {"results/runs/small.parquet", f"{PARTS}/lock"}


@pytest.mark.law
def test_a_flush_that_is_stopped_once_it_has_written_writes_the_same_part_again(
    project: "Project", monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = project.run(project.sweep("other")).table.rows
    store, write = project.store(project.sweep()), Table.write

    def stopped(table: Table, path: Path, folder: int | None) -> None:
        write(table, path, folder)
        raise KeyboardInterrupt

    with store.locked():
        store.add(rows[:3])
        with monkeypatch.context() as patched:
            patched.setattr(Table, "write", stopped)
            with pytest.raises(KeyboardInterrupt):
                store.flush()
        store.flush()
        assert [Table.read(part).rows.num_rows for part in store.parts()] == [3]
        store.add(rows[3:4])
        store.flush()
        assert [Table.read(part).rows.num_rows for part in store.parts()] == [3, 1]


def test_rows_wait_for_about_a_second(project: "Project", monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr("harness.sweep.run.store.monotonic", lambda: clock[0])
    rows = project.run(project.sweep("other")).table.rows
    store = project.store(project.sweep())
    with store.locked():
        store.add(rows[:1])
        clock[0] += 0.9
        store.add(rows[1:3])
        assert store.finished().rows.num_rows == 0
        clock[0] += 0.2
        store.add(rows[3:4])
        assert store.finished().rows.equals(rows[:4])
        store.add(rows[4:5])
        store.flush()
        store.flush()
        assert store.finished().rows.equals(rows[:5])
    assert len(list(PARTS.glob("*.parquet"))) == 2


HOLD = """
import sys
from pathlib import Path
from harness.sweep.run.store import Store

with Store(Path("results/runs"), "small", {}).locked():
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def other_run(project: "Project") -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the same experiment."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD], cwd=project.root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "held\n"
        yield process
        process.kill()


@pytest.mark.process
@pytest.mark.usefixtures("quick_figures")
def test_a_second_run_of_the_same_experiment_is_kept_out_until_the_first_is_gone(
    project: "Project", harness: "Harness", other_run: subprocess.Popen[str]
) -> None:
    said = harness("run", project.spec(), "--serial")
    assert said.code == 4 and said.out == ""
    assert said.err == "error: another run is writing results/runs/small.parquet; wait for it, or choose another --out\n"
    assert harness("run", project.spec(), "--serial", "--out", "elsewhere").code == 0
    assert harness("run", project.spec("other"), "--serial").code == 0
    other_run.kill()
    other_run.wait(60)
    assert harness("run", project.spec(), "--serial").code == 0


@pytest.mark.law
@pytest.mark.usefixtures("impatient")
def test_who_looks_while_parts_become_the_table_sees_all_rows(project: "Project", monkeypatch: pytest.MonkeyPatch) -> None:
    """The run ends just when they have been listed; and what it had before that is seen in parts."""
    sweep = project.sweep()
    assert project.store(sweep).seen() is None
    with pytest.raises(KeyboardInterrupt):
        project.run(sweep, Stopping(3), batch_seconds=0)
    seen = project.store(sweep).seen()
    assert seen is not None and not seen.complete and seen.table.rows.num_rows == 6
    listed = Store.parts

    def ending(store: Store) -> list[Location]:
        found = listed(store)
        with monkeypatch.context() as patch:
            patch.setattr(Store, "parts", listed)
            project.run(sweep)
        return found

    with monkeypatch.context() as patch:
        patch.setattr(Store, "parts", ending)
        seen = project.store(sweep).seen()
    assert seen is not None and seen.complete and seen.table.rows.num_rows == 32


@pytest.mark.usefixtures("impatient")
def test_who_looks_is_told_of_parts_that_others_have_made(project: "Project") -> None:
    with pytest.raises(KeyboardInterrupt):
        project.run(project.sweep(), Stopping(3), batch_seconds=0)
    part = PARTS / "000000002.parquet"
    table = Table.read(part)
    Table(table.rows, table.provenance | {"makes": table.provenance["makes"] | {"seed": 8}}).write(part)
    with pytest.raises(InputError, match=f"^{part}: was made with seed 8, what lies in {PARTS}/ with 7; "):
        project.store(project.sweep()).seen()


def test_the_lock_is_let_go_when_a_run_fails(project: "Project") -> None:
    with pytest.raises(KeyboardInterrupt):
        project.run(project.sweep(), Stopping(1))
    assert project.run(project.sweep()).written


def test_scraps_of_a_killed_run_are_swept_up_and_nothing_else_is(project: "Project") -> None:
    PARTS.mkdir(parents=True)
    scraps = [Path("results/runs/.small.parquet-x1y2z3_4"), PARTS / ".000000001.parquet-x1y2z3_4"]
    others = [Path("results/runs/.smaller.parquet-x1y2z3_4"), Path("results/runs/.hidden"), Path("results/runs/notes.txt")]
    for path in (*scraps, *others):
        path.write_bytes(b"half a file")
    project.run(project.sweep())
    assert not any(path.exists() for path in scraps) and all(path.exists() for path in others)


@pytest.mark.usefixtures("impatient")
def test_a_damaged_part_is_named_and_the_rest_is_kept(project: "Project") -> None:
    sweep = project.sweep()
    with pytest.raises(KeyboardInterrupt):
        project.run(sweep, Stopping(3), batch_seconds=0)
    part = PARTS / "000000002.parquet"
    part.write_bytes(part.read_bytes()[:-7])
    before = project.files()
    with pytest.raises(InputError, match=f"^{part}: damaged"):
        project.run(sweep)
    assert project.files() == before
    part.unlink()
    resumed = project.run(sweep)
    assert (resumed.ran, resumed.resumed) == (14, 4)


@pytest.mark.usefixtures("quick_figures")
def test_a_damaged_table_is_named_and_left_alone(project: "Project", harness: "Harness") -> None:
    spec = project.spec()
    harness("run", spec, "--serial")
    path = Path("results/runs/small.parquet")
    path.write_bytes(path.read_bytes()[:-100])
    before = path.read_bytes()
    for words in (("run", spec, "--serial"), ("check", spec), ("accept", "small")):
        said = harness(*words)
        assert (said.code, said.out) == (2, "")
        assert said.err.startswith("error: results/runs/small.parquet: damaged, or not a Parquet file: ")
        assert said.err.count("\n") == 1 and path.read_bytes() == before
    assert harness("run", spec, "--serial", "--fresh").code == 0
    assert project.table().rows.num_rows == 32


@pytest.mark.law
@pytest.mark.parametrize("after", [0, 1, 4])
@pytest.mark.usefixtures("impatient", "quick_figures")
def test_a_disk_that_fills_up_costs_nothing_that_was_there(
    project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    """It fills up after so many files: at once, amid the parts, or at the table."""
    project.run(project.sweep(trials="2"))
    before, files = project.table(), project.files()
    left, write = [after], write_groups

    def filling(*given: Any, **options: Any) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(*given, **options)

    with monkeypatch.context() as disk:
        disk.setattr("harness.sweep.table.table.write_groups", filling)
        said = harness("run", project.spec(trials="3", learner="[midpoint, leftmost]"), "--serial", "--batch-seconds", "0")
    assert said.code == 4 and said.out.startswith("small: 4 trials in 4 cells, about ") and said.out.count("\n") == 1
    assert said.err.count("\n") == 1 and "cannot be written: No space left on device" in said.err
    assert project.table().rows.equals(before.rows)
    assert project.files() - files == {f"{PARTS}/00000000{part + 1}.parquet" for part in range(after)}

    said = harness("run", project.spec(trials="3", learner="[midpoint, leftmost]"), "--serial")
    did = f"{4 - after} trials run" if after < 4 else "nothing to do"
    assert said.code == 0 and f"small: {did}, {16 + 2 * after} rows were there" in said.out
    assert project.table().rows.num_rows == 24


def test_a_folder_that_cannot_be_written_is_an_error_of_one_line(project: "Project", harness: "Harness") -> None:
    """Below a file not even root can make a folder."""
    Path("file").write_text("here already")
    said = harness("run", project.spec(), "--serial", "--out", "file/runs")
    assert (said.code, said.out) == (4, "")
    assert said.err == "error: file/runs/.small cannot be written: Not a directory\n"


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_a_figure_that_cannot_be_written_is_an_error_of_one_line(project: "Project", harness: "Harness") -> None:
    Path("results/runs/small.png").mkdir(parents=True)
    said = harness("run", project.spec(), "--serial")
    assert said.code == 4 and said.err.count("\n") == 1 and "small.png" in said.err
    assert project.table().rows.num_rows == 32
