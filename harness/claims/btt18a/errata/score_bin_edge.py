"""Theorem 5.14: a mean on one side of a bin's edge, and predictions on the other."""

from harness.claims.btt18a.t5_14 import THEOREM
from harness.claims.engine import Erratum, Quote

ERRATA = (
    Erratum(
        id="the-mean-beyond-the-edge",
        title="The bin that passes the first test need not be the one that has the mean",
        severity="conclusion false",
        quotes=(
            THEOREM,
            Quote(
                "BTT18a §5 (Theorem 5.14, proof)",
                "If the query passes the stability test from the first round, then the output score must be the mid-point of "
                "one of these two intervals. Hence, the accuracy condition in the theorem statement will hold for x_ℓ in this "
                "case.",
            ),
        ),
        why=(
            "8α√(2n') + ν/2 is γ/2, half a bin, and only the midpoint of the mean's own bin is within that. The other of the "
            "two intervals may hold most of the predictions and pass; its midpoint is off by γ/2 and what the mean is short "
            "of the edge."
        ),
        counterexample=(
            "n' = 1, one query, T = 1, ε = 1, δ = 10⁻⁶, β = 0.05. The learner says ½ where its example's label is 1, of "
            "probability 9/10, and 0.49 where it is 0. So the mean is 0.499, α = 0.01·√0.18, and ν is chosen to make γ = "
            "1/10. Nine tenths of the predictions are at ½, in the bin [0.5, 0.6). But for a chance of 3·10⁻²⁵ the answer is "
            "0.55: off by 0.051, where 0.05 is claimed."
        ),
        holds=(
            "Within γ/2 + 4α√(2n') = 12α√(2n') + ν/2 of its mean, for ε up to 100 and δ and β up to 0.2, with the loop and w "
            "repaired; queries of ν-weak quality keep 8α√(2n') + ν/2."
        ),
        answer="A constant: the theorem is about the order of α√n' + ν, and 12 does as well as 8.",
        claims=("BTT18a:T5.14",),
        repairs=("BTT18a:T5.14-repaired", "BTT18a:T5.14-corners"),
        script="score_bin_edge",
    ),
)
