"""The constants of BTT18: A_binClas (Algorithm 2) and its utility (Theorem 3.2)."""

from math import log, sqrt

from harness.theory.parameters import Chunks, Constants, Task
from harness.theory.privacy.calibration import Calibration
from harness.theory.privacy.distance import DISTANCES


def online_lam(eps: float, delta: float, m: int, T: float) -> float:
    """λ = √(32 T ln(2/δ)) / ε, the scale of the threshold's noise in A_OQR and A_binClas (Algorithm 2; BTT18a Algorithm 3)."""
    return sqrt(32 * T * log(2 / delta)) / eps


def above_noise(lam: float, m: int, delta: float) -> float:
    """w = 2λ ln(2m/δ), their threshold before noise."""
    return 2 * lam * log(2 * m / delta)


def online_w(eps: float, delta: float, m: int, T: float) -> float:
    """w at the λ of this cutoff."""
    return above_noise(online_lam(eps, delta, m, T), m, delta)


def printed_chunks(factor: float) -> Chunks:
    """k = factor · λ · ln(4mT / min(δ, β/2)), the form of both papers."""

    def chunks(task: Task, T: float, lam: float, w: float) -> float:
        return factor * lam * log(4 * task.m * T / min(task.delta, task.beta / 2))

    return chunks


def mistakes(task: Task, alpha: float) -> float:
    """B: mistakes on m queries that no hypothesis of error γ+α is said to exceed (Theorem 3.2, proof).

    B = (γ+α)m + √((γ+α) m ln(m/β) / 2).
    """
    mean = (task.gamma + alpha) * task.m
    return mean + sqrt(mean * task.L / 2)


PRINTED = Calibration("printed", "BTT18 Algorithm 2, BTT18a Algorithm 4", DISTANCES["printed"], online_lam, online_w)
CHUNKS = printed_chunks(34 * sqrt(2))

CALIBRATIONS = PRINTED
CONSTANTS = Constants("BTT18", "BTT18 Algorithm 2 and Theorem 3.2", PRINTED, CHUNKS, mistakes)
