"""BCMNUW20, the proof of Theorem 13: (m + 1)(1 − x) − m is 1 − (m + 1)x, and not 1 − (m − 1)x, at x = 1/(n + m)²."""

from fractions import Fraction


def main() -> None:
    for n, m in ((11, 0), (100, 10), (1000, 10**6)):
        x = Fraction(1, (n + m) ** 2)
        left = (m + 1) * (1 - x) - m
        assert left == 1 - (m + 1) * x
        assert left != 1 - (m - 1) * x
        assert left >= 1 - Fraction(1, n + m), "the next line of the proof"
    print("n = 11, m = 0: (m + 1)(1 − 1/(n+m)²) − m = 120/121, and 1 − (m − 1)/(n+m)² = 122/121")


if __name__ == "__main__":
    main()
