"""PAC bounds: the excess error α(s, q) that a learner on s examples exceeds with probability at most q.

Every bound falls as s grows, once it is below 1, and is reported as it is computed: a value of 1 or more says nothing
about the learner. s is a number of examples, q a probability in (0, 1), V a VC dimension of at least 1. The first line of each
is what `told` says of it: the formula, and whose it is.
"""

from functools import partial
from inspect import getdoc
from math import e, inf, log, log2, sqrt

from scipy.special import betainccinv

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


def spacings(s: int, q: float, gaps: int, choices: int = 1) -> float:
    """The (1 − q/choices)-quantile of Beta(gaps, s − gaps + 1): a consistent partition of the line into intervals.

    Order statistics: s points leave gaps beside them, and the sum of any `gaps` has that law. A learner whose boundaries all
    err to a known side errs on no more than such a sum; if any of `choices` combinations of sides is possible, by their union.
    """
    return float(betainccinv(gaps, s - gaps + 1, q / choices)) if s >= gaps else inf


def stumps(s: int, q: float, d: int) -> float:
    """ln(2ds/q)/(s−1): a consistent signed stump on ℝ^d at one of its examples (Littlestone and Warmuth 1986).

    Sample compression to one example: there are 2ds such stumps, and of each the other s−1 examples are independent.
    """
    return log(2 * d * s / q) / (s - 1) if s >= 2 else inf


def finite(s: int, q: float, size: int) -> float:
    """ln(size/q)/s: any consistent learner of a class of so many hypotheses, by the union of them."""
    return (log(size) + log(1 / q)) / s if s >= 1 else inf


def finite_agnostic(s: int, q: float, size: int) -> float:
    """2√(ln(2·size/q)/(2s)): empirical risk minimisation over so many hypotheses (Hoeffding and a union)."""
    return 2 * sqrt((log(2 * size) + log(1 / q)) / (2 * s)) if s >= 1 else inf


def stable_compression(s: int, q: float, size: int) -> float:
    """2(size·ln 4 + ln(1/q))/(s − 2·size): a consistent learner determined by `size` of its examples, whatever others it sees.

    Stable sample compression (Bousquet, Hanneke, Moran and Zhivotovskiy 2020). The hard-margin support vector machine with V
    coefficients is determined by V examples.
    """
    return 2 * (size * log(4) + log(1 / q)) / (s - 2 * size) if s > 2 * size else inf


def blumer(s: int, q: float, V: int) -> float:
    """(2/s)(V log2(2es/V) + log2(2/q)): any consistent learner of a class of VC dimension V (Blumer et al. 1989)."""
    return 2 / s * (V * log2(2 * e * s / V) + log2(2 / q)) if s >= V else inf


def vc_agnostic(s: int, q: float, V: int) -> float:
    """√(2V ln(es/V)/s) + 2√(ln(2/q)/(2s)): any empirical risk minimiser (Mohri et al., Corollary 3.19, and Hoeffding)."""
    return sqrt(2 * V * log(e * s / V) / s) + 2 * sqrt(log(2 / q) / (2 * s)) if s >= V else inf


def sharpest(s: int, q: float, bounds: tuple[PacBound, ...]) -> float:
    """The least of several PAC bounds that all hold, each at every s and q."""
    return min(bound(s, q) for bound in bounds)


def exactly_one_in_s(s: int, q: float) -> float:
    """1/s: the error that is set, whatever the confidence; nothing is learned."""
    return 1 / s


def never_wrong(s: int, q: float) -> float:
    """0: votes that are set directly; nothing is learned."""
    return 0.0


def none_known(s: int, q: float) -> float:
    """∞: nothing is known of the learner."""
    return inf


def in_words(bound: PacBound, s: int, q: float) -> str:
    """A PAC bound in words, such as `ln(2/q)/s: any consistent threshold …`; of several, the one that is least at s and q.

    One of a user's file is told by the first line of its docstring, if it has one.
    """
    bounds = bound.keywords.get("bounds") if isinstance(bound, partial) else None
    if bounds:
        return in_words(min(bounds, key=lambda one: one(s, q)), s, q)
    function = bound.func if isinstance(bound, partial) else bound
    first_line = (getdoc(function) or "").partition("\n")[0].rstrip(".") if hasattr(function, "__name__") else ""
    numbers = ", ".join(f"{name} = {value}" for name, value in getattr(bound, "keywords", {}).items())
    return f"{first_line or 'that of its class'}{f', with {numbers}' if numbers else ''}"


def least_s(bound: PacBound, q: float, alpha: float) -> int:
    """The least number s of examples at which a PAC bound at confidence q is at most alpha, 0 < alpha < 1, by bisection."""
    high = 1
    while bound(high, q) > alpha:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if bound(middle, q) <= alpha else (middle, high)
    return high
