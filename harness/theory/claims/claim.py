"""What a claim is, and how a table decides it."""

from dataclasses import dataclass
from typing import Literal, Protocol

import pandas as pd

from harness.theory.confidence import confidence_sequence

Outcome = Literal["holds", "refuted", "undecided", "vacuous"]


class Claim(Protocol):
    """An explicit statement about a failure probability, decided cell by cell from one Bernoulli trial a row.

    id, source, statement: what is claimed, where, in plain text. expected: the verdict that a correct run ends with.
    `rows` are always the rows of one cell and one mechanism, one a trial.
    """

    id: str
    source: str
    statement: str
    expected: Outcome

    def applies(self, rows: pd.DataFrame) -> bool:
        """Whether the rows' mechanism and constants are the claim's own."""

    def claimed(self, rows: pd.DataFrame) -> float:
        """The failure probability that the claim allows."""

    def failed(self, rows: pd.DataFrame) -> pd.Series:
        """The trials in which the claimed event did not happen."""

    def bound(self, rows: pd.DataFrame) -> float:
        """The quantity that the claim bounds from above, as claimed."""

    def measured(self, rows: pd.DataFrame) -> float:
        """The same quantity as measured, at the quantile that the claim speaks of."""

    def resolution(self, rows: pd.DataFrame) -> float:
        """The least value above zero that the quantity can take in a trial."""


@dataclass(frozen=True)
class Verdict:
    """A claim judged on one cell.

    lower, upper: the confidence sequence of the failure probability at `error`, which is the chance that this verdict is false.
    resolution: the least measurement above zero that a trial could show.
    """

    claim: str
    cell: str
    outcome: Outcome
    trials: int
    failures: int
    lower: float
    upper: float
    claimed: float
    measured: float
    resolution: float
    bound: float | None
    error: float

    @property
    def slack(self) -> float | None:
        """How many times larger the bound is than what was measured; at least so many when that was zero. None if vacuous."""
        return None if self.bound is None else self.bound / max(self.measured, self.resolution)


def vacuous(rows: pd.DataFrame) -> bool:
    """Whether the theory promises nothing at this cell."""
    return bool(rows["vacuous"].iloc[0])


def decide(claim: Claim, rows: pd.DataFrame, error: float) -> Verdict:
    """The verdict on one cell, false with probability at most `error` however often and whenever it is asked.

    holds: the whole confidence sequence is within what is claimed. refuted: all of it is beyond. Else undecided.
    """
    claimed = claim.claimed(rows)
    failures, trials = int(claim.failed(rows).sum()), len(rows)
    promises = claimed < 1 and not vacuous(rows)
    lower, upper = confidence_sequence(failures, trials, error, centre=claimed if promises else 0.5)
    outcome: Outcome = "undecided"
    if not promises:
        outcome = "vacuous"
    elif upper <= claimed:
        outcome = "holds"
    elif lower > claimed:
        outcome = "refuted"
    return Verdict(
        claim=claim.id,
        cell=str(rows["cell"].iloc[0]),
        outcome=outcome,
        trials=trials,
        failures=failures,
        lower=lower,
        upper=upper,
        claimed=claimed,
        measured=claim.measured(rows),
        resolution=claim.resolution(rows),
        bound=claim.bound(rows) if promises else None,
        error=error,
    )
