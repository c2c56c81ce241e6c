"""Where a table came from, and what code its rows depend on."""

import re
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from inspect import unwrap
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

import harness
from harness.sources import Source, read
from harness.sweep.plugins.dependencies import fingerprint, followed
from harness.sweep.run import provenance as provenance_module
from harness.sweep.run.provenance import code, provenance

if TYPE_CHECKING:
    from tests.support.project import Project

SOURCE = Path(harness.__file__).parent
Edit = Callable[[str], str]


Modules = dict[str, Source]


@pytest.fixture(scope="module")
def on_disk() -> Modules:
    """The package's modules."""
    return read(SOURCE)


@pytest.fixture
def modules(on_disk: Modules) -> Modules:
    """Those, to be edited here."""
    return dict(on_disk)


def fingerprint_of(modules: Modules) -> str:
    """The fingerprint of the code that these are."""
    return fingerprint(followed(["harness.sweep.run.work"], modules).modules, modules)


def name_of(path: str) -> str:
    """The module that is at a path of the package."""
    return ".".join(("harness", *path.removesuffix(".py").removesuffix("__init__").strip("/").split("/"))).strip(".")


def edit(modules: Modules, path: str, change: Edit) -> None:
    before = modules[name_of(path)]
    after = change(before.text.decode()).encode()
    assert after != before.text
    modules[name_of(path)] = before._replace(text=after)


def more(text: str) -> str:
    return f"{text}\nMORE = 1\n"


SAME: dict[str, tuple[str, Edit]] = {
    "a comment": ("trials/seeds.py", lambda text: "# a remark\n" + text + "\n# another\n"),
    "the module's docstring": ("trials/seeds.py", lambda text: re.sub(r'^"""[^"]*"""', '"""Other words."""', text)),
    "a function's docstring": ("trials/seeds.py", lambda text: re.sub(r'(\n    """)[^"]*"""', r'\1Other words."""', text)),
    "layout": ("trials/seeds.py", lambda text: text.replace("\n\n\n", "\n\n\n\n\n").replace("(", "( ")),
    "a claim": ("claims/btt18/t3_2.py", more),
    "the store": ("sweep/run/store.py", more),
    "the command line": ("cli.py", more),
    "a figure": ("report/style.py", more),
}


@pytest.mark.parametrize(("path", "change"), SAME.values(), ids=SAME)
def test_what_no_row_depends_on_does_not_count(modules: Modules, path: str, change: Edit) -> None:
    assert fingerprint_of(modules) == code()
    edit(modules, path, change)
    assert fingerprint_of(modules) == code()


OTHER: dict[str, tuple[str, Edit]] = {
    "a constant": ("theory/constants/btt18.py", lambda text: text.replace("34 * sqrt", "33 * sqrt")),
    "a name": ("trials/seeds.py", lambda text: text.replace("purpose", "aim")),
    "a statement": ("mechanisms/noise.py", more),
    "a string that is no docstring": ("trials/seeds.py", lambda text: text.replace("{seed}/{trial}", "{trial}/{seed}")),
    "a sampler": ("concepts/thresholds/samplers.py", more),
    "where a search goes": ("theory/confidence.py", more),
    "how rows are put in columns": ("sweep/table/schema.py", lambda text: text.replace("seconds, 4 if", "seconds, 3 if")),
    "how parts of a room are found": ("registry.py", more),
    "how imports are followed": ("sweep/plugins/dependencies.py", more),
    "the package itself": ("__init__.py", more),
}


@pytest.mark.parametrize(("path", "change"), OTHER.values(), ids=OTHER)
def test_what_rows_depend_on_counts(modules: Modules, path: str, change: Edit) -> None:
    edit(modules, path, change)
    assert fingerprint_of(modules) != code()


@pytest.mark.parametrize("room", ["covers", "concepts", "scores", "analysts", "mechanisms", "transfer", "trials"])
def test_a_new_or_renamed_file_counts_in_every_room_of_parts(tmp_path: Path, modules: Modules, room: str) -> None:
    (tmp_path / room).mkdir()
    seen = {code()}
    for name in ("newcomer", "latecomer"):
        (tmp_path / room / f"{name}.py").write_text("X = 1\n")
        seen.add(fingerprint_of(modules | read(tmp_path)))
        (tmp_path / room / f"{name}.py").unlink()
    assert len(seen) == 3


def test_code_counts_from_where_it_is_first_imported(modules: Modules) -> None:
    """Were it beyond all rooms, or imported within a function."""
    modules["harness.apart"] = Source(b"X = 1\n", "apart.py")
    assert fingerprint_of(modules) == code()
    edit(modules, "mechanisms/noise.py", lambda text: f"{text}\ndef late() -> None:\n    from harness import apart\n")
    one = fingerprint_of(modules)
    modules["harness.apart"] = Source(b"X = 2\n", "apart.py")
    assert len({code(), one, fingerprint_of(modules)}) == 3


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
    monkeypatch.setattr(provenance_module, "_git", unwrap(provenance_module._git))  # asked anew each time
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
    monkeypatch.setattr(provenance_module, "_git", unwrap(provenance_module._git))
    installed = tmp_path / ".venv" / "harness"
    installed.mkdir(parents=True)
    (installed / "__init__.py").touch()
    monkeypatch.setattr(provenance_module, "harness", SimpleNamespace(__file__=str(installed / "__init__.py")))
    assert (provenance(project.sweep())["commit"], provenance(project.sweep())["clean"]) == (None, False)
    subprocess.run(["git", "add", "-f", ".venv"], cwd=tmp_path, check=True)
    assert provenance(project.sweep())["commit"] is not None
