"""What the terminal shows: all of it, also where there is no terminal."""

from io import StringIO
from typing import TYPE_CHECKING

import pytest
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from harness.claims.engine import Verdict
from harness.claims.registry import claims
from harness.report.console import Terminal
from harness.report.settings import Settings
from harness.report.terminal import cells_grid, findings_grid
from harness.report.verdicts import Finding
from harness.text import printable
from harness.trials.cell import Cell
from tests.bad_input.mutations import NASTY

if TYPE_CHECKING:
    from tests.support.project import Project

T32 = "BTT18:T3.2"


def printed(*things: object, width: int = 160) -> str:
    console = Console(file=StringIO(), width=width, markup=False, emoji=False, highlight=False, soft_wrap=True)
    for thing in things:
        console.print(thing)
    return console.file.getvalue()  # type: ignore[attr-defined,no-any-return]


def verdict(cell: str, **parts: object) -> Verdict:
    base = {"outcome": "holds", "trials": 50, "failures": 1, "lower": 0.001, "upper": 0.09, "claimed": 0.1}
    return Verdict(claim=T32, cell=cell, **(base | parts))  # type: ignore[arg-type]


@pytest.fixture
def settings(project: "Project") -> Settings:
    return Settings.of(project.sweep(eps="[1, 2.5]", figure="{x: m, panels: [learner, eps]}"))


def test_a_line_a_cell_tells_where_it_is_and_what_came_of_it(settings: Settings) -> None:
    where = [(str(cell.learner), cell.eps, cell.m) for cell in settings.cells if isinstance(cell, Cell)]
    verdicts = [verdict(cell.identity, measured=0.02, bound=0.05) for cell in settings.cells]
    title, head, *lines = printed(cells_grid("small: does it [hold]?", settings, verdicts)).splitlines()
    assert title.strip() == "small: does it [hold]?"
    assert head.split() == [
        "claim",
        "setting",
        "failed",
        "P(fail)",
        "within",
        "claimed",
        "measured",
        "bound",
        "stands",
        "slack",
        "verdict",
    ]
    assert len(lines) == len(where) == 8
    for line, (learner, eps, m) in zip(lines, where, strict=True):
        parts = [T32, learner, f"ε = {eps:g}", f"m = {m}", "1/50", "[0.001, 0.09]", "≤ 0.1", "0.02", "0.05", "2.5×", "holds"]
        at = [line.index(part) for part in (T32, learner, "1/50", "[0.001, 0.09]", "≤ 0.1", "2.5×", "holds")]
        assert all(part in line for part in parts) and at == sorted(at)
        assert "n = " not in line  # the same for all cells


def test_nothing_measured_shows_how_little_could_have_been_seen(settings: Settings) -> None:
    cell = settings.cells[0].identity
    said = printed(cells_grid("", settings, [verdict(cell, measured=0.0, resolution=0.01, bound=0.05)]))
    assert "> 5×" in said


def test_a_vacuous_cell_shows_neither_bound_nor_interval(settings: Settings) -> None:
    vacuous = Verdict(claim=T32, outcome="vacuous", cell=settings.cells[0].identity, trials=4, measured=0.02)
    line = printed(cells_grid("", settings, [vacuous])).splitlines()[-1]
    assert "vacuous" in line and "0.02" in line
    assert not any(sign in line for sign in ("≤", "×", "/4", "["))


@pytest.mark.parametrize("width", [160, 60])
def test_no_line_is_cut_short(settings: Settings, width: int) -> None:
    """Where a line is too long it goes on below; no word is lost."""
    long = (
        "What happens with a question that is much longer than anything that fits on one line of any terminal there is, really?"
    )
    verdicts = [verdict(cell.identity, measured=0.0123, bound=0.05) for cell in settings.cells]
    said = printed(cells_grid(long * 2, settings, verdicts), width=width)
    assert "…" not in said
    assert "".join((long * 2).split()) in "".join(said.split())
    if width == 160:
        assert said.count("4.07×") == 8


def test_a_line_a_claim_tells_the_outcome_and_what_was_expected() -> None:
    holds = Finding(
        claims()[T32],
        [("a", verdict("1", measured=0.02, bound=0.05)), ("b", verdict("2", measured=0.04, bound=0.05, stands=0.045))],
        spared=True,
    )
    broken: list[tuple[str | None, Verdict]] = [
        ("a", verdict("1", outcome="refuted", measured=0.2, bound=0.05, challenged=True))
    ]
    refuted = Finding(claims()[T32], broken, spared=True)
    untested = Finding(claims()[T32], [], spared=True)
    _, first, second, third = printed(findings_grid("", [holds, refuted, untested])).splitlines()
    assert first.split() == [T32, "probability", "2", "0.04", "0.05", "0.045", "1.25×", "no", "holds,", "untried"]
    assert second.split() == [T32, "probability", "1", "0.2", "0.05", "0.25×", "yes", "refuted", "should", "hold"]
    assert third.split() == [T32, "probability", "0", "no", "untested", "should", "hold"]


@pytest.mark.parametrize("text", NASTY)
def test_a_terminal_shows_any_text_as_it_is(text: str) -> None:
    """Whatever it comes in; on a real terminal only what has a style of its own has escape sequences."""
    grid = Grid(title=text)
    grid.add_column(text)
    grid.add_row(text)
    for shown in (text, grid, Text(text), Text("").append(text)):
        file = StringIO()
        Terminal(file=file, width=10**4, force_terminal=True, color_system=None).print(shown)
        said = file.getvalue()
        assert not {each for each in said if not each.isprintable()} - {"\n"}
        assert isinstance(shown, Text) or all(printable(line) in said for line in text.split("\n"))
