"""BTT18a Theorem 5.14: the answer is further from the mean than 8α√(2n') + ν/2, almost surely. Exact, and in intervals."""

from fractions import Fraction

from mpmath import iv

iv.dps = 30
EPS, DELTA, BETA, M, T = 1, 1e-6, 0.05, 1, 1


def main() -> None:
    # n' = 1: a chunk is one example. The learner says e where its label is 1, of probability 9/10, and e − s where it is 0. It
    # has no coins. One query, and T = 1, so that it need not be of weak quality: |𝒢(ν)| ≥ m − T = 0.
    p, s, edge = Fraction(9, 10), Fraction(1, 100), Fraction(1, 2)
    mean = p * edge + (1 - p) * (edge - s)
    square = 2 * p * (1 - p) * s**2  # α², Definition 5.7: the mean square of the change when the example is replaced
    gamma = Fraction(1, 10)
    nu = iv.mpf(1) / 10 - 16 * iv.sqrt(2 * iv.mpf(square.numerator) / square.denominator)  # γ = 16α√(2n') + ν
    assert 0 < nu.a and nu.b < 0.5
    assert edge % gamma == 0  # a bin begins at e, and bins are closed on the left
    midpoint = edge + gamma / 2
    error, claimed = midpoint - mean, gamma / 2  # 8α√(2n') + ν/2 is γ/2
    assert error == gamma / 2 + s / 10 > claimed
    # The first test passes with that bin: k = 136 ln(8mT/min(β, δ)) √(2T ln(2/δ)) / ε predictions, each in it with chance 9/10.
    root = iv.sqrt(T * iv.log(iv.mpf(2) / DELTA))
    lam, inner = 8 * root / EPS, iv.log(iv.mpf(8) * M * T / min(BETA, DELTA))
    k, w = 136 * inner * iv.sqrt(2) * root / EPS, lam * iv.log(iv.mpf(4) * M / DELTA)
    fewer = iv.exp(-2 * k * (iv.mpf(9) / 10 - iv.mpf(2) / 3) ** 2)  # Hoeffding: fewer than 2k/3 in the bin
    noise = iv.mpf(2) / 3 * iv.exp(-(k / 3 - 2 - w) / (2 * lam))
    assert (fewer + noise).b < 1e-9
    print(f"Theorem 5.14, ε = 1: but for a chance of {float((fewer + noise).b):.0e} the error is {error}, claimed {claimed}")


if __name__ == "__main__":
    main()
