"""Tests by Gaussian noise against a threshold that is no secret: what m of them spend where at most n come out ⊥.

A test at distance d is ⊥ where d + N(0, σ²) is at most the threshold, with noise of its own. With a known threshold it is a
coin, and one example changes the chances of each coin, at most as a shift of d by Δ does: h = Δ/σ in units of the noise. The
run stops at the n-th ⊥ or after m tests. A coin that is seldom ⊥ tells the more the rarer it is, by ln(m/n) or so; this is why
m has a say, as in the bounds of Zhu and Wang 2020, whose sparse vector has such noise on its threshold too. Where ours is 1 at
δ = 10⁻⁶, with the same noise on a test, the formula that autodp has for theirs is smaller for 2 ⊥s of 1,000, and larger for 11
of 1,000, 31 of 10⁴ and 1,001 of 10⁶; nothing between was tried.

**What is proved here.** P and Q are the laws of all outcomes on two neighbouring data sets, for an order α > 1 and any analyst
who chooses each query by the outcomes before it. A test has ⊥ with chances p and q; let b = p^α q^(1−α) and
t = (1−p)^α (1−q)^(1−α). Then E_Q[(P/Q)^α] ≤ θ^m g^n for any g ≥ 1 and θ = max(1, sup (t + b/g)), the supremum over all tests.
For let V(j, c) be the most that it can be with j tests and c ⊥s to come: V is 1 where either is 0, and else the supremum of
t V(j−1, c) + b V(j−1, c−1). By induction V(j, c) ≤ θ^j g^c: the recursion gives θ^(j−1) g^c (t + b/g). In q, t + b/g is convex,
so that each test moves by all of h, one way or the other; there remains its level, which is one number.

So the Rényi divergence is at most (m ln θ + n ln g)/(α − 1), at the g that makes it least. There the tests at which θ is
attained are ⊥ with a chance of n/m, and it is the divergence of m such tests of which n are ⊥, but for the chance of that.
"""

from collections.abc import Collection
from functools import cache
from math import exp, inf, log, log1p, sqrt

import numpy as np
import scipy
from scipy.special import log_ndtr, ndtri

from harness.arrays import Reals
from harness.theory.privacy.gaussian import gaussian_eps, gaussian_mu

SHARES = np.geomspace(0.05, 2.5, 20)
"""Orders that are tried, less 1, in units of what a Gaussian mechanism of about this shift asks for."""

PLACES, STRIDE, STEPS = np.linspace(-1, 1, 97), 6, 4
"""Where the level of a test is sought, first at each sixth place; and the steps of Newton's method from the best of these. A
level that is off makes the bound larger, and no less true."""

FAR, LEVELS, NEAR = 10.0, 513, np.linspace(-1, 1, 65)
"""How far beyond a shift levels are tried, and how many; and where more are, about the best of these."""

HALF_LOG = log(2 * np.pi) / 2


def known_moment(order: float, shift: float, m: int, n: int, log_gs: Collection[float]) -> float:
    """An upper bound m ln θ + n ln g on ln E_Q[(P/Q)^α] of m tests of which at most n < m are ⊥. To a relative 10⁻⁵.

    order: α > 1. shift: h. log_gs: values of ln g, at least 0, of which the best is taken.
    """
    reach = FAR + 1.5 * order * shift
    levels = np.linspace(-reach, reach, LEVELS)
    about = (levels[1] - levels[0]) * NEAR
    high, low = _logs(levels), _logs(levels - shift)
    ways = ((_terms(order, low, high), -shift, 0.0), (_terms(order, high, low), 0.0, -shift))
    moments = []
    with np.errstate(over="ignore"):
        for log_g in log_gs:
            most = 0.0
            for terms, one, other in ways:
                near = levels[int(np.argmax(_gain(*terms, log_g)))] + about
                most = max(most, float(_gain(*_terms(order, _logs(near + one), _logs(near + other)), log_g).max()))
            moments.append(m * log1p(most) + n * log_g)
    return min(moments)


def _gain(bottom: Reals, top: Reals, log_g: float) -> Reals:
    """t + b/g − 1."""
    return np.asarray(np.expm1(top) + np.exp(bottom - log_g))


def known_eps(shift: float, m: int, n: int, delta: float) -> float:
    """An ε' at which m Gaussian tests against a known threshold, at most n of them ⊥, are certainly (ε', δ)-DP.

    The smaller of two: by the Rényi divergence above (Canonne, Kamath, Steinke 2020, Proposition 12), and the exact curve of m
    Gaussian mechanisms of shift h, of which the outcomes are made. shift: h = Δ/σ.
    """
    if delta <= 0:
        return inf
    every = gaussian_eps(shift * sqrt(m), delta)
    if n >= m:
        return every
    orders = _orders(shift, m, n, delta)
    log_g, moments = _at_the_saddle(orders, shift, m, n)
    best = int(np.argmin(_converted(orders, moments, delta)))
    order = float(orders[best])
    moment = known_moment(order, shift, m, n, {0.0, *log_g[best].tolist()})
    return min(every, max(0.0, float(_converted(np.array([order]), np.array([moment]), delta)[0])))


