"""One spec, one table: wherever it runs, however it is cut into batches, and however often it is killed."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from harness.sweep.spec import Sweep
from harness.sweep.table.table import Table
from tests.support.reference import Reference
from tests.sweep.nodes import Nodes, kill_group, said_by_us

ROWS = 2 * 2 * 9 * 3

# Dies like a machine does, in the middle of a run, with so many batches on disk.
KILLED_AFTER = """
import os, signal, sys
from harness.sweep.run.store import Store

left, add = int(sys.argv.pop(1)), Store.add

def add_and_die(self, *batch):
    global left
    add(self, *batch)
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

Store.add, Store.flush_seconds = add_and_die, -1.0
from harness.cli import main
main()
"""


@pytest.fixture(scope="session")
def local_runs(reference: Reference) -> Iterator[dict[str, subprocess.Popen[str]]]:
    """Runs on a local Ray, begun early and side by side: most of their time is Ray's to start."""
    begun = {
        workers: subprocess.Popen(
            [sys.executable, "-m", "harness", "run", reference.spec, "--workers", workers, "--out", f"on-{workers}"],
            cwd=reference.project.root,
            # Neither the Ray that others speak of nor one that happens to run here.
            env=os.environ | {"RAY_ADDRESS": "127.0.0.1:1"},
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


@pytest.mark.usefixtures("local_runs")
@pytest.mark.parametrize("seconds", [0, 0.01, 10])
def test_the_size_of_batches_does_not_show(reference: Reference, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    project = reference.project
    monkeypatch.chdir(project.root)
    project.run(Sweep(Path(reference.spec)), fresh=True, batch_seconds=seconds)
    assert project.table().rows.num_rows == ROWS
    reference.same("results/runs")


@pytest.mark.parametrize("where", ["address", "auto", "client"])
def test_a_cluster_makes_the_serial_table(reference: Reference, cluster: Nodes, where: str) -> None:
    """Given by host and port, found by `auto` (here by RAY_ADDRESS, for other Rays may run), or reached from outside."""
    address = {"address": cluster.address, "auto": "auto", "client": cluster.client}[where]
    environment = cluster.driver | {"RAY_ADDRESS": cluster.address if where == "auto" else "127.0.0.1:1"}
    words = ("run", reference.spec, "--address", address, "--batch-seconds", "0", "--out", where)
    ran = reference.project.process(*words, environment=environment)
    assert (ran.code, said_by_us(ran.err)) == (0, "")
    assert "36 trials run, 0 rows were there" in ran.out
    reference.same(where)


def test_code_and_plugins_travel_and_every_node_works(traced: Reference, cluster: Nodes, traces: Path) -> None:
    """From outside, where no disk is shared. The learner raises on a node where the code is not the driver's."""
    words = ("--plugin", "traces", "run", traced.spec, "--address", cluster.client, "--trials", "12", "--out", "travel")
    ran = traced.project.process(*words, environment=cluster.driver)
    assert (ran.code, said_by_us(ran.err)) == (0, "")
    few = traced.project.rows("traced", Path("travel"))
    all_of_them = traced.project.rows("traced", Path("serial"))
    expected = all_of_them[all_of_them["trial"] < 12].reset_index(drop=True)
    pd.testing.assert_frame_equal(few, expected, check_exact=True)
    assert len(list(traces.iterdir())) >= 2


def test_a_submitted_job_makes_the_serial_table(reference: Reference, cluster: Nodes) -> None:
    """As the page on clusters has it: the folder with the spec goes along, and the table lands where --out says on the head."""
    ray, out = str(Path(sys.executable).with_name("ray")), reference.project.root / "submitted"
    job = [sys.executable, "-m", "harness", "run", reference.spec, "--address", "auto", "--out", str(out)]
    ended = subprocess.run(
        [ray, "job", "submit", "--address", cluster.jobs, "--working-dir", ".", "--", *job],
        cwd=reference.project.root,
        env=os.environ | cluster.driver,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "36 trials run, 0 rows were there" in ended.stdout and "succeeded" in ended.stdout
    reference.same("submitted")


@pytest.mark.parametrize("where", ["serial", "cluster"])
def test_a_killed_run_is_taken_up_where_it_was(reference: Reference, cluster: Nodes, where: str) -> None:
    out, project = f"killed-{where}", reference.project
    on = ("--serial",) if where == "serial" else ("--address", cluster.address)
    words = ("run", reference.spec, *on, "--batch-seconds", "0", "--out", out)
    killed = project.process("2", *words, program=("-c", KILLED_AFTER), environment=cluster.driver)
    assert killed.code == -signal.SIGKILL
    parts = sorted((project.root / out / ".small").glob("*.parquet"))
    kept = pd.concat([Table.read(part).frame() for part in parts])
    assert len(kept) == 2 * 9 * 3 and not (project.root / out / "small.parquet").exists()

    resumed = project.process(*words, environment=cluster.driver)

    assert resumed.code == 0 and "18 trials run, 54 rows were there" in resumed.out
    reference.same(out)
    # What was there was taken over, not made again: that would have taken another time.
    key = ["cell", "mechanism", "trial"]
    after = project.table(out=Path(out)).frame().set_index(key).loc[pd.MultiIndex.from_frame(kept[key]), "seconds"]
    assert after.tolist() == kept["seconds"].tolist()


@pytest.mark.parametrize("way", ["address", "client"])
@pytest.mark.parametrize("token", [None, "wrong"])
def test_a_cluster_that_wants_a_token_says_so_once(
    reference: Reference, cluster: Nodes, tmp_path: Path, way: str, token: str | None
) -> None:
    """In one line, before Ray is asked, which takes 20 seconds and as many lines to give up."""
    address = cluster.address if way == "address" else cluster.client
    ours = {"RAY_AUTH_TOKEN": token} if token else {"RAY_AUTH_TOKEN_PATH": str(tmp_path / "none")}
    said = reference.project.process(
        "run", reference.spec, "--address", address, "--out", "nowhere", environment={"RAY_AUTH_MODE": "token"} | ours
    )
    why = "it is not the one in RAY_AUTH_TOKEN" if token else f"{tmp_path / 'none'} holds none"
    assert said.code == 4 and re.fullmatch(r"(small: measuring .*\n)*small: 36 trials in .*\n", said.out)
    assert said.err == (
        f"error: the Ray at {address} asks for a token, and {why}; "
        "set RAY_AUTH_MODE=token, and RAY_AUTH_TOKEN to the cluster's token or RAY_AUTH_TOKEN_PATH to a file with it\n"
    )
    assert not (reference.project.root / "nowhere/small.parquet").exists()


def test_nodes_with_other_libraries_are_refused(reference: Reference, cluster: Nodes, tmp_path: Path) -> None:
    """Their rows would be others, and the table would claim the driver's version: here one that the driver pretends to have."""
    (tmp_path / "scipy-0.0.1.dist-info").mkdir()
    (tmp_path / "scipy-0.0.1.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: scipy\nVersion: 0.0.1\n")
    said = reference.project.process(
        *("run", reference.spec, "--address", cluster.address, "--out", "nowhere"),
        environment=cluster.driver | {"PYTHONPATH": str(tmp_path)},
    )
    told = said_by_us(said.err)
    assert said.code == 4 and told.count("\n") == 1
    assert told.startswith("error: the workers cannot run trials: scipy is ")
    assert told.endswith(" and 0.0.1 here; install the same on all\n")
    assert not (reference.project.root / "nowhere/small.parquet").exists()


def test_nothing_that_listens_is_said_at_once(reference: Reference) -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        closed = holder.getsockname()[1]
    said = reference.project.process("run", reference.spec, "--address", f"127.0.0.1:{closed}", "--out", "nowhere")
    assert said.code == 4
    assert said.err.startswith(f"error: no Ray at 127.0.0.1:{closed}: ") and said.err.count("\n") == 1
    assert not (reference.project.root / "nowhere/small.parquet").exists()


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_local_ray_makes_the_serial_table(
    reference: Reference, local_runs: dict[str, subprocess.Popen[str]], workers: str
) -> None:
    _, complaints = local_runs[workers].communicate(timeout=200)
    assert local_runs[workers].returncode == 0, complaints
    reference.same(f"on-{workers}")
