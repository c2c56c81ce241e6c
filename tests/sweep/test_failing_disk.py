"""A disk that fails at any operation, and a clock that is set back: nothing is lost, and the same command takes it up."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.run.store import Store
from tests.support.doctored import ONE

if TYPE_CHECKING:
    from tests.support.project import Harness, Project


def told(work: Callable[[], object]) -> str:
    """What a command would tell in one line; empty where the work comes to its end."""
    try:
        work()
    except (CannotRunError, InputError, OSError) as error:
        return str(error)
    return ""


OPERATIONS = ("fsync", "replace", "mkdir", "unlink", "open")


class Failing:
    """An operation of the system that fails at one of its calls and at all after it."""

    def __init__(self, operation: Callable[..., Any], number: int, at: int) -> None:
        self.operation, self.number, self.at, self.calls = operation, number, at, 0

    def __call__(self, *given: Any, **named: Any) -> Any:
        self.calls += 1
        if self.calls >= self.at:
            raise OSError(self.number, os.strerror(self.number))
        return self.operation(*given, **named)


@pytest.mark.at_once("replace-full")
@pytest.mark.parametrize("number", [errno.ENOSPC, pytest.param(errno.EIO, marks=pytest.mark.law)], ids=["full", "broken"])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_disk_that_fails_at_any_operation_loses_nothing(
    project: "Project", monkeypatch: pytest.MonkeyPatch, operation: str, number: int
) -> None:
    """Its first call, its second, and so on, until the run comes to its end; then the disk is mended, and the run taken up.

    What an error of the device says is tried every night.
    """
    monkeypatch.setattr(Store, "flush_seconds", -1.0)  # every batch is a part
    sweep = project.sweep(m="20", learner="leftmost", trials="3")
    whole = project.run(sweep).table.fingerprint
    for at in range(1, 100):
        project.store(sweep).path.unlink()
        failing = Failing(getattr(os, operation), number, at)
        with monkeypatch.context() as patch:
            patch.setattr(os, operation, failing)
            said = told(lambda: project.run(sweep, batch_seconds=0))
        ended = not said
        assert ended or os.strerror(number) in said
        kept = project.store(sweep).seen()
        again = project.run(sweep)
        assert again.table.fingerprint == whole and again.resumed == (kept.table.rows.num_rows if kept else 0)
        assert {path for path in project.files() if "small" in path} <= {
            "results/runs/small.parquet",
            "results/runs/.small/lock",
        }
        if ended:
            break
    assert ended and (at > 1 or (operation == "unlink" and failing.calls == 0))


WRITES = {
    "report": ("report", "experiments/small.yaml", "--html", "results/page.html"),
    "figures": ("figures", "small", "--results", "results/runs", "--out", "figures"),
    "accept": ("accept", "small", "--anyway"),
}


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
@pytest.mark.parametrize("operation", ["fsync", "replace"])
@pytest.mark.parametrize("words", WRITES.values(), ids=WRITES)
def test_a_disk_that_fills_while_a_page_or_a_reference_is_written_spoils_nothing(
    project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], operation: str
) -> None:
    """No file is half written or left behind, and the same command ends well once there is room."""
    project.run(project.sweep(**ONE))
    Path("figures").mkdir()
    assert harness(*words).code == 0
    before = {path: bool((project.root / path).read_bytes()) for path in project.files()}
    for at in range(1, 100):
        failing = Failing(getattr(os, operation), errno.ENOSPC, at)
        with monkeypatch.context() as patch:
            patch.setattr(os, operation, failing)
            ended = harness(*words)
        assert ended.code in (0, 4) and "Traceback" not in ended.err, (at, ended)
        aside = {path for path in project.files() if "/.accepted~/" in path}  # what the next acceptance goes on from
        assert {path: bool((project.root / path).read_bytes()) for path in {*project.files()} - aside} == before, at
        if not ended.code:
            break
        assert "No space left on device" in ended.err, (at, ended)
    assert not ended.code and harness(*words).code == 0 and {*project.files()} == {*before}


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_a_clock_that_is_set_back_runs_and_loses_nothing(project: "Project", harness: "Harness") -> None:
    """Files that are older than what they are made of, or from the future: at most a figure is drawn once more."""
    words = ("run", project.spec(**ONE), "--serial")
    assert harness(*words).code == 0
    before = project.table().fingerprint
    for table, figure in ((2e9, 1e9), (1e9, 2e9), (0, 0), (4e9, 4e9)):
        for path in Path("results/runs").glob("small.*"):
            when = table if path.suffix == ".parquet" else figure
            os.utime(path, (when, when))
        said = harness(*words)
        assert said.code == 0 and "small: nothing to do" in said.out and project.table().fingerprint == before
        assert harness("check", "experiments/small.yaml", "--no-reference").code == 0
