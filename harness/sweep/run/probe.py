"""A process that runs a few trials to measure them, so that one that takes minutes, or all memory, harms nobody.

Where there are plugins the run's own rows of these trials must be the same: what differs between processes alone is seen so.
It may take as much memory as it is told, and ends by itself when its caller does.
"""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import accumulate
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic, process_time
from types import TracebackType

from harness.registry import brought
from harness.sources import digest, served
from harness.sweep.errors import InputError
from harness.sweep.plugins import loaded, restore
from harness.sweep.plugins.faults import named
from harness.sweep.run.memory import asked_for, confine, peak
from harness.sweep.run.work import Batch, Result, blocks, draw_again, make_ready, tried
from harness.trials import kinds
from harness.trials.fields import Identified

START_SECONDS = 60.0  # for its imports, on a machine that is busy
SHORT = 0.2  # of a cell whose trials take less several are measured: each batch of them takes some hundredths more
LONG = 2.0  # of a cell whose trials take less two are: the first has its memory to ask for
LONGER = 3  # times as long is waited for a trial that has asked for a quarter of its memory: does it fit?
BUSY = 6  # times as long at most is waited for a trial where other processes have the processors
LOOK_SECONDS = 0.2
FEW_QUERIES = 100_000  # of a block, drawn one by one: some ten megabytes, and some tenths of a second
BEGIN = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from harness.sweep.run.probe import serve; serve(int(sys.argv[2]))"
)


@dataclass(frozen=True)
class ProbedCosts:
    """What trials of a cell cost: seconds a trial, and the bytes of memory that the process has had.

    ended: whether they did; if not, a trial takes longer. unfit: why it did not fit in memory. results: of the trials that
    ended, one after the other; the first is of one block. None where the process had other texts: files were edited meanwhile.
    """

    seconds: float
    memory: int
    ended: bool = True
    unfit: str = ""
    results: tuple[Result, ...] = ()


