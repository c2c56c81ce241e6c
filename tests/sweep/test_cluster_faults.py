"""Processes and nodes of a real cluster killed in the middle of a run: nothing finished is lost or made again."""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.support.reference import Reference
from tests.sweep.nodes import Nodes, begun, said_by_us

TRIALS = 2 * 60
BATCH_SECONDS = 0.5
MOST_AGAIN = BATCH_SECONDS / 0.0006
"""More fits than a batch has: each sleeps for 0.6 ms, and a batch is at most as many trials as were measured to take 0.5 s."""


def traced_fits(traces: Path) -> int:
    """How often all workers together began to fit."""
    return sum(file.stat().st_size for file in traces.iterdir())


def until(condition: Callable[[], object], seconds: float = 100) -> None:
    """Wait for it."""
    begun = time.monotonic()
    while not condition():
        assert time.monotonic() - begun < seconds
        time.sleep(0.01)


def run(traced: Reference, cluster: Nodes, out: str) -> AbstractContextManager[subprocess.Popen[str]]:
    """The traced sweep on the cluster, in a process of its own."""
    words = ("--plugin", "traces", "run", traced.spec, "--address", cluster.address, "--out", out)
    return begun(traced.project.root, *words, environment=cluster.driver)


@pytest.fixture(scope="module")
def undisturbed(traced: Reference, cluster: Nodes, traces: Path) -> tuple[int, float]:
    """How many fits the sweep takes when nothing happens, and how many seconds from the first to the end."""
    for file in traces.iterdir():
        file.unlink()
    cluster.complete()
    with run(traced, cluster, "undisturbed") as process:
        until(lambda: traced_fits(traces))
        begun = time.monotonic()
        said, complaints = process.communicate(timeout=200)
        seconds = time.monotonic() - begun
    assert process.returncode == 0, complaints
    assert f"{TRIALS} trials run, 0 rows were there" in said
    traced.same("undisturbed")
    return traced_fits(traces), seconds


@pytest.mark.parametrize("victim", ["worker", "node"])
def test_what_is_killed_takes_along_its_batch_alone(
    traced: Reference, cluster: Nodes, traces: Path, undisturbed: tuple[int, float], victim: str
) -> None:
    fits, seconds = undisturbed
    cluster.complete()
    for file in traces.iterdir():
        file.unlink()
    with run(traced, cluster, f"killed-{victim}") as process:
        until(lambda: traced_fits(traces) > fits / 4 and len(cluster.busy()) == 2)
        if victim == "worker":
            os.kill(cluster.busy()[0], signal.SIGKILL)
        else:
            cluster.workers[0].kill()
            cluster.workers[0] = cluster.worker()
        begun = time.monotonic()
        assert traced_fits(traces) < 3 / 4 * fits
        until(lambda: len(cluster.busy()) == 2 or process.poll() is not None)
        recovery = time.monotonic() - begun
        said, complaints = process.communicate(timeout=200)
        took = time.monotonic() - begun
    assert (process.returncode, said_by_us(complaints)) == (0, "")
    assert f"{TRIALS} trials run, 0 rows were there" in said
    traced.same(f"killed-{victim}")
    again = traced_fits(traces) - fits
    print(f"{victim}: {again} of {fits} fits again; working again after {recovery:.2f} s, all done {took:.1f} s after the kill")
    print(f"undisturbed: {seconds:.1f} s")
    assert 0 <= again < MOST_AGAIN
