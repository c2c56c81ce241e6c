"""BCMNUW20 Theorems 13 and 14, 'for every α > 0': a few private rows are enough at α = 1, and at α = 1 − 1/(5n).

Publishing all n rows with chance 1/4n is (0, 1/4n)-private. The averages are off by α or more with chance 2p·exp(−nα²/2) at
most (Hoeffding), and e > 27/10. Exact fractions.
"""

from fractions import Fraction


def main() -> None:
    # α = 1: the answer 0 is off by |mean| ≤ 1, whatever p is; with n = 1 and m = 0
    for mean in (Fraction(-1), Fraction(0), Fraction(1)):
        assert abs(0 - mean) <= 1
    for n, p in ((60, 10**6), (400, 10**30), (4000, 10**300)):
        alpha = 1 - Fraction(1, 5 * n)
        off = 2 * p * Fraction(10, 27) ** int(n * alpha**2 / 2)
        accurate = Fraction(1, 4 * n) * (1 - off)
        assert accurate >= 1 - alpha, (n, p)
        assert 100 * n * n < p, "√p/α is more than ten times n"
    print("n = 60, p = 10⁶, α = 299/300: (0, 1/4n)-private, and within α with chance 1 − α at least; √p/α is 1003")


if __name__ == "__main__":
    main()
