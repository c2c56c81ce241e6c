"""Calls that may never return, made in a thread of their own while this one looks on."""

from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, TypeVar

TICK_SECONDS = 0.5

Answer = TypeVar("Answer")


class OverdueError(Exception):
    """A call has not returned in its time."""


class CallThread:
    """One thread that makes one call after the other, until it is closed or this process ends."""

    def __init__(self) -> None:
        self._calls = SimpleQueue[tuple[object, Callable[[], Any]] | None]()
        self._outcomes = SimpleQueue[tuple[object, Any, BaseException | None]]()
        Thread(target=self._work, daemon=True).start()

    def __call__(self, call: Callable[[], Answer], seconds: float, watch: Callable[[], None] = lambda: None) -> Answer:
        """What the call returns or raises. `watch` is called again and again meanwhile, and may raise too.

        Raises OverdueError after so many seconds of waiting, of which the time that this process was stopped is none.
        """
        ticket = object()
        self._calls.put((ticket, call))
        waited, looked = 0.0, monotonic()
        while True:
            try:
                whose, value, error = self._outcomes.get(timeout=TICK_SECONDS)
            except Empty:
                now = monotonic()
                waited, looked = waited + min(now - looked, 2 * TICK_SECONDS), now
                if waited > seconds:
                    raise OverdueError from None
                watch()
                continue
            if whose is not ticket:  # that call was given up
                continue
            if error is not None:
                raise error
            return value  # type: ignore[no-any-return]

    def close(self) -> None:
        """No more calls."""
        self._calls.put(None)

    def _work(self) -> None:
        while (request := self._calls.get()) is not None:
            ticket, call = request
            try:
                self._outcomes.put((ticket, call(), None))
            except BaseException as error:
                self._outcomes.put((ticket, None, error))
