"""What a claim is, how a table decides it, and what a verdict says.

A claim asks questions of a table: the sets of rows that get one verdict each, mostly those of one cell and mechanism. There are
four kinds. A `probability` claim has one Bernoulli trial a row and is decided by a confidence sequence; a `certain` claim is
refuted by one counterexample; an `exact` claim sets a number against a number, from a table of computed rows or from the
theory itself; a `rate` claim sets a sweep against the explicit fixed point.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import pandas as pd

from harness.theory.confidence import confidence_sequence

Outcome = Literal["holds", "refuted", "undecided", "vacuous", "untested"]
ClaimKind = Literal["certain", "probability", "exact", "rate"]
NEAR = 2.0  # a measurement within this factor of its bound would have shown a somewhat smaller bound to be false


@dataclass(frozen=True)
class Verdict:
    """A claim judged on one set of rows.

    cell, mechanism: where; None where the theory alone decides, or a whole sweep. where: the same in words, if the cell alone
    does not tell. failures of trials, with [lower, upper] the confidence sequence of the failure probability and claimed what
    the claim allows; None for claims without one. error: the chance that this verdict is false. measured, bound: the quantity
    that the claim bounds from above. resolution: the least measurement above zero that a trial could show. failed_trial: the
    first trial that failed. challenged: whether the rows came so near the bound that a false claim would have shown.
    """

    claim: str
    outcome: Outcome
    cell: str | None = None
    mechanism: str | None = None
    where: str = ""
    trials: int = 0
    failures: int = 0
    lower: float | None = None
    upper: float | None = None
    claimed: float | None = None
    measured: float | None = None
    resolution: float = 0.0
    bound: float | None = None
    error: float = 0.0
    failed_trial: int | None = None
    challenged: bool = False

    @property
    def slack(self) -> float | None:
        """How many times larger the bound is than what was measured; at least so many when that was zero. None if vacuous."""
        if self.bound is None or self.measured is None:
            return None
        size = max(self.measured, self.resolution)
        return self.bound / size if size else None


@dataclass(frozen=True)
class Bounded:
    """A quantity of one trial, by its column, and the most it may be for the claimed event to happen."""

    quantity: str
    measured: float
    most: float

    @property
    def broken(self) -> bool:
        """Whether the quantity passes its bound."""
        return self.measured > self.most


class Claim(ABC):
    """An explicit statement, where it applies, and how rows decide it.

    id, source, statement: what is claimed, and where, in plain text. expected: the verdict that a correct run ends with.
    trials: the kind of trial whose tables it reads. quantity: the column it bounds, if it is one.
    """

    id: str
    source: str
    statement: str
    kind: ClassVar[ClaimKind]
    expected: ClassVar[Outcome] = "holds"
    trials: ClassVar[str] = "answers"
    quantity: ClassVar[str] = ""

    @abstractmethod
    def questions(self, frame: pd.DataFrame) -> Iterable[pd.DataFrame]:
        """The sets of rows of a table that get one verdict each."""

    @abstractmethod
    def decide(self, rows: pd.DataFrame, error: float) -> Verdict:
        """The verdict on one such set, false with probability at most `error`."""

    def undecidable(self, rows: pd.DataFrame) -> bool:
        """Whether the verdict takes no share of the error, because nothing is promised or nothing is random."""
        return self.kind in ("certain", "exact")

    def computed(self) -> Iterable[Verdict]:
        """Verdicts that need no table."""
        return ()


class CellClaim(Claim):
    """A claim that is judged cell by cell."""

    @abstractmethod
    def applies(self, first: pd.Series) -> bool:
        """Whether a cell meets the claim's hypotheses, by its first row."""

    def vacuous(self, first: pd.Series) -> bool:
        """Whether the claim promises nothing at a cell."""
        return bool(first["vacuous"])

    def questions(self, frame: pd.DataFrame) -> Iterator[pd.DataFrame]:
        for _, rows in frame.groupby(["cell", "mechanism"], sort=False):
            if self.applies(rows.iloc[0]):
                yield rows

    def undecidable(self, rows: pd.DataFrame) -> bool:
        return super().undecidable(rows) or self.vacuous(rows.iloc[0])

    @abstractmethod
    def bound(self, first: pd.Series) -> float:
        """The quantity that the claim bounds from above, as claimed."""

    @abstractmethod
    def measured(self, rows: pd.DataFrame) -> float:
        """The same quantity as measured, at the quantile that the claim speaks of."""

    def resolution(self, first: pd.Series) -> float:
        """The least value above zero that the quantity can take in a trial."""
        return 0.0

    @abstractmethod
    def failed(self, rows: pd.DataFrame) -> pd.Series:
        """The trials in which the claimed event did not happen; called where the claim is not vacuous."""

    def event(self, row: pd.DataFrame) -> list[Bounded]:
        """The claimed event in the one trial of a frame of one row: it fails where any of these is broken."""
        return [Bounded(self.quantity or "measured", self.measured(row), self.bound(row.iloc[0]))]

    def _about(self, rows: pd.DataFrame, outcome: Outcome, **parts: float | None) -> Verdict:
        """A verdict with all that is common to claims about cells."""
        first = rows.iloc[0]
        vacuous = outcome == "vacuous"
        failed = pd.Series(False, index=rows.index) if vacuous else self.failed(rows)
        bound, measured = None if vacuous else self.bound(first), self.measured(rows)
        near = bound is not None and measured * NEAR >= bound > 0
        return Verdict(
            claim=self.id,
            outcome=outcome,
            cell=str(first["cell"]),
            mechanism=str(first["mechanism"]),
            trials=len(rows),
            failures=int(failed.sum()),
            measured=measured,
            resolution=self.resolution(first),
            bound=bound,
            failed_trial=int(rows.loc[failed, "trial"].iloc[0]) if failed.any() else None,
            challenged=bool(near or failed.any()),
            **parts,  # type: ignore[arg-type]
        )


