"""The score of a tracing attack: its law for a row that the answers were made without, and what being named says of privacy.

Given answers q and biases μ, the score ⟨q, y − μ⟩ of a fresh row y ∈ {±1}^p with means μ is a sum of p independent two-point
variables of mean 0. Its cumulant generating function K is known, so the threshold that it exceeds with a chance of at most
`rate` is known too: by Chernoff's bound exp(K(θ) − θτ), which is certain, or by the saddle-point approximation of the tail
itself (Lugannani and Rice 1980), whose relative error is of order 1/(size of the sum): below 2 % from SPREAD terms on.
"""

from functools import cache, cached_property
from math import exp, factorial, inf, log, sqrt
from typing import Literal, NamedTuple

import numpy as np
import scipy
from numpy.polynomial import Polynomial
from scipy.special import ndtr, ndtri

from harness.arrays import Bools, Reals

Tail = Literal["exact", "chernoff"]

SPREAD = 100.0
"""Equal terms that a sum must be worth for its saddle-point approximation to be used; below it is Chernoff's bound."""

CENTRAL = 0.05
"""Deviations from 0 within which the saddle point's formula has no digits."""

NEAREST, FARTHEST = 0.05, 60.0
"""Of all θ that are looked at, in standard deviations: at the largest no rate that is asked for is as small as the bound."""

TERMS, NEAR = 12, 0.25
"""Of the power series of K, and the largest |θq_i| for which it is used. It converges up to π/2, so that what is left out is
of order (2/π · NEAR)^TERMS, some 10⁻¹¹ of the whole."""

TOGETHER = 2**12
"""Coordinates whose powers are looked at together: they stay in the cache."""


class TiltedLaw(NamedTuple):
    """K, the score's cumulant generating function, at θ with two derivatives: the mean and variance of the tilted score."""

    cumulant: float
    mean: float
    variance: float


def tilted(weights: Reals, biases: Reals, theta: float, counts: Reals | float = 1.0) -> TiltedLaw:
    """K at θ and its derivatives for the score Σ_i q_i (y_i − μ_i), y_i = ±1 of means |μ_i| < 1; weights, biases: q, μ, (p,).

    counts: how many coordinates have each weight and bias, (p,); by default one.
    """
    power = np.abs(theta * weights)
    slope = np.tanh(theta * weights)
    mean = (slope + biases) / (1 + biases * slope)
    log_cosh = power + np.log1p(np.exp(-2 * power)) - log(2)
    cumulant = np.log1p(biases * slope) + log_cosh - theta * weights * biases
    times = counts * weights
    total = float((counts * cumulant).sum())
    return TiltedLaw(total, float(times @ (mean - biases)), float((times * weights) @ (1 - mean * mean)))


@cache
def _cumulants() -> Reals:
    """Of y = ±1 with mean μ: κ_j/j!, j = 2, …, TERMS, over 1 − μ², by powers of μ, (TERMS − 1, TERMS − 1)."""
    cumulant, coefficients = Polynomial([1.0]), np.zeros((TERMS - 1, TERMS - 1))
    for j in range(2, TERMS + 1):
        coefficients[j - 2, : j - 1] = np.asarray(cumulant.coef, np.float64) / factorial(j)
        cumulant = Polynomial([1.0, 0.0, -1.0]) * cumulant.deriv() - Polynomial([0.0, 2.0]) * cumulant
    return coefficients


class Score:
    """The score Σ_i q_i (y_i − μ_i) of a tracing attack, to be tilted often: near 0 by a power series of K, at no cost in p."""

    def __init__(self, weights: Reals, biases: Reals, counts: Reals | float = 1.0) -> None:
        self._given, self._largest = (weights, biases, counts), float(np.abs(weights).max(initial=0))

    @cached_property
    def _series(self) -> Reals:
        """K and its derivatives as polynomials of θ · max |q_i|, (3, TERMS + 1), by powers from 0 on."""
        weights, biases, counts = self._given
        times, powers = counts * (1 - biases * biases), np.zeros((TERMS - 1, TERMS - 1))
        for start in range(0, len(weights), TOGETHER):
            part = slice(start, start + TOGETHER)
            scaled = weights[part] / self._largest
            powers += _powers(scaled, times[part] * scaled * scaled) @ _powers(biases[part], np.ones(1)).T
        power, series = np.arange(TERMS + 1), np.zeros((3, TERMS + 1))
        series[0, 2:] = (powers * _cumulants()).sum(axis=1)
        series[1, :-1] = (power * series[0])[1:] * self._largest
        series[2, :-1] = (power * series[1])[1:] * self._largest
        return series

    def tilted(self, theta: float) -> TiltedLaw:
        """The cumulant generating function K of the score at θ, with two derivatives."""
        scaled = theta * self._largest
        if abs(scaled) > NEAR or len(self._given[0]) < TERMS:
            return tilted(*self._given[:2], theta, self._given[2])
        return TiltedLaw(*(self._series @ scaled ** np.arange(TERMS + 1)).tolist())


