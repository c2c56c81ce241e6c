"""Run a sweep: find what is missing, run it, keep it, and put the whole table in order."""

from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa

from harness.sweep.batches import Batch, Batches, Engine, Result
from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.spec import Sweep
from harness.sweep.store import Store, done
from harness.sweep.table import Table


@dataclass(frozen=True)
class Outcome:
    """What a run did. table: the whole table. ran: trials run now. resumed: rows that were there. written: the file is new."""

    table: Table
    ran: int
    resumed: int
    written: bool


class Progress(Protocol):
    """Told of every result."""

    def start(self, trials: int) -> None:
        """So many trials are missing, and about to run."""

    def advance(self, result: Result) -> None:
        """A batch has come back."""


def run_sweep(sweep: Sweep, store: Store, engine: Engine, progress: Progress, fresh: bool, batch_seconds: float) -> Outcome:
    """Run what is missing of a sweep. Raises CannotRunError, after all other trials are done and kept, when some raised."""
    with store.locked():
        if fresh:
            store.clear()
        finished = store.finished()
        _refuse_strangers(sweep, finished, store)
        batches = Batches(sweep, done(finished), batch_seconds)
        if batches.trials:
            _run_missing(batches, store, engine, progress)
        table, written = store.complete(_in_order(sweep, store.finished() if batches.trials else finished))
        return Outcome(table, batches.trials, finished.num_rows, written)


def _run_missing(batches: Batches, store: Store, engine: Engine, progress: Progress) -> None:
    progress.start(batches.trials)
    raised: list[tuple[Batch, int, str]] = []
    try:
        for result in engine.run(batches):
            batches.measured(result)
            store.add(result.rows)
            raised += [(result.batch, trial, trace) for trial, trace in result.raised.items()]
            progress.advance(result)
    finally:
        store.flush()
    if raised:
        batch, trial, trace = raised[0]
        raise CannotRunError(
            f"{len(raised)} of {batches.trials} trials raised; the others are kept, and the same command resumes. "
            f"The first was trial {trial} of cell {batch.cell.identity} ({batch.cell!r}):\n{trace}"
        )


def _refuse_strangers(sweep: Sweep, finished: pa.Table, store: Store) -> None:
    """Never drop finished work silently: a table of more than this spec asks for is somebody's."""
    cells = {cell.identity for cell in sweep.cells}
    for (cell, mechanism), trials in done(finished).items():
        if cell not in cells or mechanism not in sweep.spec.mechanisms or max(trials) >= sweep.spec.trials:
            raise InputError(
                "holds trials, cells or mechanisms that this run does not ask for; --fresh drops them, --out writes elsewhere",
                store.path,
            )


def _in_order(sweep: Sweep, rows: pa.Table) -> pa.Table:
    """Rows by the spec's order of cells, then by trial, then by the spec's order of mechanisms."""
    cells = {cell.identity: position for position, cell in enumerate(sweep.cells)}
    names = {name: position for position, name in enumerate(sweep.spec.mechanisms)}
    columns = zip(*(rows[name].to_pylist() for name in ("cell", "trial", "mechanism")), strict=True)
    keys = [(cells[cell], trial, names[name]) for cell, trial, name in columns]
    return rows.take(sorted(range(len(keys)), key=keys.__getitem__)).combine_chunks()
