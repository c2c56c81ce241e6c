"""A driver's connection to its Ray: no call is waited for when Ray is dead, and no signal interrupts one."""

import logging
import os
import secrets
from collections.abc import Callable
from contextlib import ExitStack
from time import monotonic
from typing import Any, TypeVar

from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.ray.address import check_reachable, resolve
from harness.sweep.ray.call_thread import CallThread, OverdueError
from harness.sweep.ray.local_ray import RayFolder, what_died
from harness.sweep.ray.loopback import loopback
from harness.sweep.stopping import Stopped, abandon

START_SECONDS = 90.0  # of a local Ray, which a busy machine takes 40 s to start; or of a head that makes a server in a minute
ANSWER_SECONDS = 25.0
LEAVE_SECONDS = 5.0
CHECK_SECONDS = 2.0
RESTART_SECONDS = 20.0  # for a head that restarts; after 60 Ray ends the driver by itself, without a chance to say more
RESUMES = "what was finished is kept, and the same command resumes"

Answer = TypeVar("Answer")


class Connection:
    """A driver's connection to the Ray at an address, or to a local one of our own with so many CPUs."""

    def __init__(self, address: str | None, cpus: int | None, environment: dict[str, str]) -> None:
        """Join it or start it. environment: what workers have besides. Raises CannotRunError."""
        self._address = address if address is None else resolve(address)
        self.name = "the local Ray" if address is None else f"the Ray at {self._address}"
        self.local = address is None
        self._from_outside = self._address is not None and self._address.startswith("ray://")
        self.run = secrets.token_hex(8)
        self._checked = self._answered = monotonic()
        self._place: RayFolder | None = None
        self._usable = False
        where: dict[str, Any] = {"address": self._address}
        if self._address is None:
            self._place = RayFolder()
            # "local": not the Ray that happens to run on this machine.
            where = {"address": "local", "include_dashboard": False, "num_cpus": cpus or os.cpu_count()}
            where["_temp_dir"] = self._place.inside
        else:
            check_reachable(self._address)
        import ray  # a second's worth of import that only runs on Ray pay for

        self.ray: Any = ray
        self._calls = CallThread()
        self._begin(where | {"runtime_env": {"env_vars": environment}})

    def _begin(self, where: dict[str, Any]) -> None:
        def begin() -> None:
            with ExitStack() as stack:
                if self._place is not None:
                    stack.enter_context(self._place.marked())
                    stack.enter_context(loopback())
                if self._from_outside:  # it would say of a server that is gone what we say
                    logging.getLogger("ray.util.client").setLevel(logging.CRITICAL)
                    # Ray sets the level of this one anew, and gives it nothing to write to, so Python would write to stderr.
                    logging.getLogger("ray.util.client.logsclient").addHandler(logging.NullHandler())
                self.ray.init(**where, log_to_driver=False, logging_level=logging.ERROR)

        # The server that a head starts for a driver from outside may die at birth: gRPC's handlers of forks abort one in fifty
        # where it is busy. A second is asked for.
        for last in (False, True):
            try:
                self._calls(begin, START_SECONDS)
                break
            except (OverdueError, Stopped) as late:
                abandon()  # it may go on
                if isinstance(late, Stopped):
                    raise
                raise CannotRunError(f"no Ray at {self._address or 'this machine'}: none in {START_SECONDS:.0f} s") from None
            except Exception as error:  # Ray raises anything from ConnectionError to RuntimeError here
                if last or not isinstance(error, ConnectionAbortedError):
                    self._usable = True
                    self.close(lambda run: None)
                    raise CannotRunError(f"no Ray at {self._address or 'this machine'}: {in_a_line(error)}") from None
        self._usable = True

    def __call__(self, call: Callable[[], Answer]) -> Answer:
        """What a call of Ray's returns or raises. Raises CannotRunError when Ray is dead or does not answer."""
        try:
            return self._calls(call, ANSWER_SECONDS, self._watch)
        except OverdueError:
            self._usable = False
            raise CannotRunError(f"{self.name} has not answered for {ANSWER_SECONDS:.0f} s; {RESUMES}") from None
        except Exception as error:
            if not self._cut_off(error):
                raise
            self._usable = False
            raise CannotRunError(f"lost {self.name}: its client server ended, or cannot be reached; {RESUMES}") from None

    def close(self, first: Callable[[str], None]) -> None:
        """Leave the Ray, after `first` was told the run's name. A local one is gone then, with its folder.

        What hangs is left to the end of this process.
        """
        try:
            if not self._usable:
                raise OverdueError
            self._calls(lambda: first(self.run), LEAVE_SECONDS)
            self._calls(self.ray.shutdown, LEAVE_SECONDS)
        except Exception:  # overdue, or what Ray says of a server that has died since
            abandon()
            return
        self._calls.close()
        if self._place is not None:
            self._place.close()

    def _cut_off(self, error: Exception) -> bool:
        """Whether an error is the way of Ray's client to say that its server is gone, of which it has many."""
        if not self._from_outside or isinstance(error, self.ray.exceptions.RayError | CannotRunError | InputError):
            return False
        from grpc import RpcError  # type: ignore[import-untyped]
        from ray.util.client import ray as client

        connected: Any = client.is_connected
        return isinstance(error, ConnectionError | RpcError) or type(error) is Exception or not connected()

    def _watch(self) -> None:
        """Raises CannotRunError when the Ray is gone; a head that restarts has RESTART_SECONDS for it."""
        if self._address is None:
            if died := what_died():
                self._usable = False
                raise CannotRunError(f"{self.name} is dead: {died}; {RESUMES}")
            return
        now = monotonic()
        if now - self._checked < CHECK_SECONDS:
            return
        self._checked = now
        try:
            check_reachable(self._address)
            self._answered = monotonic()
        except CannotRunError as error:
            if now - self._answered > RESTART_SECONDS:
                self._usable = False
                raise CannotRunError(f"{error}; {RESUMES}") from None


def in_a_line(error: BaseException) -> str:
    """An error as one line: its message's first line, and the last when the first announces it, as before a traceback."""
    first, *rest = str(error).strip().splitlines() or [type(error).__name__]
    return f"{first} {rest[-1].strip()}" if rest and first.endswith(":") else first
