"""A run whose noisy thresholds are given away as soon as they are drawn: an upper bound that is sharp over many epochs.

Given its threshold, an epoch is a row of coins, one a query, of which the first ⊥ is the last. A coin costs the more the
likelier it is ⊥, and there is one ⊥ an epoch: so an epoch costs no more than a fair coin every second time. Where thresholds
stay secret the strongest attack that is known makes two thirds of that, in squared ε, and the bound by pure 2Δ/λ-DP is eight
times it.
"""

from functools import cache
from math import exp, expm1, inf, log

import numpy as np
import scipy

from harness.arrays import Reals

SHARES = np.geomspace(1e-4, 0.85, 64)
"""Orders that are tried: 1 + share/(e^h − 1). From a share of 1 on an epoch's moment is infinite."""

PLACES = np.linspace(-1, 0, 49)
"""Where the moment is largest, in units of h: the threshold between the two distances that the query may have."""


def epoch_moment(orders: Reals, shift: float) -> Reals:
    """ln sup E_Q[(P/Q)^α] of one epoch with a known threshold, at each order α, (orders,); infinite where there is none.

    shift: h = Δ/2λ, by how much a query's distance may move in units of its noise Lap(2λ). With p, q = P(⊥) of a query on the
    two tables, b = p^α q^(1−α) and t the same of ⊤, an adversary who asks as long as they like makes at most the largest
    b/(1 − t), by induction over queries: t G + b ≤ G. That is convex in q, so that each query moves by all of h. It is at its
    largest where the threshold is between the two distances, which is tried at 49 places: to within a relative 10⁻³.
    """
    place = shift * PLACES
    bottom, other = place - log(2), np.log1p(-np.exp(-(place + shift)) / 2)
    top, other_top = np.log1p(-np.exp(place) / 2), -(place + shift) - log(2)
    alpha = orders[:, np.newaxis]
    ended, lasting = alpha * bottom + (1 - alpha) * other, -np.expm1(alpha * top + (1 - alpha) * other_top)
    moments, finite = np.full(len(orders), inf), (lasting > 0).all(axis=1)
    moments[finite] = (ended[finite] - np.log(lasting[finite])).max(axis=1)
    return moments


def compose_revealed(shift: float, n: int, delta: float) -> float:
    """An ε' at which n epochs with revealed thresholds are certainly (ε', δ)-DP, for adaptive queries; infinite if δ ≤ 0.

    By their Rényi divergence, which adds up, at the best of 64 orders (Canonne, Kamath, Steinke 2020, Proposition 12).
    """
    if delta <= 0:
        return inf
    rise = SHARES / expm1(shift) if shift < 700 else SHARES * 0
    orders = 1 + rise
    if not rise.all():
        return inf
    with np.errstate(over="ignore"):  # orders so near to 1 that no number holds what they come to
        spent = (n * epoch_moment(orders, shift) - log(delta) - np.log(orders)) / rise + np.log(rise / orders)
    return max(0.0, float(spent.min()))


@cache
def revealed_shift(eps: float, n: int, delta: float) -> float:
    """The largest shift h at which n epochs with revealed thresholds are certified (ε, δ)-DP: compose_revealed's inverse."""
    return exp(
        scipy.optimize.brentq(lambda x: compose_revealed(exp(x), n, delta) - eps, log(1e-9 / n), log(50 + eps), xtol=1e-12)
    )
