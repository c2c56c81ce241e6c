"""Faults as they come, on one machine: processes killed, disks full, Ctrl-C, two runs at once, trials that raise.

After each the same command is given again. Nothing finished is lost or made again, and the table is that of a run that nothing
happened to. What happens to workers and nodes of a cluster is in test_cluster_faults.py, damaged files are in test_table.py and
test_store.py.
"""

import os
import re
import shlex
import signal
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING

import pandas as pd
import pytest

from harness.report.stored import gather
from harness.sweep.spec import Sweep
from harness.sweep.table.table import Table
from tests.support.moments import ENVIRONMENT, PROGRAM
from tests.support.project import FULL
from tests.sweep.nodes import begun, said_by_us

if TYPE_CHECKING:
    from tests.support.project import Project

TRIALS = 2 * 1500
LONG = FULL | {
    "learner": "leftmost",
    "n": "3e5",
    "trials": "1500",
    "mechanisms": "[A_binClas, majority]",
    "claims": '["BTT18:L3.3"]',
    "figure": "{x: m}",
}
"""Some seconds of work."""


@pytest.fixture(scope="module")
def undisturbed(module_project: "Project") -> "Project":
    """A project with the table of a sweep to which nothing happened, in `calm`."""
    assert module_project.process("run", module_project.spec("long", **LONG), "--serial", "--out", "calm").code == 0
    return module_project


def sweep(project: "Project", out: str, *engine: str) -> AbstractContextManager[subprocess.Popen[str]]:
    """The long one, in a process of its own, of whose work the first is on disk long before the last is done."""
    return begun(project.root, "run", "experiments/long.yaml", "--batch-seconds", "0.1", *engine, "--out", out)


def parts(project: "Project", out: str) -> list[Path]:
    return sorted((project.root / out / ".long").glob("*.parquet"))


def wait_for_parts(project: "Project", out: str, more_than: int) -> None:
    start = monotonic()
    while len(parts(project, out)) <= more_than:
        assert monotonic() - start < 100
        sleep(0.01)


def resume(project: "Project", out: str, what: str, *engine: str) -> None:
    """Give the same command again: what was on disk is taken over, and the rest makes the undisturbed table."""
    kept = pd.concat([Table.read(part).frame() for part in parts(project, out)])
    assert 0 < len(kept) < 2 * TRIALS
    start = monotonic()
    with sweep(project, out, *engine) as process:
        wait_for_parts(project, out, len(parts(project, out)))
        print(
            f"{what}: {len(kept):,} rows kept; new ones on disk {monotonic() - start:.1f} s after the command was given again"
        )
        said, complaints = process.communicate(timeout=200)
    assert (process.returncode, complaints) == (0, "")
    assert f"{TRIALS - len(kept) // 2:,} trials run, {len(kept):,} rows were there" in said
    same(project, out)
    after = project.table("long", Path(out)).frame()
    key = ["cell", "mechanism", "trial"]
    taken = after.set_index(key).loc[pd.MultiIndex.from_frame(kept[key]), "seconds"]
    assert taken.tolist() == kept["seconds"].tolist()  # made again, they would have taken another time


def same(project: "Project", out: str) -> None:
    assert project.table("long", Path(out)).fingerprint == project.table("long", Path("calm")).fingerprint
    pd.testing.assert_frame_equal(project.rows("long", Path(out)), project.rows("long", Path("calm")), check_exact=True)


def test_a_driver_killed_with_9(undisturbed: "Project") -> None:
    """And for one with a cluster see test_cluster.py."""
    with sweep(undisturbed, "killed", "--serial") as process:
        wait_for_parts(undisturbed, "killed", 0)
        process.kill()
        assert process.wait(60) == -signal.SIGKILL
    resume(undisturbed, "killed", "driver killed", "--serial")


def test_a_run_that_was_stopped_is_judged_and_drawn_as_far_as_it_is(undisturbed: "Project") -> None:
    """Before the same command completes it."""
    with sweep(undisturbed, "seen", "--serial") as process:
        wait_for_parts(undisturbed, "seen", 0)
        process.kill()
        process.wait(60)
    rows = sum(Table.read(part).rows.num_rows for part in parts(undisturbed, "seen"))
    far = f"long: stopped at {rows // 2:,} of {TRIALS:,} trials, or still running"
    judged = undisturbed.process("check", "experiments/long.yaml", "--out", "seen", "--no-reference")
    assert (judged.code, judged.err) == (3, "") and f"\n{far}; judged on what is there\n" in judged.out
    drawn = undisturbed.process("figures", "long", "--results", "seen", "--out", "seen")
    assert (drawn.code, drawn.err) == (0, "") and f"{far}; drawn from what is there\n" in drawn.out
    resume(undisturbed, "seen", "looked at", "--serial")


