"""Report noisy max on every query, under advanced composition (DR14 Claim 3.9 and Corollary 3.21)."""

from math import e, exp

from scipy.special import lambertw

from harness.mechanisms.answering.laplace_counts import LaplaceCounts
from harness.mechanisms.answering.per_query import LEAST_K, SharePlan
from harness.theory.factors import ConstantValues, Factor, formula
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.composition import advanced_share

C_MAX = Factor("c_max", 3, "k = c_max (2/ε₀) y, with ½(1 + y/2)e^{−y} = β/m", LEAST_K)


@formula(C_MAX)
def max_chunks(c: ConstantValues, eps0: float, task: Task) -> float:
    """k = 3yb, b = 2/ε₀, ½(1 + y/2)e^{−y} = β/m: the least number of chunks of report noisy max, before rounding up.

    −(y + 2) is the lower branch of Lambert's W.
    """
    tail = min(task.beta / task.m, 0.5)
    return c[C_MAX] * (2 / eps0) * (-2 - float(lambertw(-4 * tail / e**2, k=-1).real))


class ReportNoisyMax(LaplaceCounts):
    """argmax_r ct(r) + Lap(2/ε₀) on each query, over any number of labels, with ε₀ by advanced composition.

    P(Lap(b) − Lap(b) > yb) = ½(1 + y/2)e^{−y} = β/m, at k = 3yb: −(y + 2) is the lower branch of Lambert's W.
    """

    name = "report_noisy_max"
    source = "DR14 Claim 3.9 and Corollary 3.21"
    formulas = (max_chunks, advanced_share)

    def share(self, constants: Constants, task: Task) -> float:
        return advanced_share.with_values(constants.values)(task.eps, task.m, task.delta)

    def chunks(self, constants: Constants, task: Task, eps0: float) -> float:
        return max_chunks.with_values(constants.values)(eps0, task)

    def stable_failure(self, plan: SharePlan, task: Task, labels: int, dissent: float) -> float:
        x = (1 - 2 * dissent) * plan.k / (2 / plan.eps0)  # the difference of two noises has to pass this
        return min(1.0, task.m * (labels - 1) * (2 + x) / 4 * exp(-x))


MECHANISM = ReportNoisyMax()
