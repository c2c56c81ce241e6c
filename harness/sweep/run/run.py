"""Run a sweep: find what is missing, run it, keep it, and put the whole table in order."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from harness.registry import parts
from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.plugins import harness_command, loaded, refuse_what_was_not_followed
from harness.sweep.plugins.faults import blaming
from harness.sweep.run.batches import BATCH_SECONDS, Batches, Engine
from harness.sweep.run.claim_protocol import DecidableClaim
from harness.sweep.run.costs import Costs, Key, key
from harness.sweep.run.determinism import refuse_nondeterministic
from harness.sweep.run.shards import without_others
from harness.sweep.run.store import Store
from harness.sweep.run.work import Result, stamp
from harness.sweep.spec import Sweep, UntilDecided
from harness.sweep.table.cells import Cells
from harness.sweep.table.counted import COUNT, Done, counted, done, holding, is_counted
from harness.sweep.table.pieces import stands_for
from harness.sweep.table.ranges import overlap, ranges
from harness.sweep.table.samples import counts
from harness.sweep.table.table import Table

LOOK_ERROR = 1e-6  # less than the share of its error that a check of up to a thousand questions leaves to each


Firsts = Mapping[Key, Result]


@dataclass(frozen=True)
class Outcome:
    """What a run of a sweep did.

    table: the whole table; of a shard, what is there of its share. ran: trials run now. resumed: rows that were there. written:
    the file is new.
    """

    table: Table
    ran: int
    resumed: int
    written: bool


class Progress(Protocol):
    """Protocol of a reporter on a run: `start` gets the batches about to run, `advance` each result that came back."""

    def start(self, batches: Batches, store: Store) -> None:
        """These are missing, and about to run; what is finished is in the store."""

    def advance(self, result: Result) -> None:
        """A batch has come back."""


def run_sweep(
    sweep: Sweep,
    store: Store,
    engine: Engine,
    progress: Progress,
    fresh: bool,
    batch_seconds: float,
    costs: Costs | None = None,
    drawn: Sequence[Result] = (),
) -> Outcome:
    """Runs the missing trials of a sweep. costs: seconds a trial, if known. drawn: results of the first missing ones of some
    cells, as they were measured. They are kept, unless there are plugins: then the same trials must come out as they did.

    Raises CannotRunError when trials raised, after all others are done and kept, and at once when one does not fit in memory;
    InputError where it was by a plugin's doing.
    """
    with store.locked():
        if fresh:
            store.clear()
        refuse_what_was_not_followed()  # while the spec was read
        finished, costs = finished_of(sweep, store), costs or Costs()
        resumed = stands_for(finished.rows) if sweep.spec.merging is None else finished.rows.num_rows
        firsts = _firsts(drawn) if loaded() else {}
        ran = 0 if loaded() else _keep(drawn, store, done(finished.rows))
        finished = finished_of(sweep, store) if ran else finished
        while (batches := missing(sweep, store, finished, done(finished.rows), costs, batch_seconds)).trials:
            progress.start(batches, store)
            _run(sweep, batches, store, engine, progress, firsts)
            ran += batches.trials
            finished = finished_of(sweep, store)
        if store.shard:
            return Outcome(Table(finished.rows, store.provenance), ran, resumed, written=False)
        table, written = _completed(sweep, store, finished.rows)
        return Outcome(table, ran, resumed, written)


def _firsts(drawn: Sequence[Result]) -> Firsts:
    """Of each task the first result."""
    return {key((result.batch.cell, result.batch.mechanisms)): result for result in reversed(drawn)}


def _keep(drawn: Sequence[Result], store: Store, there: Done) -> int:
    """Keep the rows of results, but where some of these trials are there by now; returns how many trials are kept."""
    kept = 0
    for result in drawn:
        batch = result.batch
        before = [there.get((batch.cell.identity, name), ()) for name in batch.mechanisms]
        if not any(overlap([some, ranges(np.asarray(batch.trials))]) for some in before):
            store.add(result.rows, batch.looks)
            kept += len(batch.trials)
    store.flush()
    return kept


def _completed(sweep: Sweep, store: Store, finished: pa.Table) -> tuple[Table, bool]:
    """The whole table, as it is looked at, and whether it was written."""
    rows = in_order(sweep, finished)
    if not is_counted(rows) or sweep.spec.merging is not None:
        return store.complete(rows)
    table, written = store.complete_merged(rows, [cell.identity for cell in sweep.cells], sweep.spec.mechanisms)
    return store.long(sweep.spec.looks) if sweep.looks is None else table, written


def finished_of(sweep: Sweep, store: Store) -> Table:
    """All rows of a sweep that are stored so far, as one table; those of a long table with equal rows merged."""
    return store.finished(sweep.looks, sweep.spec.looks if sweep.spec.merging is None else None)


def missing(
    sweep: Sweep, store: Store, finished: Table, there: Done, costs: Costs, batch_seconds: float = BATCH_SECONDS
) -> Batches:
    """The batches of trials that a sweep, or its shard, still has to run. there: the trials that are finished.

    Raises InputError where finished trials are not asked for, so as never to drop them silently, nor to keep what a fresh run
    would not make, were it by a rule that has changed since.
    """
    trials_wanted = wanted(sweep, finished)
    for (cell, mechanism), trials in there.items():
        if mechanism not in sweep.spec.mechanisms or trials[-1].stop > trials_wanted.get(cell, 0):
            raise InputError(
                "holds trials, cells or mechanisms that this run does not ask for; --fresh drops them, --out writes elsewhere",
                store.path,
            )
    return Batches(sweep, trials_wanted, without_others(store.shard, sweep, trials_wanted, there), batch_seconds, costs)


def _run(
    sweep: Sweep, batches: Batches, store: Store, engine: Engine, progress: Progress, firsts: Mapping[Key, Result]
) -> None:
    """Run all batches and keep their rows. firsts: as in `_firsts`, of another process."""
    raised: list[tuple[Result, int, str]] = []
    try:
        for result in engine.run(batches):
            if result.stamp != stamp():
                what = f"a worker ran other code, data or environment variables than this run's: {result.stamp}, not {stamp()}"
                raise CannotRunError(f"{what}; start it anew, with the same")
            batches.measured(result)
            again = firsts.get(key((result.batch.cell, result.batch.mechanisms)))
            if again is not None and again.batch.trials == result.batch.trials:
                refuse_nondeterministic(result, again, apart=True)
            store.add(result.rows, result.batch.looks)
            if result.unfit:
                raise _too_large(result)
            raised += [(result, trial, trace) for trial, trace in result.raised.items()]
            progress.advance(result)
    finally:
        store.flush()
    if raised:
        result, trial, trace = next((each for each in raised if each[0].fault), raised[0])
        batch = result.batch
        row = f"{sweep.path}/{batch.cell.identity}/{trial}/{batch.mechanisms[0]}"
        alone = harness_command(["replay", row, "--out", store.path.parent])
        message = (
            f"{len(raised)} of {batches.trials} trials raised; the others are kept, and the same command resumes. "
            f"The first was trial {trial} of cell {batch.cell.identity} ({batch.cell!r}); alone: {alone}"
        )
        if result.fault:
            raise InputError(f"{result.fault}; {message}")
        raise CannotRunError(f"{message}\n{trace}")


def _too_large(result: Result) -> CannotRunError:
    cell = result.batch.cell
    return CannotRunError(
        f"a trial of cell {cell.identity} ({cell!r}) does not fit in a worker's memory: {result.unfit}; what was finished is "
        "kept, and the same command resumes. Fewer --workers leave more memory for each"
    )


def wanted(sweep: Sweep, finished: Table) -> dict[str, int]:
    """How many trials each cell of a sweep should have, given the rows so far: a function of the rows alone, not of time.

    `until: decided` looks at a cell after FIRST_LOOK trials, then after twice as many, until its claims are decided at
    LOOK_ERROR or `max` is reached. Confidence sequences allow any number of looks.
    """
    trials = sweep.spec.trials
    if not isinstance(trials, UntilDecided):
        return {cell.identity: sweep.most_trials(cell) for cell in sweep.cells}
    cells = finished.cells
    numbers: dict[str, list[int]] = {}
    for number, cell in enumerate(cells.heads["cell"]):
        numbers.setdefault(cell, []).append(number)
    trials_wanted = {}
    for cell in sweep.cells:
        rows = pd.concat([cells.rows(number) for number in numbers.get(cell.identity, ())] or [cells.heads.iloc[:0]])
        looks = (look for look in trials.looks() if not _has(rows, look, sweep) or _last(sweep, rows, look))
        trials_wanted[cell.identity] = next(looks)
    return trials_wanted


def enough(sweep: Sweep, finished: Cells) -> dict[str, int] | None:
    """By cell a number of trials no less than that of `wanted`, if one look at the rows shows all to be there; else None.

    It takes one look at all cells, the last one of each, where `wanted` takes all: a whole table is soon known to be one.
    """
    trials = sweep.spec.trials
    if not isinstance(trials, UntilDecided) or not all(claim.by_cell for claim in _about(sweep)):
        return None
    numbers, names = pd.factorize(finished.heads["cell"])
    looks = [*trials.looks()]
    there = np.zeros((len(looks), len(names)))
    for places, rows in finished.pieces(["trial"]):
        trial, times = rows["trial"].to_numpy(), counts(rows)
        for step, look in enumerate(looks):
            before = trial < look
            there[step] += np.bincount(numbers[places[before]], times[before], minlength=len(names))
    last = np.zeros(len(names), np.int64)
    for step, look in enumerate(looks):
        last[there[step] == look * len(sweep.spec.mechanisms)] = look
    last_looks = dict(zip(names, last.tolist(), strict=True))
    by_cell = {cell.identity: last_looks.get(cell.identity, 0) for cell in sweep.cells}
    most = np.where(last < trials.max, last, 0)[numbers]
    return by_cell if min(by_cell.values()) > 0 and (not most.any() or decided(sweep, finished.before(most))) else None


def _last(sweep: Sweep, rows: pd.DataFrame, look: int) -> bool:
    """Whether a cell needs no further look, given its rows, of which so many trials are there."""
    trials = sweep.spec.trials
    return not isinstance(trials, UntilDecided) or look == trials.max or decided(sweep, Cells(rows[rows["trial"] < look]))


def decided(sweep: Sweep, cells: Cells) -> bool:
    """Whether the rows decide all questions of a spec's claims about its kind of trial, each at error LOOK_ERROR."""
    with blaming(*sweep.spec.claims):
        return all(claim.decided(cells, LOOK_ERROR) for claim in _about(sweep))