class Probe:
    """Measures trials in a process that may take `limit` bytes; it is started when it is needed, anew after it was ended.

    What is harmless is measured in this process.

    limit: None where none is known. cell: the one under way.
    """

    def __init__(self, limit: int | None, environment: dict[str, str]) -> None:
        self.limit, self._environment = limit, environment
        self.cell: Identified | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = self._same_texts = False

    def __enter__(self) -> "Probe":
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.end()

    def measure(self, batch: Batch, patience: float, apart: bool = False) -> ProbedCosts | None:
        """Run some of a batch's trials. None where that tells nothing, for one raised or the process died.

        patience: seconds of work after which a trial is no longer waited for. apart: whether even what is harmless is for the
        process, as its memory is to be compared. Raises InputError where a trial ended the process.
        """
        if harmless(batch) and not apart:
            here = measured(batch)
            for first in here.results[:1] if here is not None else ():
                draw_again(first, SHORT)  # its rows are kept, and perhaps no other trial is run
            return here
        try:
            process = self._process or self._start()
            if not self._ready:
                if not self._pipe.poll(START_SECONDS):
                    raise TimeoutError
                self._same_texts = self._pipe.recv() == digest(served())
                self._ready = True
            self._pipe.send((replace(batch, cell=batch.cell.bare()), int((1 + LONGER) * BUSY * patience) + 1))
            large = (self.limit or sys.maxsize) // 4
            if self._answers(patience) or (asked_for(process.pid) > large and self._answers(LONGER * patience)):
                costs: ProbedCosts | None = self._pipe.recv()
                return costs if costs is None or self._same_texts else replace(costs, results=())
            late = ProbedCosts(patience, asked_for(process.pid), ended=False)
            self.end()
            return late
        except (EOFError, OSError):
            code = self._code()
            if self._ready and code is not None and code >= 0:
                culprits = " and ".join(brought([batch.kind, *batch.mechanisms, *named(batch.cell)]))
                what = f"a trial of cell {batch.cell.identity} ends the process that it runs in, with exit code {code}"
                raise InputError(f"{culprits or batch.kind}: {what}; allowed: to return, or to raise") from None
            return ProbedCosts(0.0, 0, ended=False, unfit="the system killed it") if code == -signal.SIGKILL else None

    def _answers(self, patience: float) -> bool:
        """Whether it says something, or ends, before it has been at it for so long. To wait for a processor does not count."""
        assert self._process is not None
        at_it, begun = 0.0, monotonic()
        last, used = begun, _work(self._process.pid)[1]
        while not self._pipe.poll(LOOK_SECONDS):
            now, (running, total) = monotonic(), _work(self._process.pid)
            at_it += total - used if running else now - last
            last, used = now, total
            if at_it > patience or now - begun > BUSY * patience:
                return False
        return True

    def end(self) -> None:
        """End the process, whatever it is at."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._pipe.close()
            self._process = None

    def _start(self) -> subprocess.Popen[bytes]:
        self._pipe, theirs = Pipe()
        with theirs:
            command = [sys.executable, "-c", BEGIN, json.dumps(sys.path), str(theirs.fileno())]
            self._process = subprocess.Popen(
                command,
                env={**os.environ, **self._environment, **_another_hash()},
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        self._ready = False
        with suppress(OSError):
            self._pipe.send((loaded(), self.limit))
        return self._process

    def _code(self) -> int | None:
        """How the process ended; −SIGKILL where somebody killed it: the system, most likely, to have its memory back."""
        assert self._process is not None
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        code = self._process.returncode
        self.end()
        return code


def _another_hash() -> dict[str, str]:
    """What gives texts other hashes, and sets of them other orders, than in this process."""
    return {"PYTHONHASHSEED": "1" if os.environ.get("PYTHONHASHSEED") == "0" else "0"}


def harmless(batch: Batch) -> bool:
    """Whether trials of a batch surely take little: no plugin, votes drawn from their law, few queries drawn one by one."""
    sampling, kind = getattr(batch.cell, "sampling", "full"), kinds()[batch.kind]
    if loaded() or sampling != "sufficient" or kind.queries is None:
        return False
    return kind.block(batch.cell) * sum(singly(batch)) <= FEW_QUERIES


def singly(batch: Batch) -> list[float]:
    """About how many queries a trial draws one by one, for each mechanism of a batch; 0 where its kind does not say."""
    queries = kinds()[batch.kind].queries
    return [queries(batch.cell, name) if queries else 0 for name in batch.mechanisms]


def _work(process: int) -> tuple[bool, float]:
    """Whether a process has something to do, and the processor's seconds that it has used; where none says so, it sleeps."""
    try:
        state, *fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(") ")[2].split()
    except OSError:
        return False, 0.0
    return state == "R", (int(fields[10]) + int(fields[11])) / os.sysconf("SC_CLK_TCK")


def serve(pipe: int) -> None:
    """Runs in a probe's process: measures the batches that its caller sends through the pipe, to the caller's end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # which a terminal sends to its caller too
    with Connection(pipe) as caller, suppress(EOFError):
        plugins, limit = caller.recv()
        restore(plugins)
        if limit is not None:
            confine(limit)
        caller.send(digest(served()))
        while True:
            batch, alarm = caller.recv()
            signal.alarm(alarm)  # it ends the process, should the caller no longer be there to do so
            caller.send(measured(batch))
            signal.alarm(0)


def measured(batch: Batch) -> ProbedCosts | None:
    """Runs some of a batch's trials in this process: what they cost, or None where one raised.

    First ones have more in them than others, so twice as many blocks are drawn each time, and the last ones tell.
    """
    stops = [0, *accumulate(len(trials) for _, _, trials in blocks(batch, kinds()[batch.kind]))]
    results: list[Result] = []
    make_ready()
    begun, drawn = process_time(), 0
    while drawn < len(stops) - 1:
        start, drawn = drawn, min(max(1, 2 * drawn), len(stops) - 1)
        result = tried(replace(batch, trials=batch.trials[stops[start] : stops[drawn]]), stamp="")
        if result.unfit:
            return ProbedCosts(result.seconds, peak(), ended=False, unfit=result.unfit)
        if result.raised:
            return None
        results.append(replace(result, batch=replace(result.batch, cell=batch.cell.bare())))  # which goes through a pipe
        if process_time() - begun > (SHORT if drawn > 1 else LONG):
            break
        begun = process_time() if drawn == 1 else begun
    return ProbedCosts(result.seconds / len(result.batch.trials), peak(), results=tuple(results))