def _powers(of: Reals, first: Reals) -> Reals:
    """first · of^j, j = 0, …, TERMS − 2, (TERMS − 1, len(of))."""
    powers = np.empty((TERMS - 1, len(of)))
    powers[0] = first
    for j in range(1, TERMS - 1):
        np.multiply(powers[j - 1], of, out=powers[j])
    return powers


def deviation(weights: Reals, biases: Reals, counts: Reals | float = 1.0) -> float:
    """The standard deviation of the score Σ_i q_i (y_i − μ_i) of a fresh row; weights, biases: q, μ, (p,)."""
    return sqrt(float((counts * weights * weights) @ (1 - biases * biases)))


def saddle_point(theta: float, law: TiltedLaw) -> float:
    """About P(score ≥ K'(θ)), θ > 0, from the score's law tilted at θ, by Lugannani and Rice's formula."""
    signed, scaled = sqrt(2 * (theta * law.mean - law.cumulant)), theta * sqrt(law.variance)
    return float(ndtr(-signed)) + exp(-signed * signed / 2) / sqrt(2 * np.pi) * (1 / scaled - 1 / signed)


def chernoff(theta: float, law: TiltedLaw) -> float:
    """An upper bound on P(score ≥ K'(θ)), θ > 0, from the score's law tilted at θ."""
    return exp(law.cumulant - theta * law.mean)


def threshold(weights: Reals, biases: Reals, rate: float, tail: Tail = "exact", counts: Reals | float = 1.0) -> float:
    """The score of a tracing attack that a fresh row reaches with chance `rate`, in (0, 0.1); infinite where none is so rare.

    tail: `exact`, by the saddle point where the sum is worth SPREAD terms; `chernoff`, at most `rate` for certain. counts: as
    in `tilted`.
    """
    weights, biases, counts = _used(weights != 0, weights, biases, counts)
    squares = weights * weights
    if not len(weights) or _rarest(weights, biases, counts) >= rate:
        return inf
    spread = float((counts * squares).sum()) ** 2 / float((counts * squares) @ squares)
    formula = saddle_point if tail == "exact" and spread >= SPREAD else chernoff
    scale, score = deviation(weights, biases, counts), Score(weights, biases, counts)

    def excess(theta: float) -> float:
        return log(max(formula(theta / scale, score.tilted(theta / scale)), 1e-300)) - log(rate)

    normal = -float(ndtri(rate))
    low, high = normal / 2, 1.5 * normal + 0.5
    if not excess(low) > 0 > excess(high):  # far from normal
        low, high = NEAREST, FARTHEST
        if excess(high) > 0:
            return inf
    theta = scipy.optimize.brentq(excess, low, high, xtol=1e-5) / scale
    return score.tilted(theta).mean


def reached(weights: Reals, biases: Reals, score: float, counts: Reals | float = 1.0) -> float:
    """P(a row's tracing score is at least `score`), by the saddle point; within CENTRAL deviations of 0 as if normal.

    biases: the row's own means, in [−1, 1]; μ of a fresh row. counts: as in `tilted`.
    """
    if score < 0:
        return 1 - reached(-weights, biases, -score, counts)
    weights, biases, counts = _used((weights != 0) & (np.abs(biases) < 1), weights, biases, counts)
    scale = deviation(weights, biases, counts)
    if scale == 0:
        return float(score <= 0)
    if score < CENTRAL * scale:
        return float(ndtr(-score / scale))

    fresh = Score(weights, biases, counts)

    def short(theta: float) -> float:
        return fresh.tilted(theta / scale).mean - score

    if short(FARTHEST) < 0:
        return 0.0
    theta = scipy.optimize.brentq(short, 0.0, FARTHEST, xtol=1e-9) / scale
    return saddle_point(theta, fresh.tilted(theta))


def _used(which: Bools, weights: Reals, biases: Reals, counts: Reals | float) -> tuple[Reals, Reals, Reals | float]:
    """The coordinates that make a score what it is."""
    return weights[which], biases[which], counts if isinstance(counts, float) else counts[which]


def _rarest(weights: Reals, biases: Reals, counts: Reals | float) -> float:
    """The chance of the largest score that there is: that y_i has the sign of q_i throughout."""
    return exp(float((counts * np.log((1 + np.sign(weights) * biases) / 2)).sum()))


def allowed(n: int, rate: float, eps: float = 1.0) -> float:
    """The most private rows that a tracing attack may name on average under (ε, 1/4n)-privacy: n(e^ε rate + 1/4n).

    Each of them is named with chance `rate` at most where it is replaced by a fresh row. So the chance that any is named is
    no more either.
    """
    return exp(eps) * n * rate + 0.25


def contradicted(n: int, m: int = 0, eps: float = 1.0) -> bool:
    """Whether (ε, 1/(4n))-privacy rules out an attack that names one of n private rows with chance 1 − (m+1)/(n+m)².

    BCMNUW20, the proof of Theorem 13: of n private and m public rows some private one is named with chance at least
    (1 − (m+1)/(n+m)²)/n, which privacy keeps to e^ε/(n+m)² + 1/4n. (The text has m − 1 for m + 1.)
    """
    rate = 1 / (n + m) ** 2
    return 1 - (m + 1) * rate > allowed(n, rate, eps)
