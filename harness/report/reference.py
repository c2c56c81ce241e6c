"""A reference is replaced only by its like: by a whole table of the committed spec, together with its figure, or not at all.

All that takes a place is first written beside it, figures before the table. With the table on disk there the acceptance is
decided: the figures get their places, and the table the last. Where that is stopped half way, the table that waits tells of it:
whatever reads the reference refuses to, and the next acceptance puts the rest in place.
"""

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from harness.report.defaults import FIGURES, RESULTS
from harness.report.drawing import Drawing, drawn
from harness.report.recomputed import recomputed, refuse_changed
from harness.report.settings import View
from harness.report.stored import WAITING, elsewhere, figure_paths, staged
from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.files.atomic import moved
from harness.sweep.files.content import CHANGED
from harness.sweep.files.object_store import Location
from harness.sweep.files.ownership import refuse_foreign
from harness.sweep.files.reading import kind
from harness.sweep.plugins import harness_command
from harness.sweep.run.spec_match import spec_match
from harness.sweep.run.store import Store, StoredRows
from harness.sweep.spec import Sweep
from harness.sweep.table.counted import done, is_counted
from harness.sweep.table.pieces import copied
from harness.sweep.table.ranges import joined, size
from harness.sweep.table.table import File, Table


@dataclass(frozen=True)
class Candidate:
    """A fresh table that may become the reference. differences: what keeps it from being all that the spec asks for.

    source: its file, where all of its rows are; alike ones may be one here.
    """

    sweep: Sweep
    source: Location
    table: Table
    differences: str

    @property
    def place(self) -> Path:
        """The path of the reference."""
        return RESULTS / f"{self.sweep.name}.parquet"

    def lost(self) -> str:
        """What the reference holds and this does not; empty if nothing, or if there is none that can be read."""
        try:
            seen = Store(RESULTS, self.sweep.name, {}).seen(self.sweep.looks, self.sweep.spec.looks)
        except InputError:
            return ""
        old, new = (done(rows) for rows in (seen.table.rows if seen else self.table.rows, self.table.rows))
        gone = {place: size(joined([some, new.get(place, ())])) - size(new.get(place, ())) for place, some in old.items()}
        cells = len({cell for (cell, _), rows in gone.items() if rows})
        return f"the reference before had {sum(gone.values()):,} rows in {cells:,} cells that it has not" if cells else ""

    def write(self) -> None:
        """Put the table beside its place. Raises InputError where it is another by now."""
        if self.sweep.spec.rows == "counted" or not is_counted(self.table.rows):
            self.table.write(staged(self.place))
            return
        file = File.opened(self.source)
        if not self.table.is_of(file):
            raise InputError(CHANGED, self.source)
        copied(file, self.table, staged(self.place))


def accepted(specs: Sequence[Path], out: Location, anyway: bool) -> Iterator[str]:
    """Makes the fresh tables of experiments the reference, with their figures; gives lines on what was done.

    All is checked, and then all is written beside its place, before anything is replaced. out: where they are. anyway: take
    also what differs from what the spec asks for. Raises InputError where a table may not become the reference, CannotRunError
    when it cannot be done.
    """
    if not RESULTS.is_dir():
        _candidates(specs, out, anyway)  # no folder is made where there is nothing to accept
        RESULTS.mkdir()
    with _alone():
        for place in [RESULTS / f"{path.stem}.parquet" for path in specs]:
            if staged(place).exists():
                _settle(place, [path for path in figure_paths(_beside(place)) if path.exists()])
                yield f"{place}: what was half replaced is now replaced"
        candidates = _candidates(specs, out, anyway)
        lost, figures = [each.lost() for each in candidates], _written(candidates)
        for candidate, drawings in zip(candidates, figures, strict=True):
            _settle(candidate.place, drawings)
    for candidate, drawings, gone in zip(candidates, figures, lost, strict=True):
        yield f"{candidate.place}: {candidate.table.size} rows, fingerprint {candidate.table.fingerprint}"
        yield f"  figure  {', '.join(str(FIGURES / path.name) for path in drawings)}"
        if candidate.differences:
            yield f"  accepted all the same: {candidate.differences}"
        if gone:
            yield f"  {gone}"


