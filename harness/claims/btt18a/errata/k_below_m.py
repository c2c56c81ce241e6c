"""Corollary 4.1, proof: ln(m/β) for ln(k/β)."""

from harness.claims.btt18a.c4 import STEP
from harness.claims.engine import Erratum, Quote

ERRATA = (
    Erratum(
        id="fewer-chunks-than-queries",
        title="The mistakes of k hypotheses are bounded as if k were less than m",
        severity="step false, conclusion open",
        quotes=(
            STEP,
            Quote(
                "BTT18a §4.1 (Theorem 4.3)",
                "If n = O((V log(1/α) + log(m/β)) log(mT/min(δ, β)) √(T log(1/δ))/ε / α)",
            ),
            Quote(
                "BTT18a §4.2 (Claim 4.5, proof)",
                "Note that in the proof of Corollary 4.1, we showed that P_{x_1,…,x_m}[(1/m) Σ_t v_t > 3(α+γ+√(log(m/β)/2m))] "
                "< β",
            ),
        ),
        why=(
            "√(m ln(k/β)/2) < √(m ln(m/β)/2) is k < m, which nothing says. At ε = 1, δ = 10⁻⁶ and β = 0.05 the printed k "
            "exceeds m up to some millions of queries at least, and a smaller ε makes it larger without bound. The logarithm "
            "of Theorem 4.3's n comes from the same place: (α, β/k, n/k)-learners have ln(k/β)."
        ),
        counterexample=(
            "m = 1000, γ + α = 1/4, ε = 1, δ = 10⁻⁶, β = 0.05: B = 320.4, T = 961 < m, k = 465,373. Hypotheses that err on "
            "sets of mass 1/4 drawn at random make independent numbers of mistakes, Bin(1000, 1/4) each; one of the k makes "
            "more than B with probability 0.12, more than twice β."
        ),
        holds=(
            "With probability at least 1 − β none errs on more than (γ+α)m + √(m ln(k/β)/2), at every m, k, β and γ + α. The "
            "corollary has not been seen to fail: it needs a third of the hypotheses to be wrong on one query, and not one of "
            "them on many."
        ),
        answer="Take k for m in the logarithm of T, or assume m ≥ k; only logarithms change.",
        claims=("BTT18a:C4.1-B",),
        repairs=("BTT18a:C4.1-B-repaired",),
        script="k_below_m",
    ),
)
