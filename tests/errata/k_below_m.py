"""BTT18a Corollary 4.1, proof: √(m ln(k/β)/2) < √(m ln(m/β)/2) needs k < m, which nothing gives. Exact, and in intervals."""

from fractions import Fraction
from math import ceil, comb, floor
from typing import Any

from mpmath import iv

iv.dps = 30
EPS, DELTA, BETA = 1, 1e-6, 0.05


def mistakes(m: int, p: float) -> Any:
    """B = pm + √(m ln(m/β)/2), p = γ + α."""
    return p * m + iv.sqrt(m * iv.log(iv.mpf(m) / BETA) / 2)


def printed_k(m: int, T: Any) -> Any:
    """k = 136 ln(4mT/min(δ, β/2)) √(T ln(2/δ)) / ε of Algorithm 4."""
    return 136 * iv.log(4 * m * T / min(DELTA, BETA / 2)) * iv.sqrt(T * iv.log(iv.mpf(2) / DELTA)) / EPS


def beyond(m: int, p: Fraction, most: int) -> Fraction:
    """P(Bin(m, p) > most)."""
    return sum((comb(m, i) * p**i * (1 - p) ** (m - i) for i in range(most + 1, m + 1)), Fraction(0))


def main() -> None:
    m, p = 1000, Fraction(1, 4)
    B = mistakes(m, 0.25)
    k = printed_k(m, 3 * B)
    assert (3 * B).b < m  # T < m: the corollary says something
    assert k.a > 400 * m
    # The h_j err on sets of mass 1/4 that were drawn at random: their counts on m queries are independent, Bin(m, 1/4) each.
    tail = beyond(m, p, floor(B.b))
    some = 1 - (1 - iv.mpf(tail.numerator) / tail.denominator) ** floor(k.a)
    assert some.a > 2 * BETA
    print(f"m = 1000, γ + α = 1/4, ε = 1, k = {floor(k.a):,}: some h_j errs on more than B w.p. ≥ {float(some.a):.2f}")
    # With ln(k/β) each exceeds it with probability at most β/k, by Hoeffding; exactly, far less.
    larger = ceil((250 + iv.sqrt(m * iv.log(k / BETA) / 2)).a)
    assert float(beyond(m, p, larger - 1)) * float(k.b) < BETA
    # At ε = 1, δ = 1e-6, β = 0.05 and the least T, that of γ + α = 0, k < m begins between m = 10⁶ and 10⁷.
    for size, below in ((10**4, False), (10**6, False), (10**7, True)):
        least = printed_k(size, 3 * mistakes(size, 0))
        assert least.b < size if below else least.a > size


if __name__ == "__main__":
    main()
