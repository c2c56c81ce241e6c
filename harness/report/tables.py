"""What `columns` and `table` say: what the columns of a table hold, and the rows themselves."""

import json
from collections.abc import Sequence
from typing import Any

from rich.table import Table as Grid
from rich.text import Text

from harness.report.console import Terminal
from harness.report.lines import COLUMN_HEADINGS, column_line
from harness.report.show import show_far
from harness.report.stored import Stored
from harness.report.terminal import grid_of, value
from harness.trials.columns import Column
from harness.trials.kind import Kind

FIRST = 3  # rows of a table that are shown of it


def show_columns(console: Terminal, kinds: Sequence[Kind], as_json: bool) -> None:
    """The data dictionary of kinds of trial."""
    if as_json:
        print(json.dumps([column_json(kind, column) for kind in kinds for column in kind.table.values()], indent=2))
    else:
        for kind in kinds:
            console.print(columns_grid(kind))
            console.print()


def show_table(console: Terminal, stored: Stored, as_csv: bool) -> None:
    """All of a table as CSV, or what it is and its first rows; and whether it lacks trials."""
    console.stderr = as_csv  # stdout is for the rows alone
    show_far(console, [stored], "shown is")
    console.stderr = False
    if as_csv:
        console.data(stored.table.csv())
    else:
        console.print(rows_grid(stored))


def columns_grid(kind: Kind) -> Grid:
    """One line a column of a kind of trial."""
    grid = grid_of(f"columns of trials of kind {kind.name}", COLUMN_HEADINGS)
    for column in kind.table.values():
        grid.add_row(*column_line(column))
    return grid


def column_json(kind: Kind, column: Column) -> dict[str, Any]:
    """A column as one flat object. null_is: what a null stands for in a column of which more is worse, best or worst."""
    said = {heading: getattr(column, heading) for heading in COLUMN_HEADINGS}
    return {"kind": kind.name} | said | {"null_is": column.null_is or None}


def rows_grid(stored: Stored) -> Grid:
    """The first rows of a table, one line a column."""
    table, kind = stored.table, stored.sweep.kind
    first = table.rows.slice(0, FIRST).to_pylist()
    title = f"{stored.path}: {table.rows.num_rows:,} rows of trials of kind {kind.name}, fingerprint {table.fingerprint}"
    grid = grid_of(title, ("name", *(f"row {place + 1}" for place in range(len(first))), "unit", "meaning"))
    for name, column in kind.table.items():
        grid.add_row(name, *("" if row[name] is None else value(row[name]) for row in first), column.unit, _dim(column.meaning))
    return grid


def _dim(said: str) -> Text:
    return Text(said, style="dim")
