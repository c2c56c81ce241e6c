"""Theorem 5.6 (i): a ⊥ costs 2 of a counter that may reach T."""

from harness.claims.btt18a.t5_6 import FIRST
from harness.claims.engine import Erratum, Quote

ERRATA = (
    Erratum(
        id="a-bottom-costs-two",
        title="The loop of Algorithm 6 ends after half of the unstable queries that it is for",
        severity="conclusion false",
        quotes=(
            FIRST,
            Quote("BTT18a §5 (Algorithm 6, step 3)", "for ℓ ∈ [m] and c ≤ T do"),
            Quote("BTT18a §5 (Algorithm 6, step 6)", "if ŝ(x_ℓ) = ⊥ then c ← c+2, ŵ ← w + Lap(λ)"),
        ),
        why=(
            "The theorem allows T queries whose first histogram is not stable, and says nothing of their shifted one. Where "
            "that is unstable too the query is ⊥ and raises c by 2, so that the loop ends after ⌊T/2⌋ + 1 of them."
        ),
        counterexample=(
            "m = 2, T = 1, δ = 0.02. In the first query half of the predictions are in the first half of the first bin and "
            "half in the last half of the last: both gaps are 0. The second is unanimous. The first is ⊥ with probability "
            "0.935, c is 2 then, and the second is never answered: β would have to be 0.935."
        ),
        holds=(
            "With a loop that runs while c ≤ 2T, and w = 2λ ln(4m/δ), part (i) holds for ε up to 100 and δ and β up to 0.2. λ "
            "is printed for 2T already, so that privacy allows it."
        ),
        answer="The loop should run while c ≤ 2T: the proof of Theorem 5.4 says that T is replaced by 2T.",
        claims=("BTT18a:T5.6",),
        repairs=("BTT18a:T5.6-repaired", "BTT18a:T5.6-corners"),
        script="score_loop",
    ),
)
