"""Stored tables of experiments, fresh or committed."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

import pandas as pd
import pyarrow as pa

from harness.arrays import Indices
from harness.report.defaults import FIGURES, RESULTS, RUNS
from harness.report.experiments import all_experiments, experiment, spec_files, spec_path
from harness.report.headline import headline, why_fallen
from harness.report.recomputed import Recomputed, recomputed, refuse_changed
from harness.report.settings import Settings, View
from harness.report.spending import privacy_told, spending
from harness.report.verdicts import Evidence
from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.files.object_store import Location, ObjectPath, Somewhere, children
from harness.sweep.plugins import harness_command
from harness.sweep.run.parts import LOCK, is_kept_file
from harness.sweep.run.provenance import provenance
from harness.sweep.run.run import in_order
from harness.sweep.run.shards import BETWEEN
from harness.sweep.run.spec_match import SpecMatch, spec_match
from harness.sweep.run.store import Store, StoredRows
from harness.sweep.spec import Sweep
from harness.sweep.spec.document import Document
from harness.sweep.table.counted import is_counted
from harness.sweep.table.long import Long
from harness.sweep.table.pieces import one_trial, stands_for
from harness.sweep.table.schema import tabulated
from harness.sweep.table.table import Table
from harness.trials.kind import Row

FORMATS = ("png", "pdf", "svg", "tex")  # the figure thrice, and its caption
WAITING = ".accepted~"  # a folder beside references of what is to take their places; no experiment's


@dataclass(frozen=True)
class Stored:
    """An experiment and its stored table. path: where that is, or will be. match: how many of the spec's trials it has.

    stopped: not all of it is in the table's file, as its run was stopped, or is still on.
    """

    sweep: Sweep
    path: Location
    table: Table
    match: SpecMatch | None = None
    stopped: bool = False

    @property
    def frame(self) -> pd.DataFrame:
        """The table's rows, for all who only look; of a long table all are read, whatever is asked of them."""
        return self.table.cells.frame

    @cached_property
    def by_trial(self) -> Table:
        """With a row for each trial: read again where those of many that are alike are one for who only looks."""
        return self.table if self._as_it_is else _in_order(self.sweep, _seen(self.sweep, self.path.parent, row_by_row=True)[1])

    @property
    def size(self) -> int:
        """How many rows the table has, before any were made one for who only looks."""
        return self.table.rows.num_rows if self._as_it_is else stands_for(self.table.rows)

    def some(self, places: Indices) -> pa.Table:
        """The table's rows at these places, as they are in the file, of which no more are held."""
        if self._as_it_is:
            return self.table.rows.take(pa.array(places))
        cells, store = [cell.identity for cell in self.sweep.cells], Store(self.path.parent, self.sweep.name, {})
        return store.assembled(cells, self.sweep.spec.mechanisms, self.size).some(places)

    def trial(self, cell: str, mechanism: str, trial: int) -> Row | None:
        """The table's row of one trial, as it is in the file; None where that is not there."""
        if self._as_it_is:
            return one_trial([self.table.rows], cell, mechanism, trial)
        return Store(self.path.parent, self.sweep.name, {}).trial(cell, mechanism, trial)

    @property
    def _as_it_is(self) -> bool:
        """Whether none of its rows were made one for who only looks."""
        return self.sweep.spec.rows == "counted" or not is_counted(self.table.rows)

    @property
    def evidence(self) -> Evidence:
        """The evidence that claims are judged on."""
        return Evidence(self.sweep.name, self.sweep.kind.name, self.table.cells, self.sweep.spec.claims)

    @cached_property
    def recomputed(self) -> Recomputed:
        """The table against its spec, computed again."""
        return recomputed(self.sweep, self.table, self.path)

    @cached_property
    def message(self) -> str:
        """The finding of the table's spec, or its topic."""
        return headline(self.table.cells, self.view)

    @cached_property
    def settings(self) -> Settings:
        """The settings of the table's cells, in words."""
        return Settings.of(self.sweep)

    @cached_property
    def privacy_told(self) -> list[str]:
        """What is to be said of what its mechanisms spend, and of what its plugins may have read, a line each."""
        made = self.table.provenance
        return [
            *privacy_told(self.table.cells.distinct, made.get("declared", ())),
            *map(_unseen, made.get("unseen", {}).items()),
        ]

    @cached_property
    def spending(self) -> list[str]:
        """The mechanisms of which its rows say an ε′."""
        return spending(self.table.cells.distinct)

    @property
    def far(self) -> str:
        """A line on how far the table is, if it lacks trials; empty if it is whole."""
        if self.match is None or self.match.whole:
            return ""
        if self.stopped:
            return f"{self.sweep.name}: stopped at {self.match.count}, or still running"
        return f"{self.sweep.name}: {self.path} has {self.match.count}{self.match.made}"

    @property
    def view(self) -> View:
        """The view of the table's figure, which says in its title where trials are missing."""
        view = View.of(self.sweep)
        if self.match is None or self.match.whole:
            return view
        return replace(view, lacking=self.match.count)


