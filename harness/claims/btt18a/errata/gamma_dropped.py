"""Theorem 4.4: γ is in the first form of n, and not in the second."""

from harness.claims.btt18a.t4 import BOTH_FORMS, T4_7
from harness.claims.engine import Erratum, Quote

ERRATA = (
    Erratum(
        id="gamma-left-out-of-n",
        title="The short form of n in the agnostic case leaves γ out",
        severity="condition not stated",
        quotes=(
            BOTH_FORMS,
            Quote(
                "BTT18a §4.1 (before Theorem 4.3)",
                "Assuming m = Ω̃(1/α²), the setting of T in Corollary 4.1 becomes T = O(m(α+γ)). Hence, setting k as in "
                "Algorithm 4 implies that k ≈ Õ(m^{2/3}V^{1/3}/n^{1/3}).",
            ),
            T4_7,
        ),
        why=(
            "The first form has √T, T = 3((α+γ)m + …). The second has √(αm) in its place, which is less by √(α/(α+γ)). The "
            "short form of k, with k ≈ √T and T ≥ 3γm, is too small likewise where γ is not O(α)."
        ),
        counterexample=(
            "γ = 0.1 while α falls, at the least m that the theorem allows, V = 10, ε = 1, δ = 10⁻⁶, β = 10⁻³: with all "
            "logarithms equal the first form is 55 times the second at α = 10⁻⁴ and 5·10⁵ times at 10⁻¹². Each factor of 10 "
            "in α makes another of at least 3.1, and no logarithm does that."
        ),
        holds=(
            "n = Õ(V√(m(α+γ))/(εα²)), whether γ is large or small beside α. The first form is right where ln(k/β) = "
            "O(ln(m/β)), and both are where γ = O(α). Nothing is known against the conclusion of Theorem 4.7, err = O(α+γ): "
            "chunks need not be trained to less than max(α, γ) for that."
        ),
        answer="Õ is for γ = O(α), or a constant γ is among what it hides; the first form is the theorem.",
        claims=("BTT18a:T4.4",),
        repairs=("BTT18a:T4.4-repaired", "BTT18a:T4.4-first"),
        script="gamma_dropped",
    ),
)