@cache
def known_shift(eps: float, m: int, n: int, delta: float) -> float:
    """About the largest shift h = Δ/σ at which `known_eps` is at most ε, to a relative 10⁻⁴, and certainly none too large."""
    spent = cache(lambda log_shift: known_eps(exp(log_shift), m, n, delta))
    shift = gaussian_mu(eps, delta) / sqrt(m)
    low = log(1.01 * shift)
    if n >= m or spent(low) > eps:
        return shift
    high = low + 1
    while spent(high) <= eps:
        low, high = high, high + 1
    root = float(scipy.optimize.brentq(lambda log_shift: spent(log_shift) - eps, low, high, xtol=1e-6))
    shift, more = exp(root), spent(root)
    while more > eps:
        shift *= eps / more * (1 - 1e-6)
        more = known_eps(shift, m, n, delta)
    return shift


def leak_level(n: int, delta: float) -> float:
    """The level that n noises N(0, 1) all stay below but for a chance δ, by their union."""
    return -float(ndtri(min(0.5, delta / n)))


def _orders(shift: float, m: int, n: int, delta: float) -> Reals:
    """Of n rare ⊥s: each is about as a Gaussian mechanism of shift h√(1 + 2 ln(m/n))."""
    return 1 + SHARES * sqrt(2 * log(1 / delta) / (n * (1 + 2 * log(m / n)))) / shift


def _converted(orders: Reals, moments: Reals, delta: float) -> Reals:
    """ε at each order, (orders,)."""
    rise = orders - 1
    return np.asarray((moments - log(delta) - np.log(orders)) / rise + np.log(rise / orders))


def _logs(level: Reals) -> tuple[Reals, Reals]:
    """ln of the chance of ⊥, and of none, at these levels of tests: the threshold less the distance, in units of the noise."""
    return log_ndtr(level), log_ndtr(-level)


def _terms(order: Reals | float, one: tuple[Reals, Reals], other: tuple[Reals, Reals]) -> tuple[Reals, Reals]:
    """ln b and ln t of tests, by the logarithms of their chances on the first data set and on the second."""
    (p, not_p), (q, not_q) = one, other
    return order * p + (1 - order) * q, order * not_p + (1 - order) * not_q


def _at_the_saddle(orders: Reals, shift: float, m: int, n: int) -> tuple[Reals, Reals]:
    """ln g each way, (orders, 2), where the level of the tests suits g and g the level; and the larger moment, (orders,).

    For a level u the least over g of m ln(t + b/g) + n ln g is (m−n) ln t + n ln b less the logarithm of the chance that a
    share n/m is ⊥, at g = (m−n)b/(nt).
    """
    alpha = orders[:, np.newaxis]
    away = shift * np.array([[[0.0, -1.0]], [[-1.0, 0.0]]])  # of the level on the first and the second data set: two ways
    weight = np.stack([alpha, 1 - alpha])
    level = _best_place(alpha, shift, m, n)
    for _ in range(STEPS):
        place = level + away
        up, down = _ratio(np.stack([place, -place]))
        slope = (weight * (n * up - (m - n) * down)).sum(axis=0)
        curve = -(weight * (n * up * (up + place) + (m - n) * down * (down - place))).sum(axis=0)
        level = level - np.clip(np.divide(slope, curve, out=np.zeros_like(slope), where=curve < 0), -1, 1)
    p, q = level + away
    bottom, top = _terms(alpha, _logs(p), _logs(q))
    chance = (m - n) * log1p(-n / m) + n * log(n / m)
    moment = _shown(bottom, top, m, n) - chance
    log_g = np.maximum(0.0, bottom - top + log((m - n) / n))
    return log_g, np.maximum(0.0, moment.max(axis=1))


def _best_place(alpha: Reals, shift: float, m: int, n: int) -> Reals:
    """The level each way, (orders, 2), where m tests of which n are ⊥ show most, of the places where it is sought."""
    step, near = FAR + 1.5 * alpha * shift, np.arange(1 - STRIDE, STRIDE)
    levels = step * PLACES[::STRIDE]
    high, low = _logs(levels), _logs(levels - shift)
    places = []
    for one, other, terms in ((0.0, -shift, _terms(alpha, high, low)), (-shift, 0.0, _terms(alpha, low, high))):
        middle = STRIDE * _shown(*terms, m, n).argmax(axis=1)[:, np.newaxis]
        tried = step * PLACES[np.clip(middle + near, 0, len(PLACES) - 1)]
        best = _shown(*_terms(alpha, _logs(tried + one), _logs(tried + other)), m, n).argmax(axis=1)
        places.append(tried[np.arange(len(tried)), best])
    return np.stack(places, axis=1)


def _shown(bottom: Reals, top: Reals, m: int, n: int) -> Reals:
    """By m tests of which n are ⊥."""
    return (m - n) * top + n * bottom


def _ratio(place: Reals) -> Reals:
    """φ/Φ."""
    return np.asarray(np.exp(-place * place / 2 - HALF_LOG - log_ndtr(place)))
