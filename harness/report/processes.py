"""Processes beside this one: with its plugins, and gone when it is."""

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from threading import Thread

from harness.sweep.errors import CannotRunError
from harness.sweep.plugins import Plugin, loaded, restore
from harness.sweep.run.memory import uncollected
from harness.sweep.stopping import children_unaware


@contextmanager
def processes(count: int, work: str) -> Iterator[ProcessPoolExecutor]:
    """A pool of so many processes beside this one. work: what they do, for a message.
    Raises CannotRunError where one was killed.

    What has not come back at the end is not waited for.
    """
    others = active_children()
    with ProcessPoolExecutor(count, get_context("spawn"), _begin, (loaded(),)) as pool:
        try:
            yield pool
        except BrokenProcessPool:
            raise CannotRunError(f"a process that {work} was killed") from None
        finally:
            for process in active_children():
                if process not in others:
                    process.kill()  # it would first do what it has been given, and then free what it holds
            pool.shutdown(cancel_futures=True)  # cancelled by the pool's own thread: one cancelled here would be the end of it


FEW = 20
"""Tables of so many specs, or fewer, one process reads before another would have loaded what it needs."""


@contextmanager
def reader(specs: int) -> Iterator[ProcessPoolExecutor | None]:
    """A pool of one process to read tables, which begins at once to load what it needs; None where specs are few.

    Raises CannotRunError where it was killed.
    """
    if specs <= FEW:
        yield None
        return
    with processes(1, "read tables") as pool:
        with children_unaware():
            pool.submit(_load)
        yield pool


def _load() -> None:
    """What it takes to read tables."""
    with uncollected():
        from harness.report import halves  # noqa: F401


def _begin(plugins: tuple[Plugin, ...]) -> None:
    """In such a process: have the plugins, and end when the process that asks is killed."""

    def follow() -> None:
        parent = parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=follow, daemon=True).start()
    restore(plugins)
