"""Committed tables read and computed again by two: every second one in a process beside, which then does what needs none."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
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
    with processes(1, "read tables") as pool:
        with children_unaware():
            others = [pool.submit(_read, path, out) for path in paths[1::2]]
            theory = pool.submit(by_theory, names)
        sweeps = [Sweep(path) for path in paths]
        distinct(paths)
        own = [_here(sweep, out) for sweep in sweeps[::2]]
        read = [each.result() for each in others]
        theirs = [found.stored(sweep) if found else None for found, sweep in zip(read, sweeps[1::2], strict=True)]
        both = [each for pair in zip_longest(own, theirs) for each in pair if each is not None]
        yield Halves(both, theory.result)


def _here(sweep: Sweep, out: Location) -> Stored | None:
    """The experiment with its table; None where there are no rows of it."""
    return gather([sweep], out)[0] if folder_of(sweep, out) else None


def _read(path: Path, out: Location) -> Read | None:
    """The same in the other process."""
    stored = _here(Sweep(path), out)
    return None if stored is None else Read.of(stored)
