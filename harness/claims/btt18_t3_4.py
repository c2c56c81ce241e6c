"""BTT18 Theorem 3.4, the explicit rate in the realizable case, and the baseline it is compared with."""

from collections.abc import Iterable
from math import log

from harness.claims.claim import ComputedClaim, Number
from harness.claims.given import task_of
from harness.claims.rate import MeasuredRate
from harness.theory import pac
from harness.theory.fixed_point import plan_for_n
from harness.theory.parameters import CONSTANTS


class SmallM(ComputedClaim):
    """Part (i) where m is far below M: a misclassification rate that is guaranteed cannot be below 1/m unless it is 0."""

    id = "BTT18:T3.4"
    source = "BTT18 Theorem 3.4 (i)"
    statement = (
        "Realizable: there is M = Ω̃(εn/V) such that for every m ≤ M the misclassification rate is Õ(V/(εn)). (Cannot hold for "
        "m ≪ M: T ≥ 1 makes the guarantee T/m at least 1/m. A growth by (ln n)² is allowed for the Õ.)"
    )
    expected = "refuted"

    def numbers(self) -> Iterable[Number]:
        n, beta = 10**12, 0.05
        for m in (100, 1000):
            task = task_of(m, beta, pac_bound=pac.thresholds_consistent)
            plan = plan_for_n(CONSTANTS["BTT18"], task, n)
            # With T = 1 everything but m is as at M, so V/(εn) up to logarithms is the learner's own error there.
            yield Number(f"T/m against α·(ln n)² at n = 10¹², m = {m}", (plan.T or 1.0) / m, plan.alpha * log(n) ** 2)


class SmallMRepaired(MeasuredRate):
    """Parts (i) and (ii) with the 1/m that T ≥ 1 costs: the explicit fixed point T/m."""

    id = "BTT18:T3.4-repaired"
    source = "BTT18 Theorem 3.4, repaired"
    statement = (
        "Realizable: the misclassification rate is O(T/m) at the least fixed point T, that is Õ(1/m + V/(εn)) for m ≤ "
        "M = Ω̃(εn/V) "
        "and Õ(mV²/(ε²n²)) beyond: measured/(T/m) does not grow with n or m by more than logarithms."
    )
    mechanism = "A_binClas"


class AdvancedComposition(MeasuredRate):
    """The baseline: measured against 3B(α at its own s)/m."""

    id = "BTT18:AC"
    source = "BTT18 §1.1 and §3, DR14 Corollary 3.21"
    statement = (
        "A straightforward application of advanced composition has misclassification rate Õ(√m·V/(εn)): measured against the "
        "explicit bound at the k = (6/ε₀) ln(m/(2β)) that it needs, the ratio does not grow with n or m."
    )
    mechanism = "noisy_majority"


CLAIMS = (SmallM(), SmallMRepaired(), AdvancedComposition())
