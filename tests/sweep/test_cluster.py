"""One spec, one table: wherever it runs, however it is cut into batches, and however often it is killed."""

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING

import pandas as pd
import pytest

from harness.sweep.spec import Sweep
from harness.sweep.table import Table

if TYPE_CHECKING:
    from tests.conftest import Project

SWEEP = {
    "learner": "leftmost",
    "distribution": "[uniform, {name: hard, c: 1}]",
    "trials": "9",
    "mechanisms": "[A_binClas, majority, noisy_majority]",
    "figure": "{x: m, panels: [distribution]}",
}
ROWS = 2 * 2 * 9 * 3

# Dies like a machine does, in the middle of a run, with so many batches on disk.
KILLED_AFTER = """
import os, signal, sys
from harness.sweep.store import Store

left, add = int(sys.argv.pop(1)), Store.add

def add_and_die(self, rows):
    global left
    add(self, rows)
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

Store.add, Store.flush_seconds = add_and_die, -1.0
from harness.cli import main
main()
"""


@pytest.fixture(scope="session")
def reference(shared_project: "Project") -> "Project":
    """The project with the table of a serial run in `serial`."""
    spec = shared_project.spec(**SWEEP)
    assert shared_project.process("run", spec, "--serial", "--out", "serial").code == 0
    return shared_project


@pytest.fixture(scope="session")
def cluster() -> Iterator[dict[str, str]]:
    """A Ray cluster of one node that was there before the harness came: its address, and the token that it asks for."""
    holders = [socket.create_server(("127.0.0.1", 0)) for _ in range(3)]
    port, client_port, agent_port = (holder.getsockname()[1] for holder in holders)
    for holder in holders:
        holder.close()
    folder = Path(mkdtemp(prefix="ray-"))  # a short path, as sockets need
    environment = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(16)}
    options = [f"--port={port}", f"--ray-client-server-port={client_port}", f"--dashboard-agent-listen-port={agent_port}"]
    options += ["--num-cpus=2", "--include-dashboard=false", "--disable-usage-stats", f"--temp-dir={folder}"]
    with (folder / "said").open("wb") as said:
        head = subprocess.Popen(
            [str(Path(sys.executable).with_name("ray")), "start", "--head", "--block", *options],
            env=os.environ | environment,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
    while b"block forever" not in (folder / "said").read_bytes():
        assert head.poll() is None, (folder / "said").read_text()
        time.sleep(0.05)
    yield environment | {"address": f"127.0.0.1:{port}"}
    head.terminate()  # it takes its node down with it
    head.wait(30)
    kill_group(head.pid)
    rmtree(folder, ignore_errors=True)


def kill_group(leader: int) -> None:
    """End what is left of a process group that a test started."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        return


@pytest.fixture(scope="session")
def local_runs(reference: "Project") -> Iterator[dict[str, subprocess.Popen[str]]]:
    """Runs on a local Ray, begun early and side by side: most of their time is Ray's to start."""
    begun = {
        workers: subprocess.Popen(
            [sys.executable, "-m", "harness", "run", "experiments/small.yaml", "--workers", workers, "--out", f"on-{workers}"],
            cwd=reference.root,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        for workers in ("1", "2")
    }
    yield begun
    for process in begun.values():
        process.communicate()
        kill_group(process.pid)


def same(project: "Project", out: str) -> None:
    """The table in `out` is the reference, bit for bit."""
    table, reference = project.table(out=Path(out)), project.table(out=Path("serial"))
    assert reference.rows.num_rows == ROWS
    assert table.fingerprint == reference.fingerprint
    pd.testing.assert_frame_equal(project.rows(out=Path(out)), project.rows(out=Path("serial")), check_exact=True)


@pytest.mark.usefixtures("local_runs")
@pytest.mark.parametrize("seconds", [0, 0.01, 10])
def test_the_size_of_batches_does_not_show(reference: "Project", monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    monkeypatch.chdir(reference.root)
    reference.run(Sweep(Path("experiments/small.yaml")), fresh=True, batch_seconds=seconds)
    same(reference, "results/runs")


@pytest.mark.parametrize("where", ["serial", "cluster"])
def test_a_killed_run_is_taken_up_where_it_was(reference: "Project", cluster: dict[str, str], where: str) -> None:
    out = f"killed-{where}"
    on = ("--serial",) if where == "serial" else ("--address", cluster["address"])
    words = ("run", "experiments/small.yaml", *on, "--batch-seconds", "0", "--out", out)
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": cluster["RAY_AUTH_TOKEN"]}
    killed = reference.process("7", *words, program=("-c", KILLED_AFTER), environment=token)
    assert killed.code == -signal.SIGKILL
    parts = sorted((reference.root / out / ".small").glob("*.parquet"))
    kept = pd.concat([Table.read(part).frame() for part in parts])
    assert len(kept) == 7 * 3 and not (reference.root / out / "small.parquet").exists()

    resumed = reference.process(*words, environment=token)

    assert resumed.code == 0 and "29 trials run, 21 rows were there" in resumed.out
    same(reference, out)
    # What was there was taken over, not made again: that would have taken another time.
    key = ["cell", "mechanism", "trial"]
    after = reference.table(out=Path(out)).frame().set_index(key).loc[pd.MultiIndex.from_frame(kept[key]), "seconds"]
    assert after.tolist() == kept["seconds"].tolist()


def test_nothing_that_listens_is_said_at_once(reference: "Project") -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        closed = holder.getsockname()[1]
    said = reference.process("run", "experiments/small.yaml", "--address", f"127.0.0.1:{closed}", "--out", "nowhere")
    assert said.code == 4
    assert said.err.startswith(f"error: no Ray at 127.0.0.1:{closed}: ") and said.err.count("\n") == 1
    assert not (reference.root / "nowhere/small.parquet").exists()


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_local_ray_makes_the_serial_table(
    reference: "Project", local_runs: dict[str, subprocess.Popen[str]], workers: str
) -> None:
    _, complaints = local_runs[workers].communicate(timeout=200)
    assert local_runs[workers].returncode == 0, complaints
    same(reference, f"on-{workers}")
