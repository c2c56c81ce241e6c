"""What a second worker is worth, and what a sweep costs beyond its trials: whole runs on local Rays, which take turns."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import pytest

from harness.sweep.ray.cluster import Cluster
from harness.sweep.run.batches import BATCH_SECONDS
from harness.sweep.run.provenance import provenance
from harness.sweep.run.run import run_sweep
from harness.sweep.run.store import Store
from harness.sweep.run.work import Batch, Result, run_batch
from harness.sweep.spec import Sweep
from tests.support.project import Quiet
from tests.support.ratios import PATIENCE

if TYPE_CHECKING:
    from tests.support.project import Project

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
    "n": "1e9",
    "m": "{geom: [30000, 30020, 20]}",
    "trials": "2250",
    "figure": "{x: m}",
}


@dataclass(frozen=True)
class Ran:
    """How many trials a sweep ran, and how many seconds it and its trials, one after the other, took."""

    trials: int
    seconds: float
    of_trials: float


class Watch(Quiet):
    """Adds up what the trials take."""

    of_trials = 0.0

    def advance(self, result: Result) -> None:
        self.of_trials += result.seconds


def sweeps(orders: Connection, workers: int) -> None:
    """Of every path that comes run the whole sweep anew, on a Ray of so many workers, until the other side hangs up."""
    with Cluster(workers=workers) as engine, suppress(EOFError):
        while True:
            path, batch_seconds = orders.recv()
            sweep, watch, start = Sweep(path), Watch(), perf_counter()
            store = Store(path.parent / str(workers), sweep.name, provenance(sweep))
            ran = run_sweep(sweep, store, engine, watch, fresh=True, batch_seconds=batch_seconds).ran
            orders.send(Ran(ran, perf_counter() - start, watch.of_trials))


@contextmanager
def ray_of(workers: int) -> Iterator[Connection]:
    """A process with a Ray of so many workers, which runs the sweeps that are sent to it."""
    ours, theirs = get_context("spawn").Pipe()
    its = get_context("spawn").Process(target=sweeps, args=(theirs, workers))
    its.start()
    theirs.close()
    try:
        yield ours
    finally:
        ours.close()
        its.join()


def told(path: Path, ray: Connection, batch_seconds: float = BATCH_SECONDS) -> Ran:
    """Have it run a sweep."""
    ray.send((path, batch_seconds))
    ran: Ran = ray.recv()
    return ran


@pytest.fixture(scope="module")
def two_workers() -> Iterator[Connection]:
    """One of two."""
    with ray_of(2) as two:
        yield two


@pytest.mark.timeout(900)
def test_two_workers_do_1_8_times_the_work_of_one(project: "Project", two_workers: Connection) -> None:
    """On trials of 50 ms or more, of scikit-learn's decision trees on so many examples as take that long here.

    Work is counted in the time that the trials took, so that what slows the machine in the meantime, or a core when the other
    is busy, does not pass for a worker that idles.
    """
    for n in (2_000 * 2**power for power in range(10)):
        sweep = project.sweep(**TREES, n=str(n))
        result = run_batch(Batch(sweep.kind.name, sweep.cells[0], tuple(sweep.spec.mechanisms), tuple(range(10)), 7))
        assert not result.raised
        if result.seconds / 10 > 1.2 * TRIAL_SECONDS:
            break
    print(f"n = {n}, {1e3 * result.seconds / 10:.0f} ms a trial")
    assert result.seconds / 10 > TRIAL_SECONDS
    path = sweep.path.absolute()
    with ray_of(1) as one_worker:
        for workers in (one_worker, two_workers):  # each Ray is up and has its workers before a clock runs
            assert told(path, workers).trials == 16
        for _ in range(PATIENCE):
            one, two = (told(path, workers, batch_seconds=0.25) for workers in (one_worker, two_workers))
            ratio = (two.of_trials / two.seconds) / (one.of_trials / one.seconds)
            print(f"{ratio:.3f} times the work a second (limit 1.8), {one.seconds / two.seconds:.3f} times the trials")
            if ratio >= 1.8:
                break
    assert ratio >= 1.8


@pytest.mark.timeout(900)
def test_a_sweep_takes_a_tenth_more_than_its_trials(project: "Project", two_workers: Connection) -> None:
    """45,000 of about a millisecond, from the empty folder to the table: two workers for so long, against the time that these
    same trials took in them, so that what slows the machine slows both."""
    told(project.sweep("first", **SHORT | {"trials": "10"}).path.absolute(), two_workers)  # its Ray is up, and has its workers
    path = project.sweep(**SHORT).path.absolute()
    for _ in range(PATIENCE):
        ran = told(path, two_workers)
        assert ran.trials == 45_000
        ratio = 2 * ran.seconds / ran.of_trials
        print(f"two workers {ran.seconds:.2f} s, trials {ran.of_trials:.2f} s: {ratio:.3f} (limit 1.1)")
        if ratio <= 1.1:
            break
    assert ratio <= 1.1
