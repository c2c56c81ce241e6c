"""The workflows for GitHub are what they say: every command in them is one that there is, on files that there are."""

import os
import re
import runpy
import shlex
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import typer
import yaml
from packaging.utils import canonicalize_name

from harness import cli
from harness.sweep.table.table import seconds
from tests.support import tiers

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
BOUNDS, NIGHTLY, RELEASE, TESTS = (
    ROOT / ".github" / "workflows" / f"{name}.yml" for name in ("bounds", "nightly", "release", "tests")
)
ON_A_CHANGE, BY_NIGHT = {"push", "pull_request"}, {"schedule", "workflow_dispatch"}


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PYTHON = "Programming Language :: Python :: "
SUPPORTED = [each.removeprefix(PYTHON) for each in PROJECT["classifiers"] if each.startswith(PYTHON)]


def jobs(path: Path) -> dict[str, Any]:
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    when = {NIGHTLY: BY_NIGHT, RELEASE: {"push"}}.get(path, ON_A_CHANGE)
    assert workflow[True].keys() == when  # to YAML 1.1 the key `on` is true
    found: dict[str, Any] = workflow["jobs"]
    return found


HASHED = ["--require-hashes", "--no-deps", "-r", ".ci/requirements.hashes"]
RULE = runpy.run_path(str(ROOT / ".ci" / "repeated"))
LONGER = (ROOT / ".ci" / "longer").read_text(encoding="utf-8").split()
SPECS = "$(.ci/repeated)"


@cache
def repeated(*share: str) -> list[str]:
    """The specs that every change runs afresh, or a share of them."""
    ran = subprocess.run([sys.executable, ROOT / ".ci" / "repeated", *share], check=True, capture_output=True, text=True)
    return ran.stdout.split()


def lines(path: Path) -> list[list[str]]:
    """The words of every line of shell."""
    steps = [step for job in jobs(path).values() for step in job["steps"]]
    return [
        shlex.split(line.replace(SPECS, " ".join(repeated()))) for step in steps for line in step.get("run", "").splitlines()
    ]


def commands(path: Path) -> list[list[str]]:
    return [words[1:] for words in lines(path) if words[0] == "harness"]


def test_there_is_a_workflow_that_checks_the_bounds_and_shows_them() -> None:
    assert WORKFLOWS == [BOUNDS, NIGHTLY, RELEASE, TESTS]
    checks = [words for words in commands(BOUNDS) if words[0] == "check"]
    assert all(words[-2:] == ["--summary", "$GITHUB_STEP_SUMMARY"] for words in checks)
    ((fresh,),) = [[words for words in commands(BOUNDS) if words[0] == "run"]]
    assert ["check"] == [words[0] for words in checks if len(words) == 3]  # all that is committed
    assert fresh[:2] == ["run", "--tables-only"]
    assert fresh[2:] in [words[1:-2] for words in checks]  # and what was run, where it was written


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_job_checks_out_and_what_it_installs_is_what_the_lock_file_names(path: Path) -> None:
    """An action is named by its commit, which nobody can move, with its version beside it."""
    text = path.read_text(encoding="utf-8")
    assert text.count("uses: ") == len(re.findall(r"uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+\n", text)) > 0
    for job in jobs(path).values():
        used = [re.fullmatch(r"([\w/-]+)@[0-9a-f]{40}", step["uses"]) for step in job["steps"] if "uses" in step]
        assert [action and action[1] for action in used] == ["actions/checkout", "actions/setup-python"]
        (python,) = [step["with"]["python-version"] for step in job["steps"] if "with" in step]
        pythons = job["strategy"]["matrix"]["python"] if "strategy" in job else [python]
        assert python in (pythons[0], "${{ matrix.python }}")
        assert all(isinstance(each, str) and each in SUPPORTED for each in pythons)
    installs = [words for words in lines(path) if words[:2] == ["pip", "install"]]
    assert bool(installs) == (path not in (NIGHTLY, RELEASE))  # whose scripts install
    hashed = [["pip", "install", *HASHED], ["pip", "install", "--no-deps", "-e", "."]]
    assert installs == hashed if path == BOUNDS else all(words[-2:] == ["-c", "requirements.lock"] for words in installs)
    assert (ROOT / "requirements.lock").is_file()


