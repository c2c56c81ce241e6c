"""BTT18a Theorem 5.6 (i): one query that is stable on neither partition halts the loop at T = 1. Exact."""

from fractions import Fraction

M, T = 2, 1
DELTA, BETA = Fraction(1, 50), Fraction(1, 20)
Y = Fraction(1, 20)  # e^{−w/2λ} = √(δ/4m) at w = λ ln(4m/δ)


def answered(bottoms_at: set[int], cutoff: int) -> int:
    """How many of the M queries the loop of Algorithm 6 comes to, where those at these places are ⊥ and the others pass."""
    c = asked = 0
    for query in range(M):
        if not c <= cutoff:
            break
        asked += 1
        if query in bottoms_at:
            c += 2  # step 6
    return asked


def main() -> None:
    assert Y**2 == DELTA / (4 * M)
    # The first query: half of the predictions in the first bin, half in the last, at the outer ends of both. Its gap is 0, and
    # both outermost half-bins are dropped from the shifted partition, so that its gap there is 0 too. The second is unanimous.
    # |𝒢₀| ≥ m − T = 1.
    one_test = Fraction(2, 3) * Y - Y**2 / 6  # P(a test at distance 0 passes)
    halts = (1 - one_test) ** 2
    assert answered({0}, T) == 1 < M
    assert halts > BETA
    assert answered({0}, 2 * T) == M
    # In general: with T ⊥s that come first and c ≤ T, the loop ends after ⌊T/2⌋ + 1 of them.
    for cutoff in range(1, 50):
        c = bottoms = 0
        while c <= cutoff:
            c, bottoms = c + 2, bottoms + 1
        assert bottoms == cutoff // 2 + 1
    print(f"Algorithm 6, m = 2, T = 1, δ = 0.02: the second query is not answered w.p. {float(halts):.3f}, β = 0.05")


if __name__ == "__main__":
    main()
