"""A table as papers and pages have it: in LaTeX with booktabs, or in Markdown; one record, whoever prints it."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from harness.report.lines import CLAIM_HEADINGS, NUMBERS, claim_line
from harness.report.mathematics import typeset
from harness.report.show import tally
from harness.report.summary import escaped, table
from harness.report.verdicts import Finding

LONG = 40  # rows that stand on one page
NEEDED = {
    "longtable": (r"{longtable}",),
    "amsmath": (r"\text{", r"\tfrac", r"\operatorname"),
    "amssymb": (r"\mathbb", r"\triangleq"),
}
"""The packages of a table, by the commands that are theirs."""


@dataclass(frozen=True)
class Printed:
    """A table as LaTeX or Markdown has it. label: what LaTeX refers to it by.
    numbers: the headings whose columns are set right.

    grouped: so many first columns say a cell only where it is another than in the row above.
    """

    label: str
    caption: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: Collection[str] = ()
    grouped: int = 0

    def latex(self) -> str:
        """A float with its caption, or, of many rows, a table over several pages; it says which packages it needs."""
        long = len(self.rows) > LONG
        columns = "".join("r" if each in self.numbers else "l" for each in self.headings)
        head = [r"\toprule", _line(self.headings), r"\midrule"]
        caption = rf"\caption{{{typeset(self.caption)}}}\label{{tab:{self.label}}}"
        if long:
            lines = [rf"\begin{{longtable}}{{{columns}}}", rf"{caption}\\", *head, r"\endfirsthead", *head, r"\endhead"]
        else:
            lines = [r"\begin{table}", r"\centering\small", caption, rf"\begin{{tabular}}{{{columns}}}", *head]
        lines += [_line(row) for row in self._told()]
        end = [r"\end{longtable}"] if long else [r"\end{tabular}", r"\end{table}"]
        whole = "\n".join([*lines, r"\bottomrule", *end, ""])
        needs = ["booktabs", *(each for each, commands in NEEDED.items() if any(command in whole for command in commands))]
        return f"% needs {' and '.join(rf'{chr(92)}usepackage{{{each}}}' for each in needs)}\n{whole}"

    def markdown(self) -> str:
        """The caption, and the table below it."""
        return "\n".join([escaped(self.caption), "", *table(self.headings, self.rows, self.numbers)])

    def _told(self) -> Iterator[Sequence[str]]:
        """The rows, with what is as above left out."""
        above: Sequence[str] = ()
        for row in self.rows:
            same = next((at for at in range(self.grouped) if row[: at + 1] != above[: at + 1]), self.grouped) if above else 0
            yield ["" if at < same else each for at, each in enumerate(row)]
            above = row


def _line(cells: Sequence[str]) -> str:
    """A row; one that begins with a bracket would be taken for an option of the row above."""
    row = " & ".join(typeset(each) for each in cells)
    return rf"{'{}' if row.startswith(('[', '*')) else ''}{row} \\"


def verdicts(findings: Sequence[Finding], error: float, notes: Sequence[str] = ()) -> Printed:
    """The printed table of findings, a row a claim. error: the chance that any verdict is false. notes: on the tables."""
    shown = [name for name in CLAIM_HEADINGS if name not in ("kind", "decisions")]
    rows = [claim_line(finding, shown) for finding in findings]
    sentences = [f"Verdicts: {tally(findings, error)}", *notes]
    caption = " ".join(each if each.endswith(".") else f"{each}." for each in sentences)
    return Printed("verdicts", caption, shown, rows, NUMBERS)
