"""A page as a terminal shows it: its tables keep every number, id and name whole, as those of all commands do."""

from typing import ClassVar

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Markdown, MarkdownElement, TableElement

from harness.report.grids import Sheet


class SetTable(TableElement):
    """Renders a Markdown table of a documentation page on a terminal, as wide as there is room.
    Its rows become blocks where there is too little.
    """

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        head = self.header.row if self.header else None
        sheet = Sheet("", [cell.content.plain for cell in head.cells] if head else [])
        for row in self.body.rows if self.body else ():
            sheet.add_row(*(cell.content for cell in row.cells))
        yield sheet


class TerminalPage(Markdown):
    """A documentation page on a terminal, from its Markdown."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = Markdown.elements | {"table_open": SetTable}
