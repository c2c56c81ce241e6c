"""BTT18a Theorem 3.6: the privacy of A_OQR on queries of any range, by what is certified of a whole run.

With the distance that it asks for, sensitivity 1 and 0 where neighbours differ, nothing about the range enters. λ is printed
for T ⊥s and the loop lets ⌊T⌋ + 1 out; the slack of advanced composition has room for it.
"""

from collections.abc import Iterator
from math import log, sqrt

from harness.claims.btt18a.tables import own_distance, sensitivity, unsettled
from harness.claims.engine import Claim, Computed, Number, Quote
from harness.theory.privacy.composition import epochs
from harness.theory.privacy.distance import Distance
from harness.theory.privacy.spent import certified

DELTAS = (1e-10, 1e-6, 0.1, 0.2)
GRID = tuple(
    (eps, delta, m, T)
    for eps in (0.1, 1.0, 5.0, 10.0, 20.0, 50.0, 100.0)
    for delta in DELTAS
    for m, T in ((1, 1.0), (100, 1.0), (1000, 10.0), (10**5, 1000.0))
)


def certified_runs(distance: Distance, most_eps: float, share: float = 1.0) -> Iterator[Number]:
    """An ε' that runs with `share` times the printed λ certainly keep to, against ε."""
    for eps, delta, m, T in GRID:
        if eps <= most_eps:
            lam = share * sqrt(32 * T * log(2 / delta)) / eps
            spent = certified(distance, lam, 2 * lam * log(2 * m / delta), epochs(m, T), delta, sharp=True)
            yield Number(f"ε spent at δ = {delta:g}, ε = {eps:g}, m = {m:g}, T = {T:g}", spent, eps)


def own_runs(share: float = 1.0) -> Iterator[Number]:
    """The same of the largest k for which f(D) is k-stable."""
    found = Distance("own", lambda gap: gap, sensitivity(own_distance), unsettled(own_distance))
    return certified_runs(found, 100.0, share)


CLAIMS = (
    Claim(
        "BTT18a:T3.6",
        "BTT18a Theorem 3.6",
        "If dist is the largest k for which f(D) is k-stable, A_OQR is (ε, δ)-DP for queries of any range. Certified for ε up "
        "to 100 at δ of 1e-10, 1e-6, 0.1 and 0.2 and four settings of m and T, with the distance's sensitivity and what it is "
        "where neighbours differ found on all tables of votes of 2 to 4 labels and up to 8 chunks.",
        decider=Computed(own_runs),
        quote=Quote(
            "BTT18a §3.2 (Theorem 3.6)",
            "If for all functions f ∈ F, the distance to instability function is dist_f(D) = arg max_k [f(D) is k-stable], "
            "then Algorithm 3 is (ε, δ)-differentially private.",
        ),
    ),
)
