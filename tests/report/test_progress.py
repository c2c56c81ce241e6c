"""Progress: nothing is silent, and the time left is what the cells' own trials cost, in whatever order they come."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from io import StringIO
from time import monotonic, sleep
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from rich.console import Console

from harness.report import progress
from harness.report.console import Terminal
from harness.report.progress import Meter, decided_so_far
from harness.sweep.run import batches as out
from harness.sweep.run.batches import Batches
from harness.sweep.run.costs import Costs, usual
from harness.sweep.run.run import wanted
from harness.sweep.run.work import Batch, Result
from harness.sweep.spec import Sweep
from harness.sweep.table.cells import Cells
from harness.sweep.table.counted import Done
from harness.sweep.table.schema import tabulated
from harness.text import printable

if TYPE_CHECKING:
    from tests.support.project import Project

NAMES = ("A_binClas", "noisy_majority")


class Clock:
    """A clock that a test moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """What can only be drawn trial by trial: else a block is the least that comes back."""
    monkeypatch.setattr("harness.trials.cell.Cell.block", property(lambda cell: 1))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(progress, "monotonic", clock)
    monkeypatch.setattr(out, "monotonic", clock)
    monkeypatch.setattr(progress, "TICK_SECONDS", 1e6)
    return clock


@dataclass(frozen=True)
class At:
    """An engine on which nothing runs."""

    workers: int | None
    waiting: str = ""

    def run(self, batches: Batches) -> Iterator[Result]:
        raise NotImplementedError


def plain() -> Console:
    return Console(file=StringIO(), width=200)


def said(console: Console) -> list[str]:
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return text.splitlines()


def missing(sweep: Sweep, costs: Costs | None = None) -> Batches:
    return Batches(sweep, {cell.identity: sweep.most_trials(cell) for cell in sweep.cells}, {}, costs=costs)


def sized(project: "Project", trials: int, m: Sequence[int], **changes: str | None) -> Sweep:
    """So many trials at each m."""
    return project.sweep(trials=str(trials), m=str(list(m)), learner="leftmost", **changes)


def back(meter: Meter, batches: Batches, seconds: float = 0.0) -> Batch:
    """The next batch goes and comes back, and had taken so long a trial."""
    batch = batches.next()
    assert batch is not None
    result = Result(batch, tabulated([], "answers"), "", seconds * len(batch.trials))
    batches.measured(result)
    meter.advance(result)
    return batch


def test_what_takes_long_is_told_every_few_seconds_with_how_long_it_took(monkeypatch: pytest.MonkeyPatch) -> None:
    """As often as it is asked: after four seconds not yet, after five, and then not before ten."""
    times, lines = iter([100.0, 104.0, 105.0, 109.9, 130.0]), list[str]()
    asked = list[Callable[[], None]]()

    def ticking(tell: Callable[[], None]) -> Any:
        asked.append(tell)
        return nullcontext()

    monkeypatch.setattr(progress, "monotonic", lambda: next(times))
    monkeypatch.setattr(progress, "PLAIN_SECONDS", 5.0)
    monkeypatch.setattr(progress, "Ticking", ticking)
    console: Any = SimpleNamespace(print=lines.append)
    with progress.heartbeat(console, lambda: "reading"):
        for _ in range(4):
            asked[0]()
    assert lines == ["reading: 5 s so far", "reading: 30 s so far"]


def test_off_a_terminal_progress_is_a_line_every_few_seconds(project: "Project", clock: Clock) -> None:
    console, sweep = plain(), sized(project, 100, [20, 21, 22, 23], claims=None)
    with Meter(console, sweep, At(2)) as meter:
        batches = missing(sweep)
        meter.start(batches, project.store(sweep))
        for _ in range(4):
            clock.now += 0.1
            back(meter, batches, 0.2)
        assert said(console) == []
        for _ in range(25):
            clock.now += 0.4
            back(meter, batches, 0.2)
    assert said(console) == [
        "small: 52/400 trials, 10/s, 35 s left, 0/4 cells",
        "small: 103/400 trials, 10/s, 30 s left, 1/4 cells",
    ]


