"""The constants of BTT18a Section 5, for answers that are scores in [0, 1]: A_SL-Quer (Algorithm 6) and its Theorem 5.14.

As printed the threshold w has no factor 2, and the loop runs while c ≤ T although a ⊥ costs 2. Repaired, w is that of A_OQR for
2m tests at δ and the loop runs while c ≤ 2T: so many T queries that fail both tests take. On a bin's edge the answer may be the
midpoint of the bin next to the mean, which is further off by 4α√(2n'). In all of them ŵ begins as w + Lap(λ), which Algorithm 6
does not say.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import ceil, floor, log, sqrt

from harness.registry import parts
from harness.theory.factors import PRINTED as VALUES
from harness.theory.factors import ConstantValues, Factor, factors_in, formula, with_changes, with_values
from harness.theory.privacy.distance import DISTANCES, Distance

LAM = "λ = √(c_lam T ln(2/δ)) / ε"
C_LAM = Factor("c_lam", 64, LAM, "BTT18a Algorithm 6")
W = "w = c_w λ ln(c_m m/δ)"
C_W = Factor("c_w", 1, W, "BTT18a Algorithm 6")
C_M = Factor("c_m", 4, W, "BTT18a Algorithm 6", least=1)
C_LOOP = Factor("c_loop", 1, "the loop runs while c ≤ c_loop T", "BTT18a Algorithm 6")
T5_14 = "BTT18a Theorem 5.14"
K = "k = c_k ln(c_log m T/min(β, δ)) √(2T ln(2/δ)) / ε"
C_K = Factor("c_k", 136, K, T5_14)
C_LOG = Factor("c_log", 8, K, T5_14, least=1)
C_BINS = Factor("c_bins", 16, "γ = c_bins α√(2n') + ν, the width of the bins", T5_14)
D = "d = c_d ln(c_log m T/min(β, δ)) √(4T ln(2/δ)) / ε"
C_D = Factor("c_d", 32, D, "BTT18a Theorem 5.6")
OURS = "not in the papers: BTT18a Theorem 5.14, with k as small as its own argument allows"
TIGHT_K = "k = c_k (d* + 1), with d* = w + c_a λ ln(2m/(c_tail β))"
C_TIGHT = Factor("c_k", 3, TIGHT_K, OURS)
C_A = Factor("c_a", 2, TIGHT_K, OURS)
C_TAIL = Factor("c_tail", 3, TIGHT_K, OURS)

NEAR = 4 * sqrt(2)
"""4α√(2n') is so many times α√n': within it of its mean a prediction is with probability at least 3/4 (Lemma 5.8)."""


@dataclass(frozen=True)
class ScoreTask:
    """What is asked of A_SL-Quer: m queries, of which T may have no stable histogram, at (ε, δ), but for a chance β."""

    m: int
    T: float
    eps: float
    delta: float
    beta: float


@dataclass(frozen=True)
class ScoreConstants:
    """A set of constants for A_SL-Quer: how λ, w, the cutoff and k follow from a `ScoreTask`.

    threshold: c_w, of w = c_w λ ln(4m/δ). spend: c_loop, the loop runs while c ≤ c_loop T. chunks: k before rounding up,
    of the task, λ and w. beyond: an answer is claimed to be within γ/2 + beyond · α√(2n') of its mean, γ the bins' width.
    k_scale multiplies k, for experiments on how much of it is needed. values: those of all constants by name, where some are
    changed.
    """

    name: str
    source: str
    threshold: float
    spend: float
    chunks: Callable[[ScoreTask, float, float], float]
    beyond: float
    distance: Distance = DISTANCES["printed"]
    k_scale: float = 1.0
    values: ConstantValues = VALUES

    @property
    def factors(self) -> tuple[Factor, ...]:
        """The constants of the set."""
        return C_LAM, self._c_w, C_M, self._c_loop, *factors_in((self.chunks,)), C_BINS, C_D

    @property
    def _c_w(self) -> Factor:
        return replace(C_W, printed=self.threshold)

    @property
    def _c_loop(self) -> Factor:
        return replace(C_LOOP, printed=self.spend)

    def changed(self, changes: Mapping[str, float]) -> "ScoreConstants":
        """The set with the constants in `changes` at these values, under a name that says so."""
        values = self.values.but(changes)
        return replace(self, name=with_changes(self.name, changes), chunks=with_values(self.chunks, values), values=values)

    def lam(self, task: ScoreTask) -> float:
        """λ = √(64 T ln(2/δ)) / ε."""
        return score_lam.of(self.values, task)

    def w(self, task: ScoreTask) -> float:
        """The threshold before noise, in votes."""
        return self.values[self._c_w] * self.lam(task) * log(self.values[C_M] * task.m / task.delta)

    def cutoff(self, task: ScoreTask) -> int:
        """The largest c at which the loop goes on; a test that fails raises c by 1."""
        return floor(self.values[self._c_loop] * task.T)

    def epochs(self, task: ScoreTask) -> int:
        """How many noisy thresholds a run can use: at c = cutoff a last query may fail both tests; at most 2m tests."""
        return min(2 * task.m, self.cutoff(task) + 2)

    def k(self, task: ScoreTask) -> int:
        """The number of chunks, at least 1."""
        return max(1, ceil(self.k_scale * self.chunks(task, self.lam(task), self.w(task))))

    def width(self, stability: float, s: int, nu: float) -> float:
        """The width of the bins before 1/γ is made an integer, from α (`stability`), the chunk size s and ν."""
        return raw_width.of(self.values, stability, s, nu)

    def stable(self, task: ScoreTask) -> float:
        """d, the distance that BTT18a Theorem 5.6 asks of a histogram."""
        return stable_distance.of(self.values, task)

    def scaled(self, k_scale: float) -> "ScoreConstants":
        """The set whose k is multiplied by `k_scale`."""
        return replace(self, k_scale=k_scale)


@formula(C_LAM)
def score_lam(c: ConstantValues, task: ScoreTask) -> float:
    """λ = √(64 T ln(2/δ)) / ε, the noise scale of A_SL-Quer (Algorithm 6)."""
    return sqrt(c[C_LAM] * task.T * log(2 / task.delta)) / task.eps


@formula(C_K, C_LOG)
def printed_chunks(c: ConstantValues, task: ScoreTask, lam: float, w: float) -> float:
    """k = 136 ln(8mT/min(β, δ)) √(2T ln(2/δ)) / ε: the number of chunks of A_SL-Quer, before rounding up (Theorem 5.14)."""
    inner = log(c[C_LOG] * task.m * task.T / min(task.beta, task.delta))
    return c[C_K] * inner * sqrt(2 * task.T * log(2 / task.delta)) / task.eps


@formula(C_A, C_TAIL)
def sufficient_distance(c: ConstantValues, task: ScoreTask, lam: float, w: float) -> float:
    """d* = w + 2λ ln(2m/(3β)): if each of m queries has a histogram at this distance, A_SL-Quer answers all w.p. 1 − β.

    Of its two tests a query needs one that passes, and one that is at d* fails with probability at most β/m: so m, not 2m.
    """
    return w + c[C_A] * lam * log(2 * task.m / (c[C_TAIL] * task.beta))


@formula(C_TIGHT, C_A, C_TAIL)
def tight_chunks(c: ConstantValues, task: ScoreTask, lam: float, w: float) -> float:
    """k = 3(d* + 1) chunks: where 2k/3 predictions share a bin, their distance of k/3 − 1 is d*, the `sufficient_distance`."""
    return c[C_TIGHT] * (sufficient_distance.of(c, task, lam, w) + 1)


@formula(C_D, C_LOG)
def stable_distance(c: ConstantValues, task: ScoreTask) -> float:
    """d = 32 ln(8mT/min(δ, β)) √(4T ln(2/δ)) / ε: the distance that Theorem 5.6 asks of a histogram."""
    inner = log(c[C_LOG] * task.m * task.T / min(task.delta, task.beta))
    return c[C_D] * inner * sqrt(4 * task.T * log(2 / task.delta)) / task.eps


def single_chunks(lam: float, w: float, beta: float) -> float:
    """k = 3(√5 λ ln(2/β') + w): the number of chunks that Lemma 5.13 asks for, for one query."""
    return 3 * (sqrt(5) * lam * log(2 / beta) + w)


def near_chunks(beta: float) -> int:
    """The least whole number of chunks k ≥ 72 ln(1/β'), as Corollary 5.10 asks; beta: β'."""
    return ceil(72 * log(1 / beta))


@formula(C_BINS)
def raw_width(c: ConstantValues, stability: float, s: int, nu: float) -> float:
    """16α√(2n') + ν: the width γ of the bins before 1/γ is made an integer (Theorem 5.14). stability: α. s: n'."""
    return c[C_BINS] * sqrt(2) * stability * sqrt(s) + nu


def whole_width(width: float) -> float:
    """The least bin width γ ≥ `width` with 1/γ a whole number; ½ where `width` is above ½, and 0 where it is not positive."""
    return 1 / max(2, floor(1 / width * (1 + 1e-12))) if width > 0 else 0.0


PRINTED = ScoreConstants("BTT18a", "BTT18a Algorithm 6 and Theorem 5.14", 1.0, 1.0, printed_chunks, 0.0)
REPAIRED = ScoreConstants(
    "repaired", "BTT18a Algorithm 6 with w = 2λ ln(4m/δ) and c ≤ 2T; Theorem 5.14", 2.0, 2.0, printed_chunks, 4.0
)
TIGHT = ScoreConstants("k_tight", "repaired, with the least k that its distance needs", 2.0, 2.0, tight_chunks, 4.0)

SCORE_CONSTANTS = (PRINTED, REPAIRED, TIGHT)


def score_constants() -> Mapping[str, ScoreConstants]:
    """All registered sets of constants for A_SL-Quer, whose answers are scores, by name."""
    return parts("constants of scores")
