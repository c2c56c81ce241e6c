"""Batches of trials: what to run, in pieces of less than a second each by measured cost."""

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from typing import Protocol

from harness.sweep.spec import Sweep
from harness.sweep.store import Done
from harness.sweep.work import Batch, Result, run_batch
from harness.trials.fields import Identified

BATCH_SECONDS = 0.8


class Engine(Protocol):
    """Where batches run. Results come in any order; neither that nor the batching shows in the table."""

    def run(self, batches: "Batches") -> Iterator[Result]:
        """Run until no batch is left."""


class Serial:
    """One batch after the other, in this process."""

    def run(self, batches: "Batches") -> Iterator[Result]:
        while (batch := batches.next()) is not None:
            yield run_batch(batch)


class Batches:
    """The missing ones of the trials wanted of each cell, given by its identity, cell by cell.

    trials, cells: how many are missing, and of how many cells. A cell's first batch is one trial, which measures what the next
    may hold.
    """

    def __init__(self, sweep: Sweep, wanted: Mapping[str, int], done: Done, batch_seconds: float = BATCH_SECONDS) -> None:
        self._kind, self._seed = sweep.kind.name, sweep.spec.seed
        self._batch_seconds = batch_seconds
        self._cost: dict[tuple[str, tuple[str, ...]], float] = {}
        self._missing: deque[tuple[Identified, tuple[str, ...], deque[int]]] = deque()
        for cell in sweep.cells:
            lacking: dict[tuple[str, ...], deque[int]] = {}
            for trial in range(wanted[cell.identity]):
                names = tuple(name for name in sweep.spec.mechanisms if trial not in done.get((cell.identity, name), ()))
                if names:
                    lacking.setdefault(names, deque()).append(trial)
            self._missing.extend((cell, names, trials) for names, trials in lacking.items())
        self.trials = sum(len(trials) for _, _, trials in self._missing)
        self._left = Counter[str]()
        for cell, _, trials in self._missing:
            self._left[cell.identity] += len(trials)
        self.cells = len(self._left)

    @property
    def cells_done(self) -> int:
        """Of how many cells all missing trials have come back."""
        return self.cells - len(self._left)

    def next(self) -> Batch | None:
        """The next batch, or None when all are out."""
        if not self._missing:
            return None
        cell, names, trials = self._missing[0]
        cost = self._cost.get((cell.identity, names))
        size = 1 if cost is None else int(min(len(trials), max(1, self._batch_seconds / cost)))
        batch = Batch(self._kind, cell, names, tuple(trials.popleft() for _ in range(size)), self._seed)
        if not trials:
            self._missing.popleft()
        elif cost is None:
            self._missing.rotate(-1)  # a cell without a measurement waits for it at the back of the queue
        return batch

    def measured(self, result: Result) -> None:
        """Learn what a trial of the batch's cell costs, and that these are done."""
        cell = result.batch.cell.identity
        self._left[cell] -= len(result.batch.trials)
        if not self._left[cell]:
            del self._left[cell]
        self._cost[result.batch.cell.identity, result.batch.mechanisms] = max(result.seconds / len(result.batch.trials), 1e-6)
