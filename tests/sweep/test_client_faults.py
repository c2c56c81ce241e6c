"""A driver from outside whose client server dies: our own line, exit code 4, and rows that the next run takes up."""

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.sweep.nodes import Nodes
from tests.sweep.test_engine_faults import RESUMES, sweep
from tests.sweep.test_faults import LONG

if TYPE_CHECKING:
    from tests.support.project import Project


@pytest.fixture(scope="module")
def place(module_project: "Project") -> "Project":
    module_project.spec("long", **LONG | {"trials": "4000"})
    return module_project


@pytest.fixture
def outside() -> Iterator[Nodes]:
    """A cluster of a head with two CPUs."""
    nodes = Nodes({})
    try:
        nodes.head(cpus=2).join()
        yield nodes
    finally:
        nodes.end()


def servers(nodes: Nodes, mode: str) -> list[int]:
    """The processes of a cluster's client server: `proxy`, which listens, or `specific-server`, one for each driver."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (process / "cmdline").read_bytes().split(b"\0")
            ours = nodes.driver["RAY_AUTH_TOKEN"].encode() in (process / "environ").read_bytes()
            if ours and b"ray.util.client.server" in words and f"--mode={mode}".encode() in words:
                found.append(int(process.name))
    return found


def told(nodes: Nodes) -> list[str]:
    """What may be said, of which Ray's words are none but why a port does not answer."""
    name = f"the Ray at {nodes.client}"
    why = "its client server ended, or cannot be reached"
    return [
        f"error: {name} has not answered for 25 s{RESUMES}",
        f"error: lost {name}: {why}{RESUMES}",
        f"error: no Ray at {nodes.client}: ",
    ]


@pytest.mark.parametrize(
    ("modes", "number"), [(["specific-server"], signal.SIGTERM), (["specific-server", "proxy"], signal.SIGKILL)]
)
def test_a_client_server_that_dies(place: "Project", outside: Nodes, modes: list[str], number: signal.Signals) -> None:
    """In the middle of many small batches, and of large ones that are under way."""
    name = modes[-1]
    with ExitStack() as stack:
        runs = {
            seconds: stack.enter_context(
                sweep(
                    place,
                    f"{name}-{seconds}",
                    *("--address", outside.client, "--batch-seconds", seconds),
                    environment=outside.driver,
                )
            )
            for seconds in ("0", "2")
        }
        for run in runs.values():
            run.works()
        for process in [process for mode in modes for process in servers(outside, mode)]:
            os.kill(process, number)
        for seconds, run in runs.items():
            said = run.ended(f"{name} killed, batches of {seconds} s", 4)
            assert said.startswith(tuple(told(outside))) and said.endswith(RESUMES) and said.count("\n") == 1, said
    kept = runs["0"].rows()
    again = place.process("run", "experiments/long.yaml", "--serial", "--out", f"{name}-0")
    assert kept > 0 and again.code == 0 and f", {kept:,} rows were there" in again.out
