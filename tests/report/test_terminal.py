"""What the terminal shows: all of it, also where there is no terminal."""

from collections.abc import Sequence
from io import StringIO
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pandas as pd
import pytest
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from harness.report import terminal
from harness.report.console import Terminal
from harness.report.terminal import Meter, cells_grid, findings_grid
from harness.report.verdicts import Finding
from harness.sweep.batches import Batches
from harness.sweep.run import wanted
from harness.sweep.store import Store
from harness.sweep.work import Batch, Result, tabulated
from harness.text import printable
from harness.theory.claims import claims, decided_so_far
from harness.theory.claims.claim import Verdict
from harness.trials.cell import Cell
from tests.bad_input.mutations import NASTY

if TYPE_CHECKING:
    from tests.conftest import Project

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
def frame(project: "Project") -> pd.DataFrame:
    return project.run(project.sweep(eps="[1, 2.5]", figure="{x: m, panels: [learner, eps]}")).table.frame()


def test_a_line_a_cell_tells_where_it_is_and_what_came_of_it(frame: pd.DataFrame) -> None:
    cells = frame.drop_duplicates("cell")
    where = list(zip(cells["learner"], cells["eps"], cells["m"], strict=True))
    verdicts = [verdict(cell, measured=0.02, bound=0.05) for cell in cells["cell"]]
    title, head, *lines = printed(cells_grid("small: does it [hold]?", frame, verdicts)).splitlines()
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
        "slack",
        "verdict",
    ]
    assert len(lines) == len(where) == 8
    for line, (learner, eps, m) in zip(lines, where, strict=True):
        parts = [T32, learner, f"ε = {eps:g}", f"m = {m}", "1/50", "[0.001, 0.09]", "≤ 0.1", "0.02", "0.05", "2.5×", "holds"]
        at = [line.index(part) for part in (T32, learner, "1/50", "[0.001, 0.09]", "≤ 0.1", "2.5×", "holds")]
        assert all(part in line for part in parts) and at == sorted(at)
        assert "n = " not in line  # the same for all cells


def test_nothing_measured_shows_how_little_could_have_been_seen(frame: pd.DataFrame) -> None:
    cell = frame["cell"].iloc[0]
    said = printed(cells_grid("", frame, [verdict(cell, measured=0.0, resolution=0.01, bound=0.05)]))
    assert "> 5×" in said


def test_a_vacuous_cell_shows_neither_bound_nor_interval(frame: pd.DataFrame) -> None:
    vacuous = Verdict(claim=T32, outcome="vacuous", cell=frame["cell"].iloc[0], trials=4, measured=0.02)
    line = printed(cells_grid("", frame, [vacuous])).splitlines()[-1]
    assert "vacuous" in line and "0.02" in line
    assert not any(sign in line for sign in ("≤", "×", "/4", "["))


@pytest.mark.parametrize("width", [160, 60])
def test_no_line_is_cut_short(frame: pd.DataFrame, width: int) -> None:
    """Where a line is too long it goes on below; no word is lost."""
    long = (
        "What happens with a question that is much longer than anything that fits on one line of any terminal there is, really?"
    )
    verdicts = [verdict(cell, measured=0.0123, bound=0.05) for cell in frame["cell"].unique()]
    said = printed(cells_grid(long * 2, frame, verdicts), width=width)
    assert "…" not in said
    assert "".join((long * 2).split()) in "".join(said.split())
    if width == 160:
        assert said.count("4.07×") == 8


def test_a_line_a_claim_tells_the_outcome_and_what_was_expected() -> None:
    holds = Finding(
        claims()[T32], [("a", verdict("1", measured=0.02, bound=0.05)), ("b", verdict("2", measured=0.04, bound=0.05))]
    )
    refuted = Finding(claims()[T32], [("a", verdict("1", outcome="refuted", measured=0.2, bound=0.05, challenged=True))])
    untested = Finding(claims()[T32], [])
    _, first, second, third = printed(findings_grid("", [holds, refuted, untested])).splitlines()
    assert first.split() == [T32, "probability", "2", "0.04", "0.05", "1.25×", "no", "holds"]
    assert second.split() == [T32, "probability", "1", "0.2", "0.05", "0.25×", "yes", "refuted", "not", "holds"]
    assert third.split() == [T32, "probability", "0", "no", "untested", "not", "holds"]


