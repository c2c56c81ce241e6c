"""Learning with public data: how many private examples the exponential mechanism over a cover needs, explicitly.

Alon, Bassily, Moran 2019 (*Limits of Private Learning with Access to Public Data*, the upper bound): public points, with no
labels, make a finite class H̃ that has an h̃ within α/2 of every hypothesis, and the exponential mechanism (McSherry, Talwar
2007) chooses one of H̃ by its mistakes on n private examples. They state n up to constants. Here each of three events has a
chance of failure of β: the cover, the deviation of what is counted from what is true, and the choice itself.

A log_size is ln |H̃|.
"""

from math import log, sqrt

from harness.theory.constants.bcmnuw20 import known_least

TILT = 0.5
"""An h̃ with so many mistakes has the weight e^(−ε·mistakes/2): one example changes each count by at most one."""


def selection(log_size: float, n: int, eps: float, beta: float) -> float:
    """A bound on how many more mistakes the exponential mechanism's h̃ makes than the best h̃, over n; but for a chance β."""
    return (log_size + log(1 / beta)) / (TILT * eps * n)


def deviation(log_size: float, n: int, beta: float) -> float:
    """√(ln(2|H̃|/β)/(2n)): how far any h̃'s share of mistakes on n examples is from its error, but for a chance β.

    Hoeffding's inequality, and the union of all h̃.
    """
    return sqrt((log(2 / beta) + log_size) / (2 * n))


def agnostic(log_size: float, n: int, alpha: float, eps: float, beta: float) -> float:
    """A bound on what the h̃ chosen from an α/2-cover errs beyond γ: α/2 + 2·`deviation` + `selection`, but for a chance 3β."""
    return alpha / 2 + 2 * deviation(log_size, n, beta) + selection(log_size, n, eps, beta)


def realizable(log_size: float, n: int, alpha: float, eps: float, beta: float) -> float:
    """A bound on the error of the h̃ chosen from an α/2-cover where the target makes no mistake (γ = 0), but for a chance 3β.

    The best h̃ errs with chance at most α/2, so by Bernstein's inequality on few of n, but for a chance β/2. What is chosen
    errs on few more. And no h̃ of error p makes fewer than np − √(2np ln(2|H̃|/β)) mistakes (Chernoff), but for a chance β/2.
    """
    best, rare = alpha / 2, log(2 / beta) / n
    seen = best + rare / 3 + sqrt((rare / 3) ** 2 + 2 * best * rare) + selection(log_size, n, eps, beta)
    below = 2 * (log(2 / beta) + log_size) / n
    return ((sqrt(below) + sqrt(below + 4 * seen)) / 2) ** 2


def needed(log_size: float, alpha: float, eps: float, beta: float, gamma: float) -> int:
    """The least n at which the h̃ chosen from an α/2-cover errs at most γ + α, but for a chance 3β; gamma: γ."""
    excess = agnostic if gamma > 0 else realizable
    return known_least(lambda n: excess(log_size, n, alpha, eps, beta) > alpha)
