"""Definition 5.5: max{1, ·} > d."""

from harness.claims.engine import Erratum, Quote

ERRATA = (
    Erratum(
        id="stable-by-definition",
        title="With max{1, ·} every histogram is 0-stable",
        severity="slip of the pen",
        quotes=(
            Quote(
                "BTT18a §5 (Definition 5.5)",
                "A histogram Hist_S : R → N for a finite set S ⊂ R is said to be d-stable if max{1, max_{v∈R} Hist_S(v) − "
                "second max_{v∈R} Hist_S(v)} > d.",
            ),
        ),
        why=(
            "max{1, ·} is at least 1, so that every histogram, with a tie too, is d-stable for every d below 1. For whole d "
            "it is the distance of Algorithm 8 being at least d, and nothing is wrong; but Theorem 5.6 takes a real number "
            "for d."
        ),
        counterexample=(
            "Predictions (3, 3, 0) in three bins are d-stable at d = 0 and d = 0.9, and one that moves puts another bin in "
            "front. In Theorem 5.6 at δ = β = 0.2 and m = T = 1, d is below 1 from ε = 359 on; there (i) has every tie "
            "answered, and w = λ ln(4m/δ) lets a tie pass less than one time in six."
        ),
        holds=(
            "max{0, max − second max − 1} ≥ d, the distance of Algorithm 8; the same for whole d, and no tie is stable for d "
            "> 0."
        ),
        answer="max{0, max − second max − 1} was meant, as in Algorithms 4 and 8.",
        script="stable_by_definition",
    ),
)
