"""Where cells are, in words: what tells them apart, by the parameters that a spec gave them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar, cast

import pandas as pd
from pydantic import BaseModel

from harness.report.numerals import number
from harness.sweep.spec import Spec, Sweep
from harness.sweep.spec.figure_spec import FigureSpec
from harness.sweep.table.cells import Cells
from harness.sweep.table.groups import GROUP_BY
from harness.sweep.table.long import Spread
from harness.sweep.table.samples import Sample
from harness.text import one_line
from harness.trials import kinds
from harness.trials.cell import Cell
from harness.trials.columns import VACUOUS, Column, T
from harness.trials.fields import Identified
from harness.trials.kind import Kind

Found = TypeVar("Found")

LONG = 300  # characters of a parameter
TOLD = 4  # PAC bounds that are told one by one


@dataclass(frozen=True)
class Settings:
    """The cells of a sweep. kind: the name of their kind of trial. cells: in the order of the spec."""

    kind: str
    cells: Sequence[Identified]

    @classmethod
    def of(cls, sweep: Sweep) -> "Settings":
        """The settings of a sweep's cells."""
        return cls(sweep.kind.name, sweep.cells)

    def __getstate__(self) -> dict[str, Any]:
        """For the processes that draw."""
        return {"kind": self.kind, "cells": [cell.bare() for cell in self.cells]}

    @property
    def trials(self) -> Kind:
        """Their kind of trial."""
        return kinds()[self.kind]

    @cached_property
    def by_identity(self) -> dict[str, Identified]:
        """The cells by what tables call them."""
        return {cell.identity: cell for cell in self.cells}

    def column(self, axis: str) -> Column:
        """The column of tables with an axis, or of that name."""
        return self.trials.column(axis)

    def symbol(self, axis: str) -> str:
        """The heading of a list of an axis's values."""
        return self.column(axis).symbol or axis

    @property
    def bounds_told(self) -> list[str]:
        """Whose PAC bounds make the plans of cells, and so the bounds, a line each; none where there are no such plans."""
        bounds = {f"PAC bound {cell.bound_told}; learner: {cell.learner}" for cell in self.cells if isinstance(cell, Cell)}
        return sorted(bounds)[:TOLD] + ([f"and {len(bounds) - TOLD} other PAC bounds"] if len(bounds) > TOLD else [])

    def varying(self) -> list[str]:
        """The axes that tell the cells apart, names before numbers; of a single cell, one."""
        return self._apart

    @cached_property
    def _apart(self) -> list[str]:
        axes = sorted(type(self.cells[0]).model_fields, key=lambda axis: bool(self.column(axis).symbol))
        apart = [axis for axis in axes if len({str(getattr(cell, axis)) for cell in self.cells}) > 1]
        return apart or [next((axis for axis in ("m", "alpha", "eps") if axis in axes), axes[-1])]

    def where(self, cell: str | Identified, axes: Sequence[str] | None = None) -> str:
        """The words for where a cell is on some axes, by default on those that tell the cells apart."""
        return ", ".join(self.shown(cell, axis) for axis in (self.varying() if axes is None else axes))

    def shown(self, cell: str | Identified, axis: str) -> str:
        """One parameter of a cell: a number with its symbol, a name with what it names where that is not plain."""
        column, value = self.column(axis), self.value(cell, axis)
        if column.symbol:
            return f"{column.symbol} = {value}"
        return column.phrases.get(value, column.phrases.get("", "{}")).format(value)

    def bare(self, cell: str | Identified, axis: str) -> str:
        """What a name names, without its parameters."""
        return self.value(cell, axis).partition(" (")[0]

    def value(self, cell: str | Identified, axis: str) -> str:
        """What a cell has on an axis, in a line; a dash where that has no say."""
        cell = self.by_identity[cell] if isinstance(cell, str) else cell
        value = cell.meant_by(axis)
        if isinstance(value, int | float):
            return number(value)
        return "–" if value is None else one_line(_named(cell, axis, value), LONG)


