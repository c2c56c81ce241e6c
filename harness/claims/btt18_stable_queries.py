"""How many chunks stable queries need: the utility of sparse vector and of the vote, with the votes set directly.

All of these speak of one event: every query that is as stable as the claim asks is answered right, when at most T others are
not. Its failure probability is what is measured, against the claimed β.
"""

import json

import pandas as pd

from harness.claims.claim import Bounded
from harness.claims.stable_failures import StableFailures


class StableQueriesAnswered(StableFailures):
    """The common part: rows of the `ensemble` class, and β as the claimed probability."""

    mechanism: str
    distribution: str = "agreement"
    right: float = 2 / 3
    constants: str = "BTT18"
    k_scale: float = 1.0

    def applies(self, first: pd.Series) -> bool:
        return bool(
            first["concept"] == "ensemble"
            and first["mechanism"] == self.mechanism
            and first["distribution"] == self.distribution
            and json.loads(first["distribution_parameters"])["right"] == self.right
            and first["constants"] == self.constants
            and first["k_scale"] == self.k_scale
        )

    def claimed(self, first: pd.Series) -> float:
        return float(first["beta"])


class SparseVectorUtility(StableQueriesAnswered):
    """A_sparseVec on values just above w + a."""

    id = "BTT18a:T2.8"
    source = "BTT18a Theorem 2.8"
    statement = (
        "With a = ln(2mT/β) √(512 T ln(1/δ)) / ε, if at most T of the m values are at most w + a, then with probability at "
        "least 1 − β all the others are answered ⊤."
    )
    mechanism = "A_sparseVec"
    right = 1.0


class QueryReleaseUtility(StableQueriesAnswered):
    """A_OQR at the distance a."""

    id = "BTT18a:C3.9"
    source = "BTT18a Corollary 3.9"
    statement = (
        "With a = 32 ln(4mT/min(δ,β)) √(2T ln(2/δ)) / ε, if at most T of the m queries have a distance to instability below a, "
        "then with probability at least 1 − β A_OQR answers all the others exactly."
    )
    mechanism = "A_OQR"
    right = 1.0


class SubsampleUtility(StableQueriesAnswered):
    """A_subSamp where each vote is right with probability 3/4."""

    id = "BTT18a:T3.11"
    source = "BTT18a Theorem 3.11"
    statement = (
        "With k = 136 ln(4mT/min(δ,β/2)) √(T ln(2/δ)) / ε, if on at least m − T queries each vote is x_f with probability at "
        "least 3/4, then with probability at least 1 − β all of these are answered x_f."
    )
    mechanism = "A_subSamp"
    distribution = "coin"
    right = 0.75
    constants = "BTT18a"

    def failed(self, rows: pd.DataFrame) -> pd.Series:
        # A coin query whose votes fell below 2/3 is not counted as stable, yet it is one the theorem promises.
        return (rows["stable_failed"] > 0) | (rows["unstable"] > rows["T"])

    def event(self, row: pd.DataFrame) -> list[Bounded]:
        first = row.iloc[0]
        return [*super().event(row), Bounded("unstable", float(first["unstable"]), float(first["T"]))]


class PrintedK(StableQueriesAnswered):
    """The k of A_binClas suffices: far more than enough, so no simulation can make this fail."""

    id = "BTT18:T3.2-k"
    source = "BTT18 Algorithm 2 and Theorem 3.2, proof"
    statement = (
        "With k = 34√2 λ ln(4mT/min(δ,β/2)), if on at least m − T queries at least 2k/3 votes agree, then with probability at "
        "least 1 − β A_binClas answers all of these with that label."
    )
    mechanism = "A_binClas"


class TightK(PrintedK):
    """k_tight suffices: the union bound over the m queries is nearly attained."""

    id = "BTT18:T3.2-k-repaired"
    source = "BTT18 Theorem 3.2, with k as small as its own argument allows"
    statement = (
        "With a* = w + 2λ ln(2m/(3β)), k = 3(a* + 1) suffices in place of the printed k: if on at least m − T queries at least "
        "2k/3 votes agree, then with probability at least 1 − β A_binClas answers all of these with that label."
    )
    constants = "k_tight"


class NineTenthsOfTightK(TightK):
    """A tenth less does not."""

    id = "BTT18:T3.2-k-nine-tenths"
    source = "not in the papers: that k_tight is nearly necessary"
    statement = "The same with 0.9 · k_tight. (False: k_tight is tight to within a tenth.)"
    expected = "refuted"
    k_scale = 0.9


CLAIMS = (
    SparseVectorUtility(),
    QueryReleaseUtility(),
    SubsampleUtility(),
    PrintedK(),
    TightK(),
    NineTenthsOfTightK(),
)
