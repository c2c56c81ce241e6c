"""BTT18 Theorem 3.4, the explicit rate in the realizable case.

Part (i) cannot hold where m is far below M: a misclassification rate that is guaranteed cannot be below 1/m unless it is 0. The
repair has the 1/m that T ≥ 1 costs: the explicit fixed point T/m.
"""

from collections.abc import Iterator
from math import log

from harness.claims.engine import Claim, Computed, Number, Rate, promising, task_of
from harness.theory import pac
from harness.theory.constants import constants
from harness.theory.fixed_point import plan_for_n


def _small_m() -> Iterator[Number]:
    n, beta = 10**12, 0.05
    for m in (100, 1000):
        plan = plan_for_n(constants()["BTT18"], task_of(m, beta, pac_bound=pac.thresholds_consistent), n)
        # With T = 1 everything but m is as at M, so V/(εn) up to logarithms is the learner's own error there.
        yield Number(f"T/m against α·(ln n)² at n = 10¹², m = {m}", (plan.T or 1.0) / m, plan.alpha * log(n) ** 2)


CLAIMS = (
    Claim(
        "BTT18:T3.4",
        "BTT18 Theorem 3.4 (i)",
        "Realizable: there is M = Ω̃(εn/V) such that for every m ≤ M the misclassification rate is Õ(V/(εn)). (Cannot hold "
        "for m ≪ M: T ≥ 1 makes the guarantee T/m at least 1/m. A growth by (ln n)² is allowed for the Õ.)",
        decider=Computed(_small_m),
        expected="refuted",
    ),
    Claim(
        "BTT18:T3.4-repaired",
        "BTT18 Theorem 3.4, repaired",
        "Realizable: the misclassification rate is O(T/m) at the least fixed point T, that is Õ(1/m + V/(εn)) for m ≤ "
        "M = Ω̃(εn/V) "
        "and Õ(mV²/(ε²n²)) beyond: measured/(T/m) does not grow with n or m by more than logarithms.",
        where=promising("A_binClas"),
        decider=Rate(),
    ),
)
