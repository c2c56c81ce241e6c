"""BCMNUW20 Theorem 10 at ε = 1/α²: n and m together are fewer points than any algorithm needs, whatever the O(·) hides.

One threshold, and a coin with mean +2α or −2α: an average within α tells them apart. From N points no test errs less than
(1 − √(N·KL/2))/2 of the time on one of them (Le Cam, Pinsker), KL = 2α ln((1 + 2α)/(1 − 2α)). Private or public is no matter.
"""

from math import log, sqrt

BETA, DELTA, V, P = 0.05, 1e-6, 1, 1


def points(alpha: float, eps: float) -> float:
    """n + m of the theorem, without their constants."""
    both = V * log(1 / alpha) + log(1 / BETA)
    return float(both**1.5 * sqrt(P * log(1 / DELTA)) / (eps * alpha**2) + both / alpha)


def main() -> None:
    for constant in (1.0, 1e3, 1e6):
        alpha = 1e-3 / constant / 10
        total = constant * points(alpha, alpha**-2)
        divergence = 2 * alpha * log((1 + 2 * alpha) / (1 - 2 * alpha))
        errs = (1 - sqrt(total * divergence / 2)) / 2
        assert errs > BETA, f"with the constant {constant:g} at α = {alpha:g}"
    assert 1e6 * points(1e-10, 1.0) * 8 * 1e-20 > 1, "at ε = 1 there is no such thing"
    print("T10 at ε = 1/α²: with a constant of 10⁶, α = 10⁻¹⁰, any algorithm misses α with chance above β = 0.05")


if __name__ == "__main__":
    main()
