"""What a second worker is worth: whole runs on two local Rays of one and of two workers, which take turns."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.sweep.batches import Batch, Batches, Result, run_batch
from harness.sweep.cluster import Cluster
from harness.sweep.provenance import provenance
from harness.sweep.run import run_sweep
from harness.sweep.spec import Sweep
from harness.sweep.store import Store

if TYPE_CHECKING:
    from tests.conftest import Project

AtMost = Callable[[float, Callable[[], object], Callable[[], object], int], None]

TRIAL_SECONDS, BATCH_SECONDS = 0.05, 0.25
SWEEP: dict[str, str | None] = {
    "learner": "{sklearn: tree.DecisionTreeClassifier, max_depth: 2}",
    "sampling": "full",
    "T": "1",
    "constants": "k_tight",
    "k_scale": "0.03",
    "m": "200",
    "trials": "24",
    "figure": "{x: m}",
}


class Quiet:
    """Progress that nobody watches."""

    def start(self, batches: Batches, store: Store) -> None:
        pass

    def advance(self, result: Result) -> None:
        pass


def serve(orders: Connection, path: Path, workers: int) -> None:
    """Run the whole sweep on a Ray of so many workers, anew at every order, until the other side hangs up."""
    sweep = Sweep(path)
    with Cluster(workers=workers) as engine:
        while True:
            try:
                orders.recv()
            except EOFError:
                return
            store = Store(path.parent / str(workers), sweep.name, provenance(sweep))
            orders.send(run_sweep(sweep, store, engine, Quiet(), fresh=True, batch_seconds=BATCH_SECONDS).ran)


@contextmanager
def whole_run(path: Path, workers: int) -> Iterator[Callable[[], int]]:
    """A call that runs the sweep and says of how many trials; Ray and its workers are up when it is given."""
    ours, theirs = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=serve, args=(theirs, path, workers))
    process.start()
    theirs.close()

    def run() -> int:
        ours.send("run")
        return int(ours.recv())

    try:
        assert run() == int(str(SWEEP["trials"]))
        yield run
    finally:
        ours.close()
        process.join()


@pytest.mark.timeout(900)
def test_two_workers_do_1_8_times_the_work_of_one(project: "Project", takes_at_most: AtMost) -> None:
    """On trials of 50 ms or more, of scikit-learn's decision trees on so many examples as take that long here."""
    for n in (2_000 * 2**power for power in range(10)):
        sweep = project.sweep(**SWEEP, n=str(n))
        result = run_batch(Batch(sweep.kind.name, sweep.cells[0], tuple(sweep.spec.mechanisms), tuple(range(10)), 7))
        assert not result.raised
        if result.seconds / 10 > 1.2 * TRIAL_SECONDS:
            break
    print(f"n = {n}, {1e3 * result.seconds / 10:.0f} ms a trial")
    assert result.seconds / 10 > TRIAL_SECONDS
    with ExitStack() as runs:
        one, two = (runs.enter_context(whole_run(sweep.path.absolute(), workers)) for workers in (1, 2))
        takes_at_most(1 / 1.8, two, one, 2)
