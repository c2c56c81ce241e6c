"""BCMNUW20 Theorem 15 and Lemma 18: whoever publishes each row with chance δ needs no public rows.

(0, δ)-privacy is shown by going through all outputs for three rows and a neighbour, in exact fractions. Accuracy is Chernoff's
bound on the number published, and Massart's for thresholds: averages of ±1 are off by α with chance 2·exp(−Nα²/2) at most.
"""

from fractions import Fraction
from itertools import product
from math import exp


def law(rows: tuple[str, ...], delta: Fraction) -> dict[tuple[str, ...], Fraction]:
    """The chance of each list of published rows."""
    found: dict[tuple[str, ...], Fraction] = {}
    for which in product((False, True), repeat=len(rows)):
        chance = Fraction(1)
        for published in which:
            chance *= delta if published else 1 - delta
        out = tuple(row for row, published in zip(rows, which, strict=True) if published)
        found[out] = found.get(out, Fraction(0)) + chance
    return found


def main() -> None:
    delta = Fraction(1, 10**6)
    one, other = law(("a", "b", "c"), delta), law(("a", "b", "d"), delta)
    excess = sum(max(Fraction(0), chance - other.get(out, Fraction(0))) for out, chance in one.items())
    assert excess == delta, "the largest P(Z) − P'(Z) over all Z"
    for alpha in (0.1, 0.01, 1e-3, 1e-6):
        n = 40e6 / alpha**2
        fails = exp(-n * 1e-6 / 8) + 2 * exp(-(n * 1e-6 / 2) * alpha**2 / 2)
        assert fails < 1e-4 < 0.05, alpha
    print("δ = 10⁻⁶, n = 40/(δα²), m = 0: (0, δ)-private, and thresholds within α but for 10⁻⁴, α from 0.1 to 10⁻⁶")


if __name__ == "__main__":
    main()
