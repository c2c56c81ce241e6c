"""The constants of BTT18a: A_sparseVec, A_OQR and A_subSamp (Algorithms 1, 3 and 4), and what is printed of their utility."""

from math import log, sqrt

from harness.theory.constants.btt18 import C_BETA, C_LOG, PRINTED, chunks_logarithm, online_lam
from harness.theory.factors import ConstantValues, Factor, formula
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.calibration import Calibration
from harness.theory.privacy.distance import VALUES

SV_LAM = "λ = √(c_sv_lam T ln(c_sv_delta/δ)) / ε"
C_SV_LAM = Factor("c_sv_lam", 32, SV_LAM, "BTT18a Algorithm 1, Theorem 2.7")
C_SV_DELTA = Factor("c_sv_delta", 1, SV_LAM, C_SV_LAM.place, least=1)

MARGIN = "a = ln(c_sv_log m T/β) √(c_sv T ln(1/δ)) / ε"
C_SV = Factor("c_sv", 512, MARGIN, "BTT18a Theorem 2.8")
C_SV_LOG = Factor("c_sv_log", 2, MARGIN, C_SV.place, least=1)

STABLE = "a = c_oqr ln(c_oqr_log m T/min(δ, β)) √(2T ln(2/δ)) / ε"
C_OQR = Factor("c_oqr", 32, STABLE, "BTT18a Corollary 3.9")
C_OQR_LOG = Factor("c_oqr_log", 4, STABLE, C_OQR.place, least=1)

K = "k = c_k ln(c_log m T / min(δ, β/c_beta)) √(T ln(2/δ)) / ε"
C_K = Factor("c_k", 136, K, "BTT18a Algorithm 4, step 1")
C_B = Factor("c_B", 0.5, "B = (γ+α)m + √(c_B m ln(m/β))", "BTT18a Corollary 4.1", written="1/2")


@formula(C_SV_LAM, C_SV_DELTA)
def sparse_vec_lam(c: ConstantValues, eps: float, delta: float, T: float) -> float:
    """λ = √(32 T ln(1/δ)) / ε, the scale of the threshold's noise in A_sparseVec (Algorithm 1, Theorem 2.7)."""
    return sqrt(c[C_SV_LAM] * T * log(c[C_SV_DELTA] / delta)) / eps


@formula(*sparse_vec_lam.factors)
def sparse_vec_scale(c: ConstantValues, eps: float, delta: float, m: int, T: float) -> float:
    """λ of A_sparseVec as a function of (ε, δ, m, T), which is how a calibration calls it; m has no say."""
    return sparse_vec_lam.of(c, eps, delta, T)


@formula(C_SV, C_SV_LOG)
def margin(c: ConstantValues, task: Task, T: float) -> float:
    """a = ln(2mT/β) √(512 T ln(1/δ)) / ε: A_sparseVec answers values above w + a by ⊤ (Theorem 2.8)."""
    return log(c[C_SV_LOG] * task.m * T / task.beta) * sqrt(c[C_SV] * T * log(1 / task.delta)) / task.eps


@formula(C_OQR, C_OQR_LOG)
def stable_distance(c: ConstantValues, task: Task, T: float) -> float:
    """a = 32 ln(4mT/min(δ, β)) √(2T ln(2/δ)) / ε: queries at this distance A_OQR is said to answer (Corollary 3.9)."""
    inner = log(c[C_OQR_LOG] * task.m * T / min(task.delta, task.beta))
    return c[C_OQR] * inner * sqrt(2 * T * log(2 / task.delta)) / task.eps


@formula(C_K, C_LOG, C_BETA)
def chunks(c: ConstantValues, task: Task, T: float, lam: float, w: float) -> float:
    """k = 136 ln(4mT / min(δ, β/2)) √(T ln(2/δ)) / ε: the number of chunks of A_subSamp, before rounding up (Algorithm 4).

    √(T ln(2/δ)) / ε is the printed λ over √32; the λ that is given has no say.
    """
    return c[C_K] / sqrt(32) * online_lam(task.eps, task.delta, task.m, T) * chunks_logarithm(c, task, T)


@formula(C_B)
def mistakes_additive(c: ConstantValues, task: Task, alpha: float) -> float:
    """B = (γ+α)m + √(m ln(m/β) / 2): the most of m queries that a classifier of error γ+α is said to get wrong.

    BTT18a Corollary 4.1, whose deviation is additive.
    """
    return (task.gamma + alpha) * task.m + sqrt(c[C_B] * task.m * task.L)


CALIBRATIONS = Calibration(
    "sparse_vec",
    "BTT18a Algorithm 1 and Theorem 2.7",
    VALUES,
    lam=sparse_vec_scale,
    w=lambda eps, delta, m, T: 0.0,  # the privacy is the same for every threshold, so any one will do
)
CONSTANTS = Constants("BTT18a", "BTT18a Algorithm 4 and Corollary 4.1", PRINTED, chunks, mistakes_additive)