@pytest.mark.law
def test_the_time_left_does_not_rise_because_cheap_cells_came_first(project: "Project", clock: Clock) -> None:
    """A trial takes m microseconds, and one of the least and one of the most were measured before the start."""
    console, m, costs = plain(), [10**3, 10**4, 10**5, 10**6], Costs()
    sweep = sized(project, 100, m, claims=None)
    for cell in (sweep.cells[0], sweep.cells[-1]):
        costs.learn((cell, NAMES), dict(cell)["m"] / 1e6, 1)
    with Meter(console, sweep, At(1)) as meter:
        batches = missing(sweep, costs)
        meter.start(batches, project.store(sweep))
        told = []
        while (batch := batches.next()) is not None:
            cost = dict(batch.cell)["m"] / 1e6 * len(batch.trials)
            clock.now += cost
            result = Result(batch, tabulated([], "answers"), "", cost)
            batches.measured(result)
            meter.advance(result)
            told.append((clock.now, batches.seconds_left))
    total = told[-1][0]
    assert total == pytest.approx(111.1)
    assert all(abs(left - (total - now)) < 0.2 * total for now, left in told)
    assert len(said(console)) > 15


@pytest.mark.law
@pytest.mark.parametrize("cells", [1, 40])
@pytest.mark.parametrize("done", [0, 150])
def test_the_time_left_does_not_count_what_only_first_trials_take(project: "Project", cells: int, done: int) -> None:
    """On two workers each has to begin with each cell, for a hundred times what a trial takes; also when a run is taken up."""
    sweep, costs = sized(project, 400, range(20, 20 + cells), claims=None), Costs()
    for cell in sweep.cells[:3]:
        costs.measured((cell, NAMES), 0.01)
    there: Done = {(cell.identity, name): (range(done),) for cell in sweep.cells for name in NAMES if done}
    batches = Batches(sweep, {cell.identity: 400 for cell in sweep.cells}, there, costs=costs)
    begun, told, spent, turn = set[tuple[int, str]](), list[float](), list[float](), 0
    while (batch := batches.next()) is not None:
        turn = 1 - turn
        first, size = (turn, batch.cell.identity) not in begun, len(batch.trials)
        begun.add((turn, batch.cell.identity))
        batches.measured(Result(batch, tabulated([], "answers"), "", 0.01 * size + first))
        spent.append(0.01 * size + first)
        told.append(batches.seconds_left)
    left = sum(spent) - np.cumsum(spent)
    assert np.abs(told - left).max() < sum(spent) / 2  # that cells begin so slowly is seen only when they do
    assert told[-1] == pytest.approx(0, abs=1e-9)


def test_a_first_trial_is_all_that_is_known_where_no_other_tells(project: "Project") -> None:
    first, second = sized(project, 10, [20, 30]).cells
    costs = Costs()
    costs.learn((first, NAMES), 2.0, 1)
    assert (costs.of((first, NAMES)), costs.of((second, NAMES))) == (2.0, None)
    costs.learn((second, NAMES), 3.0, 1)
    for _ in range(2):
        costs.learn((second, NAMES), 3.0, 10)
    assert costs.of((first, NAMES)) == pytest.approx(0.2) and costs.of((second, NAMES)) == 0.3


def test_what_a_trial_costs_is_what_the_latest_did() -> None:
    assert usual([(1.0, 1)]) == 1.0
    assert usual([(0.3, 1), (0.001, 1)]) == 0.001
    assert usual([(0.3, 1), (0.01, 10), (0.02, 10)]) == pytest.approx(0.0015)
    assert usual([(1.0, 1), (2.0, 1), (3.0, 1)]) == 2.0


def test_cells_that_were_not_measured_cost_as_their_neighbours(project: "Project") -> None:
    sweep, costs = sized(project, 10, [10**3, 10**4, 10**5, 10**6]), Costs()
    assert missing(sweep, costs).seconds_left == 0
    costs.learn((sweep.cells[0], NAMES), 0.001, 1)
    costs.learn((sweep.cells[3], NAMES), 8.0, 8)
    low, lower, higher, high = missing(sweep, costs).alike.seconds()
    assert (low, high) == (0.001, 1.0) and low < lower < higher < high


def test_what_did_not_end_when_it_was_measured_takes_at_least_that(project: "Project", clock: Clock) -> None:
    console, costs, sweep = plain(), Costs(), sized(project, 10, [20, 30], claims=None)
    costs.measured((sweep.cells[0], NAMES), 1.0)
    costs.at_least((sweep.cells[1], NAMES), 5.0)
    with Meter(console, sweep, At(1)) as meter:
        batches = missing(sweep, costs)
        meter.start(batches, project.store(sweep))
        clock.now = 6
        meter.tell()
        for _ in range(2):
            back(meter, batches, 9.0)
        clock.now = 12
        meter.tell()
    assert said(console) == [
        "small: 0/20 trials, at least 60 s left, 0/2 cells",
        "small: 2/20 trials, 0/s, 18 s left, 0/2 cells",
    ]


