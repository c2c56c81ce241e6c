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
from harness.sweep.stopping import Stopped


@contextmanager
def processes(count: int, work: str) -> Iterator[ProcessPoolExecutor]:
    """So many of them. work: what they do, for a message. Raises CannotRunError where one was killed."""
    with ProcessPoolExecutor(count, get_context("spawn"), _begin, (loaded(),)) as pool:
        try:
            yield pool
        except Stopped:  # they would first do what they have been given
            _end_children()
            raise
        except BrokenProcessPool:
            raise CannotRunError(f"a process that {work} was killed") from None
        finally:  # cancelled by the pool's own thread: one that was cancelled here would be the end of it
            pool.shutdown(cancel_futures=True)


def _end_children() -> None:
    """At once, whatever they are at."""
    for process in active_children():
        process.kill()


def _begin(plugins: tuple[Plugin, ...]) -> None:
    """In such a process: have the plugins, and end when the process that asks is killed."""

    def follow() -> None:
        parent = parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=follow, daemon=True).start()
    restore(plugins)
