"""What a kind of trial is: answers to queries are one, exact privacy is another."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from harness.trials.fields import Identified

Row = dict[str, Any]


def own(cell: Identified, name: str) -> Row:
    """A cell's parameters as they are, with its identity and a subject."""
    return {"cell": cell.identity, "mechanism": name} | cell.model_dump()


@dataclass(frozen=True)
class Kind:
    """A kind of trial, and what a table of it holds.

    cell: the model of its parameters, whose fields are the axes of a sweep. subjects: the names that a spec's `mechanisms` may
    give; a trial has one row for each. columns: name → `text`, `whole`, `real` or `truth`, with a `?` where it may be
    null; every kind also has `cell`, `mechanism`, `trial` and `seconds`. refuse: why a subject cannot run on a cell, with the
    parameter at fault, or None. run: one trial, a pure function of (cell, subjects, seed, index) but for `seconds`. measured:
    columns that differ from trial to trial and of which more is worse; a `real` that is not one is a function of the cell.
    parameters: what every row of a subject on a cell has, as far as it is known before a trial.
    """

    name: str
    cell: type[Identified]
    subjects: Callable[[], Sequence[str]]
    columns: dict[str, str]
    refuse: Callable[[Any, str], tuple[str, str] | None]
    run: Callable[[Any, Sequence[str], int, int], list[Row]]
    measured: tuple[str, ...] = ()
    parameters: Callable[[Any, str], Row] = own


def rows_of(cell: Identified, names: Sequence[str], trial: int, measure: Callable[[str], Row]) -> list[Row]:
    """A row for each name: the cell's parameters, what `measure` adds, and how long it took."""
    rows = []
    for name in names:
        start = perf_counter()
        row = own(cell, name) | {"trial": trial} | measure(name)
        rows.append(row | {"seconds": perf_counter() - start})
    return rows
