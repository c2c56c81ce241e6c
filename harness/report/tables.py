"""What `table` says: what a table is, and its rows; or what its figure shows, as a table for a paper or a page."""

from rich.text import Text

from harness.report.console import Terminal
from harness.report.grids import Sheet, value
from harness.report.printed import Printed
from harness.report.show import show_far
from harness.report.stored import Stored
from harness.sweep.plugins.data_files import no_matter
from harness.sweep.plugins.faults import blaming

FIRST = 3  # rows of a table that are shown of it


def show_table(console: Terminal, stored: Stored, as_csv: bool) -> None:
    """Prints all of a table as CSV, or what it is and its first rows; and whether it lacks trials."""
    console.stderr = as_csv  # stdout is for the rows alone
    show_far(console, [stored], "shown is")
    console.stderr = False
    if as_csv:
        console.data(stored.table.csv())
    else:
        console.print(rows_grid(stored))


def show_values(console: Terminal, stored: Stored, as_latex: bool) -> None:
    """Prints the numbers that a table's figure shows, a row a mark, in LaTeX or in Markdown."""
    console.stderr = True  # stdout is for the table alone
    show_far(console, [stored], "shown is")
    console.stderr = False
    table = printed(stored)
    console.data([(table.latex() if as_latex else table.markdown()).encode()])


def printed(stored: Stored) -> Printed:
    """The numbers of a table's figure, to be printed. Raises CannotRunError where the figure cannot be drawn."""
    from harness.report.figures import shown, values_of  # matplotlib takes a second to load
    from harness.report.figures.caption import Caption

    name, view = stored.sweep.name, stored.view
    with no_matter(), blaming(view.figure.plot):
        marks, caption = values_of(*shown(stored.table, view)), Caption.of(stored.table.cells, view).text(as_table=True)
    return Printed(name, caption, marks.headings, marks.rows, marks.numbers, marks.grouped)


def rows_grid(stored: Stored) -> Sheet:
    """The sheet of a table's first rows, one line a column."""
    table, kind = stored.table, stored.sweep.kind
    first = next(table.pieces(FIRST)).to_pylist()
    title = f"{stored.path}: {table.size:,} rows of trials of kind {kind.name}, fingerprint {table.fingerprint}"
    numbered = [f"row {place + 1}" for place in range(len(first))]
    grid = Sheet(title, ("name", *numbered, "unit", "meaning"), ("unit", *reversed(numbered[1:])))
    for name, column in kind.table.items():
        grid.add_row(name, *("" if row[name] is None else value(row[name]) for row in first), column.unit, _dim(column.meaning))
    return grid


def _dim(text: str) -> Text:
    return Text(text, style="dim")
