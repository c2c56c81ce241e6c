"""A few rows of every committed table come out again: of every mechanism the cheap ones, at the ends and in between.

Those of one trial are made together, as they share its queries. They go through every kind of trial but those whose trials are
long, at the sizes that experiments are made at, where tests of one part take small ones. Whole numbers and texts are the same,
and reals to the digits in which processors agree.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from harness.concepts.black_box import BlackBox
from harness.report.verify import again, differing
from harness.sweep.table.schema import schema
from harness.trials.fields import Identified
from tests.support import committed
from tests.support.committed import ROOT, sweep_of

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


def test_every_spec_has_its_table() -> None:
    assert committed.NAMES == NAMES


@pytest.mark.law
def test_every_spec_loads() -> None:
    """As it is listed, which the package is asked for on every change."""
    assert all(sweep_of(name).cells for name in NAMES)


DEAR = (
    "audited",
    "baselines_vs_m",
    "classifiers_map",
    "crossover",
    "halfspaces_deferred",
    "lean_crossover",
    "learners_compared",
    "private_training",
    "queries_answered_vs_alpha",
    "releases_map",
    "release_lemma7_proved",
    "release_lemma7_readings",
    "rivals_parities",
    "rivals_unordered",
    "soft_label_error_vs_eps",
    "soft_label_error_vs_n",
)
"""Of more than half the time together, for their trials or for thousands of cells."""


@pytest.mark.parametrize("name", [pytest.param(each, marks=pytest.mark.law if each in DEAR else ()) for each in NAMES])
def test_rows_that_are_committed_come_out_again(name: str) -> None:
    sweep = sweep_of(name)
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
    for old, new in again(sweep, pa.Table.from_pylist(list(some(rows, cells)), rows.schema), sweep.spec.seed):
        assert {name: (old[name], new.get(name)) for name in differing(old, new)} == {}