def _unseen(loads: tuple[str, Sequence[str]]) -> str:
    plugin, what = loads
    return f"{plugin} loads {', '.join(what)}, compiled: that it opens no more than `data` says is its author's word"


def fallen(stored: Sequence[Stored]) -> list[str]:
    """A line for each table whose rows do not make its spec's finding true, with the reason."""
    reasons = ((each.sweep.name, why_fallen(each.table.cells, each.view)) for each in stored)
    return [f"{name}: {why}" for name, why in reasons if why]


def figure_paths(stem: Somewhere, formats: Sequence[str] = FORMATS) -> list[Somewhere]:
    """The paths of a figure's files; stem: their path without the suffix."""
    return cast("list[Somewhere]", [stem.with_name(f"{stem.name}.{suffix}") for suffix in formats])


def refuse_kept(out: Location) -> None:
    """Raises InputError where a run may not write: over what is committed, or between the parts of another run's table."""
    if isinstance(out, ObjectPath):
        return
    for kept in (RESULTS, FIGURES):
        if out.resolve() == kept.resolve():
            raise InputError("is what `harness accept` writes; allowed: any other folder", f"--out {out}")
    if out.resolve().name.startswith(".") and (out / LOCK).exists():
        raise InputError("is the folder of a run's parts; allowed: any other folder", f"--out {out}")


def measured_experiments(out: Location) -> list[Sweep]:
    """The sweeps of committed specs of which there are rows, in `out` or committed."""
    return [sweep for sweep in all_experiments() if folder_of(sweep, out)]


def experiments_on(names: Set[str], out: Location) -> list[Sweep]:
    """The sweeps of which there are rows and whose specs list any of these claims: of the other specs no plan is solved."""
    documents = map(Document, spec_files())
    asking = (each for each in documents if names & {*map(str, each.content.get("claims") or ())})
    sweeps = (Sweep(document.path, text=document.text) for document in asking)
    return [sweep for sweep in sweeps if folder_of(sweep, out)]


def measured(folder: Location) -> list[str]:
    """The names of experiments with a table in a folder, or with parts of one."""
    there = children(folder)
    parts = [path.name[1:] for path in there if path.name.startswith(".") and any(map(is_kept_file, children(path)))]
    tables = (path.stem for path in there if path.suffix == ".parquet")
    return sorted({*(name.partition(BETWEEN)[0] for name in parts), *tables})


def unfinished(sweep: Sweep, out: Location) -> bool:
    """Whether there is no table of an experiment, or its run was stopped."""
    folder = folder_of(sweep, out)
    return folder is None or bool(Store(folder, sweep.name, {}).parts())


def folder_of(sweep: Sweep, out: Location) -> Location | None:
    """The folder with the rows of an experiment, parts of a table too: `out`, or else that of the committed tables, or None."""
    stores = {folder: Store(folder, sweep.name, {}) for folder in (out, RESULTS)}
    return next((folder for folder, store in stores.items() if store.path.exists() or store.parts()), None)


def gather(sweeps: Sequence[Sweep], out: Location, changed: bool = False) -> list[Stored]:
    """Each experiment with its table, fresh or committed, or with what there is of one whose run was stopped.

    changed: see `stored_in`. Raises CannotRunError where there is none, and what `stored_in` raises.
    """
    tables = []
    for sweep in sweeps:
        folder = folder_of(sweep, out)
        if folder is None:
            raise _unmeasured(sweep, out)
        tables.append(stored_in(folder, sweep, changed))
    return tables


def stored_in(folder: Location, sweep: Sweep, changed: bool = False) -> Stored:
    """An experiment with its table in a folder, or with what there is of one whose run was stopped.

    changed: also where it says of a plan what the spec does not come to, which is left to the caller to tell. Raises InputError
    where there is none, where it is another experiment's, or changed; CannotRunError where it lacks cells of the spec.
    """
    path, seen = _seen(sweep, folder)
    match = spec_match(sweep, seen.table)
    if match.strange:
        anew = harness_command(["run", sweep.path, "--fresh", *([] if folder == RESULTS else elsewhere(folder))])
        raise InputError(f"not the table of {sweep.path}: {match.strange}; `{anew}` makes that anew", path)
    for what in match.lacking if seen.complete else ():
        raise CannotRunError(f"{path} {what.removeprefix('it ')} of {sweep.path}; run it again")
    stored = Stored(sweep, path, _in_order(sweep, seen), match, stopped=not seen.complete)
    if not changed:
        refuse_changed(stored.recomputed)
    return stored


