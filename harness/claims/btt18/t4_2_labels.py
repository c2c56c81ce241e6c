"""The step of BTT18 Theorem 4.2's proof that takes the m labels for independent draws; BTT18a Theorem 4.6 has it too.

ŵ is drawn once and stays until a ⊥. So what is answered tells of ŵ, and of what is answered next. Two queries whose distance is
w show it exactly: the first is answered with probability 1/2, and both with 7/24. A ⊥ is a fair coin.
"""

from collections.abc import Iterator
from fractions import Fraction

from harness.claims.engine import Claim, Computed, Number, Quote

BOTH_ANSWERED = Fraction(7, 24)
"""E p(u)² over u ~ Lap(1) with p(u) = P(Lap(2) > u): 1/2 less E p(1 − p), and that is 1/3 − 1/8."""


def _two_queries() -> Iterator[Number]:
    """P(both labels are right) less the product of P(the first is) and P(the second is), which independence makes 0."""
    half = Fraction(1, 2)
    first = half + half * half
    second_answered = BOTH_ANSWERED + half * half  # after a ⊥ the threshold is drawn anew
    second = second_answered + (1 - second_answered) * half
    right = BOTH_ANSWERED + (half - BOTH_ANSWERED) * half + half * half * half + half * half * half**2
    yield Number(
        "P(both right) − P(first right) P(second right), two queries at distance w", float(right - first * second), 0.0
    )
    yield Number("P(second right) − P(first right), two queries at distance w", float(second - first), 0.0)


CLAIMS = (
    Claim(
        "BTT18:T4.2-labels",
        "BTT18 Theorem 4.2, proof",
        "The labelled points (x̃_t, ŷ_t) are drawn independently, all from (D_X, h_priv).",
        decider=Computed(_two_queries),
        expected="refuted",
        nature="step",
        of="BTT18:T4.2",
        quote=Quote(
            "BTT18 §4, p. 8 (Theorem 4.2, proof)",
            "Note that each (x̃_t, ŷ_t), t ∈ [m], is drawn independently from (D_X, h_priv).",
        ),
        why=(
            "h_priv has a state: ŵ stays until a ⊥, and c counts. That a query was answered makes a low ŵ likelier, and with "
            "it that the next is answered. An agnostic PAC learner is promised to learn from independent examples only."
        ),
    ),
)
