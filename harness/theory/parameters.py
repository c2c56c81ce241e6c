"""The printed constants: λ, w, k and T of each paper, each in one place."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, log, sqrt

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


def mistakes(task: Task, alpha: float) -> float:
    """B: mistakes on m queries that no hypothesis of error γ+α is said to exceed (BTT18, proof of T3.2).

    B = (γ+α)m + √((γ+α) m ln(m/β) / 2).
    """
    mean = (task.gamma + alpha) * task.m
    return mean + sqrt(mean * log(task.m / task.beta) / 2)


def mistakes_additive(task: Task, alpha: float) -> float:
    """B with BTT18a's additive deviation: (γ+α)m + √(m ln(m/β) / 2) (BTT18a, Corollary 4.1)."""
    return (task.gamma + alpha) * task.m + sqrt(task.m * log(task.m / task.beta) / 2)


@dataclass(frozen=True)
class Constants:
    """One published set of constants for the ⊥-paying mechanism: how λ, w, k follow from T, and T from α."""

    name: str
    source: str
    k_factor: float
    mistakes: Callable[[Task, float], float]

    def lam(self, task: Task, T: float) -> float:
        """λ = √(32 T ln(2/δ)) / ε, the scale of the threshold's noise (BTT18 Alg 2, BTT18a Alg 3)."""
        return sqrt(32 * T * log(2 / task.delta)) / task.eps

    def w(self, task: Task, T: float) -> float:
        """w = 2λ ln(2m/δ), the threshold before noise (BTT18 Alg 2, BTT18a Alg 3)."""
        return 2 * self.lam(task, T) * log(2 * task.m / task.delta)

    def k(self, task: Task, T: float) -> float:
        """The number of chunks before rounding up: k_factor · λ · ln(4mT / min(δ, β/2))."""
        return self.k_factor * self.lam(task, T) * log(4 * task.m * T / min(task.delta, task.beta / 2))

    def T(self, task: Task, alpha: float) -> float:
        """The cutoff T = 3B, a real number, at least 1."""
        return max(1.0, 3 * self.mistakes(task, alpha)) if alpha < inf else inf


CONSTANTS = {
    constants.name: constants
    for constants in (
        Constants("BTT18", "BTT18 Algorithm 2 and Theorem 3.2", k_factor=34 * sqrt(2), mistakes=mistakes),
        # Printed as k = 136 · ln(·) · √(T ln(2/δ)) / ε, and √(T ln(2/δ)) / ε = λ/√32.
        Constants("BTT18a", "BTT18a Algorithm 4 and Corollary 4.1", k_factor=136 / sqrt(32), mistakes=mistakes_additive),
    )
}
