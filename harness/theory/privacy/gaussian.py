"""The exact privacy of Gaussian noise, alone and composed.

m adaptive releases with noise N(0, σ²), each of a value that one changed example moves by at most Δ, are together one Gaussian
mechanism of shift μ = Δ√m/σ (Dong, Roth, Su 2022, Corollary 3.3), and (ε, δ)-DP exactly where δ ≥ Φ(a) − e^ε Φ(−b) with
a = μ/2 − ε/μ and b = μ/2 + ε/μ (Balle, Wang 2018, Theorem 8). Because b² − a² = 2ε, this is φ(a) (M(−a) − M(b)) with Mills'
ratio M(x) = Φ(−x)/φ(x): everything here is a root in a, between −√(2 ln(1/δ)), where Φ(a) ≤ δ, and Φ⁻¹((1+δ)/2), where the
second term is at most (1−δ)/2. Few digits are lost to the difference for ε above 1e-6.
"""

from functools import cache
from math import exp, log, sqrt

import scipy
from scipy.special import erfcx, ndtri


def gaussian_delta(eps: float, mu: float) -> float:
    """The least δ at which a Gaussian mechanism of shift μ is (ε, δ)-DP."""
    return _delta(mu / 2 - eps / mu, mu / 2 + eps / mu)


@cache
def gaussian_mu(eps: float, delta: float) -> float:
    """The largest shift μ at which a Gaussian mechanism is (ε, δ)-DP. Relative error 1e-10."""
    least, most = _range(delta)
    a = scipy.optimize.brentq(lambda a: _delta(a, sqrt(a * a + 2 * eps)) - delta, least, most, xtol=1e-15, rtol=1e-14)
    b = sqrt(a * a + 2 * eps)
    return a + b if a > 0 else 2 * eps / (b - a)


def gaussian_eps(mu: float, delta: float) -> float:
    """The least ε at which a Gaussian mechanism of shift μ is (ε, δ)-DP. Relative error 1e-10."""
    if gaussian_delta(0.0, mu) <= delta:
        return 0.0
    least, most = _range(delta)
    a = scipy.optimize.brentq(lambda a: _delta(a, mu - a) - delta, least, min(most, mu / 2), xtol=1e-15, rtol=1e-14)
    return mu * (mu / 2 - a)


def _range(delta: float) -> tuple[float, float]:
    return -sqrt(2 * log(1 / delta)), float(ndtri((1 + delta) / 2)) + 1  # the 1 is for the last digit


def _delta(a: float, b: float) -> float:
    """φ(a) (M(−a) − M(b))."""
    return exp(-a * a / 2) / 2 * float(erfcx(-a / sqrt(2)) - erfcx(b / sqrt(2)))
