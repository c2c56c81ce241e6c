"""BTT18a Definition 5.5: with max{1, ·} > d a histogram with a tie is d-stable for every d < 1. Exact, and in intervals."""

from fractions import Fraction
from itertools import product

from mpmath import iv


def gap(bins: tuple[int, ...]) -> int:
    top, second = sorted(bins, reverse=True)[:2]
    return top - second


def main() -> None:
    histograms = [bins for bins in product(range(7), repeat=3) if sum(bins) == 6]
    for d in (0, Fraction(9, 10)):
        assert all(max(1, gap(bins)) > d for bins in histograms)
    assert gap((3, 3, 0)) == 0  # one prediction that moves puts another bin in front
    # For whole d it is what Algorithm 8 tests: its distance max{0, gap − 1} is at least d.
    for bins, d in product(histograms, range(7)):
        assert (max(1, gap(bins)) > d) == (max(0, gap(bins) - 1) >= d)
    # Theorem 5.6 takes a real number, d = 32 ln(8mT/min(δ, β)) √(4T ln(2/δ)) / ε, which is below 1 from ε = 359 on at
    # δ = β = 0.2 and m = T = 1. There its (i) has a tie answered, and w = λ ln(4m/δ) lets it pass less than one time in six.
    at_one = 32 * iv.log(8 / iv.mpf("0.2")) * iv.sqrt(4 * iv.log(2 / iv.mpf("0.2")))
    assert 358 < at_one.a and at_one.b < 359
    assert iv.mpf(2) / 3 * iv.sqrt(iv.mpf("0.2") / 4) < iv.mpf(1) / 6  # ⅔√(δ/4m) is more than P(a tie passes)
    print(f"Definition 5.5: (3, 3, 0) is d-stable at d = 0.9, and so are all {len(histograms)} histograms of 6 in 3 bins")


if __name__ == "__main__":
    main()
