"""Tables on the terminal that are still empty, and values as they are shown there."""

from collections.abc import Sequence
from numbers import Integral
from typing import Any

from rich.table import Table as Grid

from harness.report.lines import NUMBERS as LINED
from harness.text import one_line

NUMBERS = LINED | {"rows", "tests", "cells", "trials", "takes", "a trial", "all of them"}


EXACT = 2.0**53  # below it a real holds each whole number


def value(found: Any) -> str:
    """A whole number in full, any other real to six digits, a truth as CSV has it, anything else as text on one line."""
    if isinstance(found, bool):
        return str(found).lower()
    if isinstance(found, Integral) or (isinstance(found, float) and found.is_integer() and abs(found) < EXACT):
        return f"{int(found):,}"
    return f"{found:.6g}" if isinstance(found, float) else one_line(str(found))


def grid_of(title: str, headings: Sequence[str]) -> Grid:
    """A table on the terminal that is still empty."""
    grid = Grid(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        grid.add_column(heading, justify="right" if heading in NUMBERS else "left", overflow="fold")
    return grid
