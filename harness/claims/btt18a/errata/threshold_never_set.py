"""Algorithms 6 to 8: ŵ is read before it is set."""

from harness.claims.engine import Erratum, Quote

ERRATA = (
    Erratum(
        id="a-threshold-that-is-not-set",
        title="Algorithm 6 does not say where its noisy threshold begins",
        severity="slip of the pen",
        quotes=(
            Quote(
                "BTT18a §5 (Algorithm 6, step 1)",
                "c ← 0, λ ← √(64T log(2/δ))/ε, w ← λ · log(4m/δ), and AUX ← {GenHist, γ, λ, w}",
            ),
            Quote("BTT18a §5 (Algorithm 8, step 4)", "if dist̂ > ŵ then"),
        ),
        why=(
            "ŵ is assigned in step 6 of Algorithm 6 and step 7 of Algorithm 8, after a ⊥ or a failed test; the first test of "
            "the first query compares with it before that, and it is none of Algorithm 8's inputs."
        ),
        counterexample=(
            "The two algorithms, written down step by step: the first comparison reads a name that nothing has been assigned "
            "to."
        ),
        holds="ŵ ← w + Lap(λ) in step 1 of Algorithm 6, as in step 1 of Algorithms 1 and 3. All claims here are read so.",
        answer="ŵ ← w + Lap(λ) was meant.",
        script="threshold_never_set",
    ),
)
