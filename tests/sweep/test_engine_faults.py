"""Engines that die and signals that stop a run: one line that says so, the exit code, and nothing left but the rows.

The runs that wait are begun together, for they wait more than they work.
"""

import fcntl
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING

import pytest

from harness.report.drawing import FEW
from harness.sources import served
from harness.sweep.ray import reaper
from harness.sweep.stopping import STOPPED
from harness.sweep.table.table import Table
from tests.sweep.nodes import Nodes, begun, descendants, said_by_us
from tests.sweep.test_cluster_faults import until
from tests.sweep.test_faults import LONG

if TYPE_CHECKING:
    from tests.support.project import Project

RESUMES = "; what was finished is kept, and the same command resumes\n"


@dataclass(frozen=True)
class Run:
    """A sweep under way, in a process of its own."""

    project: "Project"
    out: str
    process: subprocess.Popen[str]

    def rows(self) -> int:
        """How many are on disk."""
        parts = (self.project.root / self.out / ".long").glob("*.parquet")
        return sum(Table.read(part).rows.num_rows for part in parts)

    def works(self) -> None:
        """Wait for its first rows on disk."""
        until(lambda: self.rows() or self.process.poll() is not None, 200)
        assert self.process.poll() is None, self.process.communicate()

    def folders(self) -> set[str]:
        """The folders of the local Rays of which it has processes."""
        found = set()
        for each in descendants(self.process.pid):
            with suppress(OSError):
                words = Path(f"/proc/{each}/environ").read_bytes().split(b"\0")
                found |= {word.decode().partition("=")[2] for word in words if word.startswith(reaper.MARK.encode())}
        return found

    def ended(self, what: str, code: int) -> str:
        """What it says when it has ended with this exit code."""
        start = monotonic()
        _, complaints = self.process.communicate(timeout=100)
        seconds = monotonic() - start
        print(f"{what}: told after {seconds:.1f} s")
        assert self.process.returncode == code, complaints
        return said_by_us(complaints)


@pytest.fixture(scope="module")
def place(module_project: "Project") -> "Project":
    module_project.spec("long", **LONG)
    return module_project


@contextmanager
def sweep(project: "Project", out: str, *words: str, environment: dict[str, str] | None = None) -> Iterator[Run]:
    """A sweep that is not done before it is stopped. On a local Ray of one worker, but for what the words say."""
    engine = words or ("--workers", "1")
    command = ("run", "experiments/long.yaml", "--batch-seconds", "0.1", *engine, "--out", out)
    with begun(project.root, *command, environment=environment) as process:
        yield Run(project, out, process)


def marked(folder: str) -> list[int]:
    """The processes of the local Ray in a folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if f"{reaper.MARK}={folder}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
    return found


def gone(folders: set[str], what: str) -> None:
    """Nothing is left of these folders, nor of the processes of their Rays."""
    (folder,) = folders
    start = monotonic()
    until(lambda: not marked(folder) and not Path(folder).exists(), 30)
    print(f"{what}: nothing left after {monotonic() - start:.1f} s")


VITAL = {"raylet": "scheduler", "gcs_server": "control store"}


@pytest.mark.parametrize("victim", VITAL)
def test_a_local_ray_that_dies(place: "Project", victim: str) -> None:
    with sweep(place, victim) as run:
        run.works()
        folders = run.folders()
        (process,) = [each for each in descendants(run.process.pid) if victim in Path(f"/proc/{each}/comm").read_text()]
        os.kill(process, signal.SIGKILL)
        told = run.ended(f"{victim} killed", 4)
        who = rf"its {VITAL[victim]} \({victim}, process {process}\) was killed by signal 9"
        assert re.fullmatch(f"error: the local Ray is dead: {who}{RESUMES}", told), told
        gone(folders, f"{victim} killed")
    kept = run.rows()
    assert kept > 0
    if victim == "raylet":
        again = place.process("run", "experiments/long.yaml", "--serial", "--out", victim)
        assert again.code == 0 and f", {kept:,} rows were there" in again.out


HOG = """
import sys, time, ray
ray.init(address=sys.argv[1], log_to_driver=False)

@ray.remote(num_cpus=1)
def sit():
    print("sits", flush=True)
    time.sleep(600)

task = sit.remote()
while ray.available_resources().get("CPU", 0):
    time.sleep(0.1)
