"""The constants of BTT18a: A_sparseVec, A_OQR and A_subSamp (Algorithms 1, 3 and 4), and what is printed of their utility."""

from math import log, sqrt

from harness.theory.constants.btt18 import PRINTED, printed_chunks
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.calibration import Calibration
from harness.theory.privacy.distance import VALUES


def sparse_vec_lam(eps: float, delta: float, T: float) -> float:
    """λ = √(32 T ln(1/δ)) / ε, the scale in A_sparseVec (Algorithm 1, Theorem 2.7)."""
    return sqrt(32 * T * log(1 / delta)) / eps


def margin(task: Task, T: float) -> float:
    """a = ln(2mT/β) √(512 T ln(1/δ)) / ε: A_sparseVec answers values above w + a by ⊤ (Theorem 2.8)."""
    return log(2 * task.m * T / task.beta) * sqrt(512 * T * log(1 / task.delta)) / task.eps


def stable_distance(task: Task, T: float) -> float:
    """a = 32 ln(4mT/min(δ, β)) √(2T ln(2/δ)) / ε, from which on A_OQR answers exactly (Corollary 3.9)."""
    return 32 * log(4 * task.m * T / min(task.delta, task.beta)) * sqrt(2 * T * log(2 / task.delta)) / task.eps


def mistakes_additive(task: Task, alpha: float) -> float:
    """B with an additive deviation: (γ+α)m + √(m ln(m/β) / 2) (Corollary 4.1)."""
    return (task.gamma + alpha) * task.m + sqrt(task.m * task.L / 2)


CALIBRATIONS = Calibration(
    "sparse_vec",
    "BTT18a Algorithm 1 and Theorem 2.7",
    VALUES,
    lam=lambda eps, delta, m, T: sparse_vec_lam(eps, delta, T),
    w=lambda eps, delta, m, T: 0.0,  # the privacy is the same for every threshold, so any one will do
)
CONSTANTS = Constants(
    "BTT18a",
    "BTT18a Algorithm 4 and Corollary 4.1",
    PRINTED,
    printed_chunks(136 / sqrt(32)),  # printed as k = 136 · ln(·) · √(T ln(2/δ)) / ε, and √(T ln(2/δ)) / ε = λ/√32
    mistakes_additive,
)
