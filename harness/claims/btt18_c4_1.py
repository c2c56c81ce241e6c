"""BTT18 Claim 4.1: the error of the private classifier h_priv on one fresh query."""

from collections.abc import Iterable
from dataclasses import replace
from math import log, sqrt

import pandas as pd

from harness.claims.claim import Bounded, ComputedClaim, Number, ProbabilityClaim


def least_m(alpha: float, beta: float) -> float:
    """m ≥ 4 ln(1/(αβ))/α, the claim's hypothesis."""
    return 4 * log(1 / (alpha * beta)) / alpha


class FreshQuery(ProbabilityClaim):
    """err(h_priv) is not seen itself: a trial estimates it by its mean over the m queries, without bias.

    A trial fails when the estimate passes half the bound. Where err(h_priv) passes the bound, the estimate stays below half of
    it with probability at most exp(−m·bound/8) (Chernoff), below (αβ) under the claim's hypothesis on m, so hardly any failure
    is missed; and the test is stricter than the claim.
    """

    id = "BTT18:C4.1"
    source = "BTT18 Claim 4.1"
    quantity = "fresh_error"
    statement = (
        "Let β ≤ α and m ≥ 4 ln(1/(αβ))/α. Then with probability at least 1 − 2β over the training set, "
        "err(h_priv) ≤ 3γ + 7α, where h_priv answers a single query, a ⊥ counting as a fair coin."
    )

    mechanism = "A_binClas"
    constants = "BTT18"

    def applies(self, first: pd.Series) -> bool:
        printed = first["mechanism"] == self.mechanism and first["constants"] == self.constants and first["k_scale"] == 1
        if not printed or pd.notna(first["T_target"]):
            return False
        alpha, beta = float(first["alpha"]), float(first["beta"])
        return bool(beta <= alpha < 1 and first["m"] >= least_m(alpha, beta))

    def vacuous(self, first: pd.Series) -> bool:
        return super().vacuous(first) or self.bound(first) >= 1

    def claimed(self, first: pd.Series) -> float:
        return 2 * float(first["beta"])

    def failed(self, rows: pd.DataFrame) -> pd.Series:
        return (rows["fresh_error"] > self.bound(rows.iloc[0]) / 2).astype(bool)

    def event(self, row: pd.DataFrame) -> list[Bounded]:
        (part,) = super().event(row)
        return [replace(part, most=part.most / 2)]

    def bound(self, first: pd.Series) -> float:
        return float(3 * first["gamma"] + 7 * first["alpha"])

    def measured(self, rows: pd.DataFrame) -> float:
        """The (1−2β)-quantile of the estimates."""
        return float(rows["fresh_error"].astype(float).quantile(1 - self.claimed(rows.iloc[0]), interpolation="higher"))


class PrivateByMarkov(FreshQuery):
    """Markov's inequality: more than a third of the votes are wrong on mass at most 3(α+γ)."""

    id = "BTT18:C4.1-repaired"
    source = "BTT18 Claim 4.1, repaired"
    statement = (
        "With probability at least 1 − 2β over the training set, err(h_priv) ≤ 3(α + γ), by Markov's inequality, for any m."
    )

    def bound(self, first: pd.Series) -> float:
        return float(3 * (first["gamma"] + first["alpha"]))


class FullVersion(FreshQuery):
    """The full version, with its constants and its larger m."""

    id = "BTT18a:C4.5"
    source = "BTT18a Claim 4.5"
    statement = (
        "Let β ≤ α and m ≥ 4 ln(1/(αβ))/α². Then with probability at least 1 − 2β over the training set, "
        "err(h_priv) ≤ 3γ + 7α, where h_priv answers a single query, a ⊥ counting as a fair coin."
    )
    mechanism = "A_subSamp"
    constants = "BTT18a"

    def applies(self, first: pd.Series) -> bool:
        alpha, beta = float(first["alpha"]), float(first["beta"])
        return super().applies(first) and bool(first["m"] >= least_m(alpha, beta) / alpha)


class ProofStep(ComputedClaim):
    """The last inequality of the proof, at m = 4 ln(1/(αβ))/α."""

    id = "BTT18:C4.1-step"
    source = "BTT18 Claim 4.1, proof"
    statement = (
        "β + 3(α + γ + √((α+γ) ln(m/β)/(2m))) ≤ 3γ + 7α for β ≤ α and m ≥ 4 ln(1/(αβ))/α. (False from γ ≈ 5α on; the claim "
        "itself survives by Markov's inequality.)"
    )
    expected = "refuted"

    def numbers(self) -> Iterable[Number]:
        for alpha, ratio in ((0.01, 1.0), (0.01, 6.0), (0.001, 10.0)):
            beta = alpha
            m, gamma = least_m(alpha, beta), ratio * alpha
            left = beta + 3 * (alpha + gamma + sqrt((alpha + gamma) * log(m / beta) / (2 * m)))
            yield Number(f"α = β = {alpha:g}, γ = {ratio:g}α", left, 3 * gamma + 7 * alpha)


CLAIMS = (FreshQuery(), PrivateByMarkov(), FullVersion(), ProofStep())