def test_the_locked_versions_have_hashes_and_a_release_has_a_bill_of_them() -> None:
    """After a change of the lock, .ci/hashes makes the file anew. Hashes are of one platform's files, that of the jobs."""
    told = [line.split() for line in shell("requirements.hashes") if not line.startswith("#")]
    assert all(len(words) == 2 and re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", words[1]) for words in told)
    locked = [
        line for line in (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines() if not line.startswith("#")
    ]
    versions, hashed = (
        sorted((canonicalize_name(name), version) for name, version in (each.split("==") for each in named))
        for named in (locked, [words[0] for words in told])
    )
    assert versions == hashed
    assert "Python 3.11 on Linux x86_64" in shell("requirements.hashes")[0]
    assert lines(RELEASE) == [
        [".ci/release", "dist"],
        ["gh", "release", "create", "$GITHUB_REF_NAME", "--generate-notes", "dist/*"],
    ]
    release = "\n".join(shell("release"))
    assert " ".join(HASHED) in release and re.search(r"cyclonedx-py\W+environment .*--output-format JSON", release)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_command_is_one_that_the_command_line_takes_and_names_files_that_are_there(path: Path) -> None:
    """Parsed as the command line would, without running: an option that is not there raises."""
    known = typer.main.get_command(cli.app).commands  # type: ignore[attr-defined]
    for name, *words in commands(path):
        context = known[name].make_context(name, list(words))
        assert all((ROOT / spec).is_file() for spec in context.params.get("specs") or ())
    scripts = {words[0] for words in lines(path)} - {"pip", "harness", "ruff", "mypy", "pytest", "gh"}
    assert all(os.access(ROOT / script, os.X_OK) for script in scripts)


def test_a_job_of_its_own_has_the_lowest_versions() -> None:
    (steps,) = [job["steps"] for name, job in jobs(BOUNDS).items() if name == "lowest"]
    assert [step["run"] for step in steps if "run" in step] == [".ci/lowest"]
    (python,) = [step["with"]["python-version"] for step in steps if "with" in step]
    assert f">={python}" == tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]


def test_the_tests_of_a_change_run_on_every_supported_python() -> None:
    """Those that the package says it is for; the one that is in the README is the lowest."""
    ((_, job),) = jobs(TESTS).items()
    assert job["strategy"]["matrix"]["python"] == SUPPORTED
    assert f"You need Python {SUPPORTED[0]} or later" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert {*SUPPORTED} <= {*re.findall(r"3\.\d\d", " ".join(shell("package")))}


def shell(script: str) -> list[str]:
    return (ROOT / ".ci" / script).read_text(encoding="utf-8").splitlines()


def test_every_change_is_linted_typed_and_tested_as_the_readme_says() -> None:
    (told,) = [
        line for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines() if "pip install -e '.[test]'" in line
    ]
    said = [shlex.split(each) for each in told.split("&&")]
    assert [words for words in lines(TESTS) if words[0] in ("pip", "pytest")] == said
    assert [words for words in lines(TESTS) if words not in said] == [
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["mypy"],
        [".ci/package", "here"],
    ]
    assert "beside package .ci/package here" in shell("run")
    assert ".ci/package" in shell("nightly")
    assert {"ruff check .", "ruff format --check .", 'eval "${tests#*&&}"'} <= set(shell("run"))
    assert any(line.startswith("beside types mypy ") for line in shell("run"))


def test_every_night_runs_what_a_change_leaves_out() -> None:
    """Each marker, all of the lowest versions, and properties, those of the theory most, on more examples than on a change."""
    assert lines(NIGHTLY) == [[".ci/nightly"], [".ci/history", "push"]]
    asked = [shlex.split(line) for line in shell("nightly") if line.startswith("pytest ")]
    selected = " or ".join(words[words.index("-m") + 1] for words in asked if "-m" in words)
    assert sorted(selected.split(" or ")) == sorted([*tiers.MARKERS, "hypothesis"])
    assert ".ci/lowest" in shell("nightly") and {"often", "thorough"} <= {word for words in asked for word in words}


def test_tiers_name_files_that_there_are_and_a_plain_pytest_leaves_them_out() -> None:
    assert all((ROOT / "tests" / place).exists() for places in tiers.OF.values() for place in places)
    options = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]["addopts"]
    words = shlex.split(options)
    assert words[words.index("-m") + 1] == tiers.FIRST


