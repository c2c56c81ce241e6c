"""Plugins that start processes or threads, listen, or ask the network: told with their line, or harmless.

No child is left, and no run waits.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.sweep.nodes import descendants

if TYPE_CHECKING:
    from tests.support.project import Project

PLUGIN = """
import multiprocessing, os, socket, subprocess, sys, threading, time
from harness.mechanisms.answering import majority

def way():
    {way}

class Mine(majority.Majority):
    name, source, legend = "mine", "Me", "mine"

    def answer(self, ballot, plan, task, rng):
        if "{place}" == "answer":
            way()
        return super().answer(ballot, plan, task, rng)

MECHANISM = Mine()
if "{place}" == "import":
    way()
"""
PROCESSES = {
    "a process": 'subprocess.Popen(["sleep", "971"])',
    "a shell": 'os.system("sleep 971 &")',
    "a fork": "os.fork() or time.sleep(971)",
    "a pool": "multiprocessing.Pool(2)",
    "another program": 'os.posix_spawn("/bin/sleep", ["sleep", "971"], {})',
}
PORTS = {
    "a port": 'socket.create_server(("127.0.0.1", 0))',
    "a web server": 'import http.server; http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)',
}
NETWORK = {
    "another computer": 'socket.create_connection(("127.0.0.1", 9))',
    "a page": 'import urllib.request; urllib.request.urlopen("http://127.0.0.1:9/")',
    "a page for a library": 'import pandas; pandas.read_csv("http://127.0.0.1:9/")',
    "a message": 'socket.socket(type=socket.SOCK_DGRAM).sendto(b"", ("127.0.0.1", 9))',
}
THREADS = {
    "a thread": "threading.Thread(target=time.sleep, args=(971,)).start()",
    "a thread that goes on": "threading.Thread(target=time.sleep, args=(971,), daemon=True).start()",
    "what is refused and swallowed": """try:
        subprocess.Popen(["sleep", "971"])
    except Exception:
        pass""",
}


def sleepers() -> list[str]:
    """What is left of all that was to sleep so long."""
    return [str(path) for path in Path("/proc").glob("[0-9]*/cmdline") if b"971" in _read(path).split(b"\0")]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def run(place: "Project", way: str, where: str, name: str) -> tuple[int, str, str]:
    """The exit code and complaints of a run with the plugin, and the fingerprint of its table."""
    (place.root / f"{name}.py").write_text(PLUGIN.format(way=way, place=where))
    spec = place.spec(name, trials="4", m="20", mechanisms="[mine]", claims="[]", figure="{x: m, panels: [learner]}")
    said = place.process("--plugin", f"{name}.py", "run", spec, "--serial", "--out", name)
    table = place.root / name / f"{name}.parquet"
    return said.code, said.err, place.rows(name, Path(name)).to_csv() if table.exists() else ""


@pytest.mark.parametrize("where", ["import", "answer"])
@pytest.mark.parametrize("way", PROCESSES | PORTS | NETWORK)
def test_processes_ports_and_the_network_are_refused_before_they_begin(module_project: "Project", way: str, where: str) -> None:
    name, before = f"mine_{way}_{where}".replace(" ", "_"), descendants(os.getpid())
    code, told, _ = run(module_project, (PROCESSES | PORTS | NETWORK)[way], where, name)
    what = "starts a process" if way in PROCESSES else "listens on a port" if way in PORTS else "asks the network"
    allowed = "to read a file that was fetched" if way in NETWORK else "to compute in the process"
    assert code == 2 and f"{name}.py:6 {what}; allowed: {allowed}" in told, told
    assert told.count("\n") == 1 and sleepers() == [] and descendants(os.getpid()) == before


@pytest.mark.parametrize("where", ["import", "answer"])
@pytest.mark.parametrize("way", THREADS)
def test_threads_end_with_the_run_and_rows_are_the_same(module_project: "Project", way: str, where: str) -> None:
    name = f"mine_{way}_{where}".replace(" ", "_")
    calm = run(module_project, "pass", where, name)
    (module_project.root / name / f"{name}.parquet").unlink()
    assert calm[0] == 0 and run(module_project, THREADS[way], where, name) == calm
    assert sleepers() == []
