"""A few rows of every committed table come out again: of every mechanism the cheap ones, at the ends and in between.

Those of one trial are made together, as they share its queries. They go through every kind of trial but those whose trials are
long, at the sizes that experiments are made at, where tests of one part take small ones. Whole numbers and texts are the same,
and reals to the digits in which processors agree.
"""

from collections.abc import Iterator, Mapping
from math import isclose
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from harness.concepts.black_box import BlackBox
from harness.sweep.spec import Sweep
from harness.sweep.work import schema, tabulated
from harness.trials.fields import Identified

ROOT = Path(__file__).parents[1]
NAMES = sorted(path.stem for path in (ROOT / "results").glob("*.parquet"))
CHEAP = 0.02
"""Seconds that a row took when it was made."""


def some(rows: pa.Table, cells: Mapping[str, Identified]) -> Iterator[dict[str, Any]]:
    """Of each mechanism the first row, the last and one in the middle, among those that are cheap to make again.

    A learner of scikit-learn is not, but in the second row of a process.
    """
    cheap: dict[str, list[int]] = {}
    for index, row in enumerate(rows.select(["cell", "mechanism", "seconds"]).to_pylist()):
        if row["seconds"] <= CHEAP and not isinstance(getattr(cells[row["cell"]], "learner", None), BlackBox):
            cheap.setdefault(row["mechanism"], []).append(index)
    for at in cheap.values():
        for index in dict.fromkeys((at[0], at[len(at) // 2], at[-1])):
            yield rows.slice(index, 1).to_pylist()[0]


def same(old: Any, new: Any) -> bool:
    if isinstance(old, float) and isinstance(new, float):
        return isclose(old, new, rel_tol=1e-7) or (old != old and new != new)
    return bool(old == new)


@pytest.mark.parametrize("name", NAMES)
def test_rows_that_are_committed_come_out_again(name: str) -> None:
    sweep = Sweep(ROOT / "experiments" / f"{name}.yaml")
    cells = {cell.identity: cell for cell in sweep.cells}
    stored, now = (
        [(field.name, field.type, field.nullable, field.metadata[b"role"]) for field in columns]
        for columns in (
            pq.read_schema(ROOT / "results" / f"{name}.parquet"),
            schema(sweep.kind.name, sweep.spec.rows == "counted"),
        )
    )
    assert stored == now
    rows = pq.read_table(ROOT / "results" / f"{name}.parquet", filters=[("trial", "==", 0)])
    together: dict[str, dict[str, dict[str, Any]]] = {}
    for row in some(rows, cells):
        together.setdefault(row["cell"], {})[row["mechanism"]] = row
    for cell, known in together.items():
        made = sweep.kind.rows(cells[cell], tuple(known), sweep.spec.seed, 0)
        for new in tabulated(made, sweep.kind.name).to_pylist():
            old = known.pop(new["mechanism"])
            assert {key: (old[key], new[key]) for key in new if key != "seconds" and not same(old[key], new[key])} == {}
        assert not known
