"""The workflow for GitHub is what it says: every command in it is one that there is, on files that there are."""

import os
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from harness import cli

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def jobs(path: Path) -> dict[str, Any]:
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow[True].keys() <= {"push", "pull_request"}  # to YAML 1.1 the key `on` is true
    found: dict[str, Any] = workflow["jobs"]
    return found


def lines(path: Path) -> list[list[str]]:
    """The words of every line of shell."""
    steps = [step for job in jobs(path).values() for step in job["steps"]]
    return [shlex.split(line) for step in steps for line in step.get("run", "").splitlines()]


def commands(path: Path) -> list[list[str]]:
    return [words[1:] for words in lines(path) if words[0] == "harness"]


def test_there_is_a_workflow_that_checks_the_bounds_and_shows_them() -> None:
    assert [path.name for path in WORKFLOWS] == ["bounds.yml"]
    checks = [words for words in commands(WORKFLOWS[0]) if words[0] == "check"]
    assert all(words[-2:] == ["--summary", "$GITHUB_STEP_SUMMARY"] for words in checks)
    ((fresh,),) = [[words for words in commands(WORKFLOWS[0]) if words[0] == "run"]]
    assert ["check"] == [words[0] for words in checks if len(words) == 3]  # all that is committed
    assert fresh[1:] in [words[1:-2] for words in checks]  # and what was run, where it was written


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_job_checks_out_and_what_it_installs_is_what_the_lock_file_names(path: Path) -> None:
    for job in jobs(path).values():
        used = [re.fullmatch(r"([\w/-]+)@v\d+", step["uses"]) for step in job["steps"] if "uses" in step]
        assert [action and action[1] for action in used] == ["actions/checkout", "actions/setup-python"]
        (python,) = [step["with"]["python-version"] for step in job["steps"] if "with" in step]
        assert isinstance(python, str) and python >= "3.11"
    installs = [words for words in lines(path) if words[:2] == ["pip", "install"]]
    assert installs and all(words[-2:] == ["-c", "requirements.lock"] for words in installs)
    assert (ROOT / "requirements.lock").is_file()


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_command_is_one_that_the_command_line_takes_and_names_files_that_are_there(path: Path) -> None:
    """Parsed as the command line would, without running: an option that is not there raises."""
    known = typer.main.get_command(cli.app).commands  # type: ignore[attr-defined]
    assert commands(path)
    for name, *words in commands(path):
        context = known[name].make_context(name, list(words))
        assert all((ROOT / spec).is_file() for spec in context.params.get("specs") or ())
    scripts = {words[0] for words in lines(path)} - {"pip", "harness"}
    assert all(os.access(ROOT / script, os.X_OK) for script in scripts)


def test_a_job_of_its_own_has_the_lowest_versions() -> None:
    (steps,) = [job["steps"] for name, job in jobs(WORKFLOWS[0]).items() if name == "lowest"]
    assert [step["run"] for step in steps if "run" in step] == [".ci/lowest"]
    (python,) = [step["with"]["python-version"] for step in steps if "with" in step]
    assert f">={python}" == tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]


def test_what_runs_afresh_here_is_what_runs_afresh_on_github() -> None:
    """And each of it is compared: there is a committed table."""
    ((fresh,),) = [[words for words in commands(WORKFLOWS[0]) if words[0] == "run"]]
    there = [Path(word).stem for word in fresh if word.endswith(".yaml")]
    (few,) = re.findall(r"^few=\((.*)\)$", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
    assert few.split() == there
    assert all((ROOT / "results" / f"{name}.parquet").is_file() for name in there)