print("sits", flush=True)
ray.get(task)
"""


@pytest.fixture(scope="module")
def waiting(place: "Project") -> Iterator[dict[str, str]]:
    """What runs say that have no worker."""
    empty, full = Nodes({}), Nodes({})
    with ExitStack() as stack:
        short = {"RAY_memory_usage_threshold": "0.01", "RAY_memory_monitor_refresh_ms": "100"}
        stack.callback(empty.end)
        stack.callback(full.end)
        heads = [empty.head(cpus=0), full.head(cpus=1)]
        for head in heads:
            head.join()
        hog = stack.enter_context(
            subprocess.Popen(
                [sys.executable, "-c", HOG, full.address],
                env=os.environ | full.driver,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        )
        stack.callback(hog.kill)
        assert hog.stdout is not None and hog.stdout.readline() == "sits\n"
        runs = {
            "no CPU": sweep(place, "empty", "--address", empty.address, environment=empty.driver),
            "no CPU free": sweep(place, "full", "--address", full.address, "--patience", "5", environment=full.driver),
            "no memory": sweep(place, "short", environment=short),
        }
        start = monotonic()
        under_way = {what: stack.enter_context(run) for what, run in runs.items()}
        ends: dict[str, float] = {}
        while len(ends) < len(under_way):
            for what, run in under_way.items():
                if run.process.poll() is not None:
                    ends.setdefault(what, monotonic() - start)
            assert monotonic() - start < 150
            sleep(0.1)
        told = {}
        for what, run in under_way.items():
            print(f"{what}: told {ends[what]:.1f} s after the command was given")
            complaints = said_by_us(run.process.communicate()[1])
            assert run.process.returncode == 4, complaints
            told[what] = re.sub(
                r"for \d s now", "for N s now", complaints.replace(empty.address, "EMPTY").replace(full.address, "FULL")
            )
        yield told


@pytest.mark.parametrize(
    ("what", "said"),
    [
        (
            "no CPU",
            "the Ray at EMPTY has no CPU: add a node that has some, wait for one with --patience SECONDS, or use --serial",
        ),
        ("no CPU free", "others have all CPUs of the Ray at FULL, for N s now: wait longer, add a node, or use --serial"),
        ("no memory", "the memory monitor of the local Ray kills all workers: free memory, or take fewer --workers"),
    ],
)
def test_a_run_without_workers_says_so(waiting: dict[str, str], what: str, said: str) -> None:
    assert waiting[what] == f"error: {said}{RESUMES}"


@pytest.mark.parametrize("first", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_is_obeyed_and_no_other(place: "Project", first: signal.Signals) -> None:
    """Sent to all processes of the command, as terminals do, and again while it ends, mixed with others."""
    with sweep(place, first.name) as run:
        run.works()
        folders = run.folders()
        os.kill(run.process.pid, first)
        for again in (signal.SIGINT, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGINT):
            sleep(0.1)
            with suppress(ProcessLookupError):
                os.kill(run.process.pid, again)
        assert run.ended(first.name, 128 + first) == f"{STOPPED}\n"
        gone(folders, first.name)
    assert run.rows() > 0


def test_nothing_outlives_a_driver_killed_with_9(place: "Project") -> None:
    with sweep(place, "nine") as run:
        run.works()
        folders = run.folders()
        run.process.kill()
        run.process.wait()
        gone(folders, "driver killed")


def test_a_reaper_removes_what_dead_ones_left_and_nothing_else(tmp_path: Path) -> None:
    """Driver and reaper of one were killed at once. Others are in use, hold what is not Ray's, or are named otherwise."""
    orphan, used, foreign, ours = (tmp_path / f"{reaper.PREFIX}{letter * 8}" for letter in "abcd")
    named, link, elsewhere = tmp_path / f"{reaper.PREFIX}notes", tmp_path / f"{reaper.PREFIX}{'e' * 8}", tmp_path / "elsewhere"
    for folder in (orphan, used, ours, named, elsewhere):
        (folder / reaper.INSIDE).mkdir(parents=True)
        (folder / reaper.INSIDE / "file").touch()
    foreign.mkdir()
    (foreign / "letter").touch()
    link.symlink_to(elsewhere)
    holder = os.open(used, os.O_RDONLY)
    fcntl.flock(holder, fcntl.LOCK_EX)
    sleepers = {
        folder: subprocess.Popen(["sleep", "60"], env=os.environ | {reaper.MARK: str(folder)})
        for folder in (orphan, used, ours)
    }
    program = [sys.executable, "-I", "-S", "-c", served()[reaper.__name__].text.decode(), str(ours)]

    subprocess.run(program, stdin=subprocess.DEVNULL, check=True, timeout=30)

    os.close(holder)
    assert {path.name for path in tmp_path.iterdir()} == {each.name for each in (used, foreign, named, link, elsewhere)}
    assert (elsewhere / reaper.INSIDE / "file").exists()
    assert sleepers[used].poll() is None
    for folder, sleeper in sleepers.items():
        sleeper.kill()
        assert sleeper.wait() == -signal.SIGKILL, folder


def heeds(process: subprocess.Popen[str]) -> bool:
    """Whether it has begun to hear of signals: before that Python itself is being loaded."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    caught = re.search(r"SigCgt:\t(\w+)", status)
    return caught is not None and bool(int(caught[1], 16) >> signal.SIGTERM - 1 & 1)


def test_a_signal_at_any_moment(place: "Project") -> None:
    """While modules are loaded, Ray is started, or trials run."""
    delays = (0.0, 0.3, 0.8, 1.5, 2.5, 4.0)
    with ExitStack() as stack:
        runs = [stack.enter_context(sweep(place, f"moment-{delay}")) for delay in delays]
        start = monotonic()
        for delay, run in zip(delays, runs, strict=True):
            until(lambda process=run.process: heeds(process))  # type: ignore[misc]
            sleep(max(0.0, start + delay - monotonic()))
            for again in (signal.SIGINT, signal.SIGINT, signal.SIGTERM):
                with suppress(ProcessLookupError):
                    os.killpg(run.process.pid, again)
                sleep(0.05)
        for delay, run in zip(delays, runs, strict=True):
            assert run.ended(f"Ctrl-C twice after {delay} s", 130) == f"{STOPPED}\n"


def test_a_signal_while_figures_are_drawn(place: "Project") -> None:
    """Other processes draw, and a terminal sends the signal to them too."""
    names = [f"drawn{number}" for number in range(FEW + 4)]
    specs = [str(place.spec(name, trials="2", m="20", learner="leftmost", figure="{x: m}")) for name in names]
    with begun(place.root, "run", *specs, "--serial", "--out", "drawn") as process:
        until(lambda: list((place.root / "drawn").glob("*.png")) or process.poll() is not None)
        start = monotonic()
        while process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGINT)
            sleep(0.2)
        _, complaints = process.communicate()
        print(f"Ctrl-C while drawing: ended after {monotonic() - start:.1f} s")
    assert (process.returncode, complaints) == (130, f"{STOPPED}\n")