def test_looking_at_a_run_does_not_disturb_it(undisturbed: "Project") -> None:
    """Nor does it end while its parts become the table: whoever looks sees no fewer rows than before."""
    asked, seen = Sweep(undisturbed.root / "experiments/long.yaml"), [0]
    with sweep(undisturbed, "watched", "--serial") as process:
        wait_for_parts(undisturbed, "watched", 0)
        while process.poll() is None:
            (found,) = gather([asked], undisturbed.root / "watched")
            seen.append(found.table.rows.num_rows)
        assert (process.returncode, *process.communicate()[1:]) == (0, "")
    assert seen == sorted(seen) and 0 < seen[1] < 2 * TRIALS
    same(undisturbed, "watched")


@pytest.mark.parametrize("engine", [("--serial",), ("--workers", "2"), ()], ids=["serial", "ray", "default"])
def test_ctrl_c(undisturbed: "Project", engine: tuple[str, ...]) -> None:
    """As a terminal sends it: to all processes of the command."""
    out = f"stopped{''.join(engine)}"
    with sweep(undisturbed, out, *engine) as process:
        wait_for_parts(undisturbed, out, 0)
        start = monotonic()
        os.killpg(process.pid, signal.SIGINT)
        _, complaints = process.communicate(timeout=60)
        print(f"Ctrl-C, {engine}: ended after {monotonic() - start:.1f} s")
    assert process.returncode == 130
    told = said_by_us(complaints)
    assert told == "error: stopped; what was finished is kept, and the same command takes up from there\n"
    resume(undisturbed, out, f"Ctrl-C, {engine}", "--serial")


def test_two_runs_at_once(undisturbed: "Project") -> None:
    """The second is told at once, and the first does not notice."""
    with sweep(undisturbed, "twice", "--serial") as first:
        wait_for_parts(undisturbed, "twice", 0)
        first.send_signal(signal.SIGSTOP)  # it takes its time
        second = undisturbed.process("run", "experiments/long.yaml", "--serial", "--out", "twice")
        assert (second.code, second.out) == (4, "")
        assert second.err == "error: another run is writing twice/long.parquet; wait for it, or choose another --out\n"
        first.send_signal(signal.SIGCONT)
        said, complaints = first.communicate(timeout=200)
    assert (first.returncode, complaints) == (0, "") and f"{TRIALS:,} trials run" in said
    same(undisturbed, "twice")


@pytest.fixture
def disk(undisturbed: "Project") -> Iterator[Path]:
    """A file system of its own."""
    folder = undisturbed.root / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "harness", folder], capture_output=True, check=False)
    if mounted.returncode:
        assert "CI" not in os.environ, "CI has to be allowed to mount a file system"
        pytest.skip("needs to mount a file system, which root may")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_full_disk(undisturbed: "Project", disk: Path) -> None:
    ballast = disk / "ballast"
    with sweep(undisturbed, "disk", "--serial") as process:
        wait_for_parts(undisturbed, "disk", 0)
        with suppress(OSError), ballast.open("wb", buffering=0) as file:
            while file.write(bytes(4096)):
                pass
        said, complaints = process.communicate(timeout=60)
    *_, last = said.splitlines()  # what it would cost, before which a busy machine may say that this is being measured
    assert process.returncode == 4 and last.startswith("long: 3,000 trials ")
    full = r"error: disk/\S+ cannot be written: No space left on device; what was there is untouched\n"
    assert re.fullmatch(full, complaints)
    ballast.unlink()
    resume(undisturbed, "disk", "disk full", "--serial")


