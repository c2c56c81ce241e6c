"""What an event finds of the trials of a cell, once for a verdict: of rows that are held, or are read piece by piece."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from harness.arrays import Bools, Ints, Reals
from harness.claims.engine.claim import Question
from harness.claims.engine.limits import Limit, amount
from harness.claims.engine.verdict import Verdict
from harness.sweep.table.cells import Cells, counts, once

if TYPE_CHECKING:
    from harness.claims.engine.events import Event

Found = TypeVar("Found", bound=NDArray[Any])


@dataclass(frozen=True)
class EventSeen(Question):
    """The trials of a cell, with what an event finds of them once. first: the first row."""

    decider: "Event"
    rows: pd.DataFrame
    first: pd.Series

    @classmethod
    def of(cls, event: "Event", rows: pd.DataFrame) -> "EventSeen":
        """Those of a frame."""
        return cls(event, rows, rows.iloc[0])

    @property
    def random(self) -> bool:
        return super().random and self.bound is not None

    @cached_property
    def bound(self) -> float | None:
        """What the measured quantity may be; None where the claim is vacuous."""
        return self.decider.bound(self.first)

    @cached_property
    def allowed(self) -> float:
        """The probability with which the event may fail."""
        return self.decider.allowed(self.first)

    @cached_property
    def counts(self) -> Ints:
        """How many trials each row stands for."""
        return counts(self.rows)

    @cached_property
    def trials(self) -> int:
        """How many there are."""
        return int(self.counts.sum())

    def number(self, which: Bools) -> int:
        """How many trials are in some of the rows."""
        return int(self.counts.sum(where=which))

    def ranked(self, values: Reals, place: int) -> float:
        """What the trial in a place has of values, those of the rows, in their rising order, from 0 on."""
        if self.trials == len(values):
            return float(np.partition(values, place)[place])
        order = np.argsort(values)
        return float(values[order[np.searchsorted(np.cumsum(self.counts[order]), place, side="right")]])

    def each(self, of: Callable[[pd.DataFrame], Found], *names: str) -> Found:
        """What is found of rows, one by one. names: the columns that it is found of; all where none is named."""
        return of(self.rows)

    def bounded(self, limit: Limit) -> Reals:
        """What a limit bounds, row by row."""
        return self.each(limit.values, *[limit.quantity] * (limit.of is None))

    @cached_property
    def values(self) -> Reals:
        """What is measured, row by row."""
        return self.bounded(self.decider.limits[0])

    @cached_property
    def failed(self) -> Bools:
        """The rows in which any limit was broken; to be asked where the claim is not vacuous."""
        return self.beyond(1.0) | self.broken

    def beyond(self, share: float) -> Bools:
        """The rows in which the first limit's quantity is more than a share of what it may be; of 0 or less, than that."""
        first = self.decider.limits[0]
        most = amount(first.most, self.first)
        return first.broken(self.values, share * most if most > 0 else most)

    @cached_property
    def broken(self) -> Bools:
        """The rows in which any limit but the first was broken."""
        others = (limit.broken(self.bounded(limit), amount(limit.most, self.first)) for limit in self.decider.limits[1:])
        return reduce(or_, others, np.zeros(len(self.counts), bool))

    @property
    def first_failed(self) -> int:
        """The first trial that failed, of one or more."""
        return int(self.each(lambda rows: rows["trial"].to_numpy(), "trial")[self.failed].min())

    def decide(self, claim: str, error: float) -> Verdict:
        return self.decider.verdict(claim, self, error)


@dataclass(frozen=True, init=False)
class FarSeen(EventSeen):
    """Those of a cell of a long table, each a row: some thousand rows are held at a time, and of all what is found of each.

    place: of the cell and mechanism among all.
    """

    cells: Cells
    place: int

    def __init__(self, event: "Event", cells: Cells, place: int, first: pd.Series) -> None:
        vars(self).update(decider=event, cells=cells, place=place, first=first)

    @property  # type: ignore[misc]  # read where it is asked for
    def rows(self) -> pd.DataFrame:
        """All of them at once, for who asks for them."""
        return self.cells.rows(self.place)

    def each(self, of: Callable[[pd.DataFrame], Found], *names: str) -> Found:
        return cast("Found", np.concatenate([of(rows) for rows in self.cells.pieces_of(self.place, names)]))

    @cached_property
    def counts(self) -> Ints:
        return once(len(self.values))
