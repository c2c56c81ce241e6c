"""Stored tables drawn side by side: a figure takes a second or two, nearly all of it matplotlib's own."""

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from harness.report.evidence import FORMATS
from harness.sweep.errors import CannotRunError
from harness.sweep.plugins import loaded, restore
from harness.sweep.spec import Sweep
from harness.sweep.table import Table

FEW = 4  # drawn here, before other processes would have loaded matplotlib


@dataclass(frozen=True)
class Drawing:
    """A figure to be drawn: the paths of its spec and table, and where it goes, without the suffix of a format.

    overrides: what a run has in place of the spec's own settings.
    """

    spec: Path
    table: Path
    stem: Path
    formats: Sequence[str] = FORMATS
    overrides: Mapping[str, str] = field(default_factory=dict)


def drawn(drawings: Sequence[Drawing]) -> Iterator[list[Path]]:
    """Draw all, many of them in a process a core; gives the paths of each. Raises what reading and drawing raise."""
    if len(drawings) <= FEW:
        yield from map(_draw, drawings)
        return
    workers = min(os.cpu_count() or 1, len(drawings) // FEW + 1)
    with ProcessPoolExecutor(workers, get_context("spawn"), restore, (loaded(),)) as pool:
        try:
            yield from pool.map(_draw, drawings)
        except BrokenProcessPool:
            raise CannotRunError("a process that drew figures was killed; what was drawn before is there") from None


def _draw(drawing: Drawing) -> list[Path]:
    from harness.report.figures import draw  # matplotlib and seaborn take a second to load

    spec = Sweep(drawing.spec, dict(drawing.overrides)).spec
    return draw(Table.read(drawing.table).frame(), spec, drawing.stem, drawing.formats)
