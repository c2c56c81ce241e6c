"""BTT18a Section 5: SGD with constant steps has a mean change of O(1/n) and a root-mean-square change of Θ(1/√n). Exact."""

from fractions import Fraction
from itertools import product

ETA = Fraction(1, 2)


def sgd(labels: tuple[int, ...], decaying: bool = False) -> Fraction:
    """One pass over the loss (w − y)²/2 on [0, 1] from w = 0: 1-strongly convex, 1-smooth, 1-Lipschitz; η = ½ ≤ 1, or 1/t."""
    w = Fraction(0)
    for t, y in enumerate(labels, 1):
        w -= (Fraction(1, t) if decaying else ETA) * (w - y)
    return w


def changes(n: int) -> tuple[Fraction, Fraction]:
    """1/n Σ_j E|h − h⁽ʲ⁾| and 1/n Σ_j E|h − h⁽ʲ⁾|²: example j counts η(1 − η)^{n − j}, and fair labels differ half the time."""
    weights = [ETA * (1 - ETA) ** (n - j) for j in range(1, n + 1)]
    return sum(weights, Fraction(0)) / (2 * n), sum((each**2 for each in weights), Fraction(0)) / (2 * n)


def brute(n: int) -> tuple[Fraction, Fraction]:
    """The same over all labels and replacements."""
    found = [
        abs(sgd(labels) - sgd((*labels[:j], new, *labels[j + 1 :])))
        for labels in product((0, 1), repeat=n)
        for j in range(n)
        for new in (0, 1)
    ]
    return sum(found, Fraction(0)) / len(found), sum((each**2 for each in found), Fraction(0)) / len(found)


def main() -> None:
    assert all(brute(n) == changes(n) for n in range(1, 6))
    for n in (10, 100, 1000):
        mean, square = changes(n)
        assert mean == (1 - ETA**n) / (2 * n)  # below 1/2n
        assert square == (1 - ETA ** (2 * n)) / (6 * n)  # so that α ≥ √(1/7n), and αn ≥ √(n/7) is without bound
        assert square * 7 * n > 1
        # |h − h'| is what the loss |h − y| changes by, and (h − y)²/2 by at least half of it for y = 0 or y = 1: a bound on the
        # mean change of either, O(1/n), is no bound on the root mean square up to a constant.
        assert square / mean**2 > n / 2
    mean, square = changes(1000)
    # Steps 1/t: an example counts 1/n wherever it comes, so that α² is 1/2n².
    ends = [sgd(tuple(int(i == j) for i in range(10)), decaying=True) for j in range(10)]
    assert ends == [Fraction(1, 10)] * 10
    print(f"SGD, η = ½, n = 1000: mean change {float(mean):.2e} ≤ 1/2n, root mean square {float(square) ** 0.5:.2e} = √(1/6n)")


if __name__ == "__main__":
    main()
