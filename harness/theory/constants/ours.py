"""The constants of the papers, repaired and made as small as they can be."""

from dataclasses import replace
from math import log

from harness.theory.constants import btt18
from harness.theory.factors import ConstantValues, Factor, Formula, formula
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.calibration import Calibration, loops
from harness.theory.privacy.composition import epochs, pure_share
from harness.theory.privacy.distance import C_GAP, DISTANCES, Distance
from harness.theory.privacy.laplace import difference_quantile

OURS = "not in the papers: BTT18 Theorem 3.2, with k as small as its own argument allows"
CORRECTED_GAP = replace(C_GAP, printed=2)

K = "k = c_k c_gap (a* + 1)"
C_K = Factor("c_k", 3, K, OURS)
A = "a* = w + c_a λ ln(2m/(c_tail β))"
C_A = Factor("c_a", 2, A, OURS)
C_TAIL = Factor("c_tail", 3, A, OURS)


def sufficient_distance(c: ConstantValues, task: Task, lam: float, w: float, tail: Factor = C_TAIL) -> float:
    """a* = w + 2λ ln(2m/(3β)): m queries at this distance to instability are all answered w.p. 1 − β.

    P(Lap(λ) − Lap(2λ) > x) ≤ ⅔e^{−x/2λ} for x ≥ 0, and the union over m queries of it at x = a* − w is β.
    """
    return w + c[C_A] * lam * log(2 * task.m / (c[tail] * task.beta))


def sufficient_chunks(gap: Factor, tail: Factor = C_TAIL) -> Formula[[Task, float, float, float]]:
    """A formula for k = 3 · c_gap · (a* + 1) chunks, of which 2k/3 agreeing votes put a query at the distance a* or beyond.

    gap: c_gap as it is in the set, 1 for the printed distance, which gives k_tight, and 2 for the corrected one. tail: c_tail
    as it is.
    """

    @formula(C_K, gap, C_A, tail)
    def chunks(c: ConstantValues, task: Task, T: float, lam: float, w: float) -> float:
        return c[C_K] * c[gap] * (sufficient_distance(c, task, lam, w, tail) + 1)

    return chunks


@formula(*btt18.chunks.factors)
def chunks_for_every_epoch(c: ConstantValues, task: Task, T: float, lam: float, w: float) -> float:
    """The number of chunks k of BTT18 with T + 1 in the place of T, for the T + 1 ⊥s that the loop lets out."""
    return btt18.chunks.of(c, task, T + 1, lam, w)


def _tight_epochs(c: ConstantValues, m: int, T: float) -> int:
    return epochs(m, loops.of(c, T))


def _tight_distance(c: ConstantValues) -> Distance:
    return DISTANCES["corrected"].with_values(c)


@formula(CORRECTED_GAP, *loops.factors)
def tight_lam(c: ConstantValues, eps: float, delta: float, m: int, T: float) -> float:
    """The least λ at which the ⊤s and ⊥s of a run with cutoff T spend (ε, δ/2), by exact composition of pure epochs."""
    return 2 * _tight_distance(c).sensitivity / pure_share(eps, _tight_epochs(c, m, T), delta / 2)


@formula(*tight_lam.factors)
def tight_w(c: ConstantValues, eps: float, delta: float, m: int, T: float) -> float:
    """The least w at which a run gives a label that tells neighbours apart with a chance of at most δ/2, at `tight_lam`'s λ."""
    leak = difference_quantile(delta / 2 / _tight_epochs(c, m, T), tight_lam.of(c, eps, delta, m, T))
    return leak + (_tight_distance(c).unsettled or 0)


@formula(*btt18.online_lam.factors)
def corrected_lam(c: ConstantValues, eps: float, delta: float, m: int, T: float) -> float:
    """λ of BTT18 with T + 1 in the place of T, for the T + 1 ⊥s that the loop lets out."""
    return btt18.online_lam.of(c, eps, delta, m, T + 1)


@formula(*btt18.online_w.factors)
def corrected_w(c: ConstantValues, eps: float, delta: float, m: int, T: float) -> float:
    """w of BTT18 with T + 1 in the place of T, for the T + 1 ⊥s that the loop lets out."""
    return btt18.online_w.of(c, eps, delta, m, T + 1)


# The printed formulas for the T + 1 ⊥s that the loop lets out, with the distance max(0, ⌈gap/2⌉ − 1).
CORRECTED = Calibration("corrected", "BTT18 Algorithm 2, repaired", DISTANCES["corrected"], corrected_lam, corrected_w)
TIGHT = Calibration("tight", "an optimal accountant", DISTANCES["corrected"], tight_lam, tight_w)

CALIBRATIONS = (CORRECTED, TIGHT)
CONSTANTS = (
    Constants(
        "k_tight",
        "λ, w and T of BTT18, with the least k that its distance needs",
        btt18.PRINTED,
        sufficient_chunks(C_GAP),
        btt18.mistakes,
    ),
    Constants(
        "corrected",
        "BTT18 with the distance ⌈gap/2⌉ − 1 and λ, w and k for T + 1",
        CORRECTED,
        chunks_for_every_epoch,
        btt18.mistakes,
    ),
    Constants(
        "tight",
        "the least λ and w that spend (ε, δ) with the distance ⌈gap/2⌉ − 1, the least k that it needs, and T of BTT18",
        TIGHT,
        sufficient_chunks(CORRECTED_GAP),
        btt18.mistakes,
    ),
)
