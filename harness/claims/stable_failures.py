"""One event that several claims speak of: some query that is stable enough was not answered right."""

import pandas as pd

from harness.claims.claim import Bounded, ProbabilityClaim


class StableFailures(ProbabilityClaim):
    """The measured quantity is the event's probability itself, so the bound is what is claimed of that."""

    def vacuous(self, first: pd.Series) -> bool:
        return False

    def failed(self, rows: pd.DataFrame) -> pd.Series:
        return rows["stable_failed"] > 0

    def event(self, row: pd.DataFrame) -> list[Bounded]:
        return [Bounded("stable_failed", float(row["stable_failed"].iloc[0]), 0.0)]

    def bound(self, first: pd.Series) -> float:
        return self.claimed(first)

    def measured(self, rows: pd.DataFrame) -> float:
        """The share of trials that failed."""
        return float(self.failed(rows).mean())

    def resolution(self, first: pd.Series) -> float:
        return 1e-4
