"""Which engine runs a sweep."""

from contextlib import AbstractContextManager, nullcontext

from harness.sweep.batches import Engine, Serial
from harness.sweep.cluster import Cluster
from harness.sweep.errors import InputError


def engine_for(serial: bool, address: str | None, workers: int | None) -> AbstractContextManager[Engine]:
    """The engine that the options ask for. Raises InputError where they contradict each other."""
    if serial and (address is not None or workers is not None):
        raise InputError("runs in this process: it goes with neither --address nor --workers", "--serial")
    return nullcontext(Serial()) if serial else Cluster(address, workers)
