"""BTT18a Theorem 3.6: the privacy of A_OQR on queries of any range, by what is certified of a whole run.

With the distance that it asks for, sensitivity 1 and 0 where neighbours differ, nothing about the range enters. λ is printed
for T ⊥s and the loop lets ⌊T⌋ + 1 out; the slack of advanced composition has room for it.
"""

from collections.abc import Iterator
from math import log, sqrt

from harness.claims.engine import Claim, Computed, Number
from harness.theory.privacy.composition import epochs
from harness.theory.privacy.distance import Distance
from harness.theory.privacy.spent import certified
from harness.theory.privacy.tables import own_distance, sensitivity, unsettled

GRID = tuple((eps, m, T) for eps in (0.1, 1.0, 5.0, 10.0) for m, T in ((100, 1.0), (1000, 10.0), (10**5, 1000.0)))


def certified_runs(distance: Distance, most_eps: float, share: float = 1.0) -> Iterator[Number]:
    """An ε' that runs with `share` times the printed λ certainly keep to at δ = 1e-6, against ε."""
    for eps, m, T in GRID:
        if eps <= most_eps:
            lam = share * sqrt(32 * T * log(2 / 1e-6)) / eps
            spent = certified(distance, lam, 2 * lam * log(2 * m / 1e-6), epochs(m, T), 1e-6)
            yield Number(f"ε spent at δ = 1e-6, ε = {eps:g}, m = {m:g}, T = {T:g}", spent, eps)


def own_runs(share: float = 1.0) -> Iterator[Number]:
    """The same of the largest k for which f(D) is k-stable."""
    found = Distance("own", lambda gap: gap, sensitivity(own_distance), unsettled(own_distance))
    return certified_runs(found, 10.0, share)


CLAIMS = (
    Claim(
        "BTT18a:T3.6",
        "BTT18a Theorem 3.6",
        "If dist is the largest k for which f(D) is k-stable, A_OQR is (ε, δ)-DP for queries of any range. Certified for ε "
        "up to 10, with the distance's sensitivity and what it is where neighbours differ found on all tables of votes of 2 "
        "to 4 labels and up to 8 chunks.",
        decider=Computed(own_runs),
    ),
)
