"""What stored rows say of their cells and plans, against what this program makes of the spec; no trial is run for it.

A digest shows that a table is as it was written, and rules that its rows do not contradict themselves. Neither shows that k, T,
λ, w and the bound are those of the theorem, or ε that of the cell. So once for each mechanism in each cell all of that is
computed again. Of a plan that waits for what a trial draws, such as the size of a cover, that is done for the first row.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isclose
from pathlib import Path
from typing import Any

import pyarrow as pa

from harness.report.defaults import RESULTS, RUNS
from harness.report.grids import value
from harness.report.regression import TOLERANCE
from harness.report.stored import Stored
from harness.sweep.errors import InputError
from harness.sweep.plugins import harness_command
from harness.sweep.provenance import makes
from harness.text import one_line
from harness.trials.columns import Column
from harness.trials.fields import Identified
from harness.trials.kind import Kind, Row

SHOWN = 5  # of a table

Place = tuple[str, str]
"""A cell and a mechanism."""


@dataclass(frozen=True)
class Departure:
    """A column of a mechanism in a cell that is not what the spec comes to. stored, now: in a row, and as computed here."""

    cell: str
    mechanism: str
    column: str
    stored: Any
    now: Any


@dataclass(frozen=True)
class Recomputed:
    """What became of a table. departures: one at most of each column of a mechanism in a cell. plans: computed, so many.

    made: what made the table and is another here; empty if nothing. remedy: commands that make it anew.
    """

    experiment: str
    path: Path
    plans: int
    departures: Sequence[Departure] = ()
    made: tuple[str, ...] = ()
    remedy: str = ""


def recomputed(stored: Stored) -> Recomputed:
    """All that rows share, computed again. Raises InputError, naming the place, where a plugin's part cannot do that."""
    sweep, rows = stored.sweep, stored.table.rows
    cells = {cell.identity: cell for cell in sweep.cells}
    places = [(row["cell"], row["mechanism"]) for row in _distinct(rows, ["cell", "mechanism"])]
    now = {place: _known(stored, cells[place[0]], place[1]) for place in places}
    names = [name for name in sweep.kind.table if any(name in known for known in now.values())]
    found = [*_departing(sweep.kind, _distinct(rows, names), now), *_later(stored, cells, now)]
    departures = list({(each.cell, each.mechanism, each.column): each for each in reversed(found)}.values())[::-1]
    if not departures:
        return Recomputed(sweep.name, stored.path, len(places))
    was, here = stored.table.provenance["makes"], makes(sweep)
    other = tuple(what for what in was | here if was.get(what) != here.get(what))
    return Recomputed(sweep.name, stored.path, len(places), departures, other, _remedy(stored))


def _distinct(rows: pa.Table, names: Sequence[str]) -> list[Row]:
    """The rows that differ in these columns, each once."""
    found: list[Row] = rows.select(names).group_by(names, use_threads=False).aggregate([]).to_pylist()
    return found


def _known(stored: Stored, cell: Identified, mechanism: str) -> Row:
    """What every row of a mechanism on a cell has."""
    try:
        return stored.sweep.kind.parameters(cell, mechanism)
    except Exception as error:  # anybody's text may be anything
        raise _unknown(stored, cell, mechanism, error) from None


def _departing(kind: Kind, rows: Sequence[Row], now: dict[Place, Row]) -> Iterator[Departure]:
    """What differs in rows from what is known of them."""
    for row in rows:
        place = row["cell"], row["mechanism"]
        for name, known in now[place].items():
            if name in row and not _same(kind.table[name], row[name], known):
                yield Departure(*place, name, row[name], known)


def _later(stored: Stored, cells: dict[str, Identified], now: dict[Place, Row]) -> Iterator[Departure]:
    """What differs in the first row of each place from what its own votes make of the plan."""
    kind, rows = stored.sweep.kind, stored.table.rows
    if kind.planned is None:
        return
    numbered = rows.select(["cell", "mechanism"]).append_column("row", pa.array(range(rows.num_rows)))
    firsts = numbered.group_by(["cell", "mechanism"]).aggregate([("row", "min")])["row_min"]
    for row in rows.take(firsts).to_pylist():
        try:
            known = kind.planned(cells[row["cell"]], row | now[row["cell"], row["mechanism"]])
        except Exception as error:  # likewise
            raise _unknown(stored, cells[row["cell"]], row["mechanism"], error) from None
        yield from _departing(kind, [row], {(row["cell"], row["mechanism"]): known})


def _same(column: Column, stored: Any, now: Any) -> bool:
    """Whether both are null, or equal: reals as far as processors and versions agree."""
    if column.type == "real" and stored is not None and now is not None:
        return isclose(stored, now, rel_tol=TOLERANCE)
    return bool(stored == now)


def _unknown(stored: Stored, cell: Identified, mechanism: str, error: Exception) -> InputError:
    what = f"{mechanism} in cell {cell.identity} cannot be computed again: {type(error).__name__}: {error}"
    return InputError(what, stored.path)


def _remedy(stored: Stored) -> str:
    """The commands that make a table anew."""
    out, name = stored.path.parent, stored.sweep.path
    anew = harness_command(["run", name, "--fresh", *([] if out in (RESULTS, RUNS) else ["--out", out])])
    return f"`{anew}`" + (f", then `{harness_command(['accept', name])}`," if out == RESULTS else "")


def told(found: Iterable[Recomputed]) -> list[str]:
    """What departs, a few lines a table, and what to do about it."""
    said = []
    for each in found:
        for one in each.departures[:SHOWN]:
            where = one_line(f"{each.experiment}/{one.cell[:8]}/*/{one.mechanism}")
            said.append(f"{where}: {one.column} is {value(one.stored)} in the table, and the spec comes to {value(one.now)}")
        if len(each.departures) > SHOWN:
            said.append(f"and so in {len(each.departures) - SHOWN} more columns of mechanisms and cells of {each.experiment}")
        if each.departures:
            why = f"was made with another {', '.join(each.made)}" if each.made else "is not as any run of this program makes it"
            said.append(f"{each.path} {why}; {each.remedy} makes it anew")
    return said