@contextmanager
def _alone() -> Iterator[None]:
    """Hold the folder of references. Raises CannotRunError when another process does, or when files cannot wait beside it."""
    for waiting in (RESULTS / WAITING, FIGURES / WAITING):
        if (what := kind(waiting)) not in (None, "a folder"):
            raise CannotRunError(f"{waiting} is {what} where a folder is needed; move it elsewhere")
    descriptor = os.open(RESULTS, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CannotRunError(f"another `harness accept` is at work in {RESULTS}/; wait for it") from None
        yield
    finally:
        os.close(descriptor)


def _candidates(specs: Sequence[Path], out: Location, anyway: bool) -> list[Candidate]:
    """The fresh table of each experiment. Raises InputError where one may not become the reference."""
    for store in (Store(out, path.stem, {}) for path in specs):
        if not store.path.exists() and not store.parts():
            raise InputError("no such table", store.path)
    sweeps = [Sweep(path) for path in specs]
    return [_candidate(sweep, out, *_fresh(out, sweep), anyway) for sweep in sweeps]


def _fresh(out: Location, sweep: Sweep) -> StoredRows:
    store = Store(out, sweep.name, {})
    seen = store.seen(sweep.looks, sweep.spec.looks)
    if seen is None:
        raise InputError("no such table", store.path)
    return seen


def _candidate(sweep: Sweep, out: Location, table: Table, complete: bool, anyway: bool) -> Candidate:
    path, match = out / f"{sweep.name}.parquet", spec_match(sweep, table)
    if not complete:
        rest = harness_command(["run", sweep.path, *elsewhere(out)])
        raise InputError(f"stopped at {match.count}, or still running; `{rest}` completes it", path)
    if table.provenance["kind"] != sweep.kind.name or not table.rows.num_rows:
        what = match.strange or "it has no rows"
        raise InputError(f"not the table of {sweep.path}: {what}", path)
    if match.differences and not anyway:
        raise InputError(
            f"not the table that {sweep.path} asks for: {match.differences}; --anyway accepts it all the same", path
        )
    refuse_changed(recomputed(sweep, table, path))
    return Candidate(sweep, path, table, match.differences)


def _written(candidates: Sequence[Candidate]) -> list[list[Path]]:
    """The figures of each, which are now on disk beside their places, and so are the tables; or nothing is."""
    for path in [file for each in candidates for file in (each.place, *figure_paths(FIGURES / each.sweep.name))]:
        if (what := kind(path)) not in (None, "a file"):
            raise CannotRunError(f"{path} cannot be replaced: it is {what}, not a file")
        refuse_foreign(path)
    figures: list[list[Path]] = []
    try:
        for candidate in candidates:
            for path in (staged(candidate.place), _beside(candidate.place)):
                path.parent.mkdir(parents=True, exist_ok=True)
        drawings = [Drawing(View.of(each.sweep), each.table, _beside(each.place)) for each in candidates]
        figures.extend(cast("Iterator[list[Path]]", drawn(drawings)))
        for candidate in candidates:
            candidate.write()
    except BaseException:
        _forget([staged(each.place) for each in candidates])  # before the figures: without them it must not be found
        _forget([path for each in candidates for path in figure_paths(_beside(each.place))])
        raise
    return figures


def _settle(place: Path, figures: Sequence[Path]) -> None:
    """Put into their places the figures that wait beside them, and the table last."""
    for path in figures:
        moved(path, FIGURES / path.name)
    moved(staged(place), place)
    _forget([*figures, staged(place)])


def _beside(place: Path) -> Path:
    """Where the figures of a table wait, without the suffix of a format."""
    return staged(FIGURES / place.stem)


def _forget(paths: Sequence[Path]) -> None:
    """Remove what waits, and the folder when nothing else does."""
    with suppress(OSError):
        for path in paths:
            path.unlink(missing_ok=True)
    for folder in {path.parent for path in paths}:
        with suppress(OSError):
            folder.rmdir()
