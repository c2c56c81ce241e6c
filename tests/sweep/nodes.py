"""A real Ray cluster on this machine: a head and two workers, each a node of its own with a folder of its own."""

import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import sample
from shutil import rmtree
from tempfile import mkdtemp

PORTS = range(25_000, 32_768)


@dataclass(frozen=True)
class Node:
    """A `ray start --block`, the leader of a process group of all that the node is, and its folder."""

    process: subprocess.Popen[bytes]
    folder: Path

    def said(self) -> str:
        return (self.folder / "said").read_text(encoding="utf-8", errors="replace")

    def join(self) -> None:
        """Wait until it is in the cluster."""
        while "block forever" not in self.said():
            assert self.process.poll() is None, self.said()
            time.sleep(0.05)

    def kill(self) -> None:
        """Kill all of it at once, as when a machine goes: else workers at a batch would still finish it and hand it in."""
        for process in (self.process.pid, *descendants(self.process.pid)):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        kill_group(self.process.pid)
        self.process.wait()


class Nodes:
    """A cluster that asks for a token: a head without CPUs, and workers of one CPU each.

    address, client and jobs: where its nodes, drivers from outside and submitted jobs go. driver: the environment of a driver
    that has the token. Whatever runs on the nodes has the environment `extra` besides.
    """

    def __init__(self, extra: dict[str, str]) -> None:
        self.driver = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(16)}
        self._ports = port, client, jobs = free_ports(3)
        self.address, self.client, self.jobs = f"127.0.0.1:{port}", f"ray://127.0.0.1:{client}", f"http://127.0.0.1:{jobs}"
        # Else gRPC aborts one in fifty of the processes that a busy head starts.
        self._environment = os.environ | self.driver | {"GRPC_ENABLE_FORK_SUPPORT": "false"} | extra
        self._folder = Path(mkdtemp(prefix="ray-"))  # a short path, as sockets need
        self._nodes: list[Node] = []
        self.workers: list[Node] = []

    def start(self) -> None:
        """Start the head, and as soon as it listens the workers."""
        head = self.head(cpus=0)
        self.complete()
        head.join()

    def head(self, cpus: int) -> Node:
        """Start a head with so many CPUs; it listens, and will be whole some seconds later."""
        port, client, jobs = self._ports
        head = self._begin(
            "--head", f"--num-cpus={cpus}", f"--port={port}", f"--ray-client-server-port={client}", f"--dashboard-port={jobs}"
        )
        while not listens(port):
            assert head.process.poll() is None, head.said()
            time.sleep(0.05)
        return head

    def complete(self) -> None:
        """Have two workers, whatever happened to those that were."""
        living = [node for node in self.workers if node.process.poll() is None]
        self.workers = living + [self.worker() for _ in range(2 - len(living))]
        for node in self.workers:
            node.join()

    def worker(self) -> Node:
        """A new worker, which will join some seconds later."""
        return self._begin(f"--address={self.address}", "--num-cpus=1")

    def _begin(self, *options: str) -> Node:
        folder = self._folder / str(len(self._nodes))
        folder.mkdir()
        (agent,) = free_ports(1)
        common = ["--block", f"--dashboard-agent-listen-port={agent}", f"--temp-dir={folder}", "--disable-usage-stats"]
        with (folder / "said").open("wb") as said:
            process = subprocess.Popen(
                [str(Path(sys.executable).with_name("ray")), "start", *options, *common],
                env=self._environment,
                stdout=said,
                stderr=said,
                start_new_session=True,
            )
        self._nodes.append(Node(process, folder))
        return self._nodes[-1]

    def busy(self) -> list[int]:
        """The processes that are at a batch, on all nodes."""
        found = []
        for process in Path("/proc").iterdir():
            with suppress(OSError):  # it is no process, or has just ended
                ours = self.driver["RAY_AUTH_TOKEN"].encode() in (process / "environ").read_bytes()
                if ours and (process / "cmdline").read_bytes().startswith(b"ray::run_there"):
                    found.append(int(process.name))
        return found

    def end(self) -> None:
        """End all nodes, the head last."""
        for node in reversed(self._nodes):
            node.process.terminate()
        for node in self._nodes:
            with suppress(subprocess.TimeoutExpired):
                node.process.wait(20)
            node.kill()
        self._nodes.clear()
        rmtree(self._folder, ignore_errors=True)


@contextmanager
def begun(
    folder: Path, *words: str, environment: Mapping[str, str] | None = None, program: Sequence[str] = ("-m", "harness")
) -> Iterator[subprocess.Popen[str]]:
    """`python -m harness ...`, or another program, in a folder, the leader of a process group of its own.

    It is killed if it has not ended by then.
    """
    process = subprocess.Popen(
        [sys.executable, *program, *words],
        cwd=folder,
        env=os.environ | dict(environment or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        kill_group(process.pid)
        process.communicate()


def said_by_us(complaints: str) -> str:
    """What is on stderr but for lines of Ray's core, which logs there when it is cut short or the machine is busy."""
    return "".join(line for line in complaints.splitlines(keepends=True) if not re.match(r"\[\d{4}-.* [A-Z] \d+ \d+\] ", line))


def descendants(process: int) -> list[int]:
    """The process's children, their children, and so on."""
    children: list[int] = []
    for thread in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            children += map(int, thread.read_text().split())
    return children + [each for child in children for each in descendants(child)]


def free_ports(count: int) -> list[int]:
    """So many ports that nobody listens on, of those that neither the system nor Ray gives to processes that ask for any."""
    holders: list[socket.socket] = []
    for port in sample(PORTS, len(PORTS)):
        with suppress(OSError):  # taken
            holders.append(socket.create_server(("127.0.0.1", port)))
        if len(holders) == count:
            break
    ports = [holder.getsockname()[1] for holder in holders]
    for holder in holders:
        holder.close()
    return ports


def listens(port: int) -> bool:
    with socket.socket() as ours:
        return ours.connect_ex(("127.0.0.1", port)) == 0


def kill_group(leader: int) -> None:
    """End what is left of a process group that a test started."""
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)
