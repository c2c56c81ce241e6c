"""What a run will cost, from a few of its trials: the time it takes, the memory of a worker, rows and bytes on disk."""

from collections import Counter
from dataclasses import dataclass, replace
from io import BytesIO
from time import monotonic

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from harness.sweep.run.batches import Batches
from harness.sweep.run.costs import Costs
from harness.sweep.run.probe import Probe, ProbedCosts, singly
from harness.sweep.run.run import finished_of, missing
from harness.sweep.run.store import Store
from harness.sweep.run.work import Batch, Result
from harness.sweep.spec import Sweep
from harness.sweep.table.counted import COUNT, counted, done
from harness.sweep.table.groups import GROUP_BY
from harness.sweep.table.parquet_writer import write_groups
from harness.sweep.table.ranges import Ranges, joined
from harness.sweep.table.schema import schema
from harness.sweep.table.table import Table
from harness.trials.fields import Identified

PATIENCE = 5.0  # seconds; of a trial that takes longer it is known only that it does
LEAST, MOST, SHARE = 0.25, 10.0, 0.02  # seconds to spend on measuring: this share of the run's time, between the two
FEWEST, MANY = 3, 32  # cells to measure: the dearest and what is least like it, also where that takes longer; at most
A_QUERY = 1024  # bytes; where so many for each do not fit, fewer queries are tried first
FEWER = (32, 8)  # times as few as fit at that
FEWER_PATIENCE = 10.0  # seconds; they take far less, unless the machine is very busy
MARGIN = 1.5  # what is reckoned to take so many times what there is is not tried
SEAL = 6_000  # bytes of a table's provenance, with the spec


@dataclass(frozen=True)
class Estimate:
    """What is missing of a sweep, and the time, memory and disk that it will take.

    trials, rows: that are missing, of counted rows about as many as differ; most: trials if no cell is decided before its last.
    tasks: of every missing cell and set of mechanisms how many trials, and the seconds that one takes. seconds: of all, one
    after the other. memory: bytes of a worker; 0 if no trial could be measured. disk: bytes that the table takes at most, or
    about if its rows are counted, with the rows that are there. unfit: a cell whose trial does not fit in memory, and why.
    costs: what was measured; drawn: the results of the trials that were, which need not run again. sure: whether all that was
    measured ended; if not, the run takes more.
    """

    sweep: Sweep
    trials: int
    most: int
    rows: int
    seconds: float
    memory: int
    disk: int
    tasks: list[tuple[Identified, int, float]]
    unfit: tuple[Identified, str] | None
    costs: Costs
    drawn: tuple[Result, ...]

    @property
    def sure(self) -> bool:
        return self.costs.all_ended and self.unfit is None


def estimate(sweep: Sweep, store: Store, probe: Probe, fresh: bool, workers: int) -> Estimate | None:
    """Measures a few of a sweep's missing trials and estimates what all of these will take; None where no trial is missing.
    Nothing is written.
    """
    nothing = Table(schema(sweep.kind.name).empty_table(), store.provenance)
    finished = nothing if fresh else finished_of(sweep, store)
    there, costs = done(finished.rows), Costs()
    batches = missing(sweep, store, finished, there, costs)
    if not batches.trials:
        return None
    pending = batches.pending()
    measured = _measured(batches, pending, probe, costs, workers)
    seconds = batches.alike.seconds()
    tasks = [(batch.cell, count, float(cost)) for (batch, count), cost in zip(pending, seconds, strict=True)]
    tables = [result.rows for _, found in measured for result in found.results]
    rows = sum(len(batch.mechanisms) * count for batch, count in pending)
    if sweep.spec.merging is not None and tables:
        tables = [counted(pa.concat_tables(tables), sweep.kind, sweep.spec.merging)]
        rows = round(rows * _share(tables[0], pending))
    by_cell: dict[str, list[Ranges]] = {}
    for (cell, _), trials in there.items():
        by_cell.setdefault(cell, []).append(trials)
    there_already = sum(len(some) for sets in by_cell.values() for some in joined(sets))
    return Estimate(
        sweep,
        batches.trials,
        sum(sweep.most_trials(cell) for cell in sweep.cells) - there_already,
        rows,
        batches.seconds_left,
        max((found.memory for _, found in measured), default=0),
        _disk(tables, rows + finished.rows.num_rows),
        tasks,
        next(((cell, found.unfit) for cell, found in measured if found.unfit), None),
        costs,
        tuple(result for cell, found in measured for result in found.results if result.batch.cell.identity == cell.identity),
    )


