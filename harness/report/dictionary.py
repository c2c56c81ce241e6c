"""What `columns` says: what the columns of a table hold."""

import json
from collections.abc import Sequence
from typing import Any

from harness.report.console import Terminal
from harness.report.grids import Sheet
from harness.report.lines import COLUMN_HEADINGS, column_line
from harness.trials.columns import Column
from harness.trials.kind import Kind


def show_columns(console: Terminal, kinds: Sequence[Kind], as_json: bool) -> None:
    """Prints the columns of kinds of trial with what they hold."""
    if as_json:
        print(json.dumps([column_json(kind, column) for kind in kinds for column in kind.table.values()], indent=2))
    else:
        for kind in kinds:
            console.print(columns_grid(kind))
            console.print()


def columns_grid(kind: Kind) -> Sheet:
    """The sheet of a kind's columns, a line each."""
    grid = Sheet(f"columns of trials of kind {kind.name}", COLUMN_HEADINGS, ("role", "unit", "null", "type"))
    for column in kind.table.values():
        grid.add_row(*column_line(column))
    return grid


def column_json(kind: Kind, column: Column) -> dict[str, Any]:
    """The declaration of one column of a kind of trial, as one flat object for JSON.

    null_is: which value a null stands for if more of the column is worse, best or worst.
    """
    headed = {heading: getattr(column, heading) for heading in COLUMN_HEADINGS}
    return {"kind": kind.name} | headed | {"null_is": column.null_is or None}
