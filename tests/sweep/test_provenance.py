"""Where a table came from, and what code its rows depend on."""

import re
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from shutil import copytree, ignore_patterns
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

import harness
from harness.sources import read
from harness.sweep import provenance as provenance_module
from harness.sweep.dependencies import fingerprint, followed
from harness.sweep.provenance import code, provenance

if TYPE_CHECKING:
    from tests.support.project import Project

SOURCE = Path(harness.__file__).parent
Edit = Callable[[str], str]


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the package that can be edited."""
    root = tmp_path / "copy" / "harness"
    copytree(SOURCE, root, ignore=ignore_patterns("__pycache__"))
    return root


def fingerprint_of(folder: Path) -> str:
    """The fingerprint of the code that is in a folder now."""
    texts = read(folder)
    return fingerprint(followed(["harness.sweep.work"], texts).modules, texts)


def edit(path: Path, change: Edit) -> None:
    before = path.read_text(encoding="utf-8")
    after = change(before)
    assert after != before
    path.write_text(after, encoding="utf-8")


def more(text: str) -> str:
    return f"{text}\nMORE = 1\n"


SAME: dict[str, tuple[str, Edit]] = {
    "a comment": ("trials/seeds.py", lambda text: "# a remark\n" + text + "\n# another\n"),
    "the module's docstring": ("trials/seeds.py", lambda text: re.sub(r'^"""[^"]*"""', '"""Other words."""', text)),
    "a function's docstring": ("trials/seeds.py", lambda text: re.sub(r'(\n    """)[^"]*"""', r'\1Other words."""', text)),
    "layout": ("trials/seeds.py", lambda text: text.replace("\n\n\n", "\n\n\n\n\n").replace("(", "( ")),
    "a claim": ("claims/btt18/t3_2.py", more),
    "the store": ("sweep/store.py", more),
    "the command line": ("cli.py", more),
    "a figure": ("report/style.py", more),
}


@pytest.mark.parametrize(("path", "change"), SAME.values(), ids=SAME)
def test_what_no_row_depends_on_does_not_count(copied: Path, path: str, change: Edit) -> None:
    assert fingerprint_of(copied) == code()
    edit(copied / path, change)
    assert fingerprint_of(copied) == code()


OTHER: dict[str, tuple[str, Edit]] = {
    "a constant": ("theory/constants/btt18.py", lambda text: text.replace("34 * sqrt", "33 * sqrt")),
    "a name": ("trials/seeds.py", lambda text: text.replace("purpose", "aim")),
    "a statement": ("mechanisms/noise.py", more),
    "a string that is no docstring": ("trials/seeds.py", lambda text: text.replace("{seed}/{trial}", "{trial}/{seed}")),
    "a sampler": ("concepts/thresholds/samplers.py", more),
    "where a search goes": ("theory/confidence.py", more),
    "how rows are put in columns": ("sweep/work.py", lambda text: text.replace("seconds, 4 if", "seconds, 3 if")),
    "how parts of a room are found": ("registry.py", more),
    "how imports are followed": ("sweep/dependencies.py", more),
    "the package itself": ("__init__.py", more),
}


@pytest.mark.parametrize(("path", "change"), OTHER.values(), ids=OTHER)
def test_what_rows_depend_on_counts(copied: Path, path: str, change: Edit) -> None:
    edit(copied / path, change)
    assert fingerprint_of(copied) != code()


@pytest.mark.parametrize("room", ["concepts", "mechanisms", "transfer", "trials"])
def test_a_new_or_renamed_file_counts_in_every_room_of_parts(copied: Path, room: str) -> None:
    (copied / room / "newcomer.py").write_text("X = 1\n")
    one = fingerprint_of(copied)
    (copied / room / "newcomer.py").rename(copied / room / "latecomer.py")
    assert len({code(), one, fingerprint_of(copied)}) == 3


def test_code_counts_from_where_it_is_first_imported(copied: Path) -> None:
    """Were it beyond all rooms, or imported within a function."""
    (copied / "apart.py").write_text("X = 1\n")
    assert fingerprint_of(copied) == code()
    edit(copied / "mechanisms/noise.py", lambda text: f"{text}\ndef late() -> None:\n    from harness import apart\n")
    one = fingerprint_of(copied)
    (copied / "apart.py").write_text("X = 2\n")
    assert len({code(), one, fingerprint_of(copied)}) == 3


def test_the_code_is_16_hex_digits() -> None:
    assert re.fullmatch("[0-9a-f]{16}", code())


def test_a_table_says_where_it_came_from(project: "Project") -> None:
    sweep = project.sweep()
    stored = project.run(sweep).table.provenance
    assert stored == project.table().provenance == provenance(sweep)
    libraries = ("numpy", "scipy", "scikit-learn", "dp-accounting", "pydantic", "pyarrow")
    expected = {"seed": 7, "code": code(), "python": ".".join(map(str, sys.version_info[:2]))}
    assert stored["makes"].items() >= (expected | {name: version(name) for name in libraries}).items()
    assert stored["spec"] == sweep.path.read_text() and re.fullmatch("[0-9a-f]{64}", stored["spec_sha256"])
    assert (stored["set"], stored["kind"], stored["threads"]) == ({}, "answers", 1)
    assert stored["packages"]["ray"] == version("ray") and {"numpy", "scipy", "pyarrow"} <= stored["packages"].keys()
    assert stored["python"].count(".") == 2


def test_the_commit_is_that_of_the_harness_and_null_where_there_is_none(
    project: "Project", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy outside any git tree has none, whatever the working directory is in."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.setattr(provenance_module, "harness", SimpleNamespace(__file__=str(tmp_path / "__init__.py")))
    assert provenance(project.sweep())["commit"] is None
    monkeypatch.setenv("PATH", "")
    assert provenance(project.sweep())["commit"] is None
    answers = {"ls-files": "__init__.py", "rev-parse": "a" * 40, "status": " M harness/cli.py"}
    monkeypatch.setattr(provenance_module, "_git", lambda word, *_: answers[word])
    assert (provenance(project.sweep())["commit"], provenance(project.sweep())["clean"]) == ("a" * 40, False)


def test_the_commit_of_a_project_that_has_the_harness_installed_within_it_is_not_the_harness_s(
    project: "Project", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = ("-c", "user.name=N", "-c", "user.email=n@example.org")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    subprocess.run(["git", *person, "commit", "-q", "--allow-empty", "-m", "A paper"], cwd=tmp_path, check=True)
    installed = tmp_path / ".venv" / "harness"
    installed.mkdir(parents=True)
    (installed / "__init__.py").touch()
    monkeypatch.setattr(provenance_module, "harness", SimpleNamespace(__file__=str(installed / "__init__.py")))
    assert (provenance(project.sweep())["commit"], provenance(project.sweep())["clean"]) == (None, False)
    subprocess.run(["git", "add", "-f", ".venv"], cwd=tmp_path, check=True)
    assert provenance(project.sweep())["commit"] is not None
