"""Committed tables read and computed again by two: a process beside from the first one on, and this one from the last.

The other one begins with what theory alone says.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from harness.report.processes import processes
from harness.report.recomputed import Recomputed
from harness.report.stored import Stored, folder_of, gather, measured_experiments, spec_files
from harness.report.verdicts import Known, by_theory
from harness.sweep.likeness import Likeness
from harness.sweep.names import distinct
from harness.sweep.object_store import Location
from harness.sweep.spec import Sweep
from harness.sweep.stopping import children_unaware
from harness.sweep.table import Table

FEW = 20
"""So many specs, or fewer, are read here, before another process would have loaded what it needs."""


@dataclass(frozen=True)
class Read:
    """What another process found of a table: all but the spec, which is read here too. digests, size: of the table."""

    path: Location
    table: Table
    digests: tuple[str, str]
    size: int
    likeness: Likeness | None
    stopped: bool
    recomputed: Recomputed

    @classmethod
    def of(cls, stored: Stored) -> "Read":
        """Of what was read here."""
        table = stored.table
        return cls(stored.path, table, table.digests, table.size, stored.likeness, stored.stopped, stored.recomputed)

    def stored(self, sweep: Sweep) -> Stored:
        """The experiment, as if it had been read here."""
        found = Stored(sweep, self.path, self.table.known(self.digests, self.size), self.likeness, self.stopped)
        vars(found)["recomputed"] = self.recomputed
        return found


@dataclass(frozen=True)
class Halves:
    """All experiments of which there are rows, in order; and what theory alone says of claims, as far as it was worked out."""

    stored: Sequence[Stored]
    known: Callable[[], Known]


@contextmanager
def halves(out: Location, names: Sequence[str]) -> Iterator[Halves]:
    """Those of all committed specs. names: of the claims that theory is asked about. Raises what `gather` raises."""
    paths = spec_files()
    if len(paths) <= FEW:
        yield Halves(gather(measured_experiments(out), out), dict)
        return
    distinct(paths)
    with processes(1, "read tables") as pool:
        with children_unaware():
            theory = pool.submit(by_theory, names)
            beside = {path: pool.submit(_read, path, out) for path in paths}
        here = {path: _here(Sweep(path), out) for path in reversed(paths) if beside[path].cancel()}
        read = {path: future.result() for path, future in beside.items() if path not in here}
        theirs = {path: found.stored(Sweep(path, tried=True)) if found else None for path, found in read.items()}
        both = [(here | theirs)[path] for path in paths]
        yield Halves([each for each in both if each is not None], theory.result)


def _here(sweep: Sweep, out: Location) -> Stored | None:
    """The experiment with its table; None where there are no rows of it."""
    return gather([sweep], out)[0] if folder_of(sweep, out) else None


def _read(path: Path, out: Location) -> Read | None:
    """The same in the other process."""
    stored = _here(Sweep(path), out)
    return None if stored is None else Read.of(stored)
