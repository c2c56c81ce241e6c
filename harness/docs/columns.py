"""The page of the columns of tables, by kind of trial."""

from harness.docs.markdown import code, escaped, table
from harness.report.lines import COLUMN_HEADINGS, column_line
from harness.trials import kinds

INTRODUCTION = """\
A table has a row for each trial and mechanism. Its *kind* is that of the spec. The role of a column says where its numbers come
from: *identity* names the row, a *parameter* is as the spec has it, the *plan* follows from parameters, *votes* are drawn, what
is *measured* is counted on answers, and what is *claimed* is a theorem's. *null* says whether a row may lack it, and whether
this is the best or the worst that may be.
"""


def page() -> str:
    """The Markdown of the page of columns: every column of every kind of trial."""
    parts = [INTRODUCTION]
    for kind in kinds().values():
        lines = (column_line(column) for column in kind.table.values())
        shown = table(COLUMN_HEADINGS, ((code(name), *map(escaped, rest)) for name, *rest in lines))
        parts.append(f"## Kind `{kind.name}`\n\n{shown}")
    return "\n".join(parts)
