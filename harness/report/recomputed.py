"""What stored rows say of their cells and plans, against what this program makes of the spec; no trial is run for it.

A digest shows that a table is as it was written, and rules that its rows do not contradict themselves. Neither shows that k, T,
λ, w and the bound are those of the theorem, or ε that of the cell. So once for each mechanism in each cell all of that is
computed again. Of a plan that waits for what a trial draws, such as the size of a cover, that is done wherever what was drawn
differs. What only trials make, such as how many answers were wrong, is as stored, and is called so.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from typing import Any

import pyarrow as pa

from harness.report.defaults import RESULTS, RUNS
from harness.report.grids import value
from harness.report.pair import TOLERANCE
from harness.sweep.errors import InputError
from harness.sweep.files.object_store import Location
from harness.sweep.plugins import harness_command
from harness.sweep.run.provenance import makes
from harness.sweep.spec import Sweep
from harness.sweep.table.counted import COUNT
from harness.sweep.table.groups import GROUP_BY, Group, RowGroups
from harness.sweep.table.table import Table
from harness.text import one_line
from harness.trials.columns import Column
from harness.trials.kind import Row

SHOWN = 5  # of a table


@dataclass(frozen=True)
class Departure:
    """A value of a stored table that differs from what the spec gives, by cell, mechanism and column.
    stored, now: in a row, and as computed here.
    """

    cell: str
    mechanism: str
    column: str
    stored: Any
    now: Any


@dataclass(frozen=True)
class Recomputed:
    """A stored table against its spec, computed again. departures: one at most of each column, mechanism and cell.
    plans: computed, so many.

    stored: columns of which nothing was computed, so that what they hold is as stored; those of which that is so of some
    mechanisms alone have these in brackets. made: what made the table and is another here; empty if nothing. remedy: commands
    that make it anew.
    """

    experiment: str
    path: Location
    kind: str
    plans: int
    stored: tuple[str, ...] = ()
    departures: Sequence[Departure] = ()
    made: tuple[str, ...] = ()
    remedy: str = ""


def recomputed(sweep: Sweep, table: Table, path: Location) -> Recomputed:
    """Computes again from the spec all values of a table that trials do not draw, and compares them with those stored.

    Raises InputError, naming the place, where a plugin's part cannot do that.
    """
    return _Again(sweep, table, path).result


def refuse_changed(recomputed: Recomputed) -> None:
    """Raises InputError where anything of a table departs from its spec, with what to do about it."""
    if recomputed.departures:
        raise InputError("; ".join(notices([recomputed])), recomputed.path)


class _Again:
    """A table beside what the spec comes to."""

    def __init__(self, sweep: Sweep, table: Table, path: Location) -> None:
        self._sweep, self._rows, self._path = sweep, table.rows, path
        self._cells = {cell.identity: cell for cell in sweep.cells}
        self._now = {
            place: self._known(place) for place in map(_place, _distinct(self._rows, GROUP_BY)) if place[0] in self._cells
        }
        names = [name for name in sweep.kind.table if name in GROUP_BY or any(name in known for known in self._now.values())]
        departing = list(self._departing(_distinct(self._rows, names), self._now))
        self._compared = set(names)
        self._known_of = {place: {*GROUP_BY, *known} for place, known in self._now.items()}
        departing += self._later()
        departures = list({(each.cell, each.mechanism, each.column): each for each in reversed(departing)}.values())[::-1]
        merged = (COUNT.name,) if sweep.spec.rows == "each" else ()  # by who looks, and not in the file
        was, here = (table.provenance["makes"], makes(sweep)) if departures else ({}, {})
        self.result = Recomputed(
            sweep.name,
            path,
            sweep.kind.name,
            len(self._now),
            tuple(filter(None, (self._as_stored(name) for name in self._rows.column_names if name not in merged))),
            departures,
            tuple(what for what in was | here if was.get(what) != here.get(what)),
            _remedy(sweep, path) if departures else "",
        )

    def _known(self, place: Group) -> Row:
        """What every row of a mechanism on a cell has."""
        cell, mechanism = place
        try:
            return self._sweep.kind.parameters(self._cells[cell], mechanism)
        except Exception as error:  # anybody's text may be anything
            raise self._unknown(place, error) from None

    def _departing(self, rows: Sequence[Row], now: dict[Group, Row]) -> Iterator[Departure]:
        """What differs in rows from what is known of them."""
        for row in rows:
            place = _place(row)
            for name, numbers in now.get(place, {}).items():
                if name in row and not _same(self._sweep.kind.table[name], row[name], numbers):
                    yield Departure(*place, name, row[name], numbers)

    def _later(self) -> Iterator[Departure]:
        """What differs in rows from what their own votes make of the plan, once for rows that are alike in both."""
        kind = self._sweep.kind
        if kind.planned is None:
            return
        follow = [column.name for column in kind.computed if column.role != "parameter"]
        for row in _distinct(self._rows, [*GROUP_BY, *follow, *kind.waits]):
            place = _place(row)
            if place not in self._now:
                continue
            try:
                planned = kind.planned(self._cells[place[0]], row | self._now[place])
            except Exception as error:  # likewise
                raise self._unknown(place, error) from None
            self._compared |= planned.keys()
            self._known_of[place] |= planned.keys()
            yield from self._departing([row], {place: planned})

    def _as_stored(self, column: str) -> str:
        """The column, where it is as stored, with the mechanisms if it is so of some alone; else empty."""
        if column not in self._compared:
            return column
        some = dict.fromkeys(place[1] for place, known in self._known_of.items() if column not in known)
        return f"{column} ({', '.join(some)})" if some else ""

    def _unknown(self, place: Group, error: Exception) -> InputError:
        what = f"{place[1]} in cell {place[0]} cannot be computed again: {type(error).__name__}: {error}"
        return InputError(what, self._path)


def _place(row: Row) -> Group:
    return row["cell"], row["mechanism"]


def _distinct(rows: pa.Table, names: Sequence[str]) -> list[Row]:
    """The rows that differ in these columns, each once."""
    distinct: list[Row] = RowGroups(rows, GROUP_BY).distinct(names).to_pylist()
    return distinct


def _same(column: Column, stored: Any, now: Any) -> bool:
    """Whether both are null, or equal: reals as far as processors and versions agree."""
    if column.type == "real" and stored is not None and now is not None:
        return isclose(stored, now, rel_tol=TOLERANCE)
    return bool(stored == now)


def _remedy(sweep: Sweep, path: Location) -> str:
    """The commands that make a table anew."""
    out = path.parent
    anew = harness_command(["run", sweep.path, "--fresh", *([] if out in (RESULTS, RUNS) else ["--out", out])])
    return f"`{anew}`" + (f", then `{harness_command(['accept', sweep.path])}`," if out == RESULTS else "")


def notices(tables: Iterable[Recomputed]) -> list[str]:
    """The lines on what departs in tables from their specs, a few a table, and what to do about it."""
    lines = []
    for table in tables:
        for one in table.departures[:SHOWN]:
            where = one_line(f"{table.experiment}/{one.cell[:8]}/*/{one.mechanism}")
            lines.append(f"{where}: {one.column} is {value(one.stored)} in the table, and the spec comes to {value(one.now)}")
        if len(table.departures) > SHOWN:
            lines.append(
                f"and so in {len(table.departures) - SHOWN} more columns of mechanisms and cells of {table.experiment}"
            )
        if table.departures:
            why = (
                f"was made with another {', '.join(table.made)}" if table.made else "is not as any run of this program makes it"
            )
            lines.append(f"{table.path} {why}; {table.remedy} makes it anew")
    return lines


def as_stored(tables: Iterable[Recomputed]) -> dict[str, tuple[str, ...]]:
    """By kind of trial, the columns of its tables that were not computed again from the spec, but are taken as stored."""
    return {each.kind: each.stored for each in tables}


def told_stored(columns: Mapping[str, Sequence[str]]) -> str:
    """A line on which columns were not computed again, but are as stored; of several kinds how many."""
    many = len(columns) > 1
    of = (f"{len(names)} columns of {kind}" if many else ", ".join(names) for kind, names in columns.items())
    return f"as stored, and not computed again: {', '.join(of)}{'; a check of one spec names them' * many}"
