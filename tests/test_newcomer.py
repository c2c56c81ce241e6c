"""A newcomer's path: what the README and the tutorial tell to type, in their order, says what they show.

Each block of shell is run, each file written, each block of Python executed. The block after it is a part of what was said.
A line with … alone stands for lines that are left out. Nothing that is shown may differ in any digit.
"""

import shlex
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from markdown_it import MarkdownIt

from harness.sweep import plugins
from tests.support.pages import ROOT, section

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

LEFT_OUT = "…"


def blocks(heading: str) -> Iterator[tuple[str, str]]:
    """The language of every block of a section, and its text."""
    return ((block.info, block.content) for block in MarkdownIt().parse(section(heading)) if block.type == "fence")


def commands(shell: str) -> list[list[str]]:
    """The words of every command of the harness; those of pip and pytest are for whoever has no environment yet."""
    lines = (part.strip() for line in shell.splitlines() for part in line.split("&&"))
    return [shlex.split(line)[1:] for line in lines if line.startswith("harness ")]


def typed(harness: "Harness", words: list[str]) -> str:
    """What a command says, which ends well; run in this process, which says the same as a Ray. A new process has no plugins."""
    said = harness(*words, *(["--serial"] if "run" in words else []))
    for plugin in plugins.loaded():
        plugins.unload(plugin.name)
    assert (said.code, said.err) == (0, ""), (words, said)
    return said.out


def pieces(shown: str) -> Iterator[list[str]]:
    piece: list[str] = []
    for line in [*shown.splitlines(), LEFT_OUT]:
        if line == LEFT_OUT:
            yield piece
            piece = []
        else:
            piece.append(line.rstrip())


def is_part(piece: list[str], said: list[str]) -> bool:
    return any(said[start : start + len(piece)] == piece for start in range(len(said)))


@pytest.mark.usefixtures("picture_alone")
def test_from_nothing_to_a_first_figure(project: "Project", harness: "Harness") -> None:
    (project.root / "experiments").symlink_to(ROOT / "experiments")
    (first,) = (command for info, text in blocks("Run it") if info == "sh" for command in commands(text))
    said = typed(harness, first)
    assert "1 printed: 1 holds" in said and "quickstart: 1,500 trials run" in said
    (shown,) = (text for info, text in blocks("Run it") if info != "sh")
    assert all(is_part(piece, [line.rstrip() for line in said.splitlines()]) for piece in pieces(shown))
    assert Path("results/runs/quickstart.png").read_bytes().startswith(b"\x89PNG")
    assert Path("results/runs/quickstart.parquet").is_file()


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_from_a_first_question_to_a_counterexample(project: "Project", harness: "Harness") -> None:
    Path("experiments").mkdir()
    said, compared = "", 0
    for info, text in [*blocks("One question from start to end"), *blocks("Your own question")]:
        if text.startswith("# "):
            Path(text.split(maxsplit=2)[1]).write_text(text, encoding="utf-8")
        elif info == "sh":
            said = "".join(typed(harness, words) for words in commands(text))
        elif info == "python":
            with redirect_stdout(StringIO()) as out:
                exec(text, {})
            said = out.getvalue()
        else:
            for piece in pieces(text):
                assert is_part(piece, [line.rstrip() for line in said.splitlines()]), (piece, said)
                compared += 1
    assert compared >= 9


def test_what_is_shown_must_be_all_of_a_line() -> None:
    assert is_part(["b", "c"], ["a", "b", "c", "d"])
    assert not is_part(["b", "d"], ["a", "b", "c", "d"]) and not is_part(["b"], ["bc"])
    assert list(pieces("a\nb \n…\nc")) == [["a", "b"], ["c"]]
