"""What n mechanisms spend together at δ, from what each spends; and what each may spend."""

from functools import cache, lru_cache
from math import exp, expm1, floor, inf, log, log1p, sinh, sqrt

import numpy as np
import scipy
from scipy.special import betainc, expit

from harness.arrays import Reals
from harness.theory.factors import ConstantValues, Factor, formula

NODES, WEIGHTS = np.polynomial.legendre.leggauss(64)
ALONG, SHARES = (1 + NODES) / 2, WEIGHTS / 2  # of a panel of length 1
REACH = 40  # the quadrature leaves out what is e⁻⁴⁰ times as dense as the densest
TINY = np.finfo(float).tiny


def epochs(m: int, T: float) -> int:
    """How many epochs a run of m queries with cutoff T can have: the printed loop lets ⌊T⌋ + 1 ⊥s out, at most one a query."""
    return min(m, int(T) + 1)


def pure_delta(share: float, n: int, eps: float) -> float:
    """The least δ at which n adaptively chosen pure (share, 0)-DP mechanisms are always (eps, δ)-DP; exact for all n ≥ 1.

    n-fold randomised response dominates them (Kairouz, Oh, Viswanath 2015 Theorem 3.3): δ = P(I ≥ t) − e^{eps} Q(I ≥ t), with
    I the number of losses +share, of law Bin(n, σ(share)) under P and Bin(n, σ(−share)) under Q, and t the least number whose
    total loss 2t − n shares is above eps; σ is the logistic function. Both tails are integrals of one Beta(t, n−t+1) density,
    which are put together so that nothing cancels: over its logit θ up to share, 1 − e^{−y(θ)} is what is left of the density.
    Relative error 1e-10 for n up to 10⁹; less is certain only of x = (2t − n)·share − eps, which has the last digit of eps.
    """
    t = floor((eps / share + n) / 2) + 1
    if t > n:
        return 0.0
    r = n - t + 1
    theta, weights = _beta_nodes(t, r, share)
    missing = expit(-theta) * -np.expm1(theta - share)  # 1 − σ(θ)/σ(share)
    y = (r - 1) * np.log1p(missing * (2 * sinh(min(share, 700))) / (1 + missing * exp(-share))) + ((2 * t - n) * share - eps)
    return float(weights @ -np.expm1(-y) / _whole(t, r))


@lru_cache(2**14)
def _whole(t: int, r: int) -> float:
    """The integral of all of that density: a root is sought among many ε for which t is the same."""
    return float(_beta_nodes(t, r, inf)[1].sum())


def _beta_nodes(t: int, r: int, end: float) -> tuple[Reals, Reals]:
    """Nodes θ ≤ end and weights, (128,), to integrate against the density of the logit of Beta(t, r), of height 1 at its mode.

    The density falls at least like a Gaussian of its curvature at the peak, or exponentially at the rates t and r. There is a
    panel on either side of the peak.
    """
    mode, p = log(t / r), t / (t + r)
    peak = min(end, mode)
    at_peak = float(expit(peak))
    slope, curvature = max(0.0, t - (t + r) * at_peak), (t + r) * at_peak * (1 - at_peak)
    low = peak - 2 * REACH / (slope + sqrt(slope**2 + 2 * REACH * curvature)) - REACH / t
    high = min(end, peak + sqrt(2 * REACH / curvature) + REACH / r)
    theta = np.concatenate([low + (peak - low) * ALONG, peak + (high - peak) * ALONG])
    apart = theta - mode
    density = np.exp(-t * np.log1p((1 - p) * np.expm1(-apart)) - r * np.log1p(p * np.expm1(apart)))
    return theta, np.concatenate([(peak - low) * SHARES, (high - peak) * SHARES]) * density


@cache
def compose_pure(share: float, n: int, delta: float) -> float:
    """The least ε' at which n adaptively chosen pure (share, 0)-DP mechanisms are always (ε', δ)-DP; infinite if δ ≤ 0."""
    if delta <= 0:
        return inf
    if pure_delta(share, n, 0.0) <= delta:
        return 0.0
    return float(scipy.optimize.brentq(lambda eps: pure_delta(share, n, eps) - delta, 0, n * share, xtol=TINY, rtol=1e-13))


@cache
def pure_share(eps: float, n: int, delta: float) -> float:
    """The ε₀ at which n pure (ε₀, 0)-DP mechanisms spend (eps, δ) together: the inverse of compose_pure. Relative error 1e-11.

    At least eps/n, and at most what one of them may spend alone, where δ = (e^{ε₀} − e^{eps})/(1 + e^{ε₀}).
    """
    least, alone = eps / n, eps + log1p(delta * exp(-eps)) - log1p(-delta)
    if n == 1 or pure_delta(least, n, eps) >= delta:
        return alone if n == 1 else least  # or δ is too small to be told from 0
    most = log(2 * alone / least)
    return least * exp(
        scipy.optimize.brentq(lambda x: pure_delta(least * exp(x), n, eps) - delta, 0, most, xtol=1e-15, rtol=1e-14)
    )


C_ADVANCED = Factor("c_advanced", 2, "ε₀ = ε / (c_advanced √(2m ln(1/δ)))", "DR14 Corollary 3.21")


@formula(C_ADVANCED)
def advanced_share(c: ConstantValues, eps: float, m: int, delta: float) -> float:
    """ε₀ = ε / (2√(2m ln(1/δ))): m mechanisms at ε₀ each are (ε, δ)-DP together, for ε ≤ 1 (DR14 Corollary 3.21)."""
    return eps / (c[C_ADVANCED] * sqrt(2 * m * log(1 / delta)))


def sharper_share(eps: float, m: int, delta: float) -> float:
    """The ε₀ at which m mechanisms are (ε, δ)-DP together: √(2m ln(1/δ)) ε₀ + m ε₀ (e^{ε₀} − 1) = ε (DR14 Theorem 3.20)."""
    first = sqrt(2 * m * log(1 / delta))
    # Either term alone is at most ε; of the second, e^{ε₀} − 1 is at most ε/m where ε₀ ≥ 1.
    most = min(eps / first, max(1.0, log1p(eps / m)))
    return float(
        scipy.optimize.brentq(lambda share: first * share + m * share * expm1(share) - eps, 0, most, xtol=TINY, rtol=1e-14)
    )


LAPLACE_MOST, LAPLACE_SHARE = 10**4, 10**3


@cache
def compose_laplace(share: float, m: int, delta: float) -> float:
    """An ε' at which m Laplace mechanisms of pure privacy `share` each are (ε', δ)-DP; exact to 5e-5, from above.

    By dp-accounting, its loss distributions rounded to the worse side on a grid of share/20. Beyond 10⁴ mechanisms, where that
    takes long, by compose_pure, which is by then at most 1/250 more for ε' up to 10; and by it where `share` has no e^share.
    """
    bound = compose_pure(share, m, delta)
    if m > LAPLACE_MOST or share > LAPLACE_SHARE or bound in (0.0, inf):
        return bound
    # Most commands never compose Laplace noise and should not pay for the imports.
    from dp_accounting.pld.privacy_loss_distribution import from_laplace_mechanism

    loss = from_laplace_mechanism(1 / share, value_discretization_interval=share / 20)
    return min(bound, float(loss.self_compose(m).get_epsilon_for_delta(delta)))


def compose_event(p: float, q: float, n: int, delta: float) -> tuple[float, int]:
    """The largest ε' that n epochs are shown to spend, by an event of probability p on one table and q < p on its neighbour.

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