class Clock:
    """A clock that a test moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(terminal, "monotonic", clock)
    return clock


def missing(project: "Project", trials: int, cells: int = 1) -> tuple[Batches, Store]:
    """So many trials of each of so many cells; and the store of their sweep."""
    sweep = project.sweep(trials=str(trials), m=f"[{', '.join(str(20 + cell) for cell in range(cells))}]", learner="leftmost")
    return Batches(sweep, wanted(sweep, project.store(sweep).finished()), {}), project.store(sweep)


def back(meter: Meter, batches: Batches, cell: int, trials: int) -> None:
    """So many trials of a cell have come back."""
    found = Cell.model_validate({"m": 20 + cell, "n": 10**9, "learner": "leftmost"})
    batch = Batch("answers", found, ("A_binClas", "noisy_majority"), tuple(range(trials)), 7)
    result = Result(batch, tabulated([], "answers"), "")
    batches.measured(result)
    meter.advance(result)


def test_off_a_terminal_progress_is_a_line_every_few_seconds(project: "Project", clock: Clock) -> None:
    console = Console(file=StringIO(), width=160)
    batches, store = missing(project, 205, cells=4)
    with Meter(console, "small") as meter:
        meter.start(batches, store)
        clock.now = 60  # Ray takes its time to start; that is not the sweep's rate
        back(meter, batches, 0, 1)
        for trial in range(100):
            clock.now += 0.1
            back(meter, batches, trial // 51, 4)
    lines = console.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert lines == [f"small: 205/820 trials, 40/s, {(820 - 205) / 40:.0f} s left, 1/4 cells"]


def test_a_sweep_that_grows_has_its_new_total(project: "Project", clock: Clock) -> None:
    console = Console(file=StringIO(), width=160)
    with Meter(console, "small") as meter:
        batches, store = missing(project, 10)
        meter.start(batches, store)
        back(meter, batches, 0, 10)
        batches, store = missing(project, 20)
        meter.start(batches, store)
        clock.now += 6
        back(meter, batches, 0, 6)
    assert console.file.getvalue() == "small: 16/30 trials, 1/s, 14 s left, 0/1 cells\n"  # type: ignore[attr-defined]


def test_claims_that_are_decided_are_counted_as_seldom_as_it_takes(
    project: "Project", clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Judging takes a second here, so it is done once in 50. Of the two claims one is certain and one a probability."""
    console, looks = Console(file=StringIO(), width=160), []

    def looked(frame: pd.DataFrame, names: Sequence[str]) -> int:
        looks.append(len(frame))
        clock.now += 1
        return decided_so_far(frame, names)

    monkeypatch.setattr(terminal, "decided_so_far", looked)
    sweep = project.sweep(trials="3", m="20", learner="leftmost")
    project.run(sweep)
    batches, store = missing(project, 400)
    with Meter(console, "small", ["BTT18:T3.2", "BTT18:L3.3"]) as meter:
        meter.start(batches, store)
        for _ in range(100):
            clock.now += 1
            back(meter, batches, 0, 1)
    assert looks == [6, 6]
    assert console.file.getvalue().splitlines()[-1].endswith("0/1 cells, 1/2 claims decided")  # type: ignore[attr-defined]


def test_on_a_terminal_there_is_a_bar(project: "Project") -> None:
    console = Console(file=StringIO(), width=120, force_terminal=True)
    batches, store = missing(project, 4, cells=2)
    with Meter(console, "small", ["BTT18:T3.2"]) as meter:
        meter.start(batches, store)
        back(meter, batches, 0, 4)
    said = console.file.getvalue()  # type: ignore[attr-defined]
    assert all(word in said for word in ("small", "4/8", "1/2 cells", "0/1 claims decided"))
    with Meter(console, "nothing to do"):
        pass
    assert "nothing to do" not in console.file.getvalue()  # type: ignore[attr-defined]


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


@pytest.mark.parametrize("name", ["[/x]", "[bold]a[/bold] {task} :tada:", "\x1b]0;x\x07"])
def test_a_bar_names_its_experiment_whatever_its_name(name: str) -> None:
    file = StringIO()
    bar = Terminal(file=file, width=200, force_terminal=True)
    with Meter(bar, name) as meter:
        meter.start(cast(Batches, SimpleNamespace(trials=3, cells=1, cells_done=0)), cast(Store, None))
    assert printable(name) in file.getvalue() and "\x1b]0;" not in file.getvalue()
