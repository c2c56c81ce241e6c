"""The step of BTT18 Theorem 3.2's proof that bounds every hypothesis's mistakes, and Lemma 3.3, which goes on from there."""

from math import ceil, log, sqrt
from typing import ClassVar

import pandas as pd

from harness.claims.claim import Bounded, CertainClaim, Outcome, ProbabilityClaim
from harness.claims.given import row_task
from harness.theory.parameters import mistakes


class NoHypothesisErrsMore(ProbabilityClaim):
    """max_j (mistakes of h_j) ≤ B. Decided on hypotheses of error exactly α, where the learners' own failures play no part."""

    id = "BTT18:T3.2-B"
    source = "BTT18 Theorem 3.2, proof"
    quantity = "max_mistakes"
    statement = (
        "Where err(h_j) ≤ γ+α for all j, with probability at least 1 − β no h_j misclassifies more than "
        "B = (γ+α)m + √((γ+α) m ln(m/β)/2) of the m queries. (Chernoff's bound has 3 or 2 where this has 1/2: for one "
        "hypothesis "
        "the chance is about (β/m)^(1/4), not β/m.)"
    )
    expected: ClassVar[Outcome] = "refuted"

    def applies(self, first: pd.Series) -> bool:
        return bool(first["concept"] == "exact_error" and first["mechanism"] == "A_binClas")

    def vacuous(self, first: pd.Series) -> bool:
        return False

    def claimed(self, first: pd.Series) -> float:
        return float(first["beta"])

    def failed(self, rows: pd.DataFrame) -> pd.Series:
        return (rows["max_mistakes"] > self.bound(rows.iloc[0])).astype(bool)

    def bound(self, first: pd.Series) -> float:
        # The hypotheses err on mass 1/s, which is what they were built to do; the plan's α is the same number.
        return mistakes(row_task(first), float(first["alpha"]))

    def measured(self, rows: pd.DataFrame) -> float:
        """The (1−β)-quantile of the largest number of mistakes."""
        return float(rows["max_mistakes"].astype(float).quantile(1 - self.claimed(rows.iloc[0]), interpolation="higher"))

    def resolution(self, first: pd.Series) -> float:
        return 1.0


class NoHypothesisErrsMoreRepaired(NoHypothesisErrsMore):
    """Bernstein's inequality, and a union over the k hypotheses where there are more of them than queries."""

    id = "BTT18:T3.2-B-repaired"
    source = "BTT18 Theorem 3.2, proof, repaired"
    statement = (
        "Where err(h_j) ≤ p = γ+α for all j, with probability at least 1 − β no h_j misclassifies more than "
        "mp + √(2mpL) + L/3 of the m queries, L = ln(max(m, k)/β) (Bernstein)."
    )
    expected = "holds"

    def bound(self, first: pd.Series) -> float:
        mean = float(first["gamma"] + first["alpha"]) * int(first["m"])
        L = log(max(int(first["m"]), int(first["k"])) / float(first["beta"]))
        return mean + sqrt(2 * mean * L) + L / 3


class LearnersKeepToAlpha(NoHypothesisErrsMoreRepaired):
    """The proof's first step with the repaired second, on learners: their α is the bound of one at confidence β/k, not β.

    With β in place of β/k nearly every trial has a learner beyond α, and the most mistakes of any show it.
    """

    id = "BTT18:T3.2-learners"
    source = "BTT18 Theorem 3.2, proof: Θ is an (α, β/k, n/k)-agnostic PAC learner"
    statement = (
        "With probability at least 1 − 2β no one of the k learned h_j misclassifies more than mp + √(2mpL) + L/3 of the m "
        "queries, p = γ+α, L = ln(max(m, k)/β): all k errors are at most γ+α but for β, and Bernstein's bound holds for all of "
        "them but for another β."
    )

    def applies(self, first: pd.Series) -> bool:
        learned = pd.notna(first["max_mistakes"]) and first["concept"] != "exact_error"
        return bool(learned and first["mechanism"] == "A_binClas" and first["alpha"] < 1)

    def claimed(self, first: pd.Series) -> float:
        return 2 * float(first["beta"])


class Counting(CertainClaim):
    """BTT18 Lemma 3.3 at ξ = 1/3, with B the most mistakes that any h_j made in the trial."""

    id = "BTT18:L3.3"
    source = "BTT18 Lemma 3.3, ξ = 1/3"
    quantity = "share_of_3B"
    statement = (
        "If each of k classifiers makes at most B > 0 mistakes on m queries, fewer than B/ξ queries have more than ξk "
        "wrong votes. "
        "(At B = 0 the printed strict inequality says 0 < 0.)"
    )
    factor: ClassVar[float] = 3.0

    def applies(self, first: pd.Series) -> bool:
        return bool(pd.notna(first["max_mistakes"]))

    def vacuous(self, first: pd.Series) -> bool:
        return False

    def failed(self, rows: pd.DataFrame) -> pd.Series:
        most = rows["max_mistakes"].astype(int)
        return (rows["unstable"] >= self.factor * most) & (rows["unstable"] > 0)

    def event(self, row: pd.DataFrame) -> list[Bounded]:
        first = row.iloc[0]
        return [Bounded("unstable", float(first["unstable"]), max(ceil(self.factor * int(first["max_mistakes"])) - 1, 0))]

    def bound(self, first: pd.Series) -> float:
        return self.factor / 3

    def measured(self, rows: pd.DataFrame) -> float:
        """The largest count of such queries in any trial, as a share of 3B."""
        most = rows["max_mistakes"].astype(int)
        return float((rows["unstable"] / (3 * most).clip(lower=1)).max())


class CountingByNineTenths(Counting):
    """The lemma is tight: on the hard distribution with c just below ln 3 and so many atoms that all h_j err about as often."""

    id = "BTT18:L3.3-nine-tenths"
    source = "not in the papers: that Lemma 3.3 is tight at ξ = 1/3"
    statement = "The same with 0.9 · B/ξ. (False: the lemma is tight to within a tenth.)"
    expected = "refuted"
    factor = 2.7


CLAIMS = (NoHypothesisErrsMore(), NoHypothesisErrsMoreRepaired(), LearnersKeepToAlpha(), Counting(), CountingByNineTenths())
