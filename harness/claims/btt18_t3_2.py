"""BTT18 Theorem 3.2 and BTT18a Corollary 4.1: the misclassification rate of the ⊥-paying mechanism.

The proof's failure budget adds up to 2.5β (β for the learners, β for their mistakes, β/2 for the noise); what is claimed, 2β,
is what is tested. The proof's step on the mistakes is a claim of its own (`btt18_t3_2_mistakes`), and false; the conclusion
survives it at ordinary β, because the count averages over the h_j, but not at every β in (0, 1): see `AnyBeta`.
"""

from collections.abc import Iterable
from typing import ClassVar

import pandas as pd
from scipy.stats import binom

from harness.claims.claim import Bounded, ComputedClaim, Number, Outcome, ProbabilityClaim
from harness.claims.given import task_of
from harness.theory.parameters import mistakes


class MisclassificationRate(ProbabilityClaim):
    """One event: no early halt, at most T ⊥s, and a misclassification rate of at most T/m."""

    id = "BTT18:T3.2"
    source = "BTT18 Theorem 3.2"
    quantity = "misclassification_rate"
    statement = (
        "Let T = 3B with B = (γ+α)m + √((γ+α) m ln(m/β)/2), and let Θ be an (α, β/k, n/k)-agnostic PAC learner. "
        "Then with probability at least 1 − 2β A_binClas answers all m queries without halting, with at most T answers ⊥, "
        "and its misclassification rate, ⊥ counted as an error, is at most T/m."
    )
    mechanism = "A_binClas"
    constants = "BTT18"

    def applies(self, first: pd.Series) -> bool:
        printed = first["mechanism"] == self.mechanism and first["constants"] == self.constants and first["k_scale"] == 1
        # With a cutoff set directly T need not be 3B: there the claims on stable queries speak.
        return bool(printed and pd.isna(first["T_target"]))

    def claimed(self, first: pd.Series) -> float:
        return 2 * float(first["beta"])

    def failed(self, rows: pd.DataFrame) -> pd.Series:
        halted, costly = rows["halted_at"].notna(), rows["bottoms"] > rows["T"]
        return halted | costly | (rows["misclassification_rate"] > rows["bound"])

    def event(self, row: pd.DataFrame) -> list[Bounded]:
        first = row.iloc[0]
        unanswered = 0.0 if pd.isna(first["halted_at"]) else float(first["m"] - first["halted_at"])
        bottoms = Bounded("bottoms", float(first["bottoms"]), float(first["T"]))
        return [Bounded("unanswered", unanswered, 0.0), bottoms, *super().event(row)]

    def bound(self, first: pd.Series) -> float:
        return float(first["bound"])

    def measured(self, rows: pd.DataFrame) -> float:
        """The (1−2β)-quantile of the rate over trials."""
        level = max(0.0, 1 - self.claimed(rows.iloc[0]))
        return float(rows["misclassification_rate"].quantile(level, interpolation="higher"))

    def resolution(self, first: pd.Series) -> float:
        return 1 / float(first["m"])


class AdditiveRate(MisclassificationRate):
    """The same for A_subSamp, with the additive deviation in T."""

    id = "BTT18a:C4.1"
    source = "BTT18a Corollary 4.1"
    statement = (
        "Let T = 3((γ+α)m + √(m ln(m/β)/2)), and let Θ be an (α, β/k, n/k)-agnostic PAC learner. Then with probability at "
        "least 1 − 2β A_subSamp answers all m queries without halting, with at most T answers ⊥, and at least m − T are right."
    )
    mechanism = "A_subSamp"
    constants = "BTT18a"


class AnyBeta(ComputedClaim):
    """The theorem's conclusion where all h_j are one hypothesis of error exactly α: its mistakes are Bin(m, α)."""

    id = "BTT18:T3.2-any-beta"
    source = "BTT18 Theorem 3.2, for any β in (0, 1)"
    statement = (
        "T3.2 for every β in (0, 1). With identical h_j of error exactly α the rate exceeds T/m when Bin(m, α) > T, and the "
        "chance of that must be at most 2β: false for very small β, as T grows only like √ln(1/β)."
    )
    expected: ClassVar[Outcome] = "refuted"

    def numbers(self) -> Iterable[Number]:
        for m, alpha, beta in ((1000, 1e-3, 1e-40), (100, 1e-2, 1e-60)):
            T = 3 * mistakes(task_of(m, beta), alpha)
            yield Number(f"m = {m}, α = {alpha:g}, β = {beta:g}", float(binom.sf(int(T), m, alpha)), 2 * beta)


class RateIsOrderAlpha(ComputedClaim):
    """T/m = O(γ+α), with the constant that T/m has where the mean dominates."""

    id = "BTT18:T3.2-rate"
    source = "BTT18 Theorem 3.2 (ii): T/m = O(γ+α)"
    statement = "T/m ≤ 3(1 + 1/√2)(γ+α) for every m, the constant that holds once (γ+α)m ≥ ln(m/β)."
    expected: ClassVar[Outcome] = "refuted"
    means: tuple[float, ...] = (0.01, 0.1)  # (γ+α)m / ln(m/β)

    def numbers(self) -> Iterable[Number]:
        m, beta = 10_000, 0.05
        task = task_of(m, beta)
        for share in self.means:
            alpha = share * task.L / m
            where = f"m = {m}, (γ+α)m = {share:g}·ln(m/β)"
            yield Number(where, 3 * mistakes(task, alpha) / m, 3 * (1 + 0.5**0.5) * alpha)


class RateIsOrderAlphaRepaired(RateIsOrderAlpha):
    """The same, asked only where it can hold."""

    id = "BTT18:T3.2-rate-repaired"
    source = "BTT18 Theorem 3.2 (ii), repaired"
    statement = "T/m ≤ 3(1 + 1/√2)(γ+α) where (γ+α)m ≥ ln(m/β)."
    expected = "holds"
    means = (1.0, 10.0, 100.0)


CLAIMS = (MisclassificationRate(), AdditiveRate(), AnyBeta(), RateIsOrderAlpha(), RateIsOrderAlphaRepaired())
