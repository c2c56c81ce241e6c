"""How the noise scale λ and the threshold w follow from what is claimed of a run: (ε, δ)-DP over m queries with cutoff T."""

from collections.abc import Callable
from dataclasses import dataclass
from math import log, sqrt

from harness.theory.privacy.composition import epochs, pure_share
from harness.theory.privacy.distance import DISTANCES, VALUES, Distance
from harness.theory.privacy.laplace import difference_quantile

Scale = Callable[[float, float, int, float], float]
"""A function of (ε, δ, m, T)."""


@dataclass(frozen=True)
class Calibration:
    """One way to set λ and w, and the distance it is meant for. lam, w: noise scale and threshold, in units of distances."""

    name: str
    source: str
    distance: Distance
    lam: Scale
    w: Scale


def online_lam(eps: float, delta: float, T: float) -> float:
    """λ = √(32 T ln(2/δ)) / ε, the scale of the threshold's noise in A_OQR and A_binClas (BTT18 Alg 2, BTT18a Alg 3)."""
    return sqrt(32 * T * log(2 / delta)) / eps


def online_w(lam: float, m: int, delta: float) -> float:
    """w = 2λ ln(2m/δ), their threshold before noise."""
    return 2 * lam * log(2 * m / delta)


def sparse_vec_lam(eps: float, delta: float, T: float) -> float:
    """λ = √(32 T ln(1/δ)) / ε, the scale in A_sparseVec (BTT18a Alg 1, Theorem 2.7)."""
    return sqrt(32 * T * log(1 / delta)) / eps


def _printed_lam(eps: float, delta: float, m: int, T: float) -> float:
    return online_lam(eps, delta, T)


def _printed_w(eps: float, delta: float, m: int, T: float) -> float:
    return online_w(online_lam(eps, delta, T), m, delta)


def _tight_lam(eps: float, delta: float, m: int, T: float) -> float:
    return 2 / pure_share(eps, epochs(m, T), delta / 2)


def _tight_w(eps: float, delta: float, m: int, T: float) -> float:
    return difference_quantile(delta / 2 / epochs(m, T), _tight_lam(eps, delta, m, T))


CALIBRATIONS = {
    calibration.name: calibration
    for calibration in (
        # λ = √(32 T ln(2/δ))/ε and w = 2λ ln(2m/δ).
        Calibration("printed", "BTT18 Algorithm 2, BTT18a Algorithm 4", DISTANCES["printed"], _printed_lam, _printed_w),
        # λ = √(32 T ln(1/δ))/ε. The privacy is the same for every threshold, so any one will do.
        Calibration(
            "sparse_vec",
            "BTT18a Algorithm 1 and Theorem 2.7",
            VALUES,
            lam=lambda eps, delta, m, T: sparse_vec_lam(eps, delta, T),
            w=lambda eps, delta, m, T: 0.0,
        ),
        # The printed formulas for the T + 1 ⊥s that the loop lets out, with the distance max(0, ⌈gap/2⌉ − 1).
        Calibration(
            "corrected",
            "BTT18 Algorithm 2, repaired",
            DISTANCES["corrected"],
            lam=lambda eps, delta, m, T: _printed_lam(eps, delta, m, T + 1),
            w=lambda eps, delta, m, T: _printed_w(eps, delta, m, T + 1),
        ),
        # The corrected distance, the least λ at which the upper bound certifies (ε, δ), half of δ for the composition, and the
        # least w for which the other half covers the labels.
        Calibration("tight", "an optimal accountant", DISTANCES["corrected"], _tight_lam, _tight_w),
    )
}
