"""Whatever the width of a terminal, every number, id and name that a command says is in one piece."""

import os
import pty
import re
import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from fcntl import ioctl
from io import StringIO
from pathlib import Path
from termios import TIOCSWINSZ
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text
from typer import rich_utils
from typer.main import get_command

import harness as package
from harness import cli
from harness.claims.registry import claims
from harness.docs import ORDER, page
from harness.docs.setting import TerminalPage
from harness.report import history
from harness.report.claims import show_papers
from harness.report.console import Terminal, unbroken
from harness.report.errata import assembled, sheets
from harness.report.grids import Sheet
from harness.report.verdicts import judge

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

WIDTHS = (80, 120)
WIDE = 10_000
NOTE = "not shown at this width:"
T32 = "BTT18:T3.2"

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("plan", "--n", "1e10", "--m", "1000"),
    ("plan", "--release", "--alpha", "0.01", "--concept", "thresholds"),
    ("plan", "--scores", "--n", "1e9", "--m", "1000"),
    ("constants",),
    ("list",),
    ("table", "small"),
    ("run", "experiments/small.yaml", "--serial"),
    ("run", "experiments/small.yaml", "--serial", "--fresh", "--dry-run"),
    ("check", "experiments/small.yaml", "--no-reference"),
    ("claims", "--coverage"),
    ("claims", "--all", "experiments/small.yaml"),
    ("claims", T32, "experiments/small.yaml"),
    ("replay", "small/{cell}/0/A_binClas"),
    ("verify", "experiments/small.yaml", "--sample", "50%", "--seed", "1", "--results", "results/runs"),
    ("figures", "small", "--results", "results/runs", "--out", "drawn"),
    ("accept", "experiments/small.yaml"),
    ("new", "experiment", "mine"),
    ("docs",),
    ("history",),
)
"""Every command but those of TOLD and SLOW, as it is on a small project."""
SLOW: tuple[tuple[str, ...], ...] = (
    ("plan", "--crossover", "--constants", "tight"),
    ("constants", "--measured"),
    ("advise", "--errs", "0.05@50", "--n", "2e4", "--m", "20", "--eps", "1", "--delta", "1e-6"),
    ("audit", "noisy_majority", "--runs", "1000"),
    ("columns",),
    ("schema",),
)
"""Those that take longest, some with options."""


def words(said: str) -> set[str]:
    return set(said.split())


def rendered(width: int, *things: object) -> str:
    terminal = Terminal(file=StringIO(), width=width, soft_wrap=width == WIDE)
    with terminal.capture() as captured:
        for thing in things:
            terminal.print(thing)
    return captured.get()


def refuse_broken(whole: str, narrow: str, width: int) -> None:
    """Each word is one of the whole text, and no line is longer than the width, but for a word that is that by itself."""
    headings = {f"{word}," for word in words(whole)} if NOTE in " ".join(narrow.split()) else set()
    assert words(narrow) - words(whole) - words(NOTE) - headings == set()
    assert [line for line in narrow.splitlines() if cell_len(line.rstrip()) > width and len(line.split()) > 1] == []


@pytest.fixture
def sayings(
    project: "Project", harness: "Harness", quick_figures: None, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Sequence[str]], list[tuple[object, ...]]]:
    """All that a command prints, to be set at any width; the small project has its rows."""
    spec = project.spec(learner="leftmost", trials="2")
    assert harness("run", spec, "--serial").code == 0
    cell = project.rows()["cell"][0]
    history.PLACE.write_text(f"{','.join(history.HEAD)}\n0123456789ab,2026-11-25,BTT18:T3.2,holds,45.3\n", encoding="utf-8")

    def say(command: Sequence[str]) -> list[tuple[object, ...]]:
        found = list[tuple[object, ...]]()
        with monkeypatch.context() as patch:
            patch.setattr(Terminal, "print", lambda self, *things, **_: found.append(things))
            ended = harness(*(word.format(cell=cell) for word in command))
        assert ended.err == "" and found, command
        return found

    return say


@pytest.mark.usefixtures("theory_untold")
@pytest.mark.law
@pytest.mark.parametrize("commands", [COMMANDS, SLOW], ids=["quick", "slow"])
def test_every_command_keeps_numbers_ids_and_names_whole(
    sayings: Callable[[Sequence[str]], list[tuple[object, ...]]], commands: Sequence[Sequence[str]]
) -> None:
    for command in commands:
        things = [thing for printed in sayings(command) for thing in printed]
        whole = rendered(WIDE, *things)
        for width in WIDTHS:
            refuse_broken(whole, rendered(width, *things), width)


def test_no_command_is_left_out() -> None:
    told = [*COMMANDS, *SLOW, *(command for commands in TOLD.values() for command in commands)]
    assert {command[0] for command in told} == set(get_command(cli.app).commands)  # type: ignore[attr-defined]


@pytest.mark.law
def test_pages_on_a_terminal_keep_them_too() -> None:
    """There their tables are set too."""
    commands = get_command(cli.app).commands  # type: ignore[attr-defined]
    for name in (name for names in ORDER.values() for name in names):
        set_ = TerminalPage(page(name, commands), hyperlinks=False)
        whole = words(rendered(1000, set_))
        for width in WIDTHS:
            broken = {word for word in words(rendered(width, set_)) - whole if set(word) - set("─━═╌ ")}
            assert broken == set(), f"{name} at {width}"


