"""T = O(1) and the rate that is said to follow."""

from harness.claims.btt18 import t3_4, t3_5
from harness.claims.engine import Erratum

ERRATA = Erratum(
    "one-error-is-one-over-m",
    title="T = O(1) gives a rate of O(1/m), not Õ(V/(εn)) uniformly in β",
    severity="step false, conclusion stands",
    quotes=(t3_4.QUOTE, t3_4.STEP, t3_5.QUOTE, t3_5.STEP),
    why=(
        "Up to M queries T = O(1), and Theorem 3.2 gives T/m = O(1/m). That is Õ(V/(εn)), or Õ(√(V/(εn))) and O(γ), where m is "
        "near M and more where it is far below. A rate is a multiple of 1/m, so the bound says there that no query at all is "
        "misclassified, and the chance that one is does not fall with β."
    ),
    counterexample=(
        "m = 1, β = n⁻², n → ∞, ε = 1, δ = 10⁻⁶: on thresholds with the leftmost consistent learner the one query is "
        "misclassified with a chance of at least 0.6k/n, k = O(log n): at n = 10¹² that is 3.6·10¹⁶ times β, and the factor "
        "grows as n log n. With labels that are flipped with probability γ = 1/n, the one label is flipped with probability "
        "nβ, and then the rate is 1, where O(γ) + Õ(√(V/(εn))) goes to 0."
    ),
    holds=(
        "Both theorems as they are quantified, “for any β there exists M”: for a fixed β their constants may depend on it. "
        "Uniformly in β ≤ 0.2, with T = 3(μ + √(2μL) + L/3), μ = (γ+α)m, L = ln(m/β), at ε ≤ 100 and δ ≤ 0.2: a rate of at "
        "most 6(γ+α) + 2.5L/m, which is O(γ) + Õ(1/m + V/(εn)), or √(V/(εn)) where labels are noisy."
    ),
    answer="β is fixed; and one is interested in many queries, where 1/m is the smaller term.",
    claims=("BTT18:T3.4-step", "BTT18:T3.5-step"),
    repairs=("BTT18:T3.4-repaired", "BTT18:T3.5-repaired"),
    script="one_error_is_one_over_m",
)
