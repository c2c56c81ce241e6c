"""Tables on the terminal, of any width: no number, id or name is ever broken; and values as they are shown there.

Where a table does not fit, the columns that matter least go, which is told below it; where that is not enough, each row
becomes a block of lines. Elsewhere than on a terminal nothing goes.
"""

from collections.abc import Container, Iterator, Sequence
from itertools import groupby
from numbers import Integral
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from harness.report.console import broken
from harness.report.lines import NUMBERS as LINED
from harness.text import one_line, printable

NUMBERS = LINED | {"rows", "tests", "cells", "trials", "takes", "a trial", "all of them"}

EXACT = 2.0**53  # below it a real holds each whole number
READABLE = 24  # characters that a column of words has at least: narrower ones are read word by word
GAP = 2


def value(shown: Any) -> str:
    """A value as text: a whole number in full, any other real to six digits, a truth as CSV has it, else one line of text."""
    if isinstance(shown, bool):
        return str(shown).lower()
    if isinstance(shown, Integral) or (isinstance(shown, float) and shown.is_integer() and abs(shown) < EXACT):
        return f"{int(shown):,}"
    return f"{shown:.6g}" if isinstance(shown, float) else one_line(str(shown))


class Sheet:
    """A table for the terminal: rows under headings.

    numbers: the headings of columns that are set right and kept in one line. least: those of columns that may go, the first of
    all first. headed: whether headings are shown; in blocks they always are.
    """

    def __init__(
        self,
        title: str,
        headings: Sequence[str],
        least: Sequence[str] = (),
        numbers: Container[str] = NUMBERS,
        headed: bool = True,
    ) -> None:
        self._title, self._headings, self._least, self._headed = title, tuple(headings), least, headed
        self._numbers = [heading in numbers for heading in headings]
        self._rows: list[list[Text]] = []

    def add_row(self, *cells: str | Text) -> None:
        """A row of as many cells as there are headings, or a single one: a line between rows."""
        self._rows.append([Text(printable(cell, but="\n")) if isinstance(cell, str) else cell for cell in cells])

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        if self._title:
            yield Text(printable(self._title, but="\n"), style="bold")
        shown, room = list(range(len(self._headings))), options.max_width
        if options.no_wrap:  # no terminal: as wide as it has to be
            room = max(room, self._needed(shown))
        else:
            shown = [place for place in shown if any(cells[place].plain for cells in self._whole)] or shown
            for heading in self._least:
                if self._needed(shown) > room:
                    shown = [place for place in shown if self._headings[place] != heading]
        if self._needed(shown) > room:
            yield from self._blocks(room)
            return
        yield from self._grids(shown, room)
        if gone := [name for name in self._least if name not in {self._headings[place] for place in shown} | self._blank]:
            yield Text(f"not shown at this width: {', '.join(gone)}", style="dim")

    @property
    def _whole(self) -> list[list[Text]]:
        """The rows but for lines between them."""
        return [cells for cells in self._rows if len(cells) == len(self._headings)]

    @property
    def _blank(self) -> set[str]:
        """The headings under which there is nothing."""
        return {name for place, name in enumerate(self._headings) if not any(cells[place].plain for cells in self._whole)}

    def _needed(self, shown: Sequence[int]) -> int:
        """The least width of so many columns."""
        return sum(self._ends(place)[0] for place in shown) + GAP * (len(shown) - 1)

    def _ends(self, place: int) -> tuple[int, int]:
        """The least width at which a column can be read, and the one at which none of its lines goes on below."""
        cells = [cells[place] for cells in self._whole]
        heading = [self._headings[place]] if self._headed else []
        lines = [line for cell in cells for line in cell.plain.split("\n")]
        words = [word for line in [*lines, *heading] for word in line.split()]
        most = max(map(cell_len, [*lines, *heading]), default=0)
        whole = max(map(cell_len, lines), default=0) if self._numbers[place] else min(most, READABLE)
        return max([whole, *map(cell_len, words)]), most

    def _grids(self, shown: Sequence[int], room: int) -> Iterator[RenderableType]:
        """The rows in columns of the same widths, with the lines between them."""
        widths = _shared([self._ends(place) for place in shown], room - GAP * (len(shown) - 1))
        headed = self._headed
        for lined, rows in groupby(self._rows, lambda cells: len(cells) == len(self._headings)):
            if not lined:
                yield from (cells[0] for cells in rows)
                continue
            grid = Grid(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="bold", show_header=headed)
            for place, width in zip(shown, widths, strict=True):
                right = self._numbers[place]
                grid.add_column(self._headings[place], justify="right" if right else "left", width=width, overflow="fold")
            for cells in rows:
                grid.add_row(*(cells[place] for place in shown))
            yield grid
            headed = False
        if not self._rows and headed:
            yield Text("  ".join(self._headings), style="bold")

    def _blocks(self, room: int) -> Iterator[Text]:
        """A row after the other: its first cell, and below what the others say, as many on a line as fit."""
        for cells in self._rows:
            head, *others = cells
            yield Text.assemble(head, style="bold", overflow="ignore")
            line = Text("  ", overflow="ignore")
            for heading, cell in zip(self._headings[1:], others, strict=False):
                if not cell.plain:
                    continue
                piece = Text.assemble((heading, "dim"), " " if heading else "", cell)
                if len(line) > GAP and line.cell_len + GAP + piece.cell_len > room:
                    yield from _indented(line, room)
                    line = Text("  ", overflow="ignore")
                line.append("  " if len(line) > GAP else "").append_text(piece)
            yield from _indented(line, room) if len(line) > GAP else ()


def _indented(line: Text, room: int) -> Iterator[Text]:
    """A line that begins with a gap; what goes on below is further in."""
    first, *rest = broken(line[GAP:], room - GAP)
    yield Text("  ", overflow="ignore").append_text(first)
    for line_below in broken(Text(" ").join(rest), room - 2 * GAP) if rest else ():
        yield Text("    ", overflow="ignore").append_text(line_below)


def _shared(ends: Sequence[tuple[int, int]], room: int) -> list[int]:
    """Widths within the ends: what the least leaves of the room goes in equal parts to those that want more."""
    widths = [least for least, _ in ends]
    left = room - sum(widths)
    wanting = sorted(range(len(ends)), key=lambda place: ends[place][1] - ends[place][0])
    for count, place in zip(range(len(ends), 0, -1), wanting, strict=True):
        more = max(0, min(ends[place][1] - ends[place][0], left // count))
        widths[place] += more
        left -= more
    return widths
