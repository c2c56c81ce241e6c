"""A strict inequality at 0."""

from harness.claims.engine import Erratum, Quote

ERRATA = Erratum(
    "fewer-than-none",
    title="The counting lemma is strict, and false where nobody errs",
    severity="slip of the pen",
    quotes=(
        Quote(
            "BTT18 §3, p. 6 (Lemma 3.3)",
            "For any ξ ∈ (0, 1/2], |{i ∈ [m] : |{j ∈ [k] : h_j(x̃_i) ≠ ỹ_i}| > ξk}| < B/ξ.",
        ),
        Quote(
            "BTT18a §4.1 (Lemma 4.2)",
            "Then, for any ξ ∈ (0, 1/2], |{i ∈ [m] : |{j ∈ [k] : h_j(x_i) ≠ y_i}| > ξk}| < B/ξ",
        ),
    ),
    why="B bounds the mistakes of each classifier, and may be 0. Then no query is bad, and 0 < 0/ξ is false.",
    counterexample=(
        "k = m = 1 and a classifier that is right: B = 0, 0 queries have more than ξ wrong votes, and 0 < 0 is false."
    ),
    holds="At most B/ξ, for every B ≥ 0; strictly fewer for B > 0. The proofs that use it have B > 0, as (γ + α)m > 0.",
    answer="B is above 0 wherever the lemma is used.",
    claims=("BTT18:L3.3-none",),
    repairs=("BTT18:L3.3-none-repaired",),
    script="no_mistakes",
)
