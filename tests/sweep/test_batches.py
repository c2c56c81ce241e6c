"""Batches cut the work up; every trial is run once, whatever they cost and in whatever order they come back."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.sweep.run.batches import Batches, Serial
from harness.sweep.run.work import Batch, Result, run_batch
from harness.sweep.spec import Sweep
from harness.sweep.table.counted import Done, done
from harness.sweep.table.ranges import ranges
from harness.sweep.table.schema import tabulated
from harness.trials import kinds
from harness.trials.cell import Cell

if TYPE_CHECKING:
    from tests.support.project import Project

pytestmark = pytest.mark.usefixtures("blocks_of_one")

TRIALS = 12
Task = tuple[str, str, int]


def tasks(batch: Batch) -> list[Task]:
    return [(batch.cell.identity, name, trial) for trial in batch.trials for name in batch.mechanisms]


def came_back(batch: Batch, seconds: float) -> Result:
    """The batch has taken so long; what its rows are is not asked here."""
    return Result(batch, no_rows(batch.kind), "", seconds)


@cache
def no_rows(kind: str) -> pa.Table:
    return tabulated([], kind)


def batches_of(sweep: Sweep, finished: Done | None = None, seconds: float = 0.5, trials: int = TRIALS) -> Batches:
    return Batches(sweep, {cell.identity: trials for cell in sweep.cells}, finished or {}, seconds)


@pytest.fixture
def small(project: "Project") -> Sweep:
    """The small sweep, read once for all examples of a test."""
    return project.sweep()


class Shuffled:
    """Keeps several batches in flight and hands them back in a random order, each at a made-up cost."""

    workers, waiting = 1, ""

    def __init__(self, seed: int, costs: Sequence[float] = (0.0,)) -> None:
        self.rng, self.costs = random.Random(seed), costs
        self.seen: list[Batch] = []

    def run(self, batches: Batches) -> Iterator[Result]:
        flying: list[Batch] = []
        while True:
            while len(flying) < 5 and (batch := batches.next()) is not None:
                flying.append(batch)
                self.seen.append(batch)
            if not flying:
                return
            result = run_batch(flying.pop(self.rng.randrange(len(flying))))
            yield replace(result, seconds=self.rng.choice(self.costs) * len(result.batch.trials))


@pytest.mark.law
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    finished=st.sets(st.tuples(st.integers(0, 3), st.sampled_from(["A_binClas", "noisy_majority"]), st.integers(0, TRIALS))),
    costs=st.lists(st.floats(0, 100), min_size=1, max_size=40),
    order=st.randoms(use_true_random=False),
    seconds=st.sampled_from([0.0, 0.01, 0.5, 10.0, float("inf")]),
)
def test_every_missing_task_is_out_once_whatever_is_done_and_whatever_it_costs(
    small: Sweep, finished: set[tuple[int, str, int]], costs: list[float], order: random.Random, seconds: float
) -> None:
    sweep = small
    already = {(sweep.cells[cell].identity, name, trial) for cell, name, trial in finished}
    by_row: dict[tuple[str, str], list[int]] = {}
    for cell, name, trial in already:
        by_row.setdefault((cell, name), []).append(trial)
    there: Done = {row: ranges(np.array(trials)) for row, trials in by_row.items()}
    batches, out, flying = batches_of(sweep, there, seconds), Counter[Task](), list[Batch]()
    expected = {
        (cell.identity, name, trial) for cell in sweep.cells for name in sweep.spec.mechanisms for trial in range(TRIALS)
    } - already
    assert batches.trials == len({(cell, trial) for cell, _, trial in expected})
    while True:
        batch = batches.next()
        if batch is not None:
            assert batch.trials and batch.seed == 7 and batch.kind == "answers"
            out.update(tasks(batch))
            flying.append(batch)
        if flying and (batch is None or order.random() < 0.5):
            back = flying.pop(order.randrange(len(flying)))
            batches.measured(came_back(back, order.choice(costs)))
        if batch is None and not flying:
            break
    assert set(out) == expected and set(out.values()) <= {1}


def test_the_first_batch_of_a_cell_is_one_trial_and_none_is_larger_before_it_is_measured(project: "Project") -> None:
    sweep = project.sweep()
    batches = batches_of(sweep)
    first = [batches.next() for _ in range(8)]
    assert [batch.trials for batch in first if batch] == [range(1)] * 4 + [range(1, 2)] * 4
    assert [batch.cell.identity for batch in first if batch] == [cell.identity for cell in sweep.cells] * 2


@pytest.mark.parametrize(
    ("cost", "seconds", "size"),
    [(0.1, 0.5, 5), (0.125, 0.5, 4), (1.0, 0.5, 1), (0.0, 0.5, 99), (0.1, 0.0, 1), (0.1, 1e308, 99)],
)
def test_a_batch_takes_about_as_long_as_it_should(project: "Project", cost: float, seconds: float, size: int) -> None:
    batches = batches_of(project.sweep(m="20", learner="leftmost"), seconds=seconds, trials=100)
    first = batches.next()
    assert first is not None
    batches.measured(came_back(first, cost))
    second = batches.next()
    assert second is not None and len(second.trials) == size
    batches.measured(came_back(second, 3 * cost * size))
    if size < 50:
        third = batches.next()
        assert third is not None and len(third.trials) <= max(1, size // 3 + 1)


@pytest.mark.parametrize(
    ("missing", "first", "second"), [(range(20), range(7), range(7, 14)), (range(3, 9), range(3, 7), range(7, 9))]
)
def test_a_block_is_not_cut(
    project: "Project", monkeypatch: pytest.MonkeyPatch, missing: range, first: range, second: range
) -> None:
    monkeypatch.setattr(Cell, "block", 7)
    sweep = project.sweep(m="20", learner="leftmost", mechanisms="[A_binClas]")
    there: Done = {(sweep.cells[0].identity, "A_binClas"): (range(missing.start), range(missing.stop, 20))}
    batches = batches_of(sweep, there, seconds=0.1, trials=20)
    for expected in (first, second):
        batch = batches.next()
        assert batch is not None and batch.trials == expected
        batches.measured(came_back(batch, 0.05 * len(batch.trials)))


def test_trials_of_a_block_are_the_same_however_it_is_asked_for(project: "Project", monkeypatch: pytest.MonkeyPatch) -> None:
    """A block of 7 drawn whole, cut at its ends, trial by trial in any order, and by `rows`."""
    monkeypatch.setattr(Cell, "block", 7)
    (cell,) = project.sweep(m="3000", n="2e7", learner="leftmost").cells
    names = ("A_binClas", "noisy_majority")

    def found(trials: Sequence[int]) -> list[dict[str, Any]]:
        rows = run_batch(Batch("answers", cell, names, trials, 7)).rows.to_pylist()
        return sorted((row | {"seconds": 0} for row in rows), key=lambda row: (row["trial"], row["mechanism"]))

    whole = found(range(21))
    assert len({(row["bottoms"], row["wrong"], row["max_mistakes"]) for row in whole}) > 3
    assert found(range(5, 16)) == whole[10:32] and found((3, 8, 9, 20)) == [
        whole[2 * t + i] for t in (3, 8, 9, 20) for i in (0, 1)
    ]
    assert [row | {"seconds": 0} for row in kinds()["answers"].rows(cell, names, 7, 12)] == whole[24:26]


def test_only_the_mechanisms_that_a_trial_lacks_are_run(project: "Project") -> None:
    sweep = project.sweep(m="20", learner="leftmost")
    (cell,) = sweep.cells
    there: Done = {(cell.identity, "A_binClas"): (range(3),), (cell.identity, "noisy_majority"): (range(2, 4),)}
    batches, seen = batches_of(sweep, there, trials=5), Counter[Task]()
    while (batch := batches.next()) is not None:
        seen.update(tasks(batch))
    lacking = {"A_binClas": {3, 4}, "noisy_majority": {0, 1, 4}}
    assert seen == Counter({(cell.identity, name, trial): 1 for name, trials in lacking.items() for trial in trials})


@pytest.mark.at_once("2")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_order_of_arrival_does_not_show(project: "Project", seed: int) -> None:
    engine = Shuffled(seed, costs=[0.0, 0.002, 0.1, 5.0])
    shuffled = project.run(project.sweep(trials="9"), engine, batch_seconds=0.01)
    orderly = project.run(project.sweep("other", trials="9"))
    assert (seen := [(batch.trials[0], len(batch.trials)) for batch in engine.seen]) != sorted(seen)
    assert shuffled.table.fingerprint == orderly.table.fingerprint


def test_serial_runs_every_batch(project: "Project") -> None:
    sweep = project.sweep()
    batches = batches_of(sweep, seconds=0.0, trials=3)
    results = list(Serial().run(batches))
    assert batches.next() is None and len(results) == 12 and all(result.seconds > 0 for result in results)
    rows = [row for result in results for row in result.rows.to_pylist()]
    assert Counter((row["cell"], row["mechanism"], row["trial"]) for row in rows) == Counter(
        task for result in results for task in tasks(result.batch)
    )


def test_a_batch_runs_on_one_thread_and_its_rows_are_those_of_its_trials(project: "Project") -> None:
    (cell,) = project.sweep(m="20", learner="leftmost").cells
    batch = Batch("answers", cell, ("noisy_majority", "A_binClas"), (5, 2), 7)
    result = run_batch(batch)
    expected = [kinds()["answers"].rows(cell, [name], 7, trial)[0] for name in batch.mechanisms for trial in (5, 2)]
    assert [row | {"seconds": 0} for row in result.rows.to_pylist()] == [row | {"seconds": 0} for row in expected]
    assert result.raised == {} and result.seconds >= sum(result.rows["seconds"].to_pylist()) - 4e-4


def test_what_is_done_is_read_off_the_rows(project: "Project") -> None:
    outcome = project.run(project.sweep(m="20", trials="3"))
    expected = {(cell, name): (range(3),) for cell in set(project.rows()["cell"]) for name in ("A_binClas", "noisy_majority")}
    assert done(outcome.table.rows) == expected
