"""Theorem 15 and Lemma 18: δ is not bounded."""

from harness.claims.bcmnuw20 import l18, t15
from harness.claims.engine import Erratum, Quote

ERRATA = (
    Erratum(
        id="rows-published-with-chance-delta",
        title="Without a bound on nδ private rows are public ones: each may be published with chance δ",
        severity="condition not stated",
        quotes=(
            t15.THEOREM,
            Quote(
                "BCMNUW20 §5 (after Theorem 15)",
                "We stress that the above lower bound on the public sample complexity holds regardless of the number of "
                "private samples, which can be arbitrarily large.",
            ),
            l18.LEMMA,
            Quote(
                "BCMNUW20 §2.2 (Definition 6)",
                "A randomized algorithm A : 𝒳ⁿ → 𝒵 is (ε, δ)-differentially private if for all neighboring x, x′ ∈ 𝒳ⁿ and all "
                "Z ⊆ 𝒵 ℙ[A(x) ∈ Z] ≤ e^ε ℙ[A(x′) ∈ Z] + δ",
            ),
        ),
        why="Neither the theorem and the lemma nor Definitions 6, 8 and 16 bound δ, and n may be as large as one likes, so nδ "
        "may be. Theorem 13 excludes it by δ = 1/4n.",
        counterexample="Publish each private row with chance δ = 10⁻⁶ and use what is published. A row that is replaced "
        "matters only where it is published, so this is (0, δ)-private. With n = 40/(δα²) rows, 4·10⁹ at α = 0.1, at least "
        "nδ/2 = 2000 are published but for a chance of e^(−nδ/8) = e⁻⁵⁰⁰, and averages of all thresholds are then within α but "
        "for 2e^(−10) < 10⁻⁴. So m = 0 at every α.",
        holds="Nothing of ours: that some bound on nδ is needed. Verdicts here say so, and conclude nothing from runs at nδ ≥ "
        "1.",
        answer="That δ is understood to be negligible in n, as is usual; what [1] says of it is not quoted here.",
        script="no_bound_on_delta",
    ),
)