def _measured(
    batches: Batches, pending: list[tuple[Batch, int]], probe: Probe, costs: Costs, workers: int
) -> list[tuple[Identified, ProbedCosts]]:
    """Measure one task after the other, as long as that takes little beside the run. Ends at one that does not fit."""
    begun, measurements, tried = monotonic(), list[tuple[Identified, ProbedCosts]](), list[int]()
    while len(tried) < min(MANY, len(pending)):
        spend = min(MOST, max(LEAST, SHARE * batches.seconds_left / workers))
        took = monotonic() - begun
        if took > spend and len(tried) >= (FEWEST if took < MOST else FEWEST - 1):
            break
        place = batches.alike.next_to_measure(tried)
        tried.append(place)
        batch, _ = pending[place]
        probe.cell = batch.cell
        fewer = _fewer_queries(batch, probe)
        if fewer is not None and fewer.unfit:
            measurements.append((batch.cell, fewer))
            break
        measured = probe.measure(batch, PATIENCE)
        if measured is None:
            continue
        if not measured.ended and fewer is not None:
            measured = replace(fewer, seconds=max(fewer.seconds, measured.seconds), memory=max(fewer.memory, measured.memory))
        measurements.append((batch.cell, measured))
        if measured.unfit:
            break
        if measured.ended:
            costs.measured((batch.cell, batch.mechanisms), measured.seconds)
        else:
            costs.at_least((batch.cell, batch.mechanisms), measured.seconds)
    return measurements


def _fewer_queries(batch: Batch, probe: Probe) -> ProbedCosts | None:
    """What a trial that draws very many queries takes, reckoned from fewer: both time and memory grow with their number.

    None where it draws none, or so few that it can as well be tried.
    """
    queries = _drawn(batch)
    if probe.limit is None or queries * A_QUERY <= probe.limit:
        return None
    tried = []
    for share in FEWER:
        fewer = replace(batch, cell=batch.cell.model_copy(update={"m": max(1, probe.limit // (A_QUERY * share))}))
        measured = probe.measure(fewer, FEWER_PATIENCE, apart=True)
        if measured is None or not measured.ended:
            return None
        tried.append((_drawn(fewer), measured))
    (few, less), (more, last) = tried
    if few >= more:
        return None
    memory = last.memory + int((last.memory - less.memory) / (more - few) * (queries - more))
    unfit = f"it needs about {memory / 1e9:,.0f} GB" if memory > MARGIN * probe.limit else ""
    return ProbedCosts(last.seconds * queries / more, memory, ended=False, unfit=unfit)


def _drawn(batch: Batch) -> float:
    """The most queries that any of a batch's mechanisms draws one by one."""
    return max(singly(batch))


def _share(merged: pa.Table, pending: list[tuple[Batch, int]]) -> float:
    """About how many rows there will be for each trial and mechanism where alike ones are one, from those of some trials.

    How many differ grows as a power of the number of trials where the chances of rows fall as one, and the power is the share
    of those that came once (Karlin 1967). Where chances fall faster there are fewer.
    """
    trials = Counter[tuple[str, str]]()
    for batch, count in pending:
        trials.update({(batch.cell.identity, name): count for name in batch.mechanisms})
    once = merged.append_column("once", pc.equal(merged[COUNT.name], 1)).group_by(GROUP_BY)
    groups = once.aggregate([(COUNT.name, "sum"), ("once", "sum"), ("trial", "count")]).to_pandas()
    missing = np.array([trials[place] for place in zip(*(groups[name] for name in GROUP_BY), strict=True)])
    differ = groups["trial_count"].to_numpy()
    grown = differ * (missing / groups["count_sum"].to_numpy()) ** (groups["once_sum"].to_numpy() / differ)
    return float(grown.sum() / missing.sum())


def _disk(measured: list[pa.Table], rows: int) -> int:
    """Bytes of a table of so many rows. The more there are the better they are compressed, so it is mostly half of this."""
    if not measured:
        return 0
    few, more = (pa.concat_tables(tables) for tables in ([table.slice(0, 1) for table in measured], measured))
    added = more.num_rows - few.num_rows
    a_row = (_size(more) - _size(few)) / added if added else 0.0
    return SEAL + _size(more) + int(a_row * max(0, rows - more.num_rows))


def _size(rows: pa.Table) -> int:
    file = BytesIO()
    write_groups([rows], rows.schema, {}, file)
    return file.tell()