def _in_order(sweep: Sweep, seen: StoredRows) -> Table:
    """The table with its rows in the order of a whole one."""
    if seen.complete:
        return seen.table
    table, cells = replace(seen.table, rows=in_order(sweep, seen.table.rows)), [cell.identity for cell in sweep.cells]
    return replace(table, order=(cells, sweep.spec.mechanisms)) if isinstance(table, Long) else table


def _unmeasured(sweep: Sweep, out: Location) -> CannotRunError:
    running = harness_command(["check", sweep.path, "--run", *elsewhere(out)])
    return CannotRunError(f"nothing was measured for {sweep.path}; `{running}` runs what is missing")


def staged(table: Somewhere) -> Somewhere:
    """The path where a table waits that is to replace a reference: while it is there, figures may show it already."""
    return cast("Somewhere", table.parent / WAITING / table.name)


def called(sweep: Sweep) -> str:
    """What commands call an experiment: its name, or the path of its spec where that is not in experiments/."""
    return sweep.name if sweep.path == spec_path(sweep.name) else str(sweep.path)


def elsewhere(out: Location) -> list[str]:
    """The option `--out` of a command, where fresh tables are not in their usual folder; else nothing."""
    return [] if out == RUNS else ["--out", str(out)]


def reference_of(sweep: Sweep) -> Table | None:
    """The committed table of an experiment; None where there is none. Raises InputError where it has trials of another kind."""
    path = RESULTS / f"{sweep.name}.parquet"
    if not path.exists():
        return None
    _, (reference, _) = _seen(sweep, RESULTS)
    _refuse_kind(sweep, reference, path)
    return reference


def as_run(name: str, out: Location, row_by_row: bool = False) -> Stored:
    """An experiment and its stored table, with the options of the run that made it. name: as in NAME.yaml, or a spec's path.

    Of a run that has not come to its end the rows that it kept, maybe none. row_by_row: alike rows of many are not to be one.
    Raises InputError where there is no such experiment, or where the table has trials of another kind.
    """
    sweep = experiment(name)
    folder = folder_of(sweep, out)
    if folder is None:
        return Stored(sweep, out / f"{sweep.name}.parquet", Table(tabulated([], sweep.kind.name), provenance(sweep)))
    path, seen = _seen(sweep, folder, row_by_row, held=False)
    if overrides := seen.table.provenance["set"]:
        sweep = Sweep(sweep.path, overrides, sweep.text)
    _refuse_kind(sweep, seen.table, path)
    table = _in_order(sweep, seen)
    return Stored(sweep, path, table, None if seen.complete else spec_match(sweep, table), stopped=not seen.complete)


def with_rows(name: str, out: Location) -> Stored:
    """The stored experiment of this name, with a row for each trial. Raises CannotRunError where there is no row."""
    stored = as_run(name, out, row_by_row=True)
    if not stored.table.rows.num_rows:
        raise _unmeasured(stored.sweep, out)
    return stored


def _refuse_kind(sweep: Sweep, table: Table, path: Location) -> None:
    """Raises InputError where a table has trials of another kind than the spec."""
    kind = table.provenance["kind"]
    if kind != sweep.kind.name:
        raise InputError(f"not the table of {sweep.path}: its trials are of kind {kind}", path)


def _seen(sweep: Sweep, folder: Location, row_by_row: bool = False, held: bool = True) -> tuple[Location, StoredRows]:
    """The rows of an experiment in a folder, and the path of the table. Raises InputError where there are none.

    row_by_row: for who asks for single trials; of a long table they are read as they are needed where not all are to be held.
    Raises CannotRunError for a reference that is being replaced.
    """
    store = Store(folder, sweep.name, {})
    if staged(store.path).exists():
        raise CannotRunError(f"{store.path} is half replaced; `{harness_command(['accept', called(sweep)])}` completes that")
    seen = store.seen(apart=None if held else ()) if row_by_row else store.seen(sweep.looks, sweep.spec.looks)
    if seen is None:
        raise InputError("no such table", store.path)
    return store.path, seen
