"""One A_stab on a vote: the ε it spends at δ, exactly, over all pairs of neighbouring vote counts (BTT18 T2.4, T3.1).

The signed gap of a query is g = ct(1) − ct(0). One changed vote moves it by 2 and its parity is that of k, so the pairs are
(g, g−2), in both directions. The winner is 1 if g > 0, else 0: a tie goes to the smaller label.
"""

from math import ceil, inf, log

import numpy as np
import scipy

from harness.arrays import Reals
from harness.theory.privacy.distance import DISTANCES
from harness.theory.privacy.laplace import log_tail


def hockey_stick(distance: str, loss: float, eps: float, delta: float, parity: int) -> float:
    """The least δ' at which A_stab(ε, δ) is (loss, δ')-DP: the most Σ_o max(0, P(o) − e^{loss} Q(o)) of neighbouring votes.

    loss: in [0, ∞]; at infinity only the outcomes that one table never gives are left. parity: k mod 2.

    Gaps within 2(⌈Γ⌉ + 3) of zero suffice, Γ = ln(1/δ)/ε. Beyond, the winner is the same on both tables and both distances
    exceed Γ, where P(⊥) = e^{−ε(dist − Γ)}/2. One vote further out both P(⊥) shrink by one common factor. The excesses of ⊥ and
    of the label are max(0, X) and max(0, 1 − e^{loss} − X); X shrinks by that factor and 1 − e^{loss} ≤ 0 is fixed: neither
    grows.
    Tails are kept as logarithms and differences taken through expm1: relative error about 1e-13, absolute error 1e-16.
    """
    threshold = log(1 / delta) / eps
    reach = 2 * (ceil(threshold) + 3)
    high = np.arange(-reach + parity, reach + 1, 2)
    p_gap, q_gap = np.concatenate([high, high - 2]), np.concatenate([high - 2, high])
    p, q = (np.asarray(eps * (threshold - DISTANCES[distance].of(gap)), np.float64) for gap in (p_gap, q_gap))
    same = (p_gap > 0) == (q_gap > 0)
    label = np.where(same, _excess(log_tail(p), log_tail(q), loss), np.exp(log_tail(p)))
    bottom = _excess(log_tail(-p), log_tail(-q), loss)
    return float((label + bottom).max())


def _excess(log_p: Reals, log_q: Reals, loss: float) -> Reals:
    """max(0, p − e^{at} q), from logarithms."""
    return np.exp(log_p) * np.maximum(0, -np.expm1(loss + log_q - log_p))


def spent(distance: str, eps: float, delta: float, parity: int) -> float:
    """The least ε' at which one A_stab(ε, δ) is (ε', δ)-DP; infinite where there is none.

    There is none when a label that the other table never gives has probability above δ. parity: k mod 2. Tolerance 1e-12.
    """
    if hockey_stick(distance, inf, eps, delta, parity) > delta:
        return inf
    if hockey_stick(distance, 0, eps, delta, parity) <= delta:
        return 0.0
    # No distance moves by more than 2, so at 2ε only those labels are left.
    return float(
        scipy.optimize.brentq(lambda loss: hockey_stick(distance, loss, eps, delta, parity) - delta, 0, 2 * eps + 1, xtol=1e-13)
    )
