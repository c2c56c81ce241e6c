"""BTT18a Lemma 3.7: where f(D) = f(D'), the second phase of A_OQR says the same on both."""

from collections.abc import Iterator

from harness.claims.btt18a.tables import SHAPES, pairs, winner
from harness.claims.engine import Claim, Computed, Number, Quote


def _numbers() -> Iterator[Number]:
    for shape in SHAPES:
        agreeing = [(a, b) for a, b in pairs((shape,)) if winner(a) == winner(b)]
        apart = sum(a.index(max(a)) != b.index(max(b)) for a, b in agreeing)
        yield Number(f"pairs on which the laws of the answer differ, {shape[0]} labels, {shape[1]} chunks", apart, 0)


CLAIMS = (
    Claim(
        "BTT18a:L3.7",
        "BTT18a Lemma 3.7",
        "If f(D) = f(D'), then A₂, which is invoked where A₁ says ⊤ and outputs f(D), has the same law on D and D'.",
        decider=Computed(_numbers),
        quote=Quote(
            "BTT18a §3.2 (Lemma 3.7)",
            "Let D ∈ U* be any fixed dataset. Assume that for any dataset D′ ∈ U* s.t. |DΔD′| = 1, we have f(D) = f(D′). "
            "Then, for any output s ∈ R, we have the following for the invocation of Algorithm A_2: Pr[A_2(D, f) = s] = "
            "Pr[A_2(D′, f) = s].",
        ),
        check="identity",
    ),
)
