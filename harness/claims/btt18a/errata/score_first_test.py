"""Theorem 5.6 (ii): a query that is not d-stable may pass the first test all the same."""

from harness.claims.btt18a.t5_6 import SECOND
from harness.claims.engine import Erratum, Quote

ERRATA = (
    Erratum(
        id="short-of-stable-is-not-unstable",
        title="A query just short of d-stable passes the first test, and does not get the shifted bin's midpoint",
        severity="conclusion false",
        quotes=(
            SECOND,
            Quote(
                "BTT18a §5 (Theorem 5.6, proof)",
                "It remains to prove the second item. Combining the stability property of queries in G_1 with Theorem 3.5 "
                "(with ε ← ε/2√(2T log(2/δ)), δ ← δ/2m, β ← β/4mT), the proof follows.",
            ),
        ),
        why=(
            "Part (ii) is about the second test, to which a query comes only if it fails the first. Not being d-stable is no "
            "reason to fail it: d is far above the threshold w. (Algorithm 8's noise is Lap(2λ), so that the ε of Theorem 3.5 "
            "is 1/2λ = ε/16√(T ln(2/δ)), and not the one in the proof, which is 5.7 times as large.)"
        ),
        counterexample=(
            "γ = 1/10. ⌊d⌋ + 1 predictions are at 0.075 and one at 0.125. The gap is ⌊d⌋, not more than d; on the shifted "
            "partition all are in one bin. Part (ii) says 0.1. The first test passes but for a chance below 2·10⁻⁷ at ε from "
            "0.1 to 10, and the answer is 0.05."
        ),
        holds=(
            "A query in 𝒢₁ gets the midpoint of the bin with most predictions on one of the two partitions, for ε up to 100, "
            "δ and β up to 0.2, with the loop and w repaired."
        ),
        answer="One of the two midpoints is meant, and the proof of Theorem 5.14, where it is used, allows for both.",
        claims=("BTT18a:T5.6-shifted",),
        repairs=("BTT18a:T5.6-shifted-repaired",),
        script="score_first_test",
    ),
)
