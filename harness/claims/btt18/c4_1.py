"""BTT18 Claim 4.1: the error of the private classifier h_priv on one fresh query.

err(h_priv) is not seen itself: a trial estimates it by its mean over the m queries, without bias. A trial fails when the
estimate passes half the bound. Where err(h_priv) passes the bound, the estimate stays below half of it with probability at
most exp(−m·bound/8) (Chernoff), below (αβ) under the claim's hypothesis on m, so hardly any failure is missed; and the test is
stricter than the claim.

The proof's last inequality is a claim of its own, at m = 4 ln(1/(αβ))/α, and false from γ ≈ 5α on. The claim itself survives by
Markov's inequality: more than a third of the votes are wrong on mass at most 3(α+γ).
"""

from collections.abc import Callable, Iterator
from math import log, nan, sqrt

import pandas as pd

from harness.claims.engine import Claim, Computed, Condition, Limit, Number, Probability, printed_cutoff, times


def least_m(alpha: float, beta: float) -> float:
    """m ≥ 4 ln(1/(αβ))/α, the claim's hypothesis."""
    return 4 * log(1 / (alpha * beta)) / alpha


def seven_alpha(first: pd.Series) -> float:
    """3γ + 7α."""
    return float(3 * first["gamma"] + 7 * first["alpha"])


def _markov(first: pd.Series) -> float:
    return float(3 * (first["gamma"] + first["alpha"]))


def fresh_error_within(most: Callable[[pd.Series], float]) -> Probability:
    """err(h_priv) keeps to a bound, by its estimates, where the mechanism's own bound is not vacuous."""

    def promised(first: pd.Series) -> float:
        return nan if first["vacuous"] else most(first)

    return Probability((Limit("fresh_error", promised, factor=0.5, trivial=1.0),), may_fail=times(2, "beta"))


def enough_queries(words: str, least: Callable[[float, float], float]) -> tuple[Condition, ...]:
    """β ≤ α, and at least so many queries."""
    return (
        Condition("beta ≤ alpha < 1", ("beta", "alpha"), lambda first: bool(first["beta"] <= first["alpha"] < 1)),
        Condition(words, ("m", "alpha", "beta"), lambda first: bool(first["m"] >= least(first["alpha"], first["beta"]))),
    )


def _last_inequality() -> Iterator[Number]:
    for alpha, ratio in ((0.01, 1.0), (0.01, 6.0), (0.001, 10.0)):
        beta = alpha
        m, gamma = least_m(alpha, beta), ratio * alpha
        left = beta + 3 * (alpha + gamma + sqrt((alpha + gamma) * log(m / beta) / (2 * m)))
        yield Number(f"α = β = {alpha:g}, γ = {ratio:g}α", left, 3 * gamma + 7 * alpha)


WHERE = (*printed_cutoff("A_binClas", "BTT18"), *enough_queries("m ≥ 4 ln(1/(αβ))/α", least_m))

CLAIMS = (
    Claim(
        "BTT18:C4.1",
        "BTT18 Claim 4.1",
        "Let β ≤ α and m ≥ 4 ln(1/(αβ))/α. Then with probability at least 1 − 2β over the training set, "
        "err(h_priv) ≤ 3γ + 7α, where h_priv answers a single query, a ⊥ counting as a fair coin.",
        where=WHERE,
        decider=fresh_error_within(seven_alpha),
    ),
    Claim(
        "BTT18:C4.1-repaired",
        "BTT18 Claim 4.1, repaired",
        "With probability at least 1 − 2β over the training set, err(h_priv) ≤ 3(α + γ), by Markov's inequality, for any m.",
        where=WHERE,
        decider=fresh_error_within(_markov),
        nature="repair",
        of="BTT18:C4.1-step",
    ),
    Claim(
        "BTT18:C4.1-step",
        "BTT18 Claim 4.1, proof",
        "β + 3(α + γ + √((α+γ) ln(m/β)/(2m))) ≤ 3γ + 7α for β ≤ α and m ≥ 4 ln(1/(αβ))/α.",
        decider=Computed(_last_inequality),
        expected="refuted",
        why=(
            "The deviation √((α+γ) ln(m/β)/(2m)) grows with γ, and m is chosen by α alone: from γ ≈ 5α on it is more than "
            "what is left of 7α. The claim itself holds, by Markov's inequality and for every m."
        ),
        nature="step",
        of="BTT18:C4.1",
    ),
)
