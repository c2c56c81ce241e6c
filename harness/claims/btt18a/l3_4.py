"""BTT18a Lemma 3.4: one A_stab where neighbours differ on f(D); decided over all tables of votes, of any range.

Both distances are then 0, so each says ⊥ but for a chance of δ/2. With the distance of A_subSamp one of them may be 1, where a
tie breaks the other way.
"""

from collections.abc import Callable, Iterator
from functools import partial
from math import log

import numpy as np

from harness.claims.btt18a.l3_3 import CASES, CHUNKS
from harness.claims.engine import Claim, Computed, Number
from harness.theory.privacy.laplace import tail
from harness.theory.privacy.tables import Table, corrected, own_distance, pairs, printed, winner


def differing(distance: Callable[[Table], int]) -> Iterator[Number]:
    """The largest chance that not both of two runs say ⊥, over neighbours of different winners."""
    moves = {(distance(a), distance(b)) for a, b in pairs() if winner(a) != winner(b)}
    first, second = (np.array(each, dtype=np.float64) for each in zip(*moves, strict=True))
    for eps, delta in CASES:
        p, q = (tail(log(1 / delta) - eps * each) for each in (first, second))
        yield Number(f"P(not both are ⊥), ε = {eps:g}, δ = {delta:g}", float((p + q - p * q).max()), delta)


CLAIMS = (
    Claim(
        "BTT18a:L3.4",
        "BTT18a Lemma 3.4",
        "With dist the largest k for which f(D) is k-stable: if f(D) and f(D') differ then with probability at least 1 − δ "
        f"A_stab(D) = A_stab(D') = ⊥. {CHUNKS}",
        decider=Computed(partial(differing, own_distance)),
    ),
    Claim(
        "BTT18a:L3.4-subsamp",
        "BTT18a Lemma 3.4, with the distance of Algorithm 4",
        "With dist = max{0, ct(top) − ct(second) − 1}, over any range: "
        "if f(D) and f(D') differ then with probability at least 1 − δ A_stab(D) = A_stab(D') = ⊥.",
        decider=Computed(partial(differing, printed)),
        expected="refuted",
        why=(
            "The lemma needs the distance to be 0 wherever one example can change the answer. At a gap of 2 one example makes"
            " a tie, which may break the other way, and there the distance of Algorithm 4 is 1."
        ),
    ),
    Claim(
        "BTT18a:L3.4-subsamp-repaired",
        "BTT18a Lemma 3.4, with the distance of Algorithm 4, repaired",
        "With dist = max{0, ⌈(ct(top) − ct(second))/2⌉ − 1}, over any range: "
        f"if f(D) and f(D') differ then with probability at least 1 − δ A_stab(D) = A_stab(D') = ⊥. {CHUNKS}",
        decider=Computed(partial(differing, corrected)),
        nature="repair",
        of="BTT18a:L3.4-subsamp",
    ),
)
