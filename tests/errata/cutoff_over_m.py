"""BTT18 Theorem 3.2 (ii): T/m = O(γ+α) needs (γ+α)m of at least about ln(m/β). Along m = 10⁴, β = 0.05, α → 0 it grows."""

from itertools import pairwise
from typing import Any

from mpmath import iv


def ratio(alpha: str, m: int = 10_000) -> Any:
    """3B/m over α, at γ = 0 and β = 0.05: 3 + 3√(ln(m/β)/(2αm))."""
    a = iv.mpf(alpha)
    return 3 * (a * m + iv.sqrt(a * m * iv.log(m / iv.mpf("0.05")) / 2)) / m / a


def main() -> None:
    found = [ratio(alpha) for alpha in ("1e-3", "1e-5", "1e-7", "1e-9", "1e-11")]
    for less, more in pairwise(found):
        assert more > 5 * less / 2  # at least 2.5 times at each step, and nearly tenfold in the end
    assert found[-1] > 9 * found[-2]
    at_least = ratio("0.01")  # αm = 100, well above ln(m/β) = 12.2
    assert at_least < 3 * (1 + 1 / iv.sqrt(2))
    said = ", ".join(f"{float(each.mid):.3g}" for each in found)
    print(f"(T/m)/α at m = 10000, β = 0.05, α = 1e-3, 1e-5, … 1e-11: {said}; at α = 0.01 {float(at_least.mid):.3g}")


if __name__ == "__main__":
    main()
