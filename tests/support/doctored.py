"""One cell that can be decided, and tables that say what no run of it made. For tests of `harness check`."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.sweep.table.schema import tabulated
from harness.sweep.table.table import Table

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
    """Change every row of a stored table, with what follows from that, and seal it again."""
    table = project.table(name, out)
    rows = [settled(change(row)) for row in table.rows.to_pylist()]
    Table(tabulated(rows, table.provenance["kind"]), table.provenance).write(out / f"{name}.parquet")


def settled(row: Row) -> Row:
    """A row of answers with all that follows from its other numbers. No more than the answered queries are wrong or ⊥."""
    m, given, most = row["m"], row["wrong"] + row["bottoms"], row["max_mistakes"]
    answered = m if row["halted_at"] is None else min(m, max(row["halted_at"], given))
    wrong = min(row["wrong"], answered - row["bottoms"])
    misclassified = wrong + row["bottoms"] + m - answered
    return row | {
        "answered": answered,
        "halted_at": answered if answered < m else None,
        "wrong": wrong,
        "misclassified": misclassified,
        "misclassification_rate": misclassified / m,
        "share_of_3B": row["unstable"] / (3 * most) if most else None,
        "s": row["n"] // row["k"],
        "vacuous": row["bound"] is None,
    }


def all_wrong(row: Row) -> Row:
    return settled(row | {"wrong": row["m"]})
