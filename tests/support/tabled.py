"""Valid rows of every kind of trial: the first ones of some committed tables."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from harness.report.recomputed import Departure, recomputed
from harness.report.stored import Stored
from harness.sweep.spec import Sweep
from harness.sweep.table.counted import COUNT
from harness.sweep.table.table import KEY, Table

ROOT = Path(__file__).parents[2]
TABLES, ROWS = 4, 32
"""Tables of a kind, and rows of a table, that are taken."""


@cache
def committed() -> Mapping[str, list[Path]]:
    """The committed tables of each kind that have a row for each trial, the smallest first."""
    found: dict[str, list[Path]] = {}
    for path in sorted((ROOT / "results").glob("*.parquet"), key=lambda path: (path.stat().st_size, path.name)):
        schema = pq.read_schema(path)
        if COUNT.name not in schema.names:
            found.setdefault(json.loads(schema.metadata[KEY])["provenance"]["kind"], []).append(path)
    return found


@cache
def samples(kind: str) -> list[Stored]:
    """Some rows of some tables of a kind: of each mechanism in each cell as many trials as there is room for."""
    return [_sample(path) for path in committed().get(kind, [])[:TABLES]]


def _sample(path: Path) -> Stored:
    table = Table.read(path)
    places = len(table.rows.group_by(["cell", "mechanism"]).aggregate([])["cell"])
    trials = table.rows["trial"].to_numpy()
    first = table.rows.filter(pa.array(trials < max(1, ROWS // places)))
    chosen = np.unique(np.linspace(0, first.num_rows - 1, ROWS).astype(int))
    spec = ROOT / "experiments" / f"{path.stem}.yaml"
    return Stored(Sweep(spec), path, Table(first.take(chosen), table.provenance))


def departures(stored: Stored, rows: pa.Table) -> list[Departure]:
    """What is told of other rows in the place of its own."""
    return list(recomputed(stored.sweep, Table(rows, stored.table.provenance), stored.path).departures)


def sample(name: str) -> Stored:
    """Some rows of a committed table, read anew, with cells that have derived nothing yet."""
    return _sample(ROOT / "results" / f"{name}.parquet")
