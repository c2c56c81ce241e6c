"""BTT18a Theorem 3.11 and Lemma 5.13, proofs: two thirds of the votes make a gap of k/3, and a distance of k/3 − 1. Exact."""

from fractions import Fraction


def main() -> None:
    for k in (3, 30, 3000):
        top, second = 2 * k // 3, k - 2 * k // 3
        assert Fraction(top, k) == Fraction(2, 3)
        gap = top - second
        assert gap == Fraction(k, 3)
        # Algorithm 4, step 5: dist = max{0, gap − 1}. The proof of Theorem 3.11 has dist ≥ k/3.
        assert max(0, gap - 1) == Fraction(k, 3) - 1 < Fraction(k, 3)
        # Definition 5.5: d-stable is max{1, gap} > d. The proof of Lemma 5.13 has it k/3-stable.
        assert k == 3 or not max(1, gap) > Fraction(k, 3)
        assert max(1, gap) > Fraction(k, 3) - 1
        # With max{0, gap − 1} > d, what Algorithm 8 tests, it is d-stable for d < k/3 − 1 alone.
        assert not max(0, gap - 1) > Fraction(k, 3) - 1
    # More than two thirds is no less: the least gap over all tables of 2 to 4 bins with at least 2k/3 votes in one.
    k = 12
    least = min(a - max(b, c, k - a - b - c) for a in range(8, k + 1) for b in range(k - a + 1) for c in range(k - a - b + 1))
    assert least == 4 == k // 3
    print("2k/3 votes for one answer: the gap is k/3, the distance of Algorithm 4 is k/3 − 1, at k = 3, 30, 3000")


if __name__ == "__main__":
    main()
