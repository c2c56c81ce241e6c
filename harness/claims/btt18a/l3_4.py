"""BTT18a Lemma 3.4: one A_stab where neighbours differ on f(D); decided over all tables of votes, of any range.

Both distances are then 0, so each says ⊥ but for a chance of δ/2. With the distance of A_subSamp, of which the lemma says
nothing, one of them may be 1, where a tie breaks the other way: see Corollary 3.10.
"""

from collections.abc import Callable, Iterator
from functools import partial
from math import log

import numpy as np

from harness.claims.btt18a.l3_3 import CASES, CHUNKS
from harness.claims.btt18a.tables import Table, own_distance, pairs, winner
from harness.claims.engine import Claim, Computed, Number, Quote
from harness.theory.privacy.laplace import tail


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
        quote=Quote(
            "BTT18a §3.1 (Lemma 3.4)",
            "Let D ∈ U* be any fixed dataset. Assume that for any dataset D′ ∈ U* s.t. |DΔD′| = 1, we have f(D) ≠ (D′). Then, "
            "for any output s ∈ R ∪ {⊥}, we have the following with probability at least 1−δ: "
            "A_stab(D, f) = A_stab(D′, f) = ⊥.",
        ),
    ),
)
