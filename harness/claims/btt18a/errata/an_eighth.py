"""After Lemma 5.8: the lemma is said to give 1/8, and gives 1/4."""

from harness.claims.btt18a.l5 import L5_8
from harness.claims.engine import Erratum, Quote

ERRATA = (
    Erratum(
        id="an-eighth-for-a-quarter",
        title="What Lemma 5.8 is said to say is twice what it says",
        severity="slip of the pen",
        quotes=(
            Quote(
                "BTT18a §5 (after Lemma 5.8)",
                "This lemma basically says that if B is α-on-average stable, then for any domain point x, the set of pairs "
                "(r, D̂) for which h_D̂^(r)(x) is far from its expectation over D̂ by more than ≈ α√n′ has probability "
                "measure less than 1/8.",
            ),
            L5_8,
        ),
        why="The lemma has at least 3/4, so at most 1/4: its proof adds 1/8 for bad coins and 1/8 for bad data.",
        counterexample=(
            "1 − 3/4 = 1/4 = 1/8 + 1/8. (The sentence is not what the lemma says; the number it has is nevertheless true.)"
        ),
        holds=(
            "At most 1/64: averaged over coins the variance is at most α²n'/2, and Chebyshev's inequality holds on average, "
            "at a distance of 4α√(2n')."
        ),
        answer="1/4 was meant.",
        script="an_eighth",
    ),
)
