"""BTT18a Lemma 3.7: where f(D) = f(D'), the second phase of A_OQR says the same on both."""

from collections.abc import Iterator

from harness.claims.engine import Claim, Computed, Number
from harness.theory.privacy.tables import SHAPES, pairs, winner


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
        check="identity",
    ),
)
