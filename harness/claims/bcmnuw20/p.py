"""The privacy of PMW and A_PAP, epoch by epoch (BCMNUW20 Lemma 7 and Theorem 10; DR14 Theorem 3.28).

NumericSparse is at most ⌈c⌉ epochs, each of tests under one noisy threshold and one released value; the weights follow from
what is released. An epoch is pure DP, whatever adaptive queries it meets, and the epochs compose by the optimal accountant.
"""

from collections.abc import Iterator
from functools import partial

from harness.claims.engine import Claim, Computed, Number
from harness.mechanisms.release.numeric_sparse import PmwPlan

CASES = ((0.1, 1e-6, 0.1, 4.0), (1.0, 1e-6, 0.1, 4.0), (1.0, 1e-9, 0.01, 12.0), (1.0, 1e-6, 0.01, 700.0), (0.9, 0.1, 0.5, 0.7))
N = 10**7


def _spends(share: float) -> Iterator[Number]:
    """The ε that a run spends at δ; it does not depend on n, |H̃| or β. share: α' = α/share."""
    for eps, delta, alpha, log_cells in CASES:
        plan = PmwPlan.of(100, log_cells, N, alpha / share, 0.05, eps, delta)
        where = f"ε spent at ε = {eps:g}, δ = {delta:g}, α' = {alpha / share:.3g}, ln |X̃| = {log_cells:g}: c = {plan.c:.3g}"
        yield Number(where, plan.spent(N, delta), eps)


CLAIMS = (
    Claim(
        "BCMNUW20:P",
        "BCMNUW20 Lemma 7, privacy",
        "For ε, δ < 1 PMW is (ε, δ)-DP, and so is A_PAP, whose public points choose its queries and its domain: replacing one "
        "private point replaces one representative. (At ε = 1 too; it spends less than half.)",
        decider=Computed(partial(_spends, 2)),
    ),
    Claim(
        "BCMNUW20:P-repaired",
        "BCMNUW20 Lemma 7, privacy, with α' = α/12",
        "The same at the accuracy with which Lemma 7's error holds.",
        decider=Computed(partial(_spends, 12)),
        nature="repair",
        of="BCMNUW20:P",
    ),
)
