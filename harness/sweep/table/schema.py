"""The columns of a table, by the kind of its trials."""

from collections.abc import Iterable
from math import floor, log10

import pyarrow as pa

from harness.sweep.table.counted import COUNT
from harness.sweep.table.digests import CODED
from harness.trials import kinds
from harness.trials.columns import SECONDS, Column
from harness.trials.kind import Row

TYPES = {"text": pa.string(), "json": pa.string(), "whole": pa.int64(), "real": pa.float64(), "truth": pa.bool_()}


def schema(kind: str, counted: bool = False, coded: bool = False) -> pa.Schema:
    """The Arrow schema of a kind's tables, with the columns that every kind has: `cell`, `mechanism` and `trial` name a row.

    `seconds`, the time the row took, is the only column that is not a function of spec and seed. counted: with how many trials
    a row stands for. coded: with each text of a column held once, as in rows on their way to a file, where all of a batch
    have most of them alike.
    """
    whole = pa.schema(list(map(_field, [*kinds()[kind].table.values(), *([COUNT] if counted else [])])))
    texts = [(place, field) for place, field in enumerate(whole) if coded and pa.types.is_string(field.type)]
    for place, field in texts:
        whole = whole.set(place, field.with_type(CODED))
    return whole


def _field(column: Column) -> pa.Field:
    """A column with what is said of it."""
    about = {key: value for key in ("role", "meaning", "symbol", "unit") if (value := getattr(column, key))}
    return pa.field(column.name, TYPES[column.type], nullable=column.null, metadata=about)


def tabulated(rows: Iterable[Row], kind: str) -> pa.Table:
    """Rows of trials of a kind as a table."""
    return pa.Table.from_pylist([row | {SECONDS.name: timed(row[SECONDS.name])} for row in rows], schema=schema(kind))


def timed(seconds: float) -> float:
    """A time in seconds rounded to 4 decimals, below 1 ms to 2 digits: the others are noise, and were half of a table."""
    return round(seconds, 4 if seconds >= 1e-3 or seconds <= 0 else 1 - floor(log10(seconds)))
