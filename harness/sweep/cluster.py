"""Ray: plain tasks in a bounded window, on a Ray of our own or on a cluster."""

import logging
import os
from collections.abc import Iterator
from pathlib import Path
from socket import create_connection
from types import TracebackType
from typing import Any

import harness
from harness.sweep.batches import Batch, Batches, Result, run_batch
from harness.sweep.errors import CannotRunError

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
# Newer versions otherwise replay workers' GPU visibility rules; there are no GPU tasks here, and the warning is noise.
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

RETRIES = 3
THREADS = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class Cluster:
    """Ray at an address, or a local one of `workers` workers. It is joined or started when the first batch is ready to run."""

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        self._address, self._workers = address, workers
        self._ray: Any = None

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        if self._ray is not None:
            self._ray.shutdown()

    def _connect(self) -> None:
        _refuse_silence(self._address)
        import ray  # a second's worth of import that only runs on Ray pay for

        runtime: dict[str, Any] = {"env_vars": THREADS}
        where: dict[str, Any] = {"include_dashboard": False, "num_cpus": self._workers or os.cpu_count()}
        if self._address is not None:
            where = {"address": self._address}
            runtime["py_modules"] = [str(Path(harness.__file__).parent)]  # the driver's own code, not the nodes'
        try:
            ray.init(**where, runtime_env=runtime, log_to_driver=False, logging_level=logging.ERROR)
        except Exception as error:  # Ray raises anything from ConnectionError to RuntimeError here
            reason = f"no Ray at {self._address or 'this machine'}: {str(error).splitlines()[0]}"
            hint = "; if it asks for a token, set RAY_AUTH_MODE=token" if self._address else ""
            raise CannotRunError(reason + hint) from None
        self._ray = ray
        self._task = ray.remote(num_cpus=1, max_retries=RETRIES)(run_batch)

    def run(self, batches: Batches) -> Iterator[Result]:
        """Two batches in flight for each worker: none idles, and memory does not grow with the sweep."""
        if self._ray is None:
            self._connect()
        window = 2 * max(1, self._workers or int(self._ray.cluster_resources().get("CPU", 1)))
        flying: dict[Any, Batch] = {}
        while True:
            while len(flying) < window and (batch := batches.next()) is not None:
                flying[self._task.remote(batch)] = batch
            if not flying:
                return
            (ready,), _ = self._ray.wait(list(flying), num_returns=1)
            batch = flying.pop(ready)
            try:
                result = self._ray.get(ready)
            except self._ray.exceptions.RayError as error:  # a worker or node died more than RETRIES times
                result = Result(batch, raised={trial: str(error) for trial in batch.trials})
            yield result


def _refuse_silence(address: str | None) -> None:
    """Find out in seconds that nothing listens at host:port: Ray itself tries for minutes."""
    host, _, port = (address or "").rpartition(":")
    if host and "/" not in host and port.isdecimal():
        try:
            create_connection((host.strip("[]"), int(port)), timeout=5).close()
        except (OSError, OverflowError) as error:
            raise CannotRunError(f"no Ray at {address}: {error}") from None
