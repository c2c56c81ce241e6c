"""Ray: plain tasks in a bounded window, on a Ray of our own or on a cluster.

A worker or a node that dies takes nothing along but the batches it was at, and Ray runs those again elsewhere. Nodes may come
and go: the window follows. Nothing needs a disk that they share, for code and plugins travel with the work and rows come back.
"""

import logging
import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from time import monotonic, sleep
from types import TracebackType
from typing import Any

from harness.sweep.address import knock, parse, resolve
from harness.sweep.batches import Batches
from harness.sweep.errors import CannotRunError
from harness.sweep.loopback import loopback
from harness.sweep.work import Batch, Result, stamp, tabulated

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
# Newer versions otherwise replay workers' GPU visibility rules; there are no GPU tasks here, and the warning is noise.
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

RETRIES = 3
LOOK_SECONDS = 2.0
PATIENCE_SECONDS = 30.0  # for a head that restarts; after 60 Ray ends the driver by itself, without a chance to say more
THREADS = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
# glibc hands a large array's memory back when it is freed, and the next has its pages zeroed anew: up to a third of a trial.
MEMORY = dict.fromkeys(("MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"), str(2**30))
RESUMES = "what was finished is kept, and the same command resumes"


class Cluster:
    """Ray at an address, or a local one of `workers` workers. It is joined or started when the first batch is ready to run.

    On a cluster, `workers` bounds how many batches run at once. Raises InputError for what is no address.
    """

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        if address is not None and address != "auto":
            parse(address)
        self._address, self._workers = address, workers
        self._ray: Any = None

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        if self._ray is not None:
            self._ray.shutdown()

    def _connect(self) -> None:
        if self._address is not None:
            self._head = resolve(self._address)
            knock(self._head)
        import ray  # a second's worth of import that only runs on Ray pay for

        runtime: dict[str, Any] = {"env_vars": THREADS | MEMORY}
        # "local": not the Ray that happens to run on this machine.
        where: dict[str, Any] = {"address": "local", "include_dashboard": False, "num_cpus": self._workers or os.cpu_count()}
        if self._address is not None:
            where = {"address": self._address}
        # The server that a head starts for a driver from outside may die at birth: gRPC's handlers of forks abort one in fifty
        # where it is busy. A second is asked for.
        for last in (False, True):
            try:
                with loopback() if self._address is None else nullcontext():
                    ray.init(**where, runtime_env=runtime, log_to_driver=False, logging_level=logging.ERROR)
                break
            except Exception as error:  # Ray raises anything from ConnectionError to RuntimeError here
                if last or not isinstance(error, ConnectionAbortedError):
                    raise CannotRunError(f"no Ray at {self._address or 'this machine'}: {_in_a_line(error)}") from None
        self._ray = ray
        from harness.sweep.worker import packed, task

        remote = ray.remote(num_cpus=1, max_retries=RETRIES)(task())
        self._submit: Callable[[Batch], Any] = lambda batch: remote.remote(packed(batch))
        self._looked, self._window = float("-inf"), 1

    def run(self, batches: Batches) -> Iterator[Result]:
        """Run all batches, of which few are in flight: none of the workers idles, and memory does not grow with the sweep.

        A batch that Ray gives up, for RETRIES + 1 workers died of it, is halved, until the trial that kills is alone and is
        reported like one that raised. Raises CannotRunError where no trial can run, and when the cluster is lost.
        """
        if self._ray is None:
            self._connect()
        try:
            yield from self._run(batches)
        except ConnectionError as error:  # of Ray's client server, which had half a minute to come back
            raise CannotRunError(f"lost the Ray at {self._address}: {_in_a_line(error)}; {RESUMES}") from None

    def _run(self, batches: Batches) -> Iterator[Result]:
        flying: dict[Any, Batch] = {}
        halves: deque[Batch] = deque()
        while True:
            while len(flying) < self._most() and (batch := halves.popleft() if halves else batches.next()) is not None:
                flying[self._submit(batch)] = batch
            if not flying:
                return
            (ready,), _ = self._ray.wait(list(flying), num_returns=1)
            batch = flying.pop(ready)
            try:
                yield self._ray.get(ready)
            except (self._ray.exceptions.RayTaskError, self._ray.exceptions.RuntimeEnvSetupError) as error:
                # The worker's own trouble: what a trial raises is in the result.
                why = getattr(error, "cause", None) or error
                raise CannotRunError(f"the workers cannot run trials: {_in_a_line(why)}") from None
            except self._ray.exceptions.RayError as error:
                middle = len(batch.trials) // 2
                if middle:
                    halves += [replace(batch, trials=some) for some in (batch.trials[:middle], batch.trials[middle:])]
                else:
                    died = dict.fromkeys(batch.trials, f"{RETRIES + 1} workers died of it: {error}")
                    yield Result(batch, tabulated([], batch.kind), stamp(), raised=died)

    def _most(self) -> int:
        """How many batches may be in flight: two for each worker that the cluster has now."""
        if monotonic() - self._looked > LOOK_SECONDS:
            if self._address is not None:
                _await(self._head)
            self._window = max(1, 2 * int(self._ray.cluster_resources().get("CPU", 0)))
            if self._address is not None and self._workers is not None:
                self._window = self._workers
            self._looked = monotonic()
        return self._window


def _await(address: str) -> None:
    """Wait until a head answers that may be about to restart. Raises CannotRunError when it stays away."""
    begun = monotonic()
    while True:
        try:
            return knock(address)
        except CannotRunError as error:
            if monotonic() - begun > PATIENCE_SECONDS:
                raise CannotRunError(f"{error}; {RESUMES}") from None
            sleep(1)


def _in_a_line(error: BaseException) -> str:
    """The first line of what it says, and the last when the first announces it, as before a traceback."""
    first, *rest = str(error).strip().splitlines() or [type(error).__name__]
    return f"{first} {rest[-1].strip()}" if rest and first.endswith(":") else first
