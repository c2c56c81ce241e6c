"""What stored rows may hold. A digest shows that a table is as it was written, not that a run wrote it."""

import json
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pydantic import ValidationError

from harness.arrays import Bools, Reals
from harness.sweep.table.counted import COUNT, done, is_counted
from harness.sweep.table.groups import GROUP_BY, RowGroups
from harness.trials.columns import SECONDS
from harness.trials.kind import Kind
from harness.trials.rules import Rule

KEY = ["cell", "mechanism", "trial"]  # of a row, and of no other
MOST_SECONDS = 10**9  # that a trial took: thirty years


def impossible(rows: pa.Table, kind: Kind) -> str | None:
    """A message about the first fault in rows that no run could have written, such as a repeated key; None if all is well."""
    if repeated(rows).any():
        return f"two rows have the same {', '.join(KEY)}"
    for name, column in kind.table.items():
        values = rows[name]
        if values.null_count and not column.null:
            return f"{name} is null in a row"
        if column.type == "json" and not all(map(_is_mapping, pc.unique(values).to_pylist())):
            return f"{name} is no JSON object in a row"
        if column.type in ("whole", "real"):
            numbers = values.drop_null() if values.null_count else values
            if not (numbers.to_numpy() >= 0).all():  # NaN is not
                return f"{name} is below 0 or not a number in a row"
            axis = column.axis or name
            if column.role == "parameter" and axis in kind.cell.model_fields:
                outside = [value for value in pc.unique(values).to_pylist() if not _allowed(kind, axis, value)]
                if outside:
                    return f"{name} is {outside[0]} in a row, which no spec may say"
    if (pc.max(rows[SECONDS.name]).as_py() or 0) > MOST_SECONDS:
        return f"{SECONDS.name} is more than {MOST_SECONDS:,} in a row"
    if is_counted(rows):
        there = done(rows)
        sums = rows.group_by(GROUP_BY).aggregate([(COUNT.name, "sum"), ("trial", "max")]).to_pylist()
        counts = {(each["cell"], each["mechanism"]): each["count_sum"] for each in sums}
        if counts != {place: sum(map(len, some)) for place, some in there.items()}:
            return "count is not that of the trials that are there"
        if any(each["trial_max"] >= there[each["cell"], each["mechanism"]][-1].stop for each in sums):
            return "trial is none of those that are there in a row"
    if RowGroups(rows, ["cell"]).unlike(name for name, column in kind.table.items() if column.role == "parameter").any():
        return "rows of one cell have different parameters"
    return next((f"{rule.words} is not so in a row" for rule in kind.rules if not kept(rows, rule).all()), None)


def repeated(rows: pa.Table) -> Bools:
    """Whether an earlier row has the same KEY, which is cell, mechanism and trial, for each row, (rows,)."""
    places, trials = RowGroups(rows, KEY[:-1]).numbers, rows[KEY[-1]].to_numpy()
    order = np.lexsort((trials, places))  # stable: of equal ones the earliest is the first
    again = np.zeros(rows.num_rows, bool)
    again[order[1:]] = (np.diff(places[order]) == 0) & (np.diff(trials[order]) == 0)
    return again


def kept(rows: pa.Table, rule: Rule) -> Bools:
    """For each row whether it keeps to a rule, (rows,)."""
    values = [_reals(rows[name]) for name in rule.columns]
    applies = np.ones(rows.num_rows, bool) if rule.nulls else ~np.isnan(values).any(axis=0)
    with np.errstate(all="ignore"):
        return np.asarray(rule.keeps(*values) | ~applies, bool)


def _reals(values: pa.ChunkedArray) -> Reals:
    """Numbers as reals, (rows,), NaN where they are null."""
    return np.asarray((values if values.type == pa.float64() else values.cast(pa.float64(), safe=False)).to_numpy())


def _allowed(kind: Kind, axis: str, value: float) -> bool:
    """Whether a cell may have the value there, whatever its other axes are: a `value_error` is about several together."""
    try:
        kind.cell.model_validate({axis: value})
    except ValidationError as error:
        return not any(each["loc"][:1] == (axis,) and each["type"] != "value_error" for each in error.errors())
    return True


def _is_mapping(text: str) -> bool:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and shallow(value)


def shallow(value: Any, most: int = 10) -> bool:
    """Whether lists and mappings of a value are nested less than `most` deep."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return most > 0 and all(shallow(each, most - 1) for each in inside)
