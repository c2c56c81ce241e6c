"""Theorem 3.6, proof: Lemma 3.8 is of a fresh threshold, and is used of one that has lasted."""

from harness.claims.btt18a.l3 import IN_THE_PROOF, LEMMA
from harness.claims.engine import Erratum, Quote

ERRATA = (
    Erratum(
        id="a-threshold-that-has-lasted-is-low",
        title="In a run an unstable query is answered more often than under a fresh threshold",
        severity="step false, conclusion stands",
        quotes=(
            IN_THE_PROOF,
            Quote(
                "BTT18a §3.2 (Theorem 3.6, proof)",
                "When f(D) ≠ f(D′), by Lemma 3.4, A_1 outputs ⊥ with probability at least 1−δ/2m.",
            ),
            LEMMA,
        ),
        why=(
            "δ/2m is a bound under a threshold that is drawn afresh. In a run the threshold stays until the next ⊥, and "
            "epochs with a low one last longer. So a query in the middle of a run meets a lower threshold, and its chance of "
            "an answer can exceed δ/2m: a union over queries of δ/2m each is not to be had."
        ),
        counterexample=(
            "m = T = 100, δ = 10⁻⁶; 99 queries at distance w (with ε such that w is whole), and then one at distance 0. "
            "Exactly, the last is answered with probability 1.763 times δ/2m, and as a first query with 0.667 times δ/2m."
        ),
        holds=(
            "Any query on which neighbours differ is answered with probability at most min(m, T + 1)·⅔·δ/2m ≤ δ/3 in all, at "
            "every m, T ≥ 1, ε and δ: a union over epochs in place of queries."
        ),
        answer="The union is over epochs, of which there are at most T + 1; the theorem is not touched.",
        claims=("BTT18a:L3.8-run",),
        repairs=("BTT18a:L3.8-run-repaired",),
        script="lasting_threshold",
    ),
)
