"""Sweeps run and drawn, with what they cost said before and how far they are meanwhile."""

from collections.abc import Sequence

from rich.console import Console

from harness.report.console import Terminal
from harness.report.cost import Forecast, PlannedRun
from harness.report.drawing import is_drawn, show_drawn, show_figure
from harness.report.pairs import pairs
from harness.report.progress import Meter, heartbeat
from harness.report.recomputed import recomputed, refuse_changed
from harness.report.stored import Stored, figure_paths
from harness.sweep.engines import may_run_here
from harness.sweep.files.object_store import Location
from harness.sweep.files.ownership import refuse_foreign
from harness.sweep.files.reading import kind
from harness.sweep.plugins import loaded
from harness.sweep.run.batches import BATCH_SECONDS, Engine
from harness.sweep.run.run import run_sweep
from harness.sweep.run.shards import Shard
from harness.sweep.run.store import Store
from harness.sweep.spec import WITH, Sweep


def overriding(settings: Sequence[str], trials: int | None, changes: Sequence[str] = ()) -> dict[str, str]:
    """What a command's options override in a spec, by key: its own keys by --set and --trials, values of constants by --with.

    Raises InputError where there is no key or value.
    """
    overrides = {"trials": str(trials)} if trials is not None else {}
    overrides |= pairs("--set", settings)
    return overrides | {f"{WITH}{name}": value for name, value in pairs("--with", changes).items()}


def run_all(
    sweeps: Sequence[Sweep],
    out: Location,
    engine: Engine,
    *,
    elsewhere: bool = False,
    fresh: bool = False,
    batch_seconds: float = BATCH_SECONDS,
    shard: Shard | None = None,
    draw: bool = True,
    show: Console | None = None,
) -> list[Stored]:
    """Prints what sweeps will cost, runs one after the other, then draws side by side the figures that have changed.

    elsewhere: whether the engine's workers may be on other machines. shard: which share of each to run; nothing is drawn then,
    and what is measured is known when all shards have run. draw: whether figures are drawn. show: where progress is told.
    Raises InputError, before anything is run, where what is there of a table was changed since, and where another's file has
    the name of a figure.
    """
    console = show or Terminal(quiet=True)
    for sweep in sweeps:
        for path in figure_paths(out / sweep.name):
            refuse_foreign(path)
        if not fresh:
            _refuse_changed_rows(sweep, Store(out, sweep.name, {}))
    planned = Forecast(console, engine, elsewhere).of(sweeps, out, fresh, shard=shard)
    ran = [_run_one(console, each, engine, fresh, batch_seconds) for each in planned]
    if draw:
        with heartbeat(console, lambda: "drawing"):
            show_drawn(console, [stored for stored, to_draw in ran if to_draw], out)
    return [stored for stored, _ in ran]


def _refuse_changed_rows(sweep: Sweep, store: Store) -> None:
    """Raise InputError where rows that a run would take up say of a plan what the spec does not come to."""
    there = kind(store.path) in (None, "a file")  # what else is in the way is told as it is taken up
    seen = store.seen(sweep.looks, sweep.spec.looks) if there else None
    if seen is not None and seen.table.provenance["kind"] == sweep.kind.name:
        refuse_changed(recomputed(sweep, seen.table, store.path))


def _run_one(console: Console, planned: PlannedRun, engine: Engine, fresh: bool, batch_seconds: float) -> tuple[Stored, bool]:
    """Run a sweep; returns it with its table, and whether its figure has to be drawn."""
    sweep, store, costs, drawn = planned
    drawn = drawn if loaded() or may_run_here(engine) else ()
    with Meter(console, sweep, engine) as meter:
        outcome = run_sweep(sweep, store, engine, meter, fresh, batch_seconds, costs, drawn)
    did = f"{outcome.ran:,} trials run" if outcome.ran else "nothing to do"
    console.print(f"{sweep.name}: {did}, {outcome.resumed:,} rows were there; {len(sweep.cells)} cells")
    stored = Stored(sweep, store.path, outcome.table)
    if store.shard:
        return stored, False
    console.print(f"  table   {store.path} (fingerprint {outcome.table.fingerprint})")
    refuse_changed(stored.recomputed)
    to_draw = outcome.written or not is_drawn(stored)
    if not to_draw:
        show_figure(console, figure_paths(store.path.with_name(sweep.name)))
    return stored, to_draw