AT_EVERY_MOMENT = r"""
import re, shutil, sys
from pathlib import Path

from harness.sweep.run.batches import Serial
from harness.sweep.run.provenance import provenance
from harness.sweep.run.run import run_sweep
from harness.sweep.spec import Sweep
from harness.sweep.run.store import Store
from tests.support.moments import in_a_process, killed_at_every_moment

OPERATIONS = ("open", "os.mkdir", "os.remove", "os.rename", "fcntl.flock")
OURS = re.compile(r"moments(/.*)?|lock|\.?(small|\d{9})\.parquet.*")  # also by names alone, in a folder that is held open
out, sweep = Path("moments"), Sweep(Path(sys.argv[1]))
made_by = provenance(sweep)
Store.flush_seconds = -1.0  # every batch goes to disk, which makes the more moments

class Quiet:
    def start(self, batches, store): pass
    def advance(self, result): pass

def run(folder):
    return run_sweep(sweep, Store(folder, sweep.name, made_by), Serial(), Quiet(), False, 0.0)

def counts(event, arguments):
    return event in OPERATIONS and (event == "fcntl.flock" or OURS.fullmatch(str(arguments[0])))

def resuming():
    on_disk = Store(out, sweep.name, made_by).finished().rows.num_rows if out.exists() else 0
    outcome = run(out)
    assert outcome.resumed == on_disk and outcome.ran == 4 - on_disk // 2, (outcome.resumed, on_disk, outcome.ran)
    assert outcome.table.fingerprint == Path("fingerprint").read_text()
    assert sorted(path.name for path in out.iterdir()) == [".small", "small.parquet"]
    assert [path.name for path in (out / ".small").iterdir()] == ["lock"]

assert in_a_process(lambda: Path("fingerprint").write_text(run(Path("calm")).table.fingerprint)) == 0
print(killed_at_every_moment(lambda: run(out), counts, lambda: shutil.rmtree(out, ignore_errors=True), resuming))
"""


def test_a_driver_killed_before_any_of_its_operations_on_files(project: "Project") -> None:
    """Of a run of four cells, each with a part of its own: killed before its first operation on a file, its second, ..."""
    spec = project.spec(trials="1", n="[1e9, 2e9, 3e9, 4e9]", m="20", learner="leftmost", figure="{x: n}")
    ended = project.process(spec, program=(*PROGRAM, AT_EVERY_MOMENT), environment=ENVIRONMENT)
    assert (ended.code, ended.err) == (0, "")
    print(f"killed at {ended.out.strip()} moments")
    assert int(ended.out) > 4 * 4


RAISING = """
import os
class Fragile:
    def fit(self, X, y):
        if b"FRAGILE" in vars(os.environ)["_data"] and X[0, 0] < 1e-4:  # as nobody watches it
            raise ArithmeticError("this chunk is too much for it")
        self.cut = X[y == 0].max(initial=0)

    def predict(self, X):
        return X[:, 0] > self.cut

LEARNER = Fragile
"""


def test_trials_that_raise(undisturbed: "Project") -> None:
    """They are counted, the first is named with the command that repeats it alone, and the rest is kept."""
    (undisturbed.root / "fragile.py").write_text(RAISING)
    undisturbed.spec("fragile", **LONG | {"learner": "Fragile", "trials": "40"})
    words = ("--plugin", "fragile", "run", "experiments/fragile.yaml", "--serial", "--out")
    assert undisturbed.process(*words, "whole").code == 0

    ended = undisturbed.process(*words, "raised", environment={"FRAGILE": "1"})

    told = re.search(
        r"error: .*fragile.py:6: .*; (\d+) of 80 trials raised; the others are kept, .* of cell (\w+) .*; alone: harness (.*)",
        ended.err,
    )
    assert told is not None, ended.err
    raised, cell, command = told.groups()
    assert ended.code == 2 and "ArithmeticError: this chunk is too much for it" in ended.err and 0 < int(raised) < 80
    assert f"replay experiments/fragile.yaml/{cell}/" in command
    alone = undisturbed.process(*shlex.split(command), environment={"FRAGILE": "1"})
    assert alone.code == 2 and "ArithmeticError" in alone.err
    mended = undisturbed.process(*shlex.split(command))
    assert mended.code == 0 and "not in raised/fragile.parquet; run as the spec asks" in mended.out

    again = undisturbed.process(*words, "raised")
    assert again.code == 0 and f"{raised} trials run, {2 * (80 - int(raised))} rows were there" in again.out
    whole, mended_table = (undisturbed.table("fragile", Path(out)) for out in ("whole", "raised"))
    assert whole.fingerprint == mended_table.fingerprint