def test_of_trials_until_decided_the_time_left_is_the_least(project: "Project", clock: Clock) -> None:
    console, sweep = plain(), project.sweep(m="20", learner="leftmost", trials="{until: decided, max: 1000}")
    with Meter(console, sweep, At(1)) as meter:
        for clock.now in (6, 12):
            batches = Batches(sweep, wanted(sweep, project.store(sweep).finished()), {})
            meter.start(batches, project.store(sweep))
            back(meter, batches, 1.0)
    assert [re.sub(r", 0/1 claims.*", "", line) for line in said(console)] == [
        "small: 1/256 trials, at least 4.2 min left, 0/1 cells",
        "small: 2/512 trials, 0/s, at least 4.2 min left, 0/1 cells",
    ]


def test_while_nothing_comes_back_a_line_tells_what_it_is_at(project: "Project", monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock of its own, for the engine does not return meanwhile."""
    monkeypatch.setattr(progress, "PLAIN_SECONDS", 0.2)
    monkeypatch.setattr(progress, "TICK_SECONDS", 0.01)
    console, sweep = plain(), sized(project, 3, [20, 30], claims=None)
    with Meter(console, sweep, At(None)) as meter:
        batches = missing(sweep)
        meter.start(batches, project.store(sweep))
        batches.next()
        until = monotonic() + 30
        while len(said(console)) < 2 and monotonic() < until:
            sleep(0.01)
    first, second = said(console)[:2]
    assert re.fullmatch(r"small: 0/6 trials, 0/2 cells, at m = 20 for 0\.\d+ s", first)
    assert float(second.split()[-2]) > float(first.split()[-2])


@pytest.mark.at_once("False")
@pytest.mark.parametrize("long", [False, True])
def test_claims_that_are_decided_are_counted_as_seldom_as_it_takes(
    project: "Project", clock: Clock, monkeypatch: pytest.MonkeyPatch, long: bool
) -> None:
    """Judging takes a second here, so it is done once in 50. Of the two claims one is certain and one a probability.

    Of a long table alike rows are one: else a run would hold all that it has made, at each look.
    """
    console, looks = plain(), []
    monkeypatch.setattr("harness.sweep.run.store.MANY", 5 if long else 100)

    def looked(sweep: Sweep, cells: Cells) -> int:
        assert (len(cells.frame) < 6) == long
        looks.append(int(cells.trials.sum()))
        clock.now += 1
        return decided_so_far(sweep, cells)

    monkeypatch.setattr(progress, "decided_so_far", looked)
    project.run(sized(project, 3, [20]))
    sweep = sized(project, 400, [20], claims='["BTT18:T3.2", "BTT18:L3.3"]')
    batches = missing(sweep)
    with Meter(console, sweep, At(1)) as meter:
        meter.start(batches, project.store(sweep))
        for _ in range(100):
            clock.now += 1
            back(meter, batches, 1.0)
    assert looks == [6, 6]
    assert said(console)[-1].endswith("0/1 cells, 1/2 claims decided")


def test_what_a_run_waits_for_is_said(project: "Project", clock: Clock) -> None:
    console, sweep = plain(), sized(project, 100, [20], claims=None)
    with Meter(console, sweep, At(None, "others have all CPUs")) as meter:
        meter.start(missing(sweep), project.store(sweep))
        clock.now += 60
        meter.tell()
    assert said(console) == ["small: 0/100 trials, waiting: others have all CPUs, 0/1 cells"]


def test_on_a_terminal_there_is_a_bar_with_the_cell_under_way(project: "Project", clock: Clock) -> None:
    console = Console(file=StringIO(), width=160, force_terminal=True)
    sweep = sized(project, 4, [20, 10_000])
    batches = missing(sweep)
    with Meter(console, sweep, At(1)) as meter:
        meter.start(batches, project.store(sweep))
        back(meter, batches, 1.0)
        back(meter, batches, 1.0)
        batches.next()
        clock.now += 7
    text = "\n".join(said(console))
    assert all(word in text for word in ("small", "2/8", "0/2 cells", "0/1 claims decided", "6 s left", "at m = 20 for 7 s"))
    with Meter(console, sweep, At(1)):
        pass
    assert "\n".join(said(console)) == text


@pytest.mark.parametrize("name", ["[/x]", "[bold]a[/bold] {task} :tada:", "\x1b]0;x\x07"])
def test_a_bar_names_its_experiment_whatever_its_name(project: "Project", name: str) -> None:
    console, sweep = Terminal(file=StringIO(), width=200, force_terminal=True), sized(project, 3, [20])
    sweep.name = name
    with Meter(console, sweep, At(1)) as meter:
        meter.start(missing(sweep), project.store(sized(project, 3, [20])))
    text = "\n".join(said(console))
    assert printable(name) in text and "\x1b]0;" not in text