class ProbabilityClaim(CellClaim):
    """The claimed event fails with at most a claimed probability.

    holds: the whole confidence sequence of the failure probability is within what is claimed. refuted: all of it is beyond.
    """

    kind = "probability"

    @abstractmethod
    def claimed(self, first: pd.Series) -> float:
        """The failure probability that the claim allows."""

    def vacuous(self, first: pd.Series) -> bool:
        return super().vacuous(first) or self.claimed(first) >= 1

    def decide(self, rows: pd.DataFrame, error: float) -> Verdict:
        first = rows.iloc[0]
        if self.vacuous(first):
            return self._about(rows, "vacuous")
        claimed = self.claimed(first)
        lower, upper = confidence_sequence(int(self.failed(rows).sum()), len(rows), error, centre=claimed)
        outcome: Outcome = "holds" if upper <= claimed else "refuted" if lower > claimed else "undecided"
        return self._about(rows, outcome, lower=lower, upper=upper, claimed=claimed, error=error)


class CertainClaim(CellClaim):
    """A statement about every single trial: one counterexample refutes it, and none is no proof."""

    kind = "certain"

    def decide(self, rows: pd.DataFrame, error: float) -> Verdict:
        if self.vacuous(rows.iloc[0]):
            return self._about(rows, "vacuous")
        return self._about(rows, "refuted" if self.failed(rows).any() else "holds")


class ExactClaim(CellClaim):
    """A number against a number, both computed: `measured` at most `bound`, up to a stated relative tolerance."""

    kind = "exact"
    tolerance: ClassVar[float] = 1e-6

    def vacuous(self, first: pd.Series) -> bool:
        return False

    def event(self, row: pd.DataFrame) -> list[Bounded]:
        (part,) = super().event(row)
        return [replace(part, most=part.most * (1 + self.tolerance))]

    def failed(self, rows: pd.DataFrame) -> pd.Series:
        exceeded = self.measured(rows) > self.bound(rows.iloc[0]) * (1 + self.tolerance)
        return pd.Series(exceeded, index=rows.index)

    def decide(self, rows: pd.DataFrame, error: float) -> Verdict:
        return self._about(rows, "refuted" if self.failed(rows).any() else "holds")


@dataclass(frozen=True)
class Number:
    """One comparison of a computed claim: measured should be at most bound. where: the parameters, in words."""

    where: str
    measured: float
    bound: float


class ComputedClaim(Claim):
    """A number against a number that the theory alone decides, with no table."""

    kind = "exact"
    tolerance: ClassVar[float] = 1e-9

    @abstractmethod
    def numbers(self) -> Iterable[Number]:
        """What is compared, at the parameters where it matters."""

    def questions(self, frame: pd.DataFrame) -> Iterable[pd.DataFrame]:
        return ()

    def decide(self, rows: pd.DataFrame, error: float) -> Verdict:
        return Verdict(self.id, "untested")  # it asks nothing of a table

    def computed(self) -> Iterator[Verdict]:
        for number in self.numbers():
            holds = number.measured <= number.bound * (1 + self.tolerance)
            yield Verdict(
                claim=self.id,
                outcome="holds" if holds else "refuted",
                where=number.where,
                measured=number.measured,
                bound=number.bound,
                challenged=True,
            )


def overall(outcomes: Iterable[Outcome]) -> Outcome:
    """One verdict for a claim: a single refutation refutes it, and what is undecided anywhere is undecided."""
    found = set(outcomes)
    order: tuple[Outcome, ...] = ("refuted", "undecided", "holds", "vacuous")
    return next((outcome for outcome in order if outcome in found), "untested")
