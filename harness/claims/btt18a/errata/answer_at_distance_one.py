"""Corollary 3.10 at large ε: the printed distance is 1 where one vote changes the answer."""

from harness.claims.btt18a.c3 import C3_10
from harness.claims.engine import Erratum, Quote

ERRATA = (
    Erratum(
        id="a-distance-of-one-from-a-tie",
        title="At large ε the printed distance lets an answer out that a neighbour never gives",
        severity="condition not stated",
        quotes=(
            C3_10,
            Quote(
                "BTT18a §3.1 (Lemma 3.4, proof)",
                "Since f(D) ≠ f(D′), it follows that f(D) and f(D′) are unstable, i.e., dist_f(D) = dist_f(D′) = 0.",
            ),
            Quote(
                "BTT18a §3.3 (Algorithm 4, step 5)", "dist_f̂i ← max{0, (max_{r∈R_i}[ct(r)] − max_{r∈R_i∖f̂_i(D)}[ct(r)]) − 1}"
            ),
        ),
        why=(
            "With k even a gap of 2 is one vote from a tie, which may break the other way. Lemma 3.4 has the distance 0 "
            "there; Algorithm 4's is 1. The answer comes out with probability ⅓δe^(1/2λ) at m = T = 1, up to lower orders, "
            "and 1/2λ grows as ε."
        ),
        counterexample=(
            "ε = 50, δ = 10⁻⁶, m = T = 1, k = 158: 80 votes against 78, and a neighbour with 79 against 79 that answers the "
            "other label or ⊥. The first label is answered with probability 1.064·10⁻⁶, by the neighbour never. At δ = 0.2 it "
            "is so at ε = 21, with k = 50."
        ),
        holds=(
            "Certified for ε up to 20, at δ of 10⁻¹⁰, 10⁻⁶, 0.1 and 0.2 and four settings of m and T; with dist = max{0, "
            "⌈gap/2⌉ − 1}, which is 0 there, for ε up to 100."
        ),
        answer="ε is a constant of at most 1, as always; or ties count as a gap of 0 to both sides.",
        claims=("BTT18a:C3.10-every",),
        repairs=("BTT18a:C3.10-ranges",),
        script="answer_at_distance_one",
    ),
)