def _about(sweep: Sweep) -> Iterator[DecidableClaim]:
    """The claims of the spec about such trials."""
    claims = (parts("claim")[name] for name in sweep.spec.claims)
    return (claim for claim in claims if claim.trials == sweep.kind.name)


def _has(rows: pd.DataFrame, look: int, sweep: Sweep) -> bool:
    """Whether the first `look` trials are all there."""
    before = rows["trial"] < look
    return int(rows.loc[before, COUNT.name].sum() if COUNT.name in rows else before.sum()) == look * len(sweep.spec.mechanisms)


def in_order(sweep: Sweep, rows: pa.Table) -> pa.Table:
    """A table's rows by the spec's order of cells, trial, and its order of mechanisms; equal counted rows are merged."""
    if is_counted(rows):
        rows = counted(rows, sweep.kind, sweep.spec.looks)
    cells, names = pa.array([cell.identity for cell in sweep.cells]), pa.array(sweep.spec.mechanisms)
    keys = {"cell": pc.index_in(rows["cell"], cells), "trial": rows["trial"], "name": pc.index_in(rows["mechanism"], names)}
    order = pc.sort_indices(pa.table(keys), sort_keys=[(key, "ascending") for key in keys])
    in_turn = bool((np.diff(order.to_numpy()) == 1).all())
    ordered = (rows if in_turn else rows.take(order)).combine_chunks()
    return holding(ordered, done(rows)) if is_counted(rows) else ordered
