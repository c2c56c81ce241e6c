"""All constants together as small as the others allow: certified for privacy and proved for utility, as a whole.

λ is the least that either accountant certifies, w the least that covers the labels, k the least that two thirds of the votes
need. T is 3B with B the expected shortfall of Bin(m, γ+α), which holds however the k hypotheses depend on one another: an
average of k such numbers exceeds it with probability at most β/2. So k's share of 2β is β/2 as well, the learners' β.
"""

from dataclasses import replace

import scipy

from harness.theory.constants.bcmnuw20 import known_least
from harness.theory.constants.ours import C_TAIL, CORRECTED_GAP, sufficient_chunks
from harness.theory.factors import ConstantValues, Factor, formula
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.calibration import Calibration, loops
from harness.theory.privacy.composition import epochs, pure_share
from harness.theory.privacy.distance import DISTANCES
from harness.theory.privacy.laplace import difference_quantile
from harness.theory.privacy.revealed import revealed_shift

OURS = "not in the papers: BTT18 Theorem 3.2, with every constant as small as the others allow"
C_B = Factor("c_B", 2, "B = E[X | X among the largest β/c_B of its values], X ~ Bin(m, γ+α)", OURS)
HALVED_TAIL = replace(C_TAIL, printed=1.5, place=OURS)


@formula(CORRECTED_GAP, *loops.factors)
def lean_lam(c: ConstantValues, eps: float, delta: float, m: int, T: float) -> float:
    """The least λ certified to spend (ε, δ/2) on the ⊤s and ⊥s of a run with cutoff T, by the better of two accountants."""
    moves, n = DISTANCES["corrected"].with_values(c).sensitivity, epochs(m, loops.of(c, T))
    return min(2 * moves / pure_share(eps, n, delta / 2), moves / (2 * revealed_shift(eps, n, delta / 2)))


@formula(*lean_lam.factors)
def lean_w(c: ConstantValues, eps: float, delta: float, m: int, T: float) -> float:
    """The least w at which, by a union over epochs, labels that tell neighbours apart have a chance of at most δ/2."""
    leak = difference_quantile(delta / 2 / epochs(m, loops.of(c, T)), lean_lam.of(c, eps, delta, m, T))
    return leak + (DISTANCES["corrected"].with_values(c).unsettled or 0)


def hardly_exceeded(m: int, p: float, share: float) -> int:
    """The least number that Bin(m, p) exceeds with a chance of at most `share`.

    scipy's own inverse gives m where the share is below 10⁻¹⁶, and may be off by one, or warn, where p is below 10⁻⁹.
    """
    return known_least(lambda more: more <= m and bool(scipy.special.betainc(more, m - more + 1, p) > share)) - 1


@formula(C_B)
def shortfall(c: ConstantValues, task: Task, alpha: float) -> float:
    """B: the average of the largest values, of total probability β/2, of Bin(m, γ+α): a classifier's mistakes on m queries.

    P(Y ≥ B) ≤ β/2 for any average Y of numbers with this law, by Markov's inequality on the excess over the quantile. The
    difference loses digits as m grows: a relative error of 10⁻¹² was not seen for m up to 10⁶, nor 10⁻¹⁰ for m up to 10⁹.
    """
    p, share = min(1.0, task.gamma + alpha), min(1.0, task.beta / c[C_B])
    quantile = hardly_exceeded(task.m, p, share)
    beyond, as_much = scipy.stats.binom.sf(quantile, task.m, p), scipy.stats.binom.sf(quantile - 1, task.m - 1, p)
    above = task.m * p * float(as_much) - quantile * float(beyond)  # E[(X − at)⁺]
    return quantile + max(0.0, above) / share


CALIBRATIONS = Calibration("lean", "the sharper of two accountants", DISTANCES["corrected"], lean_lam, lean_w, sharp=True)
CONSTANTS = Constants(
    "lean",
    "the least λ and w that are certified with the distance ⌈gap/2⌉ − 1, the least k that it needs, and T from the shortfall",
    CALIBRATIONS,
    sufficient_chunks(CORRECTED_GAP, HALVED_TAIL),
    shortfall,
)
