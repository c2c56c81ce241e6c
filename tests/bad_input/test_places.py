"""Where a path option may lead: a place on this machine, `~` being home, and never onto what the program did not write."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import typer

import harness as package
from harness import cli
from harness.sweep.errors import InputError
from harness.sweep.files import local
from tests.support.doctored import ONE

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

SPEC = "experiments/small.yaml"
NOWHERE = ["s3://bucket/runs", "file:///tmp/runs", "gs:/x", "", " ", "~nobody-is-called-so/runs"]
PLACES = [
    (name, option.opts[0])
    for name, command in typer.main.get_command(cli.app).commands.items()  # type: ignore[attr-defined]
    for option in command.params
    if option.name in ("out", "html", "summary", "results")
]
NEEDED = {
    "run": [SPEC],
    "accept": ["small"],
    "replay": ["small/0/0/A_binClas"],
    "table": ["small"],
    "claims": [],
    "figures": [],
}


@pytest.mark.parametrize("said", NOWHERE)
@pytest.mark.parametrize(("command", "option"), PLACES)
def test_what_is_no_place_here_is_refused(project: "Project", harness: "Harness", command: str, option: str, said: str) -> None:
    project.sweep(**ONE)
    before = project.files()
    ended = harness(command, *NEEDED.get(command, []), option, said)
    assert ended.code == 2 and "allowed:" in " ".join(ended.err.replace("│", " ").split())
    assert project.files() == before


def test_they_are_options_of_all_commands_that_take_a_path() -> None:
    assert {("run", "--out"), ("check", "--out"), ("report", "--html"), ("check", "--summary"), ("figures", "--results")} <= {
        *PLACES
    }


def test_a_tilde_is_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert local("~/runs") == tmp_path / "runs" and local("a/~") == Path("a/~")


def test_from_python_too(project: "Project") -> None:
    project.sweep(**ONE)
    with pytest.raises(InputError, match="is an address"):
        package.run(SPEC, out="s3://bucket/runs")


@pytest.mark.parametrize("theirs", ["experiments/small.yaml", "notes.txt", "empty"])
def test_a_report_takes_the_place_of_no_other_file(project: "Project", harness: "Harness", theirs: str) -> None:
    project.run(project.sweep(**ONE))
    file = project.root / theirs
    if not file.exists():
        file.write_text("" if theirs == "empty" else "mine\n", encoding="utf-8")
    before = file.read_bytes()
    ended = harness("report", SPEC, "--html", theirs)
    assert ended.code == 2 and f"{theirs}: is no report, and is not overwritten" in ended.err
    assert file.read_bytes() == before
    for _ in range(2):
        assert harness("report", SPEC, "--html", "page.html").code == 0
