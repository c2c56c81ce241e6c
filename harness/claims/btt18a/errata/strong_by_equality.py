"""Lemma 5.13, its last sentence: the score is ν' and not less."""

from harness.claims.btt18a.l5 import LAST
from harness.claims.engine import Erratum, Quote

ERRATA = (
    Erratum(
        id="strong-quality-by-equality",
        title="The score is ν' itself, where strong quality asks for less than ν'",
        severity="slip of the pen",
        quotes=(
            LAST,
            Quote(
                "BTT18a §5 (Definition 5.12)",
                "A randomized learner B is said to have (ν, β)-strong quality for a domain point x ∈ X if h_D^(r)(x) < ν or "
                "h_D^(r)(x) > 1−ν with probability at least 1−β over the random coins r of B and the choice of D ∼ Dⁿ.",
            ),
        ),
        why=(
            "The answer is the midpoint of the outermost bin, γ/2 = 8α√(2n') + ν/2, which is ν' (or 1 − ν'). The definition "
            "has <."
        ),
        counterexample=(
            "γ = 1/10 and ν = 1/50: ν' = 8·(γ − ν)/16 + ν/2 = 1/20, and the score is γ/2 = 1/20. So at every γ and ν."
        ),
        holds="With ≤ and ≥ in the definition the sentence holds, at every γ and ν for which the lemma does.",
        answer="≤ was meant.",
        claims=("BTT18a:L5.13-strong",),
        repairs=("BTT18a:L5.13-strong-repaired",),
        script="strong_by_equality",
    ),
)
