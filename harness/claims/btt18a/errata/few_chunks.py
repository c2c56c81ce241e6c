"""Theorem 3.11: the number of chunks falls as 1/ε, and what is asked of it does not."""

from harness.claims.btt18a.t3 import BOTH, THEOREM
from harness.claims.engine import Erratum, Quote

ERRATA = (
    Erratum(
        id="too-few-chunks-at-large-epsilon",
        title="At large ε the printed k is too small for two thirds of the votes to agree",
        severity="condition not stated",
        quotes=(
            BOTH,
            THEOREM,
            Quote(
                "BTT18a §5 (Lemma 5.13, proof)",
                "we get that if k ≥ 72 log(2/β′) with probability at least 1−β′/2, at least 2k/3 points of S lie in either "
                "the leftmost or the rightmost interval of P^γ.",
            ),
        ),
        why=(
            "k falls as 1/ε, and 72 ln(2m/β) does not depend on ε. So the first condition fails where ε is more than 17/9·√(T "
            "ln(2/δ)) ln(4mT/min(δ, β/2))/ln(2m/β), and the second, with the 1 of Algorithm 4, where ε is more than "
            "0.0785·ln(4mT/min(δ, β/2)) √(T ln(2/δ)). Nothing restricts ε. Lemma 5.13 does not ensure its 72 ln(2/β') either, "
            "but holds without: Definition 5.7 gives 63/64 for the 3/4."
        ),
        counterexample=(
            "ε = 100, δ = β = 0.2, m = 100, T = 1: k = 17.1. 99 queries of two labels, votes independent and each x_f with "
            "probability 3/4: with 18 chunks fewer than half are x_f on one of them with probability 0.42, with 17 with 0.71. "
            "The proof's line: at δ = 10⁻⁶, β = 0.05, m = T = 1 the first condition fails at ε = 30, the second from 4.6 on."
        ),
        holds=(
            "Both conditions for ε up to the smaller of (136 − 96√2)/3·ln(4mT/min(δ, β/2))√(T ln(2/δ)) and 17/9·√(T ln(2/δ)), "
            "at every m, T, δ and β: at δ = 10⁻⁶, β = 0.05, m = T = 1 up to 4.5. Or k = max(printed k, 72 ln(2m/β)), and 3 "
            "more."
        ),
        answer="ε is a constant of at most 1, as is usual; then both hold for δ up to 0.01, at every m, T and β.",
        claims=("BTT18a:T3.11-every", "BTT18a:T3.11-both"),
        repairs=("BTT18a:T3.11-both-repaired",),
        script="few_chunks",
    ),
)
