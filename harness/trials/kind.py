"""What a kind of trial is: answers to queries are one, exact privacy is another."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np

from harness.refusal import Refusal
from harness.theory.factors import Changeable
from harness.trials.columns import SECONDS, Column, every_kind
from harness.trials.fields import Identified
from harness.trials.rules import Rule
from harness.trials.seeds import BlockStreams

Row = dict[str, Any]
Columns = dict[str, Any]
"""The rows of a subject in a block of trials, by column: an array, (trials,), or one value that all of them have.

In an array, NULL stands for a null among whole numbers and NaN among reals. A function finds what is not always asked for.
"""

Measure = Callable[[str], Columns]
"""What a subject makes of a block, by its name; what the block's subjects share is drawn before."""

NULL = -1
OF_THE_CELL = ("parameter", "plan")
"""Roles of columns that a cell may say itself, by a field or a property of the name of the column or its axis."""


@dataclass(frozen=True)
class Price:
    """How a table says a price: a number that each subject needs, over what the subject `base` needs in the same trial.

    number, low, high, asked: the columns with the number, with the ends of its interval, the upper one null where there is
    none, and with what the subject's theorem asks for.
    """

    number: str
    low: str
    high: str
    asked: str
    base: str


@dataclass(frozen=True)
class Promise:
    """A bound that a subject says of itself on its own plan, to which it is held in every table, whatever a spec claims.

    quantity: the column that is measured. bound: the one with what that is said to be at most, null where nothing is said.
    betas: how many times β, or another column `chance`, is the chance with which it may be more. unset: columns that are null
    where the plan is its own; least: those that are at least so much there; only: those that have this value there.
    """

    quantity: str
    bound: str
    betas: int = 1
    chance: str = "beta"
    unset: tuple[str, ...] = ()
    least: Mapping[str, float] = field(default_factory=dict)
    only: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Kind:
    """A kind of trial: the model of its cells, its subjects, how a trial is drawn, and the columns of its tables.

    cell: the model of its parameters, whose fields are the axes of a sweep. subjects: the names that a spec's `mechanisms` may
    give; a trial has one row for each. columns: its own, in their order. refuse: why a subject cannot run on a cell, or None.
    measure: draws a block of trials of a cell with its streams, and says what each subject makes of it. block: how many trials
    of a cell make one. origins: where numbers of a row come from, by column. resolved: what the cell's parameters come to for a
    subject, beside what the cell says itself, as far as it is known before a trial. planned: what follows from that and a row's
    votes, of a plan that waits for these. waits: the columns that it waits for. rules: what the numbers of every row keep to,
    whatever happened in its trial. queries: about how many queries a trial of a subject draws one by one, where nothing
    else takes its time: none is said of a search, nor of what trains a learner. price: what its
    tables say the price of, if anything. sets: its subjects by name, where these are sets of constants, which can be had with
    some of them changed. countable: whether rows may be one that are alike in all that is measured, with how many there are.
    promises: what its subjects say of themselves.

    Raises ValueError where the model of the cells has no `hashed_as` of its own.
    """

    name: str
    cell: type[Identified]
    subjects: Callable[[], Sequence[str]]
    columns: tuple[Column, ...]
    measure: Callable[[Any, BlockStreams], Measure]
    block: Callable[[Any], int] = lambda cell: 1
    refuse: Callable[[Any, str], Refusal | None] = lambda cell, name: None
    resolved: Callable[[Any, str], Row] = lambda cell, name: {}
    planned: Callable[[Any, Row], Row] | None = None
    waits: tuple[str, ...] = ()
    origins: Callable[[Row], Mapping[str, str]] = lambda row: {}
    queries: Callable[[Any, str], float] | None = None
    rules: tuple[Rule, ...] = ()
    price: Price | None = None
    sets: Callable[[], Mapping[str, Changeable]] = dict
    countable: bool = False
    promises: tuple[Promise, ...] = ()

    def __post_init__(self) -> None:
        if "hashed_as" not in vars(self.cell):
            what = f"the model {self.cell.__name__} of kind {self.name} has no `hashed_as` of its own"
            raise ValueError(f"{what}; its identities need one, such as hashed_as: ClassVar[str] = {self.cell.__name__!r}")

    def parameters(self, cell: Any, name: str) -> Row:
        """The columns that every row of a subject on a cell has, as far as known before a trial; derived once a cell."""
        key = self.name, name
        if key not in cell.derived:
            resolved = {"cell": cell.identity, "mechanism": name} | cell.described | self.resolved(cell, name)
            axes = {column.name: column.axis or column.name for column in self.columns if column.role in OF_THE_CELL}
            axis_values = {
                column: getattr(cell, axis) for column, axis in axes.items() if column not in resolved and hasattr(cell, axis)
            }
            cell.derived[key] = axis_values | resolved
        return dict(cell.derived[key])

    def run(self, cell: Any, names: Sequence[str], seed: int, block: int, omit: Sequence[str] = ()) -> list[Columns]:
        """A block of trials, a pure function of the arguments but for `seconds`: what each subject has in them.

        omit: columns that are left empty. What they share counts as time of the first.
        """
        start, size, made = perf_counter(), self.block(cell), list[Columns]()
        measure = self.measure(cell, BlockStreams(cell.identity, seed, block))
        for name in names:
            columns = self.parameters(cell, name) | measure(name) | dict.fromkeys(omit)
            columns |= {column: value() for column, value in columns.items() if callable(value)}
            end = perf_counter()
            made.append(columns | {SECONDS.name: (end - start) / size})
            start = end
        return made

    def rows(self, cell: Any, names: Sequence[str], seed: int, trial: int) -> list[Row]:
        """The rows of one trial, each subject's, from the block that the trial is in."""
        block, place = divmod(trial, self.block(cell))
        return [self.row(columns, place) | {"trial": trial} for columns in self.run(cell, names, seed, block)]

    def row(self, columns: Columns, place: int) -> Row:
        """The row of one trial of a block, as plain values."""
        row = {name: value[place].item() if isinstance(value, np.ndarray) else value for name, value in columns.items()}
        nulls = {name for name in row if self.table[name].null and isinstance(columns[name], np.ndarray)}
        return {name: None if name in nulls and not value >= 0 else value for name, value in row.items()}

    @cached_property
    def table(self) -> dict[str, Column]:
        """All columns of the kind's tables by name, in their order."""
        return {column.name: column for column in every_kind(self.columns)}

    @property
    def drawn(self) -> list[Column]:
        """The columns with numbers that differ from trial to trial."""
        return [column for column in self.columns if column.is_number and not column.computed]

    @property
    def omittable(self) -> list[Column]:
        """The drawn columns that a row may lack, whatever happened in its trial."""
        ruled = {name for rule in self.rules if rule.nulls for name in rule.columns}
        return [column for column in self.drawn if column.null and column.name not in ruled]

    @property
    def computed(self) -> list[Column]:
        """The columns that are functions of the cell and the subject: parameters, plans and what is claimed."""
        return [column for column in self.columns if column.computed]

    def column(self, axis: str) -> Column:
        """The column that holds an axis of the cells; of an axis without one, a column of its name and no more."""
        columns = [column for column in self.columns if column.axis == axis]
        return columns[0] if columns else self.table.get(axis, Column(axis, "text", "parameter", axis))
