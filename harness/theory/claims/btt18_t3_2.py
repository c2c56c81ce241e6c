"""BTT18 Theorem 3.2: the misclassification rate of A_binClas."""

import pandas as pd

from harness.theory.claims.claim import Outcome, vacuous


class MisclassificationRate:
    """One event: no early halt, at most T ⊥s, and a misclassification rate of at most T/m."""

    id = "BTT18:T3.2"
    source = "BTT18 Theorem 3.2"
    statement = (
        "Let T = 3B with B = (γ+α)m + √((γ+α) m ln(m/β)/2), and let Θ be an (α, β/k, n/k)-agnostic PAC learner. "
        "Then with probability at least 1 − 2β A_binClas answers all m queries without halting, with at most T answers ⊥, "
        "and its misclassification rate, ⊥ counted as an error, is at most T/m."
    )
    expected: Outcome = "holds"

    def applies(self, rows: pd.DataFrame) -> bool:
        first = rows.iloc[0]
        return bool(first["mechanism"] == "A_binClas" and first["constants"] == "BTT18")

    def claimed(self, rows: pd.DataFrame) -> float:
        return 2 * float(rows["beta"].iloc[0])

    def failed(self, rows: pd.DataFrame) -> pd.Series:
        if vacuous(rows):
            return pd.Series(False, index=rows.index)
        halted, costly = rows["halted_at"].notna(), rows["bottoms"] > rows["T"]
        return halted | costly | (rows["misclassification_rate"] > rows["bound"])

    def bound(self, rows: pd.DataFrame) -> float:
        return float(rows["bound"].iloc[0])

    def measured(self, rows: pd.DataFrame) -> float:
        """The (1−2β)-quantile of the rate over trials."""
        level = max(0.0, 1 - self.claimed(rows))
        return float(rows["misclassification_rate"].quantile(level, interpolation="higher"))

    def resolution(self, rows: pd.DataFrame) -> float:
        return 1 / float(rows["m"].iloc[0])


CLAIM = MisclassificationRate()
