"""BTT18a, after Lemma 5.8: the lemma gives 1/4, the sentence says 1/8; the number is true by another argument. Exact."""

from fractions import Fraction


def main() -> None:
    lemma = 1 - Fraction(3, 4)
    coins, data = Fraction(1, 8), Fraction(1, 8)
    assert coins + data == lemma > Fraction(1, 8)
    # In units of α²n': the proof has a variance of at most 4 for coins that are good, and (4√2)² = 32 is the square of what the
    # score may be off by. Over all coins the mean variance is at most ½ (Steele), and Chebyshev's inequality holds on average.
    assert Fraction(4, 32) == data
    assert Fraction(1, 2) / 32 == Fraction(1, 64) < Fraction(1, 8)
    print("Lemma 5.8 and its proof: 1/8 + 1/8 = 1/4; by Chebyshev's inequality over coins and data at once: 1/64")


if __name__ == "__main__":
    main()
