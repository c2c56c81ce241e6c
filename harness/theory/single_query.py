"""How often one query is answered wrong or ⊥ by A_binClas, in closed form: with a fresh threshold, from the law of its
votes.
"""

from math import sqrt

import numpy as np
import scipy

from harness.arrays import Reals
from harness.theory.fixed_point import CutoffPlan
from harness.theory.privacy.laplace import difference_tail

CERTAIN = 90.0  # so many λ above w a query is answered but for 10⁻¹⁹
REACH = 9.0  # standard deviations of the votes on either side: beyond are less than 10⁻¹⁸
FINE = 64  # votes apart are no more than a standard deviation over this where the sum over all counts would be long


def misclassified(share: float, flips: float, plan: CutoffPlan) -> float:
    """P(⊥ or a wrong label), where k votes are wrong independently with probability `share`, and the label by chance `flips`.

    The votes are those for the label that is not the best; the query's own label is flipped from that with probability `flips`.
    Distance as printed, max(0, gap − 1), and noise Lap(2λ) against w + Lap(λ). Of very many chunks only one count in so many is
    summed over: absolute error 1e-6.
    """
    k, deviation = plan.k, sqrt(plan.k * share * (1 - share))
    if k * abs(1 - 2 * share) - 2 * REACH * deviation - plan.w > CERTAIN * plan.lam:
        return flips if share < 0.5 else 1 - flips
    spread, step = REACH * deviation + REACH**2, max(1, int(deviation / FINE))
    wrong = np.arange(max(0, int(k * share - spread)), min(k, int(k * share + spread) + 1) + 1, step)
    law: Reals = np.asarray(scipy.stats.binom.pmf(wrong, k, share))
    passes = difference_tail(plan.w - np.maximum(0, np.abs(k - 2 * wrong) - 1).astype(float), plan.lam)
    return float(law @ (1 - passes + passes * np.where(2 * wrong < k, flips, 1 - flips)) / law.sum())
