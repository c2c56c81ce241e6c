"""Whole runs on a Ray that is up, and the same trials bare, each in processes of their own that wait for orders."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from harness.sweep.batches import Batch, Batches, Result, run_batch
from harness.sweep.cluster import Cluster
from harness.sweep.provenance import provenance
from harness.sweep.run import run_sweep
from harness.sweep.spec import Sweep
from harness.sweep.store import Store

Orders = Callable[[], int]
"""Run all trials; how many they were."""


class Quiet:
    """Progress that nobody watches."""

    def start(self, batches: Batches, store: Store) -> None:
        pass

    def advance(self, result: Result) -> None:
        pass


def on_ray(orders: Connection, path: Path, workers: int) -> None:
    """Run the whole sweep on a Ray of so many workers, anew at every order, until the other side hangs up."""
    sweep = Sweep(path)
    with Cluster(workers=workers) as engine:
        for _ in received(orders):
            store = Store(path.parent / str(workers), sweep.name, provenance(sweep))
            orders.send(run_sweep(sweep, store, engine, Quiet(), fresh=True, batch_seconds=0.25).ran)


def bare(orders: Connection, path: Path, share: int, of: int) -> None:
    """Run a share of the trials, and do nothing else."""
    sweep = Sweep(path)
    for _ in received(orders):
        ran = 0
        for cell in sweep.cells:
            trials = tuple(range(share, sweep.most_trials(cell), of))
            assert not run_batch(Batch(sweep.kind.name, cell, tuple(sweep.spec.mechanisms), trials, sweep.spec.seed)).raised
            ran += len(trials)
        orders.send(ran)


def received(orders: Connection) -> Iterator[None]:
    """One for each order, until the other side hangs up."""
    while True:
        try:
            orders.recv()
        except EOFError:
            return
        yield


@contextmanager
def waiting(work: Callable[..., None], given: Sequence[tuple[object, ...]]) -> Iterator[Orders]:
    """A call that has all work done at once; it has been done once before, so that all is up and imported."""
    spawn = get_context("spawn")
    ends, processes = [], []
    for arguments in given:
        ours, theirs = spawn.Pipe()
        processes.append(spawn.Process(target=work, args=(theirs, *arguments)))
        processes[-1].start()
        theirs.close()
        ends.append(ours)

    def run() -> int:
        for end in ends:
            end.send("run")
        return sum(int(end.recv()) for end in ends)

    try:
        run()
        yield run
    finally:
        for end in ends:
            end.close()
        for process in processes:
            process.join()


def whole_run(path: Path, workers: int) -> AbstractContextManager[Orders]:
    """The sweep as `harness run` has it."""
    return waiting(on_ray, [(path, workers)])


def bare_trials(path: Path, processes: int) -> AbstractContextManager[Orders]:
    """Its trials alone, shared out."""
    return waiting(bare, [(path, share, processes) for share in range(processes)])
