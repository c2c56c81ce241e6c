"""Tells batches that take long from batches that nobody is at: each worker leaves a sign when it begins one."""

from collections.abc import Callable
from contextlib import suppress
from math import inf
from time import monotonic
from typing import Any

from harness.sweep.errors import CannotRunError
from harness.sweep.ray.connection import RESUMES, Connection

NOBODY_SECONDS = 15.0
BEGIN_SECONDS = 60.0  # where there are CPUs: on a busy machine a worker takes 20 s to begin
DEATHS_SECONDS = 8.0
DEATHS = 4
LOOK_SECONDS = 2.0
SPACE = "harness"  # of signs, in the store of keys and values that every Ray has

Sign = tuple[str, int]
"""Of a run and the number of one of its batches."""


def announcing(work: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps a function so that a Ray worker first stores under its own id the given sign: the run, and the number of the batch.

    The wrapper is pickled whole.
    """

    def announced(sign: Sign, *arguments: Any) -> Any:
        from contextlib import suppress

        import ray
        from ray.experimental.internal_kv import _internal_kv_put

        run, number = sign
        with suppress(Exception):  # it is not worth a batch
            worker = ray.get_runtime_context().get_worker_id()
            _internal_kv_put(f"{run}/{worker}", str(number), namespace="harness")
        return work(*arguments)

    announced.__name__ = announced.__qualname__ = work.__name__
    return announced


def forget(run: str) -> None:
    """Removes from Ray's store all signs of batches that the workers of a run left there."""
    from ray.experimental.internal_kv import _internal_kv_del

    with suppress(Exception):
        _internal_kv_del(f"{run}/", del_by_prefix=True, namespace=SPACE)


class StallDetector:
    """Tells how long nothing has come of the batches in flight, and raises when that is too long.

    A cluster whose CPUs others have is waited for, and one that has none is not, unless it had some a moment ago. seconds: how
    long either is waited for where the user says so. waiting: for what, in words; empty while a worker is at a batch.
    """

    def __init__(self, connection: Connection, seconds: float | None = None) -> None:
        self._connection, self._seconds = connection, seconds
        self._deaths: list[BaseException] = []
        self._had_cpus = False
        self._last = monotonic()
        self.batch_came_back()

    def batch_came_back(self) -> None:
        """A batch has come back."""
        self._deaths.clear()
        self._fruitless = self._since_look = 0.0
        self._waited = self._so = 0.0
        self.waiting = ""
        self._last = monotonic()

    def workers_died(self, error: BaseException) -> None:
        """The workers at a batch died. Raises CannotRunError when they all do, one after the other."""
        self._pass()
        self._deaths.append(error)
        if len(self._deaths) >= DEATHS and self._fruitless > DEATHS_SECONDS:
            raise CannotRunError(f"{self._why_they_die(error)}; {RESUMES}")

    def none_came_back(self, numbers: set[int]) -> None:
        """Nothing came back for a moment of the batches of these numbers. Raises CannotRunError when nobody is at any."""
        self._pass()
        if self._since_look < LOOK_SECONDS:
            return
        passed, self._since_look = self._since_look, 0.0
        cpus = self._connection(self._connection.ray.cluster_resources).get("CPU", 0)
        if cpus and self._connection(self._begun) & numbers:
            self._waited, self.waiting = 0.0, ""
            return
        self._had_cpus |= cpus > 0
        before = self.waiting
        self.waiting, most, remedy = self._why_nobody(cpus)
        self._waited += passed
        self._so = passed + (
            self._so if self.waiting == before else 0.0
        )  # CPUs may be free for a moment, of one job and the next
        if self._so > most or (self._seconds is not None and self._waited > self._seconds):
            why = f"{self.waiting}{f', for {self._waited:.0f} s now' if most else ''}: {remedy}"
            raise CannotRunError(f"{self._why_they_die(self._deaths[-1]) if self._deaths else why}; {RESUMES}")

    def _begun(self) -> set[int]:
        """The batches that some worker began last."""
        from ray.experimental.internal_kv import _internal_kv_get, _internal_kv_list

        signs = _internal_kv_list(f"{self._connection.run}/", namespace=SPACE)
        return {int(_internal_kv_get(sign, namespace=SPACE) or -1) for sign in signs}

    def _why_they_die(self, error: BaseException) -> str:
        name = self._connection.name
        if isinstance(error, self._connection.ray.exceptions.OutOfMemoryError):
            return f"the memory monitor of {name} kills all workers: free memory, or take fewer --workers"
        return f"the workers of {name} die, one after the other: {' '.join(str(error).split())}"

    def _why_nobody(self, cpus: float) -> tuple[str, float, str]:
        """What is waited for, how many seconds at a stretch whatever the user says, and what can be done."""
        name, elsewhere = self._connection.name, not self._connection.local
        if not cpus:
            usual = NOBODY_SECONDS if self._had_cpus or not elsewhere else 0.0
            remedy = "add a node that has some, wait for one with --patience SECONDS, or use --serial"
            return f"{name} has no CPU", usual if self._seconds is None else inf, remedy
        if elsewhere and not self._deaths and self._connection(self._connection.ray.available_resources).get("CPU", 0) < 1:
            return f"others have all CPUs of {name}", inf, "wait longer, add a node, or use --serial"
        return f"no worker of {name} begins a batch, though CPUs are free", BEGIN_SECONDS, "free memory, or use --serial"

    def _pass(self) -> None:
        """Count the time since the last look at the clock, but not that for which this process was stopped."""
        now = monotonic()
        passed = min(now - self._last, 2 * LOOK_SECONDS)
        self._last = now
        self._fruitless += passed
        self._since_look += passed
