"""The last inequality of Claim 4.1's proof."""

from harness.claims.engine import Erratum, Quote

ERRATA = Erratum(
    "a-deviation-that-grows-with-gamma",
    title="The last inequality of Claim 4.1's proof is false where γ is more than five to seven times α",
    severity="step false, conclusion stands",
    quotes=(
        Quote(
            "BTT18 §4, pp. 7 and 8 (Claim 4.1, proof)",
            "P[(1/m) Σ_{t=1}^m v_t > 3(α + γ + √(log(m/β)/(2m(α+γ))))] < β. Hence, for any t ∈ [m], we have E[v_t] = E[(1/m) "
            "Σ_{t=1}^m v_t] < β + 3(α + γ + √(log(m/β)/(2m(α+γ)))) ≤ 7α + 3γ.",
        ),
    ),
    why=(
        "Theorem 3.2's B over m has the root √((α+γ) log(m/β)/(2m)), which grows with γ, and m ≥ 4 log(1/αβ)/α is chosen by α "
        "alone: from a γ on that is about 5α at α = 0.01 and 7α as α → 0, three times the root and β are more than 4α. (Here "
        "α + γ is taken above the fraction line, as in Theorem 3.2. With it below, as the display has it, the inequality is "
        "false at γ = 0 already: 1.29 against 0.07 at α = β = 0.01.)"
    ),
    counterexample=(
        "α = β = 0.01, γ = 0.06, m = 3,684: β + 3(α + γ + √((α+γ) ln(m/β)/(2m))) = 0.01 + 3(0.07 + 0.01103) = 0.2531, and 3γ "
        "+ 7α = 0.25."
    ),
    holds=(
        "The claim itself, and more: err(h_priv) ≤ 3(α + γ) by Markov's inequality, for β ≤ α, the claim's m, T ≥ 1 and ε ≤ "
        "10. With it the 15α of Theorem 4.2 is 7α, and the 7γ + 15α of Theorem 4.3 is 7γ + 7α."
    ),
    answer="m may be taken larger by a constant times 1 + γ/α; the O(γ + α) does not change.",
    claims=("BTT18:C4.1-step",),
    repairs=("BTT18:C4.1-repaired",),
    script="claim_4_1_step",
)
