"""BTT18 Theorems 3.4 and 3.5, proofs: T = O(1) gives T/m = O(1/m), not Õ(V/εn) uniformly in β. Along m = 1 and β = n⁻².

There a rate is 0 or 1, and the bounds go to 0. Agnostic: with labels flipped with chance γ = 1/n every answer is wrong with
chance at least γ = nβ. Realizable: thresholds on uniform points, s = n/k examples a chunk, the leftmost consistent threshold,
wrong at a distance of a from the target with chance (1 − a)^s. Where that is at least 0.53, at a ≤ 0.6/s, a majority of the
votes is wrong but for Hoeffding's exp(−2k·0.0009), and then so is the answer, or it is ⊥.
"""

from fractions import Fraction
from itertools import pairwise
from typing import Any

from mpmath import iv


def wrong_at_least(n: int) -> Any:
    """P(the one query is misclassified), from below, at ε = 1, δ = 1e-6, T = 1, β = n⁻² (less than δ)."""
    beta, delta = iv.mpf(1) / iv.mpf(n) ** 2, iv.mpf("1e-6")
    k = int((34 * iv.sqrt(2) * iv.sqrt(32 * iv.log(2 / delta)) * iv.log(8 / beta)).b) + 1
    s = n // k
    a = iv.mpf("0.6") / s
    assert iv.exp(-iv.mpf("0.6") / (1 - a)) > iv.mpf("0.53")  # which (1 − a)^s is at least, as ln(1 − a) ≥ −a/(1 − a)
    return a * (1 - iv.exp(-2 * k * iv.mpf("0.0009")))


def main() -> None:
    sizes = [10**e for e in (12, 16, 20, 24)]
    realizable = [wrong_at_least(n) * iv.mpf(n) ** 2 for n in sizes]
    agnostic = [Fraction(1, n) / Fraction(1, n * n) for n in sizes]
    for ratios in (realizable, agnostic):
        for less, more in pairwise(ratios):
            assert more >= 10**4 * less  # as n grows ten thousandfold, so does P/β: no power of ln(1/β) = 2 ln n keeps up
    allowed = [iv.log(n) ** 6 / iv.mpf(n) for n in sizes]  # V/(εn), V = ε = 1, with so many logarithms as one likes
    assert all(each < 1 for each in allowed)
    said = ", ".join(f"{float(each.mid):.2g}" for each in realizable)
    print(f"P(the one query is wrong)/β along m = 1, β = n⁻², n = 1e12, 1e16, 1e20, 1e24: at least {said}; agnostic: n")


if __name__ == "__main__":
    main()
