"""What a sweep asks of the claims that its spec names. These read tables, and so live in a room above: they implement it."""

from typing import Protocol

from harness.sweep.table.cells import Cells


class DecidableClaim(Protocol):
    """What a sweep asks of a claim about trials: the kind of trial, and whether given rows decide the claim."""

    @property
    def trials(self) -> str:
        """The kind of trial whose tables it reads; empty where it reads none."""

    @property
    def by_cell(self) -> bool:
        """Whether each of its questions is to the rows of one cell."""

    def decided(self, rows: Cells, error: float) -> bool:
        """Whether it is decided on all its questions to these rows, each with a chance of at most `error` to be wrong."""
