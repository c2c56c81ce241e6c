"""BCMNUW20 Theorem 14, accuracy read as in Definition 8: t/2 rows are not named with chance 1 − 1/(r+t)². Exact fractions.

The algorithm answers 0 with chance α/2, and else with averages of s = r + t rows. The attacker names a fresh row with chance
1/(r+t)² at most. Given the answer 0 the s rows are fresh rows, so that any of them is named with chance s · (2/α)/(r+t)² at
most.
"""

from fractions import Fraction
from math import log


def fewer_than_half_of_t(alpha: Fraction, rows: int) -> Fraction:
    """The least chance of it: the answer is 0, and no row is named."""
    some = rows * (1 / Fraction(rows) ** 2) / (alpha / 2)
    return alpha / 2 * (1 - some)


def main() -> None:
    for alpha in (Fraction(1, 4), Fraction(1, 10), Fraction(1, 100)):
        first = int(2 / alpha) + 2
        for rows in (*range(first, first + 1000), 10**6, 10**12):
            assert fewer_than_half_of_t(alpha, rows) > Fraction(1, rows**2), (alpha, rows)
        # averages of √p/α rows, over six logarithms, are within α but for a chance of α/2, at p = 10⁴⁰ (Hoeffding)
        p = 10**40
        assert p**0.5 / float(alpha) / log(p) ** 6 > 2 * log(4 * p / alpha) / alpha**2
    at = fewer_than_half_of_t(Fraction(1, 4), 100)
    print(f"α = 1/4, r + t = 100: fewer than t/2 rows are named with chance {at} at least, which is above 1/(r+t)² = 1/10000")


if __name__ == "__main__":
    main()
