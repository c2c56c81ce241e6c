"""Files that are no specs, and specs that do not go together: each is told in one line, and nothing is written."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.support.project import Harness, Project


def make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


FILES: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing": (Path.unlink, ": no such file"),
    "a folder": (make_folder, ": cannot be read: Is a directory"),
    "binary": (lambda path: path.write_bytes(bytes(range(256))), ": not a text file in UTF-8: invalid start byte at byte 128"),
    "empty": (lambda path: path.write_text(""), ":1: a spec is a mapping of keys to values"),
    "a list": (lambda path: path.write_text("- m: 1\n"), ":1: a spec is a mapping of keys to values"),
    "broken": (lambda path: path.write_text("title: x\nm: [1,\n"), ":3: not valid YAML: "),
    "twice": (lambda path: path.write_text("title: x\nm: 1\nm: 2\n"), ":3: m: the key appears twice"),
}


@pytest.mark.parametrize("command", [("run", "--serial"), ("check",)], ids=["run", "check"])
@pytest.mark.parametrize("kind", FILES)
def test_a_bad_file_is_told_in_one_line(project: "Project", harness: "Harness", kind: str, command: tuple[str, ...]) -> None:
    spec = project.spec()
    break_it, said = FILES[kind]
    break_it(Path(spec))
    ended = harness(*command, spec)
    assert (ended.code, ended.out, project.files()) == (2, "", set())
    assert ended.err.startswith(f"error: experiments/small.yaml{said}") and ended.err.count("\n") == 1, ended.err


def test_two_specs_of_one_name_are_refused(project: "Project", harness: "Harness") -> None:
    spec = project.spec()
    Path("more").mkdir()
    Path("more/small.yaml").write_text(spec.read_text())
    for command in (("run", "--serial"), ("check",)):
        ended = harness(*command, spec, "more/small.yaml")
        assert (ended.code, ended.out) == (2, "")
        what = "has the same name as experiments/small.yaml, so both would write one table"
        assert ended.err == f"error: more/small.yaml: {what}\n"


def test_a_bad_spec_among_good_ones_stops_all_before_anything_runs(project: "Project", harness: "Harness") -> None:
    ended = harness("run", project.spec(), project.spec("bad", eps="0"), "--serial")
    assert (ended.code, ended.out, project.files()) == (2, "", set())


@pytest.mark.process
def test_a_bad_spec_shows_no_traceback_from_the_shell_either(project: "Project") -> None:
    ended = project.process("run", project.spec(eps="0"))
    assert (ended.code, ended.out, project.files()) == (2, "", set())
    assert ended.err == "error: experiments/small.yaml:13: eps: a number ≥ 1e-100 is needed, not 0\n"