@pytest.mark.parametrize(
    ("given", "asked", "selected"),
    [
        (tiers.FIRST, ["tests"], tiers.FIRST),
        (tiers.FIRST, ["tests/sweep"], tiers.FIRST),
        (tiers.FIRST, ["tests/benchmarks"], ""),
        (tiers.FIRST, ["tests/benchmarks/"], ""),
        (tiers.FIRST, ["tests/sweep/test_faults.py"], ""),
        (tiers.FIRST, ["tests/sweep/test_faults.py::test_it", "tests/test_api.py"], ""),
        (tiers.FIRST, ["tests/sweep/test_faults.py", "tests/theory"], tiers.FIRST),
        ("law", ["tests/sweep/test_faults.py"], "law"),
        ("", ["tests"], ""),
    ],
)
def test_a_file_that_is_asked_for_runs_whole(given: str, asked: list[str], selected: str) -> None:
    assert tiers.expression(given, asked) == selected


def test_of_many_cases_those_that_are_named_run_on_a_change() -> None:
    named = pytest.mark.at_once("quick", "renamed").mark

    def item(case: str, mark: pytest.Mark | None = named) -> Mock:
        return Mock(nodeid=f"tests/test_it.py::test_it[{case}]", **{"get_closest_marker.return_value": mark})

    items = [item("quick"), item("slow")]
    assert [tiers.by_night(each) for each in items] == [False, True]
    assert tiers.misnamed(items) == {"tests/test_it.py::test_it[renamed]"}
    assert not tiers.by_night(item("slow", None))


@pytest.mark.process
def test_what_runs_afresh_here_is_what_runs_afresh_on_github() -> None:
    """In two halves here. And each of it is compared: there is a committed table."""
    text, here = BOUNDS.read_text(encoding="utf-8"), {line.strip() for line in shell("run")}
    assert {f'harness {verb} $specs --out "$fresh"' for verb in ("run --tables-only --serial", "check")} <= here
    assert {'specs=$(.ci/repeated "$1" 2)', "beside repeated repeated 0", "beside repeated repeated 1"} <= here
    halves = [repeated(str(which), "2") for which in (0, 1)]
    assert sorted(halves[0] + halves[1]) == sorted(repeated())
    taken = [sum(seconds(ROOT / "results" / f"{Path(spec).stem}.parquet") for spec in half) for half in halves]
    assert max(taken) < 1.1 * min(taken)
    assert f"harness run --tables-only {SPECS} --out fresh\n" in text and f"harness check {SPECS} --out fresh " in text
    assert all((ROOT / "results" / f"{Path(spec).stem}.parquet").is_file() for spec in repeated())


@pytest.mark.process
def test_every_experiment_under_ten_seconds_runs_afresh_on_a_change() -> None:
    """The longer ones are few, and all together leave the rest of .ci/run its time."""
    taken = {path.stem: seconds(path) for path in (ROOT / "results").glob("*.parquet")}
    names = [Path(spec).stem for spec in repeated()]
    assert len(set(names)) == len(names)
    assert set(names) == {name for name, each in taken.items() if each < RULE["LONG"] - RULE["BESIDE"]} | set(LONGER)
    assert sum(taken[name] + RULE["BESIDE"] for name in names) < 300
