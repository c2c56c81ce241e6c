"""Ray: plain tasks in a bounded window, on a Ray of our own or on a cluster.

A worker or a node that dies takes nothing along but the batches it was at, and Ray runs those again elsewhere. Nodes may come
and go: the window follows. Nothing needs a disk that they share, for code and plugins travel with the work and rows come back.
"""

import os
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from time import monotonic
from types import TracebackType
from typing import Any

from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.ray.address import parse
from harness.sweep.ray.connection import Connection, in_a_line
from harness.sweep.ray.stall_detector import Sign, StallDetector, announcing, forget
from harness.sweep.run.batches import Batches
from harness.sweep.run.work import Batch, Result, blocks, stamp
from harness.sweep.table.schema import tabulated
from harness.trials import kinds

# Of the process that owns the tasks: Ray itself would begin again for ever what its memory monitor kills.
OWNER = {"RAY_task_oom_retries": "0"}
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
# Newer versions otherwise replay workers' GPU visibility rules; there are no GPU tasks here, and the warning is noise.
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
# Else Ray's core prints a stack at SIGTERM.
os.environ.setdefault("RAY_DISABLE_FAILURE_SIGNAL_HANDLER", "1")
os.environ |= OWNER

RETRIES = 3
LOOK_SECONDS = 2.0
WAIT_SECONDS = 1.0
THREADS = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
# glibc hands a large array's memory back when it is freed, and the next has its pages zeroed anew: up to a third of a trial.
MEMORY = dict.fromkeys(("MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"), str(2**30))


class Cluster:
    """The engine that runs batches on Ray at an address, or on a local Ray of `workers` workers; joined or started when needed.

    On a cluster, `workers` bounds how many batches run at once, and `seconds`, where given, how long CPUs are waited for: see
    StallDetector. Raises InputError for what is no address.
    """

    def __init__(self, address: str | None = None, workers: int | None = None, seconds: float | None = None) -> None:
        if address is not None and address != "auto":
            parse(address)
        self._address, self._workers, self._seconds = address, workers, seconds
        self._link: Connection | None = None
        self._stalls: StallDetector | None = None
        self._numbers = count()  # of all batches of all sweeps, for each leaves signs

    @property
    def workers(self) -> int | None:
        """How many batches run at once; None before a cluster is joined."""
        if self._address is None:
            return self._workers or os.cpu_count() or 1
        return None if self._link is None else max(1, self._window // (1 if self._workers else 2))

    @property
    def waiting(self) -> str:
        """What no batch can begin for."""
        return self._stalls.waiting if self._stalls is not None else ""

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        if self._link is not None:
            self._link.close(forget)

    def _connect(self) -> Connection:
        connection = Connection(self._address, self._workers, THREADS | MEMORY | OWNER)
        from harness.sweep.ray.worker import packed, task

        remote = connection.ray.remote(num_cpus=1, max_retries=RETRIES)(announcing(task()))

        def submit(sign: Sign, batch: Batch) -> Any:
            task = remote.remote(sign, packed(batch))
            hash(task)  # which a client waits for, or learns there that its server is gone
            return task

        self._submit: Callable[[Sign, Batch], Any] = submit
        self._looked, self._window = float("-inf"), 1
        return connection

    def run(self, batches: Batches) -> Iterator[Result]:
        """Run all batches, of which few are in flight: none of the workers idles, and memory does not grow with the sweep.

        A batch whose workers die, RETRIES + 1 of them, is halved, until the trial that kills is alone and is reported like one
        that raised. Raises CannotRunError where no trial can run, and when Ray is lost.
        """
        if self._link is None:
            self._link = self._connect()
        yield from self._run(batches, self._link)

    def _run(self, batches: Batches, connection: Connection) -> Iterator[Result]:
        flying: dict[Any, tuple[int, Batch]] = {}
        again: deque[Batch] = deque()
        deaths = Counter[tuple[str, Sequence[int]]]()
        stalls, lost = StallDetector(connection, self._seconds), connection.ray.exceptions
        self._stalls = stalls
        while True:
            while len(flying) < self._most(connection) and (batch := again.popleft() if again else batches.next()) is not None:
                number = next(self._numbers)
                flying[connection(partial(self._submit, (connection.run, number), batch))] = number, batch
            if not flying:
                return
            ready, _ = connection(partial(connection.ray.wait, list(flying), num_returns=1, timeout=WAIT_SECONDS))
            if not ready:
                stalls.none_came_back({number for number, _ in flying.values()})
                continue
            _, batch = flying.pop(ready[0])
            try:
                result = connection(partial(connection.ray.get, ready[0]))
            except (lost.RayTaskError, lost.RuntimeEnvSetupError) as error:
                # The worker's own trouble: what a trial raises is in the result.
                why = getattr(error, "cause", None) or error
                if isinstance(why, InputError):
                    raise InputError(str(why)) from None
                raise CannotRunError(f"the workers cannot run trials: {in_a_line(why)}") from None
            except lost.RayError as error:
                stalls.workers_died(error)
                those = batch.cell.identity, batch.trials
                deaths[those] += 1
                if halves := _halves(batch):
                    again += halves
                elif isinstance(error, lost.OutOfMemoryError) and deaths[those] <= RETRIES:
                    again.append(batch)
                else:
                    died = dict.fromkeys(batch.trials, f"{RETRIES + 1} workers died of it: {error}")
                    yield Result(batch, tabulated([], batch.kind), stamp(), raised=died)
            else:
                stalls.batch_came_back()
                yield result

    def _most(self, connection: Connection) -> int:
        """How many batches may be in flight: two for each worker that the cluster has now."""
        if monotonic() - self._looked > LOOK_SECONDS:
            self._window = max(1, 2 * int(connection(connection.ray.cluster_resources).get("CPU", 0)))
            if self._address is not None and self._workers is not None:
                self._window = self._workers
            self._looked = monotonic()
        return self._window


def _halves(batch: Batch) -> list[Batch]:
    """Of several blocks, in two batches; none of one, which is drawn whole."""
    parts = [len(trials) for _, _, trials in blocks(batch, kinds()[batch.kind])]
    middle = sum(parts[: len(parts) // 2])
    return [replace(batch, trials=some) for some in (batch.trials[:middle], batch.trials[middle:])] if middle else []
