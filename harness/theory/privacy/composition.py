"""What n epochs spend together at δ."""

from functools import cache
from math import inf, log, sqrt

import numpy as np
from scipy.optimize import brentq
from scipy.special import betainc


def epochs(m: int, T: float) -> int:
    """How many epochs a run can have: the printed loop runs while c ≤ T and lets ⌊T⌋ + 1 ⊥s out, at most one a query."""
    return min(m, int(T) + 1)


def compose_pure(eps: float, n: int, delta: float) -> float:
    """The least ε' at which n adaptively chosen pure (eps, 0)-DP mechanisms are always (ε', δ)-DP; infinite if δ ≤ 0.

    Randomised response dominates them (Kairouz, Oh, Viswanath 2015). Its privacy losses ±eps lie on a grid of step eps, so
    nothing is rounded. What error there is comes from dp-accounting's Fourier transforms and the tail mass of 1e-15 it sets
    aside: where ε' ≤ 100, relative 1e-7 for δ ≥ 1e-6, and 2e-5 for δ = 1e-9 and n = 3·10⁴.
    """
    # Most commands never compose anything and should not pay for the imports.
    from dp_accounting.pld.common import DifferentialPrivacyParameters
    from dp_accounting.pld.privacy_loss_distribution import from_privacy_parameters

    if delta <= 0:
        return inf
    loss = from_privacy_parameters(DifferentialPrivacyParameters(eps, 0), value_discretization_interval=eps)
    return float(loss.self_compose(n).get_epsilon_for_delta(delta))


@cache
def pure_share(eps: float, n: int, delta: float) -> float:
    """The ε₀ at which n pure (ε₀, 0)-DP mechanisms spend (eps, δ) together: the inverse of compose_pure, to 1e-7."""
    return float(brentq(lambda share: compose_pure(share, n, delta) - eps, eps / n, eps + 1, rtol=1e-12))


def compose_event(p: float, q: float, n: int, delta: float) -> tuple[float, int]:
    """What an event shows that has probability p in an epoch on one table and q < p on its neighbour, in n such epochs.

    "At least t of the n epochs show it" has binomial tails P_t and Q_t, and P_t ≤ e^{ε'} Q_t + δ asks for
    ε' ≥ ln((P_t − δ)/Q_t). Returns the largest such ε', or 0, with its t. The t tried go from the mean to where Bernstein's
    inequality has P_t below δ. Relative error of the tails 1e-12.
    """
    mean, rare = n * p, log(1 / delta)
    t = np.arange(max(1, int(mean)), min(n, int(mean + sqrt(2 * mean * rare) + rare)) + 1)
    p_t, q_t = betainc(t, n - t + 1, p), betainc(t, n - t + 1, q)
    tiny = np.finfo(float).tiny
    shown = np.log(np.maximum(p_t - delta, tiny) / np.maximum(q_t, tiny))
    best = int(np.argmax(shown))
    return max(0.0, float(shown[best])), int(t[best])
