"""err(h_j) ≤ α in the agnostic case."""

from harness.claims.engine import Erratum, Quote

ERRATA = Erratum(
    "an-error-below-gamma",
    title="The proofs of Claims 4.1 and 4.5 begin with err(h_j) ≤ α, which no hypothesis meets where γ > α",
    severity="slip of the pen",
    quotes=(
        Quote(
            "BTT18 §4, p. 7 (Claim 4.1, proof)",
            "First, note that w.p. ≥ 1 − β (over the randomness of the input dataset D), for all j ∈ [k], we have err(h_j; D) "
            "≤ α.",
        ),
        Quote(
            "BTT18a §4.2 (Claim 4.5, proof)",
            "First, note that w.p. ≥ 1 − β (over the randomness of the input dataset D) for all j ∈ [k], err(h_j; D) ≤ α.",
        ),
    ),
    why="Θ is an agnostic learner: Definition 2.1 gives err(h_j) ≤ γ + α, and no hypothesis of the class errs less than γ.",
    counterexample=(
        "One point whose label is 1 with probability 2/5, and the two constant classifiers: their errors are 2/5 and 3/5, γ = "
        "2/5. At α = 1/10 none errs as little as α."
    ),
    holds="err(h_j) ≤ γ + α for all j but for β, which is what the rest of both proofs uses: γ + α stands in the next display.",
    answer="A γ was left out.",
    claims=("BTT18:C4.1-alpha",),
    repairs=("BTT18:C4.1-repaired",),
    script="error_at_most_alpha",
)
