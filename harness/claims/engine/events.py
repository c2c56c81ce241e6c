"""Claims about single trials: what must keep within which limit, and with what probability it may fail to.

An event is one or several limits, and a trial fails where any of them is broken. From it follows all else: the trials that
failed, what was measured (of the first limit's quantity, the largest value but for the share of trials that may fail), the
bound, and what a single trial is told.
"""

from dataclasses import dataclass
from functools import cache
from math import ceil, inf, isnan
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from harness.arrays import Reals
from harness.claims.engine.claim import Decider, Kind
from harness.claims.engine.event_seen import EventSeen, FarSeen, NearSeen, RowsSeen
from harness.claims.engine.limits import Amount, Bounded, Limit, amount
from harness.claims.engine.verdict import NEAR, Outcome, Verdict
from harness.sweep.table.cells import Cells
from harness.theory.confidence import confidence_sequence

Ruling = tuple[Outcome, dict[str, Any]]
"""An outcome, with what else the verdict says of how it came about."""

TOLERANCE = 1e-6  # relative, of an exact claim
EVEN = 1e-9  # of a place among trials, what rounding may add


@dataclass(frozen=True)
class Event(Decider):
    """The base of deciders that check limits on every trial of a cell.

    limits: the one that is measured first.

    A subclass that rules otherwise says so in `verdict`, which every way to a verdict asks; one with a `decide` of its own is
    refused with TypeError.
    """

    by_cell: ClassVar[bool] = True
    counts: ClassVar[bool] = True

    limits: tuple[Limit, ...]
    trials: str = "answers"

    def __init_subclass__(cls) -> None:
        if "decide" in vars(cls):
            raise TypeError(f"{cls.__name__} has a `decide`, which no event is asked for; allowed: `verdict`")

    @property
    def quantity(self) -> str:
        """The quantity that the first limit bounds."""
        return self.limits[0].quantity

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the limits name."""
        names = [name for each in self.limits for name in (*(each.columns or ()), each.most, each.unit)]
        return tuple(name for name in names if isinstance(name, str))

    @property
    def reads_any(self) -> bool:
        return any(each.columns is None for each in self.limits)

    def question(self, rows: pd.DataFrame, first: pd.Series) -> EventSeen:
        return NearSeen(self, first, rows)

    def far_question(self, cells: Cells, number: int, first: pd.Series) -> EventSeen:
        return FarSeen(self, first, cells, number)

    def allowed(self, first: pd.Series) -> float:
        """The probability with which the event may fail."""
        return 0.0

    def bound(self, first: pd.Series) -> float | None:
        """What the measured quantity may be; None where the claim is vacuous, because it promises nothing there."""
        most = amount(self.limits[0].most, first)
        return None if isnan(most) or most >= self.limits[0].trivial or self.allowed(first) >= 1 else most

    def of_trial(self, row: pd.DataFrame) -> tuple[Bounded, ...]:
        """The quantities and limits in the one trial of a frame of one row; none where the claim is vacuous."""
        return tuple(limit.of_trial(row) for limit in self.limits if self.bound(row.iloc[0]) is not None)

    def measured(self, seen: EventSeen) -> float:
        """The quantile of the first limit's quantity that the claim speaks of, or its maximum where none may fail."""
        level = max(0.0, 1 - seen.allowed)
        return seen.ranked(_values, ceil((seen.trials - 1) * level - EVEN) if level < 1 else seen.trials - 1)

    def resolution(self, first: pd.Series) -> float:
        """The least measurement above zero that a trial can show."""
        return amount(self.limits[0].unit, first)

    def ruling(self, failures: int, trials: int, allowed: float, error: float) -> Ruling:
        """The outcome that so many failures decide, with fields of the verdict that tell of it;
        where the claim is not vacuous.
        """
        return "refuted" if failures else "holds", {}

    def challenged(self, seen: EventSeen, error: float) -> bool:
        """Whether the same claim with half the bound is refuted by these rows; where it is not vacuous."""
        failures = seen.number(lambda rows: rows.beyond(1 / NEAR) | rows.broken)
        return self.ruling(failures, seen.trials, seen.allowed, error)[0] == "refuted"

    def stands(self, seen: EventSeen, error: float) -> float | None:
        """The least bound on the first limit's quantity with which these rows would still have the claim hold, or None."""
        return self._kept_by_all_but(seen, self.most_failures(seen.trials, seen.allowed, error))

    def most_failures(self, trials: int, allowed: float, error: float) -> int:
        """In how many trials it may fail for the claim still to hold; −1 where so few trials cannot show it."""
        return 0

    def _kept_by_all_but(self, seen: EventSeen, failures: int) -> float | None:
        """What the first limit's quantity keeps to in all but so many trials, those with another limit broken among these."""
        kept = seen.ranked(_kept, seen.trials - 1 - failures) if 0 <= failures < seen.trials else inf
        return kept / self.limits[0].factor if kept < inf else None

    def decide(self, claim: str, rows: pd.DataFrame, error: float) -> Verdict:
        return self.verdict(claim, EventSeen.of(self, rows), error)

    def verdict(self, claim: str, seen: EventSeen, error: float) -> Verdict:
        """The verdict on a cell, false with probability at most `error`. claim: its id."""
        first, bound = seen.first, seen.bound
        failures = seen.tally.failures
        ruling: Ruling = ("vacuous", {})
        if bound is not None:
            ruling = self.ruling(failures, seen.trials, seen.allowed, error)
        stands = self.stands(seen, error) if bound is not None else None
        return Verdict(
            claim=claim,
            outcome=ruling[0],
            cell=str(first["cell"]),
            mechanism=str(first["mechanism"]),
            trials=seen.trials,
            failures=failures,
            measured=self.measured(seen),
            resolution=self.resolution(first),
            bound=bound,
            stands=stands,
            failed_trial=seen.tally.first,
            challenged=bound is not None and self.challenged(seen, error),
            **ruling[1],
        )


