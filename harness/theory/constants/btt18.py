"""The constants of BTT18: A_binClas (Algorithm 2) and its utility (Theorem 3.2)."""

from math import log, sqrt

from harness.theory.factors import ConstantValues, Factor, formula
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.calibration import Calibration
from harness.theory.privacy.distance import DISTANCES

LAM = "λ = √(c_lam T ln(c_delta/δ)) / ε"
C_LAM = Factor("c_lam", 32, LAM, "BTT18 Algorithm 2, step 1; BTT18a Algorithm 3")
C_DELTA = Factor("c_delta", 2, LAM, C_LAM.place, least=1)

W = "w = c_w λ ln(c_m m/δ)"
C_W = Factor("c_w", 2, W, "BTT18 Algorithm 2, step 2; BTT18a Algorithm 3")
C_M = Factor("c_m", 2, W, C_W.place, least=1)

K = "k = c_k λ ln(c_log m T / min(δ, β/c_beta))"
C_K = Factor("c_k", 34 * sqrt(2), K, "BTT18 Algorithm 2, step 1", written="34√2")
C_LOG = Factor("c_log", 4, K, "BTT18 Algorithm 2, step 1; BTT18a Algorithm 4, step 1", least=1)
C_BETA = Factor("c_beta", 2, K, C_LOG.place)

C_B = Factor("c_B", 0.5, "B = (γ+α)m + √(c_B (γ+α) m ln(m/β))", "BTT18 Theorem 3.2", written="1/2")


@formula(C_LAM, C_DELTA)
def online_lam(c: ConstantValues, eps: float, delta: float, m: int, T: float) -> float:
    """λ = √(32 T ln(2/δ)) / ε, the scale of the threshold's noise in A_OQR and A_binClas (Algorithm 2; BTT18a Algorithm 3)."""
    return sqrt(c[C_LAM] * T * log(c[C_DELTA] / delta)) / eps


def above_noise(c: ConstantValues, lam: float, m: int, delta: float) -> float:
    """w = 2λ ln(2m/δ): the threshold of A_OQR and A_binClas before noise, from the noise scale λ."""
    return c[C_W] * lam * log(c[C_M] * m / delta)


@formula(*online_lam.factors, C_W, C_M)
def online_w(c: ConstantValues, eps: float, delta: float, m: int, T: float) -> float:
    """w = 2λ ln(2m/δ): the threshold of A_OQR and A_binClas before noise, at the printed λ for (ε, δ) and the cutoff T."""
    return above_noise(c, online_lam.of(c, eps, delta, m, T), m, delta)


def chunks_logarithm(c: ConstantValues, task: Task, T: float) -> float:
    """ln(4mT / min(δ, β/2)), the logarithm in the k that BTT18 and BTT18a print."""
    return log(c[C_LOG] * task.m * T / min(task.delta, task.beta / c[C_BETA]))


@formula(C_K, C_LOG, C_BETA)
def chunks(c: ConstantValues, task: Task, T: float, lam: float, w: float) -> float:
    """k = 34√2 λ ln(4mT / min(δ, β/2)): the number of chunks of A_binClas, before rounding up (Algorithm 2)."""
    return c[C_K] * lam * chunks_logarithm(c, task, T)


@formula(C_B)
def mistakes(c: ConstantValues, task: Task, alpha: float) -> float:
    """B: the most of m queries that a classifier of error γ+α is said to get wrong (BTT18 Theorem 3.2, proof).

    B = (γ+α)m + √((γ+α) m ln(m/β) / 2).
    """
    mean = (task.gamma + alpha) * task.m
    return mean + sqrt(c[C_B] * mean * task.L)


PRINTED = Calibration("printed", "BTT18 Algorithm 2, BTT18a Algorithm 4", DISTANCES["printed"], online_lam, online_w)

CALIBRATIONS = PRINTED
CONSTANTS = Constants("BTT18", "BTT18 Algorithm 2 and Theorem 3.2", PRINTED, chunks, mistakes)
