"""BTT18a Section 5, the example of weak quality: the least of max{p(1|x), p(0|x)} is Φ(√8), not 1 − e⁻⁴. In intervals."""

from itertools import pairwise
from typing import Any

from mpmath import iv

iv.dps = 30


def other_label(x: int) -> tuple[Any, Any]:
    """P(z < −x) for z ~ N(0, 1/8), c = 1, from below and above: by a monotone density in 4000 cells, and its tail."""
    low = high = iv.mpf(0)
    root, width = iv.sqrt(4 / iv.pi), iv.mpf(1) / 1000  # the density is √(4/π) e^{−4z²}
    values = [root * iv.exp(-4 * (x + i * width) ** 2) for i in range(4001)]
    for left, right in pairwise(values):
        low, high = low + right * width, high + left * width
    return low.a, (high + values[-1]).b  # beyond x + 4: ∫ ≤ density there / (8(x + 4)) < density


def main() -> None:
    low, high = other_label(1)
    bound = iv.exp(-4)
    assert high < 0.00236 and low > 0.0023
    assert high < bound.a / 7  # the tail bound holds, with a factor of 7 to spare, and is no equality
    print(
        f"At x = ±c max(p1, p0) is in {1 - float(high):.5f} … {1 - float(low):.5f}; printed: 1 − e⁻⁴ = {1 - float(bound.a):.5f}"
    )


if __name__ == "__main__":
    main()
