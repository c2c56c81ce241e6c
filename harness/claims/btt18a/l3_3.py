"""BTT18a Lemma 3.3: one A_stab where neighbours agree on f(D); decided over all tables of votes, of any range.

The distance of Theorem 3.2 has sensitivity 1. That of A_subSamp has 2, of which the lemma says nothing: see Corollary 3.10.
"""

from collections.abc import Callable, Iterator
from functools import partial
from math import log

import numpy as np

from harness.claims.btt18a.tables import Table, own_distance, pairs, winner
from harness.claims.engine import Claim, Computed, Number, Quote
from harness.theory.privacy.laplace import log_tail

CASES = ((0.1, 1e-6), (1.0, 1e-6), (1.0, 1e-2), (5.0, 1e-9), (0.1, 0.2), (100.0, 0.2), (100.0, 1e-10))
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
        quote=Quote(
            "BTT18a §3.1 (Lemma 3.3)",
            "Let D ∈ U* be any fixed dataset. Assume that for any dataset D′ ∈ U* s.t. |DΔD′| = 1, we have f(D) = f(D′). Then, "
            "for any output s ∈ R ∪ {⊥}, we have: Pr[A_stab(D, f) = s] ≤ e^ε Pr[A_stab(D′, f) = s].",
        ),
    ),
)
