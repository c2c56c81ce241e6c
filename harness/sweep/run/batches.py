"""Batches of trials: what to run, in pieces of less than a second each by measured cost."""

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import Protocol

import numpy as np

from harness.sweep.plugins import loaded
from harness.sweep.run.costs import Alike, Costs, Key, key
from harness.sweep.run.work import Batch, Result, run_batch
from harness.sweep.spec import Sweep
from harness.sweep.table.counted import Done
from harness.sweep.table.ranges import lacking
from harness.trials import kinds
from harness.trials.fields import Identified

BATCH_SECONDS = 0.8
AGAIN_SECONDS = 1.0
FEW = 64  # blocks that are enough to measure what a trial costs


class Engine(Protocol):
    """What runs batches. Results come in any order; neither that nor the batching shows in the table.

    workers: how many run at once; None while that is not known. waiting: what nothing can begin for, or empty.
    """

    @property
    def workers(self) -> int | None: ...

    @property
    def waiting(self) -> str: ...

    def run(self, batches: "Batches") -> Iterator[Result]:
        """Run until no batch is left."""


class Serial:
    """The engine that runs one batch after the other, in this process."""

    workers, waiting = 1, ""

    def run(self, batches: "Batches") -> Iterator[Result]:
        while (batch := batches.next()) is not None:
            yield run_batch(batch)


@dataclass(frozen=True)
class UnderWay:
    """A cell and how many of its trials are running. since: when the first was sent or, if later, the last came back."""

    cell: Identified
    since: float
    trials: int


class Batches:
    """Cuts the missing trials of a sweep into batches, cell by cell.

    trials, cells: how many are missing, and of how many cells. A cell's first batch is one trial, which measures what the next
    may hold. costs: what is known of trials' costs, to which is added. alike: the missing cells as `pending` has them, by what
    their trials cost.
    """

    def __init__(
        self,
        sweep: Sweep,
        wanted: Mapping[str, int],
        done: Done,
        batch_seconds: float = BATCH_SECONDS,
        costs: Costs | None = None,
    ) -> None:
        self._kind, self._seed = sweep.kind.name, sweep.spec.seed
        self._looks, self._omit, self._batch_seconds = sweep.spec.merging, sweep.spec.omit, batch_seconds
        self._costs = costs or Costs()
        self._latest: dict[Key, float] = {}
        self._begun = False
        self._missing: deque[tuple[Identified, tuple[str, ...], range]] = deque()
        for cell in sweep.cells:
            there = {name: done.get((cell.identity, name), ()) for name in sweep.spec.mechanisms}
            self._missing.extend((cell, names, trials) for names, trials in lacking(there, wanted[cell.identity]))
        self.trials = sum(len(trials) for _, _, trials in self._missing)
        self._left = Counter[str]()
        for cell, _, trials in self._missing:
            self._left[cell.identity] += len(trials)
        self.cells = len(self._left)
        tasks = [(cell, names) for cell, names, _ in self._missing]
        self.alike = Alike(tasks, self._costs)
        self._place = {key(task): place for place, task in enumerate(tasks)}
        self._owed = np.array([len(trials) for _, _, trials in self._missing])
        self._out: dict[str, UnderWay] = {}

    @property
    def cells_done(self) -> int:
        """The number of cells of which all missing trials have come back."""
        return self.cells - len(self._left)

    @property
    def seconds_left(self) -> float:
        """The seconds that trials not yet back take, one after the other: each by what its own cell's trials cost."""
        return float(self.alike.seconds() @ self._owed)

    @property
    def all_ended(self) -> bool:
        """Whether it is known how long the trials left take, and not only that they take at least so long."""
        return self._costs.all_ended

    @property
    def under_way(self) -> UnderWay | None:
        """The cell that has been out for longest without anything coming back."""
        return min(list(self._out.values()), key=lambda work: work.since, default=None)

    def pending(self) -> list[tuple[Batch, int]]:
        """Before any is out: the first few missing trials of each cell and set of mechanisms, and how many there are."""
        block = kinds()[self._kind].block
        return [
            (self._batch(cell, names, self._first(cell, trials, FEW * block(cell))), len(trials))
            for cell, names, trials in self._missing
        ]

    def next(self) -> Batch | None:
        """The next batch, or None when all are out."""
        if not self._missing:
            return None
        cell, names, missing = self._missing.popleft()
        cost = self._latest.get(key((cell, names)))
        trials = self._first(cell, missing, 1 if cost is None else int(min(len(missing), self._batch_seconds / cost)))
        batch, size = self._batch(cell, names, trials, self._again(cost)), len(trials)
        if len(missing) > size:
            left = cell, names, missing[size:]
            # A cell without a measurement waits for it at the back of the queue.
            self._missing.append(left) if cost is None else self._missing.appendleft(left)
        out = self._out.get(cell.identity)
        self._out[cell.identity] = UnderWay(cell, out.since if out else monotonic(), size + (out.trials if out else 0))
        return batch

    def _batch(self, cell: Identified, names: tuple[str, ...], trials: range, again: float = 0.0) -> Batch:
        return Batch(self._kind, cell, names, trials, self._seed, self._looks, again, self._omit)

    def _again(self, cost: float | None) -> float:
        """Seconds up to which a batch is run twice: the first of all, and of every cell where there are plugins."""
        first, self._begun = not self._begun, True
        return inf if cost is None and loaded() else AGAIN_SECONDS if first else 0.0

    def _first(self, cell: Identified, trials: range, count: int) -> range:
        """The first so many, at least one, and the others of the last one's block, which is drawn whole."""
        block = kinds()[self._kind].block(cell)
        stop = -(-(trials.start + max(1, count)) // block) * block
        return trials[: stop - trials.start]

    def measured(self, result: Result) -> None:
        """Learn what a trial of the batch's cell costs, and that these are done."""
        cell, trials = result.batch.cell, len(result.batch.trials)
        task = cell, result.batch.mechanisms
        self._left[cell.identity] -= trials
        if not self._left[cell.identity]:
            del self._left[cell.identity]
        out = self._out.pop(cell.identity)
        if out.trials > trials:
            self._out[cell.identity] = UnderWay(cell, monotonic(), out.trials - trials)
        self._owed[self._place[key(task)]] -= trials
        self._latest[key(task)] = max(result.seconds / trials, 1e-6)
        self._costs.learn(task, result.seconds, trials)
