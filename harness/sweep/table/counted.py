"""Tables in which rows that are equal in all that was measured are one, with how many there are and the first that has it.

Rows are in the order of their first trials, so they are the same however the trials were batched. Which trials are in them is
kept beside them, as their number does not tell.
"""

import json
from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pydantic import Field, TypeAdapter, ValidationError

from harness.sweep.table.groups import GROUP_BY, RowGroups
from harness.sweep.table.ranges import Ranges, joined, ranges
from harness.trials.columns import SECONDS, Column
from harness.trials.kind import Columns, Kind

COUNT = Column("count", "whole", "identity", "trials of the cell that are alike in all that is measured", unit="trials")
HELD = b"held"

TOLD = TypeAdapter(list[tuple[str, str, list[tuple[Annotated[int, Field(ge=0)], Annotated[int, Field(le=10**10)]]]]])

Done = dict[tuple[str, str], Ranges]
"""The trials that are there, by (cell identity, mechanism)."""


def is_counted(rows: pa.Table) -> bool:
    """Whether a row may stand for many trials."""
    return COUNT.name in rows.column_names


def counted(rows: pa.Table, kind: Kind, looks: Sequence[int] = (), drawn: bool = True) -> pa.Table:
    """Merges equal rows of one cell and mechanism into one with a count; these stand together, in the order of first trials.

    Those are equal that differ in neither what was drawn nor anything else but their trial and what it took.
    rows: of single trials, or counted ones.
    looks: trials between which rows are not one, so that what was there before each of them can be told. drawn: if not, those
    are one too that differ in what was drawn alone, but for what a plan waits for, and have the numbers of the first.
    """
    groups = RowGroups(rows, GROUP_BY)
    held = done(rows, groups)
    if not is_counted(rows):
        field = pa.field(COUNT.name, pa.int64(), nullable=False)
        rows = rows.append_column(field, pa.array(np.ones(rows.num_rows, dtype=np.int64)))
    trials = rows["trial"].to_numpy()
    stage = np.searchsorted(np.asarray(looks, dtype=np.int64), trials, side="right")
    asked_of = [column.name for column in kind.drawn if drawn or column.name in kind.waits]
    apart = {"trial", SECONDS.name, *GROUP_BY, *(column.name for column in kind.drawn)}
    alike = [*asked_of, *groups.varying(name for name in kind.table if name not in apart)]
    places = groups.places
    order = np.lexsort((trials, places))
    turn = np.empty(rows.num_rows, np.int64)
    turn[order] = np.arange(rows.num_rows)
    compared = rows.select([*alike, COUNT.name, SECONDS.name])
    for name, numbers in (("place", places), ("stage", stage), ("turn", turn)):
        compared = compared.append_column(name, pa.array(numbers))
    totals = [("turn", "min"), (COUNT.name, "sum"), (SECONDS.name, "sum")]
    sums = compared.group_by([*alike, "place", "stage"], use_threads=False).aggregate(totals).sort_by("turn_min")
    merged = rows.take(pa.array(order[sums["turn_min"].to_numpy()]))
    for name in (COUNT.name, SECONDS.name):
        merged = merged.set_column(merged.column_names.index(name), merged.schema.field(name), sums[f"{name}_sum"])
    return holding(merged, held)


def alike(columns: Columns, looks: Sequence[int]) -> Columns:
    """The first of equal trials of one cell and mechanism, in rising order, with `count` and what all of them took.

    columns: an array, (trials,), or what all trials have. looks: as in `counted`. Two that it leaves apart may be equal yet.
    """
    trials = columns["trial"]
    arrays = {name: values for name, values in columns.items() if isinstance(values, np.ndarray)}
    apart = {name: values for name, values in arrays.items() if name not in ("trial", SECONDS.name) and _differ(values)}
    apart["stage"] = np.asarray(np.searchsorted(np.asarray(looks, dtype=np.int64), trials, side="right"))
    summed = {"turn": np.arange(len(trials)), "took": np.broadcast_to(columns[SECONDS.name], len(trials)).astype(np.float64)}
    groups = pa.table(apart | summed).group_by([*apart], use_threads=False)
    sums = groups.aggregate([("turn", "min"), ("turn", "count"), ("took", "sum")]).sort_by("turn_min")
    firsts = sums["turn_min"].to_numpy()
    kept = {name: arrays[name][firsts] if name in arrays else values for name, values in columns.items()}
    return kept | {COUNT.name: sums["turn_count"].to_numpy(), SECONDS.name: sums["took_sum"].to_numpy()}


def _differ(values: NDArray[Any]) -> bool:
    """Whether not all of some values are equal."""
    return bool((values != values[0]).any())


def done(rows: pa.Table, groups: RowGroups | None = None) -> Done:
    """The trials that a table holds, as ranges, by cell and mechanism. groups: its rows grouped by these two, if at hand."""
    if is_counted(rows):
        ranges_held = json.loads((rows.schema.metadata or {}).get(HELD, b"[]"))
        return {(cell, name): tuple(range(*ends) for ends in some) for cell, name, some in ranges_held}
    groups = groups or RowGroups(rows, GROUP_BY)
    names = rows.select(GROUP_BY).take(pa.array(groups.firsts)).to_pylist()
    trials = rows["trial"].to_numpy()[np.argsort(groups.numbers, kind="stable")]
    by_group = np.split(trials, np.cumsum(np.bincount(groups.numbers))[:-1])
    return {(each["cell"], each["mechanism"]): ranges(some) for each, some in zip(names, by_group, strict=False)}


def is_held(text: bytes) -> bool:
    """Whether a text is such as `holding` writes: each cell and mechanism once, with disjoint ranges of trials in order."""
    try:
        places = TOLD.validate_json(text)
    except ValidationError:
        return False
    ends = [[end for some in trials for end in some] for _, _, trials in places]
    return len({place[:2] for place in places}) == len(places) and all(sorted({*each}) == each for each in ends)


def holding(rows: pa.Table, held: Done) -> pa.Table:
    """A table of counted rows with the ranges of trials that are in it, by cell and mechanism, in its schema's metadata."""
    ranges_held = [[*place, [[some.start, some.stop] for some in trials]] for place, trials in sorted(held.items())]
    return rows.replace_schema_metadata({HELD: json.dumps(ranges_held).encode()})


def together(tables: Sequence[pa.Table]) -> pa.Table:
    """The rows of several tables as one; of counted tables without the trials that an earlier table has."""
    if not is_counted(tables[0]):
        return pa.concat_tables(tables)
    held: dict[tuple[str, str], list[Ranges]] = {}
    kept = []
    for rows in tables:
        new = {place: some for place, some in done(rows).items() if not _within(some, joined(held.get(place, ())))}
        for place, some in new.items():
            held.setdefault(place, []).append(some)
        places = zip(rows["cell"].to_pylist(), rows["mechanism"].to_pylist(), strict=True)
        kept.append(rows.filter(pa.array([place in new for place in places], pa.bool_())).replace_schema_metadata())
    return holding(pa.concat_tables(kept), {place: joined(some) for place, some in held.items()})


def _within(trials: Ranges, others: Ranges) -> bool:
    """Whether all of some trials are among others."""
    return all(any(other.start <= some.start and some.stop <= other.stop for other in others) for some in trials)


def trials_before(rows: pa.Table, most: pa.Array) -> pa.Array:
    """For each row how many trials it stands for, if its first trial is before that of `most`; else 0, (rows,)."""
    before = pc.fill_null(pc.less(rows["trial"], most), False).cast(pa.int64())
    return pc.multiply(before, rows[COUNT.name]) if is_counted(rows) else before
