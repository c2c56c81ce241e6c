"""BTT18a Lemma 3.3: one A_stab where neighbours agree on f(D); decided over all tables of votes, of any range.

The distance of Theorem 3.2 has sensitivity 1. That of A_subSamp, ct(top) − ct(second) − 1, has 2, whatever the range is: a vote
that is moved from the winner to the second moves both.
"""

from collections.abc import Callable, Iterator
from functools import partial
from math import log

import numpy as np

from harness.claims.engine import Claim, Computed, Number
from harness.theory.privacy.laplace import log_tail
from harness.theory.privacy.tables import Table, corrected, own_distance, pairs, printed, winner

CASES = ((0.1, 1e-6), (1.0, 1e-6), (1.0, 1e-2), (5.0, 1e-9))
CHUNKS = "Decided on all tables of votes of 2 to 4 labels and up to 8 chunks."


def agreeing(distance: Callable[[Table], int]) -> Iterator[Number]:
    """The largest |ln P(s)/Q(s)| over neighbours of one winner, of both outcomes of A_stab."""
    moves = {(distance(a), distance(b)) for a, b in pairs() if winner(a) == winner(b)}
    first, second = (np.array(each, dtype=np.float64) for each in zip(*moves, strict=True))
    for eps, delta in CASES:
        p, q = (log(1 / delta) - eps * each for each in (first, second))
        loss = max(float(np.abs(log_tail(sign * p) - log_tail(sign * q)).max()) for sign in (1, -1))
        yield Number(f"ln P(s)/Q(s), ε = {eps:g}, δ = {delta:g}", loss, eps)


CLAIMS = (
    Claim(
        "BTT18a:L3.3",
        "BTT18a Lemma 3.3",
        "With dist the largest k for which f(D) is k-stable: if f(D) = f(D') then P(A_stab(D) = s) is at most e^ε "
        f"P(A_stab(D') = s) for every s. {CHUNKS}",
        decider=Computed(partial(agreeing, own_distance)),
    ),
    Claim(
        "BTT18a:L3.3-subsamp",
        "BTT18a Lemma 3.3, with the distance of Algorithm 4",
        "With dist = max{0, ct(top) − ct(second) − 1}, over any range: "
        "if f(D) = f(D') then P(A_stab(D) = s) is at most e^ε P(A_stab(D') = s) for every s.",
        decider=Computed(partial(agreeing, printed)),
        expected="refuted",
        why=(
            "The lemma is about the true distance to instability, which one example changes by 1. Algorithm 4 uses the gap of"
            " the votes, which it changes by 2, so that the ratio is e^{2ε}."
        ),
    ),
    Claim(
        "BTT18a:L3.3-subsamp-repaired",
        "BTT18a Lemma 3.3, with the distance of Algorithm 4, repaired",
        "With dist = max{0, ⌈(ct(top) − ct(second))/2⌉ − 1}, over any range: "
        f"if f(D) = f(D') then P(A_stab(D) = s) is at most e^ε P(A_stab(D') = s) for every s. {CHUNKS}",
        decider=Computed(partial(agreeing, corrected)),
        nature="repair",
        of="BTT18a:L3.3-subsamp",
    ),
)
