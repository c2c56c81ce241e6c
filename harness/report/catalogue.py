"""What `harness list` says: every experiment, what it asks, how large it is, and how long it takes."""

import json
from collections.abc import Sequence
from typing import Any

from rich.console import Console

from harness.report.grids import Sheet
from harness.report.numerals import duration
from harness.report.stored import folder_of
from harness.sweep.files.object_store import Location
from harness.sweep.run.store import Store
from harness.sweep.spec import Sweep
from harness.sweep.table.table import seconds
from harness.text import one_line

HEADINGS = ("experiment", "question", "kind", "cells", "trials", "takes")


def show_list(console: Console, sweeps: Sequence[Sweep], out: Location, as_json: bool) -> None:
    """Prints all experiments: question, kind, numbers of cells and trials, and the time that each takes; or as JSON.

    out: where fresh tables are looked for, which say how long an experiment takes.
    """
    if as_json:
        print(json.dumps([_entry(sweep, out) for sweep in sweeps], indent=2))
        return
    grid = Sheet("", HEADINGS, ("kind", "cells"))
    for entry in (_entry(sweep, out) for sweep in sweeps):
        takes = "" if entry["seconds"] is None else duration(entry["seconds"])
        counts = (f"{entry['cells']:,}", f"{entry['trials']:,}")
        grid.add_row(entry["experiment"], one_line(entry["question"]), entry["kind"], *counts, takes)
    console.print(grid)
    console.print("takes: the trials of the stored table on one core; a local Ray has as many workers as there are cores")


def _entry(sweep: Sweep, out: Location) -> dict[str, Any]:
    """An experiment as one flat object. trials: the most that its spec asks for. seconds: null where there is no table."""
    return {
        "experiment": sweep.name,
        "question": sweep.spec.question,
        "kind": sweep.kind.name,
        "cells": len(sweep.cells),
        "trials": sum(map(sweep.most_trials, sweep.cells)),
        "seconds": _seconds(sweep, out),
    }


def _seconds(sweep: Sweep, out: Location) -> float | None:
    """What the trials of a whole stored table took, on one core."""
    folder = folder_of(sweep, out)
    store = Store(folder, sweep.name, {}) if folder else None
    return seconds(store.path) if store and store.path.exists() and not store.parts() else None
