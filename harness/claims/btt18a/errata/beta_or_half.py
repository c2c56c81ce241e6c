"""Theorem 4.3: a k that is said to be Algorithm 4's, and is not."""

from harness.claims.engine import Erratum, Quote

ERRATA = (
    Erratum(
        id="beta-for-half-of-it",
        title="The k of Theorem 4.3 is not that of Algorithm 4, which it is said to be",
        severity="slip of the pen",
        quotes=(
            Quote(
                "BTT18a §4.1 (Theorem 4.3)",
                "k as in Algorithm 4 (i.e., k = 136 log(4mT/min(δ, β)) √(T log(2/δ))/ε)",
            ),
            Quote("BTT18a §3.3 (Algorithm 4, step 1)", "k ← 136 · log(4mT/min(δ, β/2)) √(T log(2/δ))/ε"),
        ),
        why="One has β and the other β/2 in the logarithm; they are the same only where δ ≤ β/2.",
        counterexample="m = 100, T = 10, ε = 1, δ = 0.1, β = 10⁻³: they differ by more than 60 chunks.",
        holds="Algorithm 4's, with β/2, is what the proof of Theorem 3.11 uses. Claims on Theorem 4.3 are decided with it.",
        answer="β/2 was meant.",
        script="beta_or_half",
    ),
)