@pytest.mark.law
def test_help_keeps_them_too(monkeypatch: pytest.MonkeyPatch, harness: "Harness") -> None:
    said = {}
    for width in (200, *WIDTHS):
        monkeypatch.setattr(rich_utils, "MAX_WIDTH", width)
        said[width] = {name: harness(name, "--help").out for name in get_command(cli.app).commands}  # type: ignore[attr-defined]
    for width in WIDTHS:
        for name, text in said[width].items():
            assert {word for word in words(text) - words(said[200][name]) if set(word) - set("╭─╮╰╯│")} == set(), name


@pytest.mark.law
@pytest.mark.usefixtures("theory_untold")
def test_papers_and_errata_keep_them_too() -> None:
    """Of no table: every claim that rows decide is untested."""
    findings = judge([], names=[name for name, claim in claims().items() if claim.trials])
    wrong = assembled(findings, [], {})
    recorded = list[object]()

    class Recorder(Terminal):
        def print(self, *things: object, **_: object) -> None:
            recorded.extend(things)

    show_papers(Recorder(), findings, wrong)
    for things in (recorded, list(sheets(wrong))):
        whole = rendered(WIDE, *things)
        for width in WIDTHS:
            narrow = rendered(width, *things)
            refuse_broken(whole, narrow, width)
    screen = rendered(80, *recorded)
    assert screen.count("\n") <= 50 and all(paper in screen for paper in ("BTT18a", "BCMNUW20", "conclusion false"))


cells = st.text("ab1,.·≤⁶ –", max_size=60)


@given(st.lists(st.tuples(cells, cells, cells, cells), min_size=1, max_size=4), st.integers(20, 100))
def test_a_sheet_of_anything_has_its_words_whole(rows: list[tuple[str, str, str, str]], width: int) -> None:
    sheet = Sheet("a title", ("name", "number", "words", "more"), ("more", "number"), numbers=("number",))
    for row in rows:
        sheet.add_row(*row)
    whole, narrow = rendered(WIDE, sheet), rendered(width, sheet)
    refuse_broken(whole, narrow, width)
    assert words(narrow) >= {word for name, _, said, _ in rows for word in (name + " " + said).split()}


def test_what_matters_least_goes_first_which_is_told_and_then_rows_become_blocks() -> None:
    sheet = Sheet("t", ("claim", "setting", "bound", "kind"), ("kind", "bound"), numbers=("bound",))
    sheet.add_row("BTT18:T3.2", "m = 1,000 and n = 10⁶", "0.12345", "certain")
    assert rendered(60, sheet).splitlines()[1].split() == ["claim", "setting", "bound", "kind"]
    note = f"{NOTE} kind"
    at_45, at_35 = rendered(45, sheet).splitlines(), rendered(35, sheet).splitlines()
    assert at_45[1].split() == ["claim", "setting", "bound"] and at_45[-1] == note
    assert at_35[1].split() == ["claim", "setting"] and " ".join("".join(at_35[-2:]).split()) == f"{note}, bound"
    assert [line.rstrip() for line in rendered(24, sheet).splitlines()[1:]] == [
        "BTT18:T3.2",
        "  setting m = 1,000 and",
        "    n = 10⁶",
        "  bound 0.12345",
        "  kind certain",
    ]
    assert words(rendered(WIDE, sheet).splitlines()[2]) >= {"BTT18:T3.2", "1,000", "10⁶", "0.12345", "certain"}


def test_a_word_longer_than_a_line_is_left_to_the_terminal() -> None:
    long = "results/" + "x" * 90
    assert unbroken(Text(f"one two {long} three"), 20).plain.split("\n") == ["one two", long, "three"]
    assert long in rendered(40, f"written: {long}") and long in rendered(40, Text(long))


def test_there_is_one_printer_of_tables() -> None:
    """Whoever wants another has to keep words whole by himself."""
    root = Path(package.__file__).parent
    using = [path.relative_to(root).as_posix() for path in root.rglob("*.py") if "rich.table" in path.read_text("utf-8")]
    assert using == ["report/grids.py"]


TOLD: dict[int, tuple[tuple[str, ...], ...]] = {
    80: (("claims",), ("plan", "--n", "1e6", "--m", "1000"), ("report", "experiments/small.yaml")),
    120: (("claims", "--errata"), ("list",)),
}


def on_a_terminal(width: int, *command: str) -> Iterator[str]:
    """What a command says on a pseudo-terminal, line by line, without colours and what moves the cursor."""
    child, descriptor = pty.fork()
    if child == 0:
        os.environ.pop("COLUMNS", None)
        os.environ["TERM"] = "xterm"
        os.execv(sys.executable, [sys.executable, "-m", "harness", *command])
    ioctl(descriptor, TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    said = b""
    try:
        while piece := os.read(descriptor, 1 << 16):
            said += piece
    except OSError:  # its end
        pass
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", said.decode())
    yield from (line.rpartition("\r")[2] for line in plain.replace("\r\n", "\n").split("\n"))


@pytest.mark.process
@pytest.mark.parametrize("width", WIDTHS)
def test_on_a_real_terminal(width: int, project: "Project") -> None:
    ran = project.process("run", project.spec(), "--serial")
    assert ran.code == 0
    for command in TOLD[width]:
        said = list(on_a_terminal(width, *command))
        assert len(said) > 3 - 2 * (command[0] == "report") and max(map(cell_len, said)) <= width, command
        if command == ("claims",):
            assert any("judging" in line for line in said)
        if command[0] in ("plan", "list"):
            refuse_broken(project.process(*command).out, "\n".join(said), width)
