"""Every erratum has a small program of its own that shows its counterexample without this harness, and each of them does."""

import ast
import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from harness.claims.engine import Erratum, Quote
from harness.claims.registry import errata

FOLDER = Path(__file__).parent
ALLOWED = {"mpmath", "numpy"} | sys.stdlib_module_names
LONGEST = 60
PLANTED = '''"""A wrong erratum: that one changed vote moves the gap by three."""


def main() -> None:
    assert (57 - 44) - (56 - 45) == 3
    print("one vote moves the gap by three")
'''


def program(path: Path) -> Callable[[], None]:
    """Its `main`, imported by path: scripts are programs and belong to no package."""
    spec = spec_from_file_location(f"erratum_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    main: Callable[[], None] = module.main
    return main


def imported(text: str) -> set[str]:
    """The packages that a text imports, anywhere in it."""
    nodes = list(ast.walk(ast.parse(text)))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return {name.partition(".")[0] for name in plain | {n.module or "." for n in nodes if isinstance(n, ast.ImportFrom)}}


def refuse(erratum: Erratum, folder: Path) -> None:
    """Raise what is wrong with its program: it is not there, leans on the harness, is too long, or does not show it."""
    path = folder / f"{erratum.script}.py"
    assert erratum.script and path.is_file(), f"the erratum {erratum.id} has no program {path.name}"
    text = path.read_text(encoding="utf-8")
    assert imported(text) <= ALLOWED, f"{path.name} imports {imported(text) - ALLOWED}"
    assert len(text.splitlines()) < LONGEST, f"{path.name} is too long to be read at once"
    program(path)()


DEAR = ("two-hundred-does-not-follow", "a-tail-bound-as-an-equality")
"""Of more than half the time of all programs together."""


@pytest.mark.parametrize("name", [pytest.param(each, marks=pytest.mark.law if each in DEAR else ()) for each in errata()])
def test_a_program_of_its_own_shows_it(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    refuse(errata()[name], FOLDER)
    said = capsys.readouterr().out
    assert said.endswith("\n") and 1 <= said.count("\n") <= 3, "a program says what it shows, in a line or few"


def test_no_program_is_left_over() -> None:
    programs = {path.stem for path in FOLDER.glob("*.py")} - {"__init__", Path(__file__).stem}
    assert programs == {erratum.script for erratum in errata().values()}


def planted(**changes: Any) -> Erratum:
    said = dict.fromkeys(("title", "why", "counterexample", "holds", "answer"), "One vote moves the gap by three.")
    quotes = (Quote("MINE §1, p. 1", "One vote moves the gap by two."),)
    return Erratum(
        **({"id": "planted", "severity": "slip of the pen", "quotes": quotes, "script": "planted", **said} | changes)
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (PLANTED, "^$"),
        (f"import harness.theory\n{PLANTED}", "imports {'harness'}"),
        (f"{PLANTED}\n\ndef late() -> None:\n    from harness import api\n", "imports {'harness'}"),
        (PLANTED + "#\n" * LONGEST, "too long"),
        (None, "has no program planted.py"),
    ],
)
def test_a_planted_wrong_erratum_fails(text: str | None, said: str, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / "planted.py").write_text(text, encoding="utf-8")
    with pytest.raises(AssertionError, match=said):
        refuse(planted(), tmp_path)


def test_a_planted_right_erratum_passes(tmp_path: Path) -> None:
    (tmp_path / "planted.py").write_text(PLANTED.replace("3", "2"), encoding="utf-8")
    refuse(planted(), tmp_path)
    with pytest.raises(AssertionError, match="has no program"):
        refuse(planted(script=""), tmp_path)
