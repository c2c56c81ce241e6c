"""The privacy of PMW and A_PAP, epoch by epoch (BCMNUW20 Lemma 7 and Theorem 10; DR14 Theorem 3.28).

NumericSparse is at most ⌈c⌉ epochs, each of tests under one noisy threshold and one released value; the weights follow from
what is released. An epoch is pure DP, whatever adaptive queries it meets, and the epochs compose by the optimal accountant.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product

from harness.claims.bcmnuw20.l7 import PRIVACY
from harness.claims.engine import Claim, Computed, Number
from harness.mechanisms.release.numeric_sparse import PmwPlan

CASES = ((0.1, 1e-6, 0.1, 4.0), (1.0, 1e-6, 0.1, 4.0), (1.0, 1e-9, 0.01, 12.0), (1.0, 1e-6, 0.01, 700.0), (0.9, 0.1, 0.5, 0.7))
N = 10**7


READINGS = 1 / 4, 1 / 2, 3 / 4, 1, 2, 3
"""α/α' of the readings of Lemma 7."""


def _spends(shares: Sequence[float]) -> Iterator[Number]:
    """The ε that a run spends at δ; it does not depend on n, |H̃| or β. shares: of α/α'."""
    for (eps, delta, alpha, log_cells), share in product(CASES, shares):
        plan = PmwPlan.of(100, log_cells, N, alpha / share, 0.05, eps, delta)
        where = f"ε spent at ε = {eps:g}, δ = {delta:g}, α' = {alpha / share:.3g}, ln |X̃| = {log_cells:g}: c = {plan.c:.3g}"
        yield Number(where, plan.spent(N, delta), eps)


CLAIMS = (
    Claim(
        "BCMNUW20:P",
        "BCMNUW20 Lemma 7, privacy",
        "For ε, δ < 1 PMW is (ε, δ)-DP, and so is A_PAP, whose public points choose its queries and its domain: replacing one "
        "private point replaces one representative. At every inner accuracy α' that Lemma 7 is read with. (At ε = 1 too.)",
        decider=Computed(partial(_spends, READINGS)),
        quote=PRIVACY,
    ),
    Claim(
        "BCMNUW20:P-repaired",
        "BCMNUW20 Lemma 7, privacy, with α' = α/12 and α/4.7",
        "The same at the accuracies with which Lemma 7's error is proved: for ε ≤ 1 and δ ≤ 0.1.",
        decider=Computed(partial(_spends, (12, 4.7))),
        nature="repair",
        of="BCMNUW20:P",
    ),
)
