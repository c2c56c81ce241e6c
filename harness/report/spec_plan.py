"""The plans of a spec: what each mechanism resolves to on each of its cells, of any kind of trial; nothing is run."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from harness.mechanisms.accounts import spent_by
from harness.report.grids import Sheet, value
from harness.report.seen import told_measured
from harness.report.worksheet import Worksheet, finite
from harness.sweep.spec import Sweep
from harness.trials.kind import Row

MOST = 200
"""Rows that are shown on a terminal; as JSON all are."""

ROLES, NUMBERS = ("plan", "claimed"), ("whole", "real")
WORDY = ("concept_parameters", "distribution_parameters")
FIRST = ("n", "k", "s", "bound", "spent")
"""Columns that are shown before others."""


@dataclass(frozen=True)
class SpecPlan(Worksheet):
    """The plans of a sweep's mechanisms on its cells, to be shown."""

    sweep: Sweep

    @cached_property
    def rows(self) -> list[Row]:
        """What is known of each mechanism on each cell before a trial; whose word its ε′ is."""
        return [
            self.sweep.kind.parameters(cell, name) | {"spent_by": spent_by(name)}
            for cell in self.sweep.cells
            for name in self.sweep.spec.mechanisms
        ]

    @property
    def json(self) -> list[Row]:
        """The rows; numbers that do not exist are null."""
        return [{key: finite(number) for key, number in row.items()} for row in self.rows]

    @property
    def shown(self) -> list[str]:
        """The columns that are shown: what varies from cell to cell, and what is planned and claimed."""
        table = self.sweep.kind.table.items()
        axes = [name for name, column in table if column.role == "parameter" and name not in WORDY and self._varies(name)]
        numbers = [name for name, column in table if column.role in ROLES and column.type in NUMBERS]
        planned = [name for name in numbers if name not in axes and any(row.get(name) is not None for row in self.rows)]
        return [*axes, *sorted(planned, key=lambda name: FIRST.index(name) if name in FIRST else len(FIRST))]

    def _varies(self, name: str) -> bool:
        return len({str(row.get(name)) for row in self.rows}) > 1

    def parts(self) -> Iterator[RenderableType]:
        """A row for each mechanism on each cell, and what is to be known of them."""
        spec, columns = self.sweep.spec, self.shown
        cells = len(self.sweep.cells)
        yield Text(f"{self.sweep.name}: {spec.question}\n{cells} cell{'s' * (cells > 1)} of kind {self.sweep.kind.name}\n")
        least = [name for name in reversed(columns) if name not in FIRST]
        sheet = Sheet("", ("mechanism", *columns), least, columns)
        for row in self.rows[:MOST]:
            sheet.add_row(str(row["mechanism"]), *(_shown(row.get(name)) for name in columns))
        yield sheet
        more, declared = len(self.rows) - MOST, [name for name in spec.mechanisms if spent_by(name) == "declared"]
        notes = [f"{more:,} more rows are not shown; --json has all"] if more > 0 else []
        notes += [f"{name}: ε spent is what its author declares; no accountant certifies it" for name in declared]
        notes += filter(None, [told_measured(list(spec.mechanisms))])
        yield from (Text(f"\n{note}") for note in notes)


def _shown(number: Any) -> str:
    if number is None:
        return "–"
    return f"{number:.4g}" if isinstance(number, float) and not number.is_integer() else value(number)


def spec_plan(path: Path, overrides: dict[str, str]) -> SpecPlan:
    """The plans of a spec's mechanisms on its cells. Raises InputError on anything that could not be run as written."""
    return SpecPlan(Sweep(path, overrides))
