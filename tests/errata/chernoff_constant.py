"""BTT18 Theorem 3.2 at small β: T = 3B with B = pm + √(pm ln(m/β)/2), where Chernoff's bound asks for √(2pm ln(m/β)) or more.

Half of the hypotheses err on one set of mass α, half on another: on mass 2α the votes are split, and a query there is ⊥ but for
P(Lap(2λ) − Lap(λ) > w) = 2y/3 − y²/6, y = e^(−w/2λ) = δ/2m. The first T + 1 such queries have a fresh threshold each. Exact
fractions at δ = 1e-6, intervals for 3B. Then the proof's own step, for k identical hypotheses.
"""

from fractions import Fraction
from math import comb
from typing import Any

from mpmath import iv

DELTA = Fraction(1, 10**6)


def three_b(m: int, alpha: Fraction, beta: Fraction) -> Any:
    p = iv.mpf(alpha.numerator) / alpha.denominator
    return 3 * (p * m + iv.sqrt(p * m * iv.log(iv.mpf(m * beta.denominator) / beta.numerator) / 2))


def beyond(m: int, p: Fraction, count: int) -> Fraction:
    """P(Bin(m, p) > count)."""
    return 1 - sum((comb(m, i) * p**i * (1 - p) ** (m - i) for i in range(count + 1)), Fraction(0))


def missed(m: int, alpha: Fraction, allowed: int) -> Fraction:
    """P(more than `allowed` of m queries are ⊥), from below."""
    y = DELTA / (2 * m)
    return beyond(m, 2 * alpha, allowed) * (1 - 2 * y / 3 + y * y / 6) ** (allowed + 1)


def main() -> None:
    said = []
    for reading, m, alpha, beta, edge, allowed in (
        ("a real number", 1, Fraction(526, 10**4), Fraction(5, 100), 1, 0),
        ("max(1, 3B)", 5, Fraction(196, 10**4), Fraction(7, 1000), 2, 1),
        ("⌈3B⌉", 6, Fraction(332, 10**5), Fraction(32, 10**5), 1, 1),
        ("⌈3B⌉", 8, Fraction(1, 620), Fraction(1, 10**6), 1, 1),
    ):
        assert three_b(m, alpha, beta) < edge
        chance = missed(m, alpha, allowed)
        assert chance > 2 * beta, (reading, float(chance))
        said.append(f"{reading}, β = {float(beta):g}, m = {m}: {float(chance):.4g} > {float(2 * beta):g}")
    m, p, beta = 100, Fraction(2, 100), Fraction(5, 100)
    b = three_b(m, p, beta) / 3
    assert 4 < b < 5  # so that 5 mistakes are too many
    assert beyond(m, p, 4) > beta
    assert beyond(8, Fraction(2, 620), 1) < Fraction(1, 1000) < 2 * Fraction(5, 100)  # at β = 0.05 the same votes break nothing
    print(f"T read as {'; '.join(said)}; one h_j passes B = {float(b.mid):.2f} with chance {float(beyond(m, p, 4)):.3f} > 0.05")


if __name__ == "__main__":
    main()
