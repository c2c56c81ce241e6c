"""PAC bounds: the excess error α(s, q) that a learner on s examples exceeds with probability at most q.

Every bound falls as s grows, once it is below 1, and is reported as it is computed: a value of 1 or more says nothing
about the learner. s is a number of examples, q a probability in (0, 1), V a VC dimension of at least 1.
"""

from math import e, inf, log, log2, sqrt

from harness.theory.parameters import PacBound


def thresholds_extremal(s: int, q: float) -> float:
    """ln(1/q)/s: the leftmost or rightmost consistent threshold, which errs on one side only.

    Order statistics: the mass between the target and the nearest example on that side exceeds a with probability at most
    (1−a)^s ≤ e^{−as}.
    """
    return log(1 / q) / s if s >= 1 else inf


def thresholds_consistent(s: int, q: float) -> float:
    """ln(2/q)/s: any consistent threshold, by the union of the two sides."""
    return log(2 / q) / s if s >= 1 else inf


def thresholds_agnostic(s: int, q: float) -> float:
    """2√(2 ln(4/q)/s): empirical risk minimisation over thresholds (Dvoretzky–Kiefer–Wolfowitz–Massart)."""
    return 2 * sqrt(2 * log(4 / q) / s) if s >= 1 else inf


def blumer(s: int, q: float, V: int) -> float:
    """(2/s)(V log2(2es/V) + log2(2/q)): any consistent learner of a class of VC dimension V (Blumer et al. 1989)."""
    return 2 / s * (V * log2(2 * e * s / V) + log2(2 / q)) if s >= V else inf


def vc_agnostic(s: int, q: float, V: int) -> float:
    """√(2V ln(es/V)/s) + 2√(ln(2/q)/(2s)): any empirical risk minimiser (Mohri et al., Corollary 3.19, and Hoeffding)."""
    return sqrt(2 * V * log(e * s / V) / s) + 2 * sqrt(log(2 / q) / (2 * s)) if s >= V else inf


def least_s(bound: PacBound, q: float, alpha: float) -> int:
    """The least s with bound(s, q) ≤ alpha, for 0 < alpha < 1: doubling, then bisection on integers."""
    high = 1
    while bound(high, q) > alpha:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if bound(middle, q) <= alpha else (middle, high)
    return high
