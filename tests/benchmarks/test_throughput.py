"""What a second worker is worth, and what a sweep costs beyond its trials: whole runs on local Rays, which take turns."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from threadpoolctl import threadpool_limits

from harness.sweep.batches import BATCH_SECONDS, Batch, run_batch
from harness.sweep.cluster import Cluster
from harness.sweep.provenance import provenance
from harness.sweep.run import run_sweep
from harness.sweep.spec import Sweep
from harness.sweep.store import Store
from tests.conftest import Quiet

if TYPE_CHECKING:
    from tests.conftest import Project

AtMost = Callable[[float, Callable[[], object], Callable[[], object], int], None]

TRIAL_SECONDS = 0.05
TREES: dict[str, str | None] = {
    "learner": "{sklearn: tree.DecisionTreeClassifier, max_depth: 2}",
    "sampling": "full",
    "T": "1",
    "constants": "k_tight",
    "k_scale": "0.03",
    "m": "200",
    "trials": "16",
    "figure": "{x: m}",
}
SHORT: dict[str, str | None] = {
    "learner": "midpoint",
    "n": "1e12",
    "m": "{geom: [20000, 20020, 20]}",
    "trials": "750",
    "figure": "{x: m}",
}


def sweeps(orders: Connection, workers: int) -> None:
    """Of every path that comes run the whole sweep anew, on a Ray of so many workers; say of how many trials."""
    with Cluster(workers=workers) as engine:
        for path, seconds in received(orders):
            sweep = Sweep(path)
            store = Store(path.parent / str(workers), sweep.name, provenance(sweep))
            orders.send(run_sweep(sweep, store, engine, Quiet(), fresh=True, batch_seconds=seconds).ran)


def trials_alone(orders: Connection, half: int) -> None:
    """Of every path that comes run the trials of every second cell, and nothing else; say how many."""
    with threadpool_limits(1):
        for path, _ in received(orders):
            sweep, ran = Sweep(path), 0
            for cell in sweep.cells[half::2]:
                for trial in range(sweep.most_trials(cell)):
                    ran += len(sweep.kind.run(cell, sweep.spec.mechanisms, sweep.spec.seed, trial)) > 0
            orders.send(ran)


def received(orders: Connection) -> Iterator[tuple[Path, float]]:
    """Paths of specs, each with how long a batch should take, until the other side hangs up."""
    with suppress(EOFError):
        while True:
            yield orders.recv()


@contextmanager
def process(work: Callable[[Connection, int], None], number: int) -> Iterator[Connection]:
    """A process of its own that works, and answers, at every path that is sent to it."""
    ours, theirs = get_context("spawn").Pipe()
    its = get_context("spawn").Process(target=work, args=(theirs, number))
    its.start()
    theirs.close()
    try:
        yield ours
    finally:
        ours.close()
        its.join()


def told(path: Path, *processes: Connection, batch_seconds: float = BATCH_SECONDS) -> int:
    """Have them work side by side; gives the number of trials of all."""
    for each in processes:
        each.send((path, batch_seconds))
    return sum(int(each.recv()) for each in processes)


@pytest.fixture(scope="module")
def two_workers() -> Iterator[Connection]:
    """A process with a Ray of two workers."""
    with process(sweeps, 2) as two:
        yield two


@pytest.mark.timeout(900)
def test_two_workers_do_1_8_times_the_work_of_one(project: "Project", two_workers: Connection, takes_at_most: AtMost) -> None:
    """On trials of 50 ms or more, of scikit-learn's decision trees on so many examples as take that long here."""
    for n in (2_000 * 2**power for power in range(10)):
        sweep = project.sweep(**TREES, n=str(n))
        result = run_batch(Batch(sweep.kind.name, sweep.cells[0], tuple(sweep.spec.mechanisms), tuple(range(10)), 7))
        assert not result.raised
        if result.seconds / 10 > 1.2 * TRIAL_SECONDS:
            break
    print(f"n = {n}, {1e3 * result.seconds / 10:.0f} ms a trial")
    assert result.seconds / 10 > TRIAL_SECONDS
    path = sweep.path.absolute()
    with process(sweeps, 1) as one_worker:
        for workers in (one_worker, two_workers):  # each Ray is up and has its workers before a clock runs
            assert told(path, workers) == 16
        one, two = (partial(told, path, workers, batch_seconds=0.25) for workers in (one_worker, two_workers))
        takes_at_most(1 / 1.8, two, one, 2)


@pytest.mark.timeout(900)
def test_a_sweep_takes_a_tenth_more_than_its_trials(project: "Project", two_workers: Connection, takes_at_most: AtMost) -> None:
    """On 15,000 trials of about a millisecond, on two workers, from the empty folder to the table; against two processes that
    run the trials and keep nothing."""
    path = project.sweep(**SHORT).path.absolute()
    with process(trials_alone, 0) as these, process(trials_alone, 1) as those:

        def whole(*processes: Connection) -> None:
            assert told(path, *processes) == 15_000

        takes_at_most(1.1, partial(whole, two_workers), partial(whole, these, those), 2)
