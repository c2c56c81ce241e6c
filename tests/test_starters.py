"""`harness new`: what it writes runs as it is, has a test that passes, and says what to fill in."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.starters import WHAT

if TYPE_CHECKING:
    from tests.support.project import Harness, Project


@pytest.mark.process
def test_every_beginning_runs_and_its_test_passes(project: "Project", harness: "Harness") -> None:
    for what in WHAT:
        said = harness("new", what, f"my_{what}")
        assert said.code == 0 and f"test_my_{what}.py" in said.out, said
        assert "FILL IN" in Path(WHAT[what].format(f"my_{what}")).read_text()
    options = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist")
    tested = project.process(*(f"test_my_{what}.py" for what in WHAT), program=options)
    assert tested.code == 0, tested.out


def test_a_beginning_is_in_good_form(project: "Project", harness: "Harness") -> None:
    for what in WHAT:
        assert harness("new", what, f"my_{what}").code == 0
    settings = ("--config", Path(__file__).parents[1] / "pyproject.toml")
    for words in (("check", *settings, "--select", "E,F,B,UP", "."), ("format", "--check", *settings, ".")):
        said = project.process(*words, program=("-m", "ruff"))
        assert said.code == 0, (said.out, said.err)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("verdict", "mine"),
            "error: new: no beginning of a 'verdict'; allowed: claim, concept, constants",
        ),
        (("claim", "my-claim"), "error: new: 'my-claim' is no name of a module; allowed: letters, digits and _"),
        (("claim", ".."), "error: ...py: files cannot be named after an experiment '..'"),
        (("mechanism", "majority"), "error: new: there is a mechanism 'majority' already; allowed: another name"),
    ],
)
def test_what_cannot_be_begun_is_told(project: "Project", harness: "Harness", words: tuple[str, str], said: str) -> None:
    ended = harness("new", *words)
    assert ended.code == 2 and ended.err.startswith(said) and project.files() == set()


def test_nothing_is_written_over(project: "Project", harness: "Harness") -> None:
    Path("test_mine.py").write_text("mine")
    ended = harness("new", "claim", "mine")
    assert (ended.code, ended.err) == (4, "error: test_mine.py is there already; move it away, or choose another name\n")
    assert project.files() == {"test_mine.py"} and Path("test_mine.py").read_text() == "mine"
