"""Theorem 5.4: the threshold of Algorithm 6 lacks a factor of 2, and what is unstable is answered."""

from harness.claims.btt18a.t5_4 import THEOREM
from harness.claims.engine import Erratum, Quote

ERRATA = (
    Erratum(
        id="score-threshold-without-its-two",
        title="The threshold of Algorithm 6 is half of what privacy needs",
        severity="conclusion false",
        quotes=(
            THEOREM,
            Quote("BTT18a §5 (Algorithm 6, step 1)", "c ← 0, λ ← √(64T log(2/δ))/ε, w ← λ · log(4m/δ)"),
            Quote(
                "BTT18a §5 (Theorem 5.4, proof)",
                "Hence, to correct for this increase, we effectively replace the factor T with 2T in the noise and threshold "
                "parameters in Algorithm 3, and also replace δ with δ/2, which explains the extra factors of 2 in their "
                "respective settings in A_SL-Quer.",
            ),
        ),
        why=(
            "Algorithm 3 has w = 2λ ln(2m/δ). With δ/2 for δ that is 2λ ln(4m/δ), and Algorithm 6 has half of it. A test on a "
            "histogram at distance 0 then passes with probability ⅔√(δ/4m) − δ/24m, and its answer may be one that a "
            "neighbour never gives."
        ),
        counterexample=(
            "Three predictions, one query, m = 1, δ = 10⁻⁶, any ε. On D two are in the first bin and one is in the last; on "
            "D' one and two. Both gaps are 1, so both distances are 0. On D the answer γ/2 has probability at least 3.3·10⁻⁴, "
            "on D' it has 0: the bins' midpoints of the shifted partition are multiples of γ. One query alone is too much for "
            "m up to 1/(9δ), and a run of unstable queries for m up to (T + 2)²/(9δ)."
        ),
        holds=(
            "With w = 2λ ln(4m/δ), and a loop that runs while c ≤ 2T, A_SL-Quer is certified (ε, δ)-private for ε up to 10, δ "
            "from 10⁻¹⁰ to 0.2 and T up to 1000."
        ),
        answer=(
            "A misprint in Algorithm 6: the proof itself says to take Algorithm 3's w with δ/2 for δ, which is 2λ log(4m/δ)."
        ),
        claims=("BTT18a:T5.4",),
        repairs=("BTT18a:T5.4-repaired", "BTT18a:T5.4-corners"),
        script="score_threshold",
    ),
)
