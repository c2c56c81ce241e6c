"""The constants of each paper, and those repaired and made as small as they can be: how λ, w, k and T follow."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, log, sqrt

from harness.theory.privacy.calibration import CALIBRATIONS, Calibration

PacBound = Callable[[int, float], float]
"""A PAC bound α = a(s, q): the excess error that a learner on s examples exceeds with probability at most q."""


@dataclass(frozen=True)
class Task:
    """What is asked of a mechanism, apart from how many examples it gets.

    m: number of queries, at least 1. eps > 0 and 0 < delta < 1: the privacy to spend. 0 < beta < 1: failure probability.
    gamma: the best error in the class, in [0, 1). pac_bound: the learner's error as a function of (s, q).
    """

    m: int
    eps: float
    delta: float
    beta: float
    gamma: float
    pac_bound: PacBound

    @property
    def L(self) -> float:
        """L = ln(m/β)."""
        return log(self.m / self.beta)


def mistakes(task: Task, alpha: float) -> float:
    """B: mistakes on m queries that no hypothesis of error γ+α is said to exceed (BTT18, proof of T3.2).

    B = (γ+α)m + √((γ+α) m ln(m/β) / 2).
    """
    mean = (task.gamma + alpha) * task.m
    return mean + sqrt(mean * task.L / 2)


def mistakes_additive(task: Task, alpha: float) -> float:
    """B with BTT18a's additive deviation: (γ+α)m + √(m ln(m/β) / 2) (BTT18a, Corollary 4.1)."""
    return (task.gamma + alpha) * task.m + sqrt(task.m * task.L / 2)


Chunks = Callable[[Task, float, float, float], float]
"""k before rounding up, from (task, T, λ, w)."""


def printed_chunks(factor: float) -> Chunks:
    """k = factor · λ · ln(4mT / min(δ, β/2)), the form of both papers."""

    def chunks(task: Task, T: float, lam: float, w: float) -> float:
        return factor * lam * log(4 * task.m * T / min(task.delta, task.beta / 2))

    return chunks


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


@dataclass(frozen=True)
class Constants:
    """One set of constants for the ⊥-paying mechanism: how λ, w, k follow from T, and T from α.

    calibration: λ, w and the distance they are for. k_scale multiplies k, for experiments on how much of it is needed. cutoff,
    where given, fixes T whatever α is.
    """

    name: str
    source: str
    calibration: Calibration
    chunks: Chunks
    mistakes: Callable[[Task, float], float]
    k_scale: float = 1.0
    cutoff: float | None = None

    def lam(self, task: Task, T: float) -> float:
        """λ at this cutoff."""
        return self.calibration.lam(task.eps, task.delta, task.m, T)

    def w(self, task: Task, T: float) -> float:
        """w at this cutoff."""
        return self.calibration.w(task.eps, task.delta, task.m, T)

    def k(self, task: Task, T: float) -> float:
        """The number of chunks before rounding up."""
        return self.k_scale * self.chunks(task, T, self.lam(task, T), self.w(task, T))

    def T(self, task: Task, alpha: float) -> float:
        """The cutoff T = 3B, a real number, at least 1."""
        if self.cutoff is not None:
            return max(1.0, self.cutoff)
        return max(1.0, 3 * self.mistakes(task, alpha)) if alpha < inf else inf


_PRINTED, _CORRECTED, _TIGHT = (CALIBRATIONS[name] for name in ("printed", "corrected", "tight"))
_BTT18_CHUNKS = printed_chunks(34 * sqrt(2))

CONSTANTS = {
    constants.name: constants
    for constants in (
        Constants("BTT18", "BTT18 Algorithm 2 and Theorem 3.2", _PRINTED, _BTT18_CHUNKS, mistakes),
        # Printed as k = 136 · ln(·) · √(T ln(2/δ)) / ε, and √(T ln(2/δ)) / ε = λ/√32.
        Constants(
            "BTT18a", "BTT18a Algorithm 4 and Corollary 4.1", _PRINTED, printed_chunks(136 / sqrt(32)), mistakes_additive
        ),
        Constants(
            "k_tight", "λ, w and T of BTT18, with the least k that its distance needs", _PRINTED, sufficient_chunks(1), mistakes
        ),
        Constants(
            "corrected",
            "BTT18 with the distance ⌈gap/2⌉ − 1 and λ, w and k for T + 1",
            _CORRECTED,
            lambda task, T, lam, w: _BTT18_CHUNKS(task, T + 1, lam, w),
            mistakes,
        ),
        Constants(
            "tight",
            "the least λ and w that spend (ε, δ) with the distance ⌈gap/2⌉ − 1, the least k that it needs, and T of BTT18",
            _TIGHT,
            sufficient_chunks(2),
            mistakes,
        ),
    )
}
