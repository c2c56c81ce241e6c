"""What a run will cost, said before it starts: a line for each sweep, and with its cells where nothing else is asked."""

from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from harness.report.grids import Sheet
from harness.report.numerals import duration, size
from harness.report.progress import heartbeat
from harness.report.settings import Settings
from harness.sweep.engines import Local, short
from harness.sweep.errors import CannotRunError
from harness.sweep.files.object_store import Location
from harness.sweep.ray.cluster import MEMORY, THREADS
from harness.sweep.run.batches import Engine
from harness.sweep.run.costs import Costs
from harness.sweep.run.estimate import Estimate, estimate
from harness.sweep.run.memory import for_a_worker
from harness.sweep.run.probe import Probe
from harness.sweep.run.provenance import provenance
from harness.sweep.run.shards import Shard
from harness.sweep.run.store import Store
from harness.sweep.run.work import Result
from harness.sweep.spec import Sweep
from harness.text import one_line
from harness.trials.fields import Identified


class PlannedRun(NamedTuple):
    """A sweep that is about to run, its store, the known costs of its trials, and results of those that were drawn to know."""

    sweep: Sweep
    store: Store
    costs: Costs | None
    drawn: Sequence[Result]


class Forecast:
    """Measures sweeps and prints what each will cost on an engine.
    elsewhere: whether the engine's workers are on other machines.

    Of a cluster's nodes neither number nor memory is known before it is joined.
    """

    def __init__(self, console: Console, engine: Engine, elsewhere: bool) -> None:
        self._console, self._elsewhere = console, elsewhere
        self._workers, self._local = engine.workers, engine if isinstance(engine, Local) else None
        self._limit = for_a_worker(self._workers or 1)

    def of(
        self, sweeps: Sequence[Sweep], out: Location, fresh: bool, alone: bool = False, shard: Shard | None = None
    ) -> list[PlannedRun]:
        """Say it of each sweep that has trials to run, and of all together.

        shard: which share of each. alone: whether nothing is to run. Then nothing is written, each cell has a line, and what is
        complete is told too; else each experiment is held while it is measured. Raises CannotRunError where a trial does not
        fit in a worker's memory.
        """
        planned, estimates = [], []
        with Probe(self._limit, THREADS | MEMORY) as probe:
            for sweep in sweeps:
                store = Store(out, sweep.name, provenance(sweep), shard)
                with nullcontext() if alone else store.locked(), heartbeat(self._console, partial(_measuring, sweep, probe)):
                    of_sweep = estimate(sweep, store, probe, fresh, self._workers or 1)
                if of_sweep is not None:
                    estimates.append(of_sweep)
                    self._say(of_sweep, alone)
                elif alone:
                    self._console.print(f"{one_line(sweep.name)}: nothing to do")
                planned.append(PlannedRun(sweep, store, *((of_sweep.costs, of_sweep.drawn) if of_sweep else (None, ()))))
        if len(estimates) > 1:
            self._console.print(f"all {len(estimates)}: {self._cost(estimates)}")
        if self._local is not None:
            self._local.settle(self._here(estimates))
        return planned

    def _here(self, estimates: Sequence[Estimate]) -> bool:
        """Whether some sweeps are to run in this process, one after the other."""
        sure = all(each.sure and each.memory for each in estimates)
        return self._local is not None and short(sum(each.seconds for each in estimates), sure)

    def _say(self, of_sweep: Estimate, with_cells: bool) -> None:
        if of_sweep.unfit is not None and not self._elsewhere:
            raise CannotRunError(self._refusal(of_sweep.sweep, *of_sweep.unfit))
        if with_cells:
            self._console.print(_cells_grid(of_sweep))
        self._console.print(f"{one_line(of_sweep.sweep.name)}: {self._cost([of_sweep])}")

    def _cost(self, estimates: Sequence[Estimate]) -> str:
        """What some sweeps cost together, one after the other."""
        trials, most = sum(each.trials for each in estimates), sum(each.most for each in estimates)
        cells = sum(len({cell.identity for cell, _, _ in each.tasks}) for each in estimates)
        sentence = f"{trials:,}{f' to {most:,}' if most > trials else ''} trials in {cells:,} cell{'s' if cells > 1 else ''}"
        rows, disk = sum(each.rows for each in estimates), sum(each.disk for each in estimates)
        if not all(each.memory for each in estimates):
            return f"{sentence}; {rows:,} rows; what they will cost is not known, for no trial could be measured"
        sure = all(each.sure for each in estimates)
        memory = f"{'about' if sure else 'at least'} {size(max(each.memory for each in estimates))} of memory a worker"
        time = f"{'about' if sure and most == trials else 'at least'} {self._time(estimates)}"
        merged = any(each.sweep.spec.merging is not None for each in estimates)
        about = ("at least " if most > trials else "about ") if merged else ""
        on_disk = f", {about or 'at most '}{size(disk)} on disk" if disk else ""
        return f"{sentence}, {time}; {memory}; {about}{rows:,} rows{on_disk}"

    def _time(self, estimates: Sequence[Estimate]) -> str:
        """A sweep takes no less than its longest trial, however many workers there are."""
        if self._here(estimates):
            return f"{duration(sum(each.seconds for each in estimates))} in this process"
        if self._workers is None:
            return f"{duration(sum(each.seconds for each in estimates))} of one worker's time"
        seconds = (max(each.seconds / self._workers, *(cost for _, _, cost in each.tasks)) for each in estimates)
        return f"{duration(sum(seconds))} on {'one worker' if self._workers == 1 else f'{self._workers} workers'}"

    def _refusal(self, sweep: Sweep, cell: Identified, why: str) -> str:
        where = f"cell {cell.identity} ({Settings.of(sweep).where(cell)})"
        sentence = f"{sweep.path}: a trial of {where} does not fit in memory: {why}"
        if self._limit is None:
            return sentence
        one, sentence = for_a_worker(1) or 0, f"{sentence}; a worker has {size(self._limit)} here"
        return f"{sentence}, with --workers 1 it has {size(one)}" if one > 1.5 * self._limit else sentence


def _measuring(sweep: Sweep, probe: Probe) -> str:
    place = f", at {Settings.of(sweep).where(probe.cell)}" if probe.cell is not None and probe.cell in sweep.cells else ""
    return f"{one_line(sweep.name)}: measuring what it will cost{place}"


def _cells_grid(of_sweep: Estimate) -> Sheet:
    """One line a cell: where it is, how many trials are missing, and what they take on one worker."""
    settings = Settings.of(of_sweep.sweep)
    axes = settings.varying()
    grid = Sheet(one_line(of_sweep.sweep.name), [*map(settings.symbol, axes), "trials", "a trial", "all of them"])
    for cell, trials, cost in of_sweep.tasks:
        place = [settings.value(cell, axis) for axis in axes]
        grid.add_row(*map(Text, place), f"{trials:,}", duration(cost), duration(trials * cost))
    return grid
