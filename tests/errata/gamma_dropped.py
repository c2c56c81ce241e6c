"""BTT18a Theorem 4.4: its two forms of n are apart by √(γ/α) without bound as α falls and γ stays. In intervals."""

from itertools import pairwise
from typing import Any

from mpmath import iv

iv.dps = 30
V, EPS, DELTA, BETA, GAMMA = 10, 1, 1e-6, 1e-3, 0.1


def forms(alpha: Any) -> tuple[Any, Any]:
    """The first form, as it stands, and the second with all logarithms of the first: of m at its least."""
    m = 4 * iv.log(1 / (alpha * BETA)) / alpha**2
    T = 3 * ((alpha + GAMMA) * m + iv.sqrt(m * iv.log(m / BETA) / 2))
    logs = iv.log(m * T / min(DELTA, BETA)) * iv.sqrt(iv.log(1 / iv.mpf(DELTA))) / EPS
    first = (V + iv.log(m / BETA)) * logs * iv.sqrt(T) / alpha**2
    second = V * iv.sqrt(m) / alpha ** iv.mpf("1.5") * (1 + iv.log(m / BETA) / V) * logs
    return first, second


def main() -> None:
    ratios = []
    for power in range(1, 13):
        alpha = iv.mpf(10) ** -power
        first, second = forms(alpha)
        ratio = first / second  # √(T/(αm)) ≥ √(3γ/α)
        assert ratio.a > iv.sqrt(3 * GAMMA / alpha).a
        ratios.append(ratio)
    # Each factor 10 of α is a factor of nearly √10 = 3.16 of the ratio: no logarithm does that.
    assert all((later / earlier).a > 3.1 for earlier, later in pairwise(ratios[5:]))
    print(f"γ = 0.1: the forms' ratio is {float(ratios[3].a):.0f} at α = 1e-4 and {float(ratios[11].a):.0f} at α = 1e-12")


if __name__ == "__main__":
    main()