@dataclass(frozen=True)
class Certain(Event):
    """Decides a statement about every single trial: one counterexample refutes it, and none is no proof."""

    kind: ClassVar[Kind] = "certain"


@dataclass(frozen=True)
class Exact(Event):
    """Decides whether computed numbers keep to computed bounds, in every trial; a limit's factor leaves room for rounding."""

    kind: ClassVar[Kind] = "exact"


@dataclass(frozen=True)
class Probability(Event):
    """Decides whether an event fails with at most a claimed probability.

    holds: the whole confidence sequence of the failure probability is within what is claimed. refuted: all of it is beyond.
    """

    kind: ClassVar[Kind] = "probability"

    may_fail: Amount = "beta"

    def allowed(self, first: pd.Series) -> float:
        return amount(self.may_fail, first)

    def most_failures(self, trials: int, allowed: float, error: float) -> int:
        return most_failures(trials, allowed, error)

    def challenged(self, seen: EventSeen, error: float) -> bool:
        """Whether the claim with half the bound is refuted, or the one that may fail half as often."""
        return super().challenged(seen, error) or self._half_as_often(seen, error)

    def _half_as_often(self, seen: EventSeen, error: float) -> bool:
        """Whether the same event is shown to fail more often than half of what is allowed."""
        half = seen.allowed / NEAR
        return confidence_sequence(seen.tally.failures, seen.trials, error, centre=half)[0] > half

    def ruling(self, failures: int, trials: int, allowed: float, error: float) -> Ruling:
        lower, upper = confidence_sequence(failures, trials, error, centre=allowed)
        outcome: Outcome = "holds" if upper <= allowed else "refuted" if lower > allowed else "undecided"
        return outcome, {"lower": lower, "upper": upper, "claimed": allowed, "error": error}


def _values(rows: RowsSeen) -> Reals:
    return rows.values


def _kept(rows: RowsSeen) -> Reals:
    """What is measured, infinite where another limit was broken."""
    return np.where(rows.broken, inf, rows.values)


@cache
def most_failures(trials: int, allowed: float, error: float) -> int:
    """The most failures of `trials` with which the whole confidence sequence is within `allowed`; −1 where none is too many."""
    low, high = -1, trials  # the upper end rises with the failures
    while high - low > 1:
        middle = (low + high) // 2
        enough = confidence_sequence(middle, trials, error, centre=allowed)[1] <= allowed
        low, high = (middle, high) if enough else (low, middle)
    return low


@dataclass(frozen=True)
class Never(Probability):
    """Decides on what should not happen at all: by the share of trials in which it does, against what is allowed."""

    @property
    def quantity(self) -> str:
        """None: what is bounded is how often it happens."""
        return ""

    def bound(self, first: pd.Series) -> float | None:
        return self.allowed(first) if self.allowed(first) < 1 else None

    def challenged(self, seen: EventSeen, error: float) -> bool:
        """Whether the same event is shown to happen more often than half of what is allowed, which is the bound here."""
        return self._half_as_often(seen, error)

    def measured(self, seen: EventSeen) -> float:
        return seen.number(lambda rows: rows.failed) / seen.trials

    def stands(self, seen: EventSeen, error: float) -> float | None:
        """The upper end of the confidence sequence: the least probability that could be claimed of these rows."""
        centre = min(max(seen.allowed, 0.01), 0.99)
        return confidence_sequence(seen.tally.failures, seen.trials, error, centre=centre)[1]

    def resolution(self, first: pd.Series) -> float:
        return 1e-4


@dataclass(frozen=True)
class Law(Never):
    """Decides whether the failure probability is a claimed number, which is no bound on it.

    refuted: the confidence sequence leaves it out. holds: all of the sequence is `within` of it, so that any law further off
    would have been refuted.
    """

    within: float = 0.05

    def bound(self, first: pd.Series) -> float | None:
        return self.allowed(first)

    def challenged(self, seen: EventSeen, error: float) -> bool:
        """Whether the number is refuted, or the laws that are further off than `within` are."""
        return self.ruling(seen.tally.failures, seen.trials, seen.allowed, error)[0] != "undecided"

    def ruling(self, failures: int, trials: int, allowed: float, error: float) -> Ruling:
        # Where nearly every trial fails, or nearly none, the sequence needs no help from where it is centred.
        lower, upper = confidence_sequence(failures, trials, error, centre=min(max(allowed, 0.01), 0.99))
        near = allowed - self.within <= lower <= upper <= allowed + self.within
        outcome: Outcome = "refuted" if not lower <= allowed <= upper else "holds" if near else "undecided"
        return outcome, {"lower": lower, "upper": upper, "error": error}
