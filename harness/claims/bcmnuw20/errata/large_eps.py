"""Theorem 10: ε is not bounded, as it is in Lemma 7."""

from harness.claims.bcmnuw20 import l7, t10
from harness.claims.engine import Erratum

ERRATA = (
    Erratum(
        id="eps-of-lemma-7-not-in-theorem-10",
        title="Theorem 10 lacks Lemma 7's ε < 1: at large ε its n is smaller than the sample that the error needs",
        severity="condition not stated",
        quotes=(t10.THEOREM, l7.PRIVACY),
        why=(
            "n is inversely proportional to ε, and the error of a sample is not: with m = Õ(1/α) public points some 1/α² "
            "private ones are needed at every ε. Neither the theorem nor Definition 8 bounds ε."
        ),
        counterexample=(
            "Let ε = 1/α². Then n and m together are O(ln(1/α)/α). A coin of mean 2α or −2α is not told apart from o(1/α²) "
            "tosses, and averages within α tell it. With a constant of 10⁶ in both, at α = 10⁻¹⁰ every algorithm misses α "
            "with chance above β = 0.05 on one of the two."
        ),
        holds="Theorem 10 for ε ≤ 1, with explicit n and m (BCMNUW20:T10-proved).",
        answer="That ε < 1 is understood, as in Lemma 7, on which the theorem rests.",
        repairs=("BCMNUW20:T10-proved",),
        script="bcmnuw20_large_eps",
    ),
)
