"""BTT18 T3.1, BTT18a T2.7 and T3.6: without a bound on ε, T epochs spend more than ε; DR14's composition is for ε < 1.

Each of T epochs asks queries in turn at these distances until one is ⊥, and closes with queries at distance 0, which tell
nothing. The distances move by Δ, alternately up and down. Given the closing queries, the T outcomes are independent, with laws
p and q. Let ℓ be the sum of ln(p/q) over them, of mean TK and variance TV under p. By Cantelli P(ℓ > ε + 6) is at least
g²/(g² + TV), g = TK − ε − 6, and under q it is at most e^{−ε−6} times that under p: so P − e^ε Q > (1 − e^{−6}) g²/(g² + TV).
"""

from math import exp, log, sqrt

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]


def first_bottom(distances: Reals, lam: float) -> Reals:
    """The law of which query is ⊥ first, none the last: the trapezium rule over ŵ − w, whose error is below 1e-6 here."""
    u = np.linspace(-40 * lam, 40 * lam, 400_001)
    left = np.exp(-abs(u) / lam) / (2 * lam) * (u[1] - u[0])
    law = []
    for distance in distances:
        x = (u - distance) / (2 * lam)
        bottom = np.where(x < 0, np.exp(np.minimum(x, 0)) / 2, 1 - np.exp(-np.maximum(x, 0)) / 2)
        law.append(float((left * bottom).sum()))
        left = left * (1 - bottom)
    return np.array([*law, float(left.sum())])


def excess(eps: float, delta: float, T: int, moved: int, log_of: float) -> float:
    """A lower bound of P(S) − e^ε Q(S). moved: Δ; distances are multiples of it, and are counted from w. m = 6T."""
    lam = sqrt(32 * T * log(log_of / delta)) / eps
    w = 2 * lam * log(2 * 6 * T / delta)
    distances = np.rint((w + np.array([1.0, 0.33, -0.33]) * lam) / moved) * moved - w
    p = first_bottom(distances, lam)
    q = first_bottom(distances + moved * np.array([1, -1, 1]), lam)
    loss = np.log(p / q)
    mean, variance = T * float(p @ loss), T * float(p @ loss**2 - (p @ loss) ** 2)
    margin = mean - eps - 6
    assert margin > 0, (eps, mean)
    return (1 - exp(-6)) * margin**2 / (margin**2 + variance)


def main() -> None:
    delta, T = 0.2, 10_000
    found = {
        "T3.1 (Δ = 2) at ε = 200": excess(200, delta, T, 2, 2),
        "T3.6 (Δ = 1) at ε = 900": excess(900, delta, T, 1, 2),
        "T2.7 (Δ = 1) at ε = 900": excess(900, delta, T, 1, 1),
    }
    assert all(each > delta + 0.1 for each in found.values()), found
    print(f"at δ = {delta}, T = {T}:", *(f"{name}: P − e^ε P' > {each:.2f};" for name, each in found.items()))


if __name__ == "__main__":
    main()
