"""How many ⊥s A_binClas can let out before it halts."""

from math import floor
from typing import ClassVar

import pandas as pd

from harness.claims.claim import CertainClaim, Outcome


class AtMostT(CertainClaim):
    """The printed loop runs while c ≤ T, so the ⊥ that makes c pass T is out before the loop looks again."""

    id = "BTT18:A2-cutoff"
    source = "BTT18 Algorithm 2: cutoff parameter T"
    quantity = "bottoms"
    statement = "Whatever the votes, A_binClas answers ⊥ at most T times."
    expected: ClassVar[Outcome] = "refuted"

    def applies(self, first: pd.Series) -> bool:
        return bool(first["mechanism"] in ("A_binClas", "A_subSamp"))

    def vacuous(self, first: pd.Series) -> bool:
        return False

    def failed(self, rows: pd.DataFrame) -> pd.Series:
        return rows["bottoms"] > self.bound(rows.iloc[0])

    def bound(self, first: pd.Series) -> float:
        return float(first["T"])

    def measured(self, rows: pd.DataFrame) -> float:
        """The most ⊥s in any trial."""
        return float(rows["bottoms"].max())

    def resolution(self, first: pd.Series) -> float:
        return 1.0


class AtMostTPlusOne(AtMostT):
    """What the loop does, and what privacy has to be charged for; utility needs it, DR14's Sparse halts one earlier."""

    id = "BTT18:A2-cutoff-repaired"
    source = "BTT18 Algorithm 2, repaired"
    statement = "Whatever the votes, A_binClas answers ⊥ at most ⌊T⌋ + 1 times, so that its privacy is that of ⌊T⌋ + 1 epochs."
    expected = "holds"

    def bound(self, first: pd.Series) -> float:
        return floor(float(first["T"])) + 1.0


CLAIMS = (AtMostT(), AtMostTPlusOne())
