"""The plans of a spec: what each mechanism resolves to on each of its cells, of any kind of trial; nothing is run."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import Any

from rich.console import Group
from rich.text import Text

from harness.mechanisms.accounts import spent_by
from harness.report.grids import Sheet, value
from harness.report.seen import told_measured
from harness.sweep.spec import Sweep
from harness.trials.kind import Row

MOST = 200
"""Rows that are shown on a terminal; as JSON all are."""

ROLES, NUMBERS = ("plan", "claimed"), ("whole", "real")
WORDY = ("concept_parameters", "distribution_parameters")
FIRST = ("n", "k", "s", "bound", "spent")
"""Columns that are shown before others."""


@dataclass(frozen=True)
class SpecPlan:
    """The plans of a sweep."""

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
        return [{key: _plain(found) for key, found in row.items()} for row in self.rows]

    @property
    def shown(self) -> list[str]:
        """The columns that are shown: what varies from cell to cell, and what is planned and claimed."""
        table = self.sweep.kind.table.items()
        axes = [name for name, column in table if column.role == "parameter" and name not in WORDY and self._varies(name)]
        numbers = [name for name, column in table if column.role in ROLES and column.type in NUMBERS]
        planned = [name for name in numbers if name not in axes and self._known(name)]
        return [*axes, *sorted(planned, key=lambda name: FIRST.index(name) if name in FIRST else len(FIRST))]

    def _known(self, name: str) -> bool:
        return any(row.get(name) is not None for row in self.rows)

    def _varies(self, name: str) -> bool:
        return len({str(row.get(name)) for row in self.rows}) > 1

    def __rich__(self) -> Group:
        """A table."""
        spec, columns = self.sweep.spec, self.shown
        cells = len(self.sweep.cells)
        heading = f"{self.sweep.name}: {spec.question}\n{cells} cell{'s' * (cells > 1)} of kind {self.sweep.kind.name}\n"
        least = [name for name in reversed(columns) if name not in FIRST]
        sheet = Sheet("", ("mechanism", *columns), least, columns)
        for row in self.rows[:MOST]:
            sheet.add_row(str(row["mechanism"]), *(self._told(row, name) for name in columns))
        more = len(self.rows) - MOST
        notes = [f"{more:,} more rows are not shown; --json has all"] if more > 0 else []
        notes += [f"{name}: ε spent is what its author declares; no accountant certifies it" for name in self._declared]
        measured = told_measured(list(spec.mechanisms))
        return Group(Text(heading), sheet, *(Text(f"\n{note}") for note in [*notes, measured] if note))

    @property
    def _declared(self) -> Sequence[str]:
        return [name for name in self.sweep.spec.mechanisms if spent_by(name) == "declared"]

    def _told(self, row: Row, name: str) -> str:
        found = row.get(name)
        if found is None:
            return "–"
        return f"{found:.4g}" if isinstance(found, float) and not found.is_integer() else value(found)


def _plain(found: Any) -> Any:
    return None if isinstance(found, float) and not isfinite(found) else found


def spec_plan(path: Path, overrides: dict[str, str]) -> SpecPlan:
    """The plans of a spec. Raises InputError on anything that could not be run as written."""
    return SpecPlan(Sweep(path, overrides))