def _named(cell: Identified, axis: str, value: Any) -> str:
    """A name, with its parameters but for those of which there is nothing to say."""
    name = getattr(cell, f"{axis}_name", None) or getattr(value, "name", None)
    if not isinstance(value, BaseModel) or name is None:
        return str(value)
    parameters = value.model_dump(mode="json", exclude_none=True)
    noiseless = not getattr(cell, "gamma", None)
    shown = [
        f"{key} = {item:.3g}" if isinstance(item, float) else f"{key} = {item}"
        for key, item in parameters.items()
        if not (key == "target" and item == 0.5) and not (key == "scale" and noiseless)
    ]
    return f"{name} ({', '.join(shown)})" if shown else name


@dataclass(frozen=True)
class View:
    """What a figure shows beside its rows: its spec and the cells. lacking: how many trials of how many are there, if not all.

    spread: the rows of a long table, where a plot is given only those that differ in what is computed, and asks for others.
    """

    spec: Spec
    settings: Settings
    lacking: str = ""
    spread: Spread | None = None

    @classmethod
    def of(cls, sweep: Sweep) -> "View":
        """The view of a sweep's figure."""
        return cls(sweep.spec, Settings.of(sweep))

    @property
    def figure(self) -> FigureSpec:
        """The figure that the spec asks for."""
        return self.spec.figure

    @property
    def table(self) -> Mapping[str, Column]:
        """The columns of the rows, by name."""
        return self.settings.trials.table

    def once(
        self, key: str, rows: pd.DataFrame, find: Callable[[pd.DataFrame], Found], drawn: Sequence[str] | None = None
    ) -> Found:
        """What is found of all rows of the cells and mechanisms that are in some rows; of a long table once, by a key.

        drawn: the columns of what trials drew that it is found of; by default all. Of a long table no others are held.
        """
        if self.spread is None:
            return find(rows)
        computed = (column.name for column in self.settings.trials.computed)
        names = [*self.table] if drawn is None else [*GROUP_BY, *computed, *drawn]
        return cast("Found", self.spread.once((key, self.figure.y), rows, lambda part: find(part.narrow(names))))

    def by_cell(self, key: str, rows: pd.DataFrame, find: Callable[[Cells], Found]) -> Found:
        """What is found of rows by their cells, of which of a long table one's are held."""
        return find(Cells(rows)) if self.spread is None else cast("Found", self.spread.once((key, self.figure.y), rows, find))

    def by_value(
        self,
        key: str,
        rows: pd.DataFrame,
        by: str,
        find: Callable[[pd.DataFrame], Found],
        drawn: Sequence[str] | None = None,
    ) -> dict[Any, Found]:
        """What is found of rows that are alike in a column, by what they have there, which is computed; in rising order."""
        return {at: self.once(key, own, find, drawn) for at, own in rows.groupby(by)}

    def kept(self, key: str, rows: pd.DataFrame, find: Callable[[], Found]) -> Found:
        """What is found of some rows and their `sample`; of a long table once, by a key."""
        return find() if self.spread is None else cast("Found", self.spread.once((key, self.figure.y), rows, lambda _: find()))

    def sample(self, rows: pd.DataFrame, column: str) -> Sample:
        """What all trials of the cells and mechanisms that are in some rows have in a column; of a long table none is held."""
        return Sample.of(rows, column) if self.spread is None else self.spread.sample(rows, column)

    def mean(self, column: str, rows: pd.DataFrame) -> float:
        """The mean of a column over all rows of the cells and mechanisms that are in some rows."""
        return self.kept(f"mean {column}", rows, lambda: self.sample(rows, column).mean)

    def vacuous(self, row: "pd.Series[Any]") -> bool:
        """Whether nothing is claimed of a row."""
        return VACUOUS.name in self.table and bool(row[VACUOUS.name])

    def has_cutoff(self, rows: pd.DataFrame) -> bool:
        """Whether rows are of what has a cutoff T and a theorem that says nothing in places."""
        return {VACUOUS.name, T.name} <= self.table.keys() and bool(rows[T.name].notna().all())

    def heading(self, name: str) -> str:
        """What an axis of the figure says of an axis of the spec, or of a column."""
        return self.settings.column(name).heading

    def column(self, axis: str) -> str:
        """The column with an axis's values: a plan may differ from the α or T that was asked for, which then has its own."""
        return self.settings.column(axis).name
