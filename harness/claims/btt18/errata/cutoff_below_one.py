"""A cutoff below 1."""

from harness.claims.engine import Erratum, Quote

ERRATA = Erratum(
    "a-cutoff-below-one",
    title="Theorem 3.2 sets a cutoff that may be below 1, where Theorem 3.1 fails",
    severity="condition not stated",
    quotes=(
        Quote(
            "BTT18 §3, p. 5 (Theorem 3.2)",
            "In Algorithm A_binClas (Algorithm 2), suppose we set the cutoff parameter as T = 3((γ + α)m + √((γ + α)m "
            "log(m/β)/2)).",
        ),
        Quote("BTT18 §3, p. 5 (Algorithm 2, steps 1 and 5)", "c ← 0, λ ← √(32T log(2/δ))/ε; for i ∈ [m] and c ≤ T do"),
        Quote("BTT18 §3, p. 5 (Theorem 3.1)", "Algorithm A_binClas (Algorithm 2) is (ε, δ)-DP."),
    ),
    why=(
        "λ falls as √T, and the loop runs until c > T: one ⊥ is let out at every T, however small. Nothing says that T is at "
        "least 1, and the T of Theorem 3.2 is any number above 0."
    ),
    counterexample=(
        "m = 1, ε = 1, δ = 10⁻⁶, β = 0.05, γ = 0, α = 7.4·10⁻⁸: T = 0.001, λ = 0.68, w = 19.8. Where one vote moves the "
        "distance from 22 to 20, ⊥ has probability 0.123 and 0.442: 0.442 − e·0.123 = 0.109, far above δ."
    ),
    holds=(
        "Theorem 3.1 for T ≥ 1, as it is certified there for ε ≤ 5. Read T = max(1, 3B), or ⌈3B⌉: k is then that of T, and "
        "the rate T/m at least 1/m."
    ),
    answer="T counts queries, so it is a whole number and at least 1.",
    claims=("BTT18:T3.1-any-cutoff",),
    repairs=(),
    script="cutoff_below_one",
)
