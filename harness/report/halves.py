"""Committed tables read and computed again by two: a process beside from the first one on, and this one from the last.

The other one goes on with what theory alone says.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.report.experiments import spec_files
from harness.report.measured import OverRange, over_ranges
from harness.report.stored import Stored, folder_of, gather, measured_experiments
from harness.report.verdicts import Known, by_theory
from harness.sweep.files.names import distinct
from harness.sweep.files.object_store import Location
from harness.sweep.run.memory import uncollected
from harness.sweep.run.spec_match import SpecMatch
from harness.sweep.spec import Sweep
from harness.sweep.stopping import children_unaware
from harness.sweep.table.table import Table


@dataclass(frozen=True)
class Read:
    """A stored table as another process read it: all but the spec, which is read here too.

    digests, size: of the table. facts: what is asked of it later, by name.
    """

    path: Location
    table: Table
    digests: tuple[str, str]
    size: int
    match: SpecMatch | None
    stopped: bool
    facts: Mapping[str, Any]

    @classmethod
    def of(cls, stored: Stored) -> "Read":
        """What is found of a stored table that was read here, for another process."""
        table = stored.table
        return cls(stored.path, table, table.digests, table.size, stored.match, stored.stopped, _facts(stored))

    def stored(self, sweep: Sweep) -> Stored:
        """The experiment, as if it had been read here."""
        stored = Stored(sweep, self.path, self.table.with_digests(self.digests, self.size), self.match, self.stopped)
        vars(stored).update(self.facts)
        return stored


@dataclass(frozen=True)
class Halves:
    """All experiments with rows, in order, and functions that give the verdicts by theory alone and the bounds on constants.

    That is worked out when it is asked for, or waited for where another process has begun to.
    """

    stored: Sequence[Stored]
    verdicts: Callable[[Set[str]], Known] = by_theory
    constants: Callable[[], OverRange] = over_ranges


def halves(out: Location, names: Sequence[str], beside: ProcessPoolExecutor | None) -> Halves:
    """Reads the tables of all committed specs in two halves, one by another process, which also judges by theory alone.

    names: of the claims that theory is asked about. beside: the other process; None for none.

    Raises what `gather` raises.
    """
    if beside is None:
        return Halves(gather(measured_experiments(out), out))
    paths = spec_files()
    distinct(paths)
    with children_unaware():
        submitted = {path: beside.submit(_read, path, out) for path in paths}
        verdicts, constants = beside.submit(_verdicts, names), beside.submit(over_ranges)
    here = {path: _here(Sweep(path), out) for path in reversed(paths) if submitted[path].cancel()}
    read = {path: future.result() for path, future in submitted.items() if path not in here}
    theirs = {path: found.stored(Sweep(path, tried=True)) if found else None for path, found in read.items()}
    both = [(here | theirs)[path] for path in paths]
    return Halves([each for each in both if each is not None], lambda _: verdicts.result(), constants.result)


def _verdicts(names: Sequence[str]) -> Known:
    """What theory alone says of claims, in the other process."""
    with uncollected():
        return by_theory(names)


def _here(sweep: Sweep, out: Location) -> Stored | None:
    """The experiment with its table, and what was found in that; None where there are no rows of it."""
    if not folder_of(sweep, out):
        return None
    (stored,) = gather([sweep], out)
    _facts(stored)  # while the other process reads too
    return stored


def _facts(stored: Stored) -> dict[str, Any]:
    """What is asked of a table later, and kept with it from here on."""
    return {name: getattr(stored, name) for name in ("recomputed", "message", "privacy_told", "spending")}


def _read(path: Path, out: Location) -> Read | None:
    """A table that is read in the other process, with what is computed of it."""
    with uncollected():
        stored = _here(Sweep(path), out)
        return None if stored is None else Read.of(stored)
