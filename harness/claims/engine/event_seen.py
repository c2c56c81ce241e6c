"""What an event finds of the trials of a cell, once for a verdict: of rows that are held, or are read piece by piece."""

from abc import abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from harness.arrays import Bools, Ints, Reals
from harness.claims.engine.claim import Question
from harness.claims.engine.limits import amount
from harness.claims.engine.verdict import Verdict
from harness.sweep.table.cells import Cells
from harness.sweep.table.samples import Again, Sample, counts, of_each

if TYPE_CHECKING:
    from harness.claims.engine.events import Event


@dataclass(frozen=True)
class RowsSeen:
    """Rows of one cell, with what an event finds of each row. first: the first row of the cell."""

    decider: "Event"
    rows: pd.DataFrame
    first: pd.Series

    @classmethod
    def of(cls, event: "Event", rows: pd.DataFrame) -> "RowsSeen":
        """The rows of a cell, all of them, as an event sees them."""
        return cls(event, rows, rows.iloc[0])

    @cached_property
    def counts(self) -> Ints:
        """How many trials each row stands for."""
        return counts(self.rows)

    @cached_property
    def values(self) -> Reals:
        """The event's measured quantity, row by row."""
        return self.decider.limits[0].values(self.rows)

    @cached_property
    def failed(self) -> Bools:
        """The trials in which any limit was broken; to be asked where the claim is not vacuous."""
        return self.beyond(1.0) | self.broken

    def beyond(self, share: float) -> Bools:
        """The trials in which the first limit's quantity is more than a share of what it may be; of 0 or less, than that."""
        first = self.decider.limits[0]
        most = amount(first.most, self.first)
        return first.broken(self.values, share * most if most > 0 else most)

    @cached_property
    def broken(self) -> Bools:
        """The trials in which any limit but the first was broken."""
        others = (limit.broken(limit.values(self.rows), amount(limit.most, self.first)) for limit in self.decider.limits[1:])
        return reduce(or_, others, np.zeros(len(self.rows), bool))


class FailureCount(NamedTuple):
    """How many trials of a cell there are, how many failed, and the first that did, if any. Of a vacuous claim none fails."""

    trials: int
    failures: int
    first: int | None


@dataclass(frozen=True)
class EventSeen(Question):
    """The base of an event's questions: a cell's trials, and which of them break the event's limits. first: the first row."""

    decider: "Event"
    first: pd.Series

    @classmethod
    def of(cls, event: "Event", rows: pd.DataFrame) -> "EventSeen":
        """The rows of a frame, as the event sees them."""
        return NearSeen(event, rows.iloc[0], rows)

    @property
    @abstractmethod
    def pieces(self) -> Iterable[RowsSeen]:
        """All rows, of the columns that the event names at least, as often as they are gone through."""

    @property
    def random(self) -> bool:
        return super().random and self.bound is not None

    @cached_property
    def bound(self) -> float | None:
        """What the event's measured quantity may be in the cell; None where the claim is vacuous."""
        return self.decider.bound(self.first)

    @cached_property
    def allowed(self) -> float:
        """The probability with which the event may fail."""
        return self.decider.allowed(self.first)

    @cached_property
    def tally(self) -> FailureCount:
        """The counts of one look at all rows."""
        trials, failures, firsts = 0, 0, list[int]()
        for piece in self.pieces:
            trials += int(piece.counts.sum())
            if self.bound is not None and piece.failed.any():
                failures += int(piece.counts.sum(where=piece.failed))
                firsts.append(int(piece.rows["trial"].to_numpy()[piece.failed].min()))
        return FailureCount(trials, failures, min(firsts, default=None))

    @property
    def trials(self) -> int:
        """How many trials the cell has."""
        return self.tally.trials

    def number(self, which: Callable[[RowsSeen], Bools]) -> int:
        """The number of trials in some of the rows."""
        return sum(int(piece.counts.sum(where=which(piece))) for piece in self.pieces)

    def ranked(self, values: Callable[[RowsSeen], Reals], place: int) -> float:
        """The value of the trial at a place, from 0 on, in the rising order of values that are found row by row."""
        return Sample(of_each(self.pieces, lambda piece: (values(piece), piece.counts))).ranked(place)

    def decide(self, claim: str, error: float) -> Verdict:
        return self.decider.verdict(claim, self, error)


@dataclass(frozen=True)
class NearSeen(EventSeen):
    """A question of an event to a cell whose rows are held in memory."""

    rows: pd.DataFrame

    @cached_property
    def pieces(self) -> Iterable[RowsSeen]:
        return [RowsSeen(self.decider, self.rows, self.first)]


@dataclass(frozen=True)
class FarSeen(EventSeen):
    """A question of an event to a cell of a long table, a trial a row: some thousand rows are held at a time.

    place: of the cell and mechanism among all.
    """

    cells: Cells
    place: int

    @cached_property
    def pieces(self) -> Iterable[RowsSeen]:
        names = [] if self.decider.reads_any else [*dict.fromkeys([*self.decider.columns, "trial"])]
        frames = Again(lambda: self.cells.pieces_of(self.place, names))
        return of_each(frames, lambda rows: RowsSeen(self.decider, rows, self.first))
