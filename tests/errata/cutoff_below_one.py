"""BTT18 Theorem 3.2's T = 3B may be below 1, and λ falls with √T while one ⊥ is let out at any T: Theorem 3.1 needs T ≥ 1.

m = 1 query, ε = 1, δ = 1e-6, β = 0.05, T = 0.001, which is 3B at α = 7.4e-8. λ = 0.68 and w = 19.8. One changed vote moves the
distance from 22 to 20. The event is ⊥. Intervals throughout.
"""

from typing import Any

from mpmath import iv


def unanswered(above: Any) -> Any:
    """P(distance + Lap(2λ) ≤ w + Lap(λ)), the distance so many λ above w."""
    assert above >= 0
    return 2 * iv.exp(-above / 2) / 3 - iv.exp(-above) / 6


def main() -> None:
    m, eps, delta, beta, alpha = 1, 1, iv.mpf("1e-6"), iv.mpf("0.05"), iv.mpf("7.4e-8")
    T = 3 * (alpha * m + iv.sqrt(alpha * m * iv.log(m / beta) / 2))
    assert T < iv.mpf("0.0011")
    lam = iv.sqrt(32 * T * iv.log(2 / delta)) / eps
    w = 2 * lam * iv.log(2 * m / delta)
    k = 34 * iv.sqrt(2) * lam * iv.log(4 * m * T / delta)
    assert k > 23  # there are votes enough for a distance of 22
    more, less = unanswered((20 - w) / lam), unanswered((22 - w) / lam)
    excess = more - iv.exp(eps) * less
    assert excess > 1000 * delta, excess
    numbers = f"T = {float(T.mid):.5f}: P(⊥) = {float(less.mid):.3f} and {float(more.mid):.3f} on neighbours"
    print(f"{numbers}, P' − e^ε P = {float(excess.mid):.3f} at ε = 1, δ = 1e-6")


if __name__ == "__main__":
    main()
