"""BTT18a Theorem 3.11 at ε = 100: k has no lower end that does not fall with ε. In intervals."""

from fractions import Fraction
from math import comb
from typing import Any

from mpmath import iv

iv.dps = 30


def printed_k(eps: float, m: int, T: int, delta: float, beta: float) -> Any:
    return 136 * iv.log(iv.mpf(4) * m * T / min(delta, beta / 2)) * iv.sqrt(T * iv.log(iv.mpf(2) / delta)) / eps


def wrong(k: int) -> Fraction:
    """P(fewer than half of k votes, each x_f with chance 3/4, are x_f): of two labels the other then has more votes."""
    return sum((Fraction(comb(k, i) * 3**i, 4**k) for i in range((k - 1) // 2 + 1)), Fraction(0))


def main() -> None:
    m, T, delta, beta = 100, 1, 0.2, 0.2
    k = printed_k(100, m, T, delta, beta)
    assert 17 < k.a and k.b < 18
    for chunks in (17, 18):
        # m − T = 99 queries of two labels, whose votes are independent; where fewer than half are x_f the answer is not x_f.
        fails = 1 - (1 - wrong(chunks)) ** (m - T)
        assert fails > Fraction(1, 5)
        print(f"ε = 100, δ = β = 0.2, m = 100, T = 1, k = {chunks}: a stable query is lost w.p. ≥ {float(fails):.2f}")
    # "Both the conditions on k are satisfied": the first, k ≥ 72 ln(2m/β), is not, from ε = 5 on here; at δ = 1e-6, β = 0.05,
    # m = T = 1 from ε = 30 on.
    assert printed_k(5, m, T, delta, beta).b < (72 * iv.log(iv.mpf(2) * m / beta)).a
    assert printed_k(30, 1, 1, 1e-6, 0.05).b < (72 * iv.log(iv.mpf(2) / 0.05)).a
    assert printed_k(29, 1, 1, 1e-6, 0.05).a > (72 * iv.log(iv.mpf(2) / 0.05)).b
    # The second with the 1 of Algorithm 4, k ≥ 3(a + 1): not from ε = 4.6 on at δ = 1e-6, β = 0.05, m = T = 1.
    for eps, enough in ((4.5, True), (4.6, False)):
        a = 32 * iv.log(iv.mpf(4) / 1e-6) * iv.sqrt(2 * iv.log(iv.mpf(2) / 1e-6)) / eps
        short = printed_k(eps, 1, 1, 1e-6, 0.05) - 3 * (a + 1)
        assert short.a > 0 if enough else short.b < 0


if __name__ == "__main__":
    main()
