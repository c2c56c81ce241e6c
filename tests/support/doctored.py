"""One cell that can be decided, and tables that say what no run of it made. For tests of `harness check`."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.sweep.table import Table
from harness.sweep.work import tabulated

if TYPE_CHECKING:
    from tests.support.project import Project

Row = dict[str, Any]
ONE: dict[str, str | None] = {
    "m": "20",
    "learner": "leftmost",
    "trials": "150",
    "mechanisms": "[A_binClas]",
    "figure": "{x: m}",
}
"""One cell with trials enough to decide it: 150 without a failure, at most 0.1 claimed, error 10⁻³."""


def doctor(project: "Project", change: Callable[[Row], Row], name: str = "small", out: Path = Path("results/runs")) -> None:
    """Change every row of a stored table and seal it again."""
    table = project.table(name, out)
    rows = [change(row) for row in table.rows.to_pylist()]
    Table(tabulated(rows, table.provenance["kind"]), table.provenance).write(out / f"{name}.parquet")


def all_wrong(row: Row) -> Row:
    return row | {"misclassified": row["m"], "wrong": row["m"], "misclassification_rate": 1.0}
