"""The constants of the papers, repaired and made as small as they can be."""

from math import log

from harness.theory.constants import btt18
from harness.theory.parameters import Chunks, Constants, Task
from harness.theory.privacy.calibration import Calibration
from harness.theory.privacy.composition import epochs, pure_share
from harness.theory.privacy.distance import DISTANCES
from harness.theory.privacy.laplace import difference_quantile


def sufficient_distance(task: Task, lam: float, w: float) -> float:
    """a* = w + 2λ ln(2m/(3β)): m queries at this distance are all answered w.p. 1 − β.

    P(Lap(λ) − Lap(2λ) > x) ≤ ⅔e^{−x/2λ} for x ≥ 0, and the union over m queries of it at x = a* − w is β.
    """
    return w + 2 * lam * log(2 * task.m / (3 * task.beta))


def sufficient_chunks(unit: int) -> Chunks:
    """k = 3 · unit · (a* + 1): where 2k/3 votes agree, a distance of at least gap/unit − 1 is at least a*.

    unit: 1 for the printed distance, which gives k_tight, and 2 for the corrected one.
    """

    def chunks(task: Task, T: float, lam: float, w: float) -> float:
        return 3 * unit * (sufficient_distance(task, lam, w) + 1)

    return chunks


def tight_lam(eps: float, delta: float, m: int, T: float) -> float:
    """The least λ at which the upper bound certifies (ε, δ), with half of δ for the composition."""
    return 2 / pure_share(eps, epochs(m, T), delta / 2)


def tight_w(eps: float, delta: float, m: int, T: float) -> float:
    """The least w for which the other half of δ covers the labels."""
    return difference_quantile(delta / 2 / epochs(m, T), tight_lam(eps, delta, m, T))


# The printed formulas for the T + 1 ⊥s that the loop lets out, with the distance max(0, ⌈gap/2⌉ − 1).
CORRECTED = Calibration(
    "corrected",
    "BTT18 Algorithm 2, repaired",
    DISTANCES["corrected"],
    lam=lambda eps, delta, m, T: btt18.online_lam(eps, delta, m, T + 1),
    w=lambda eps, delta, m, T: btt18.online_w(eps, delta, m, T + 1),
)
TIGHT = Calibration("tight", "an optimal accountant", DISTANCES["corrected"], tight_lam, tight_w)

CALIBRATIONS = (CORRECTED, TIGHT)
CONSTANTS = (
    Constants(
        "k_tight",
        "λ, w and T of BTT18, with the least k that its distance needs",
        btt18.PRINTED,
        sufficient_chunks(1),
        btt18.mistakes,
    ),
    Constants(
        "corrected",
        "BTT18 with the distance ⌈gap/2⌉ − 1 and λ, w and k for T + 1",
        CORRECTED,
        lambda task, T, lam, w: btt18.CHUNKS(task, T + 1, lam, w),
        btt18.mistakes,
    ),
    Constants(
        "tight",
        "the least λ and w that spend (ε, δ) with the distance ⌈gap/2⌉ − 1, the least k that it needs, and T of BTT18",
        TIGHT,
        sufficient_chunks(2),
        btt18.mistakes,
    ),
)
