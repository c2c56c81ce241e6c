"""Which engine runs a sweep."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType

from harness.sweep.errors import InputError
from harness.sweep.ray.cluster import Cluster
from harness.sweep.run.batches import Batches, Engine, Serial
from harness.sweep.run.memory import confined, for_a_worker
from harness.sweep.run.work import Result

SECONDS = 15.0  # a Ray of our own takes some ten to start, and on two workers halves the rest


class Local:
    """The engine that runs on this machine: what takes seconds in this process, what takes longer on a Ray started for it.

    A trial here may take as much memory as one of a worker, and fails to take more.
    """

    def __init__(self) -> None:
        self._ray = Cluster()
        self._limit = for_a_worker(self._ray.workers or 1)
        self._here = False

    @property
    def workers(self) -> int | None:
        return 1 if self._here else self._ray.workers

    @property
    def waiting(self) -> str:
        return self._ray.waiting

    def settle(self, here: bool) -> None:
        """Whether all that is to run is known to be so short that it runs in this process: see `short`."""
        self._here = here

    def run(self, batches: Batches) -> Iterator[Result]:
        """In this process as long as that is short: of trials until decided the later rounds may be long.

        Nothing may be known of what is left, where all trials of those cells that were measured are there.
        """
        self._here = self._here and batches.all_ended and batches.seconds_left <= SECONDS
        if not self._here:
            yield from self._ray.run(batches)
            return
        with confined(self._limit):
            yield from Serial().run(batches)

    def __enter__(self) -> "Local":
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._ray.__exit__(kind, value, trace)


def short(seconds: float, sure: bool) -> bool:
    """Whether work of so many seconds, one trial after the other, is not worth a Ray.
    sure: whether it is known to take no more.
    """
    return sure and 0 < seconds <= SECONDS


def may_run_here(engine: Engine) -> bool:
    """Whether trials may run in this process: nobody asked for workers."""
    return isinstance(engine, Serial | Local)


def engine_for(
    serial: bool, address: str | None, workers: int | None, patience: float | None = None
) -> AbstractContextManager[Engine]:
    """The engine that runs a sweep by a command's options. Raises InputError where they contradict each other."""
    if patience is not None and address is None:
        raise InputError("is how long CPUs of a cluster are waited for: it goes with --address", "--patience")
    if serial and (address is not None or workers is not None):
        raise InputError("runs in this process: it goes with neither --address nor --workers", "--serial")
    if serial:
        return nullcontext(Serial())
    return Local() if address is None and workers is None else Cluster(address, workers, patience)
