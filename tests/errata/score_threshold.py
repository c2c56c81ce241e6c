"""BTT18a Theorem 5.4: one query on two neighbours tells them apart with a chance beyond δ, at every ε. Exact."""

from fractions import Fraction

M, DELTA = 1, Fraction(1, 10**6)
ROOT = Fraction(1, 2000)  # √(δ/4m) = e^{−w/2λ} at w = λ ln(4m/δ)


def passes(y: Fraction) -> Fraction:
    """P(Lap(2λ) − Lap(λ) > w), y = e^{−w/2λ}: ⅔y − ⅙y².

    Given ŵ − w = u, in units of λ, it is ½e^{−(w/λ + u)/2} for u > −w/λ and 1 − ½e^{(w/λ + u)/2} below. With t = e^{u/2}, u has
    the measure t dt for t < 1 and dt/t³ for t > 1. The three parts: t from 0 to y, from y to 1, and beyond 1.
    """
    low = y**2 / 2 - y**2 / 6  # ∫₀^y (1 − t/2y) t dt
    middle = y / 2 * (1 - y)  # ∫_y^1 (y/2t) t dt
    high = y / 2 * Fraction(1, 3)  # ∫_1^∞ (y/2t) dt/t³
    return low + middle + high


def main() -> None:
    assert ROOT**2 == DELTA / (4 * M)
    # D: two predictions in the first bin and one in the last. D': one and two. All gaps are 1, so dist = max{0, 1 − 1} = 0.
    gaps = [sorted(bins)[-1] - sorted(bins)[-2] for bins in ((2, 0, 1), (1, 0, 2))]
    assert gaps == [1, 1]
    # The first bin's midpoint is an answer on D where the first test passes. On D' it is none: the last bin is on top, and
    # the midpoints of shifted bins are multiples of γ, where this one is γ/2.
    chance = passes(ROOT)
    assert chance == Fraction(2, 3) * ROOT - ROOT**2 / 6
    assert chance > 300 * DELTA
    # With the factor 2 it is δ/6m − …, below δ.
    assert passes(ROOT**2) < DELTA / 6
    # ⅔√(δ/4m) − δ/24m > δ, by squares: one query alone is too much up to m of about 1/(9δ) = 111,111.
    for m in (10**4, 111_000):
        assert Fraction(4, 9) * DELTA / (4 * m) > (DELTA + DELTA / (24 * m)) ** 2
    assert Fraction(4, 9) * DELTA / (4 * 112_000) < (DELTA + DELTA / (24 * 112_000)) ** 2
    print(f"Algorithm 6, m = 1, δ = 1e-6, every ε: an output of chance {float(chance):.3e} on D and of 0 on D'")


if __name__ == "__main__":
    main()
