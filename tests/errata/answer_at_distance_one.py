"""BTT18a Corollary 3.10 at ε = 50 and δ = 1e-6: an answer that the neighbour never gives has a chance above δ. In intervals."""

from typing import Any

from mpmath import iv

iv.dps = 30
BETA = "0.05"


def answered(eps: int, delta: str, distance: int) -> Any:
    """P(distance + Lap(2λ) > w + Lap(λ)), m = T = 1: ⅔y − ⅙y², y = e^{−(w − distance)/2λ}, where w is at least the distance."""
    lam = iv.sqrt(32 * iv.log(2 / iv.mpf(delta))) / eps  # Algorithm 3
    w = 2 * lam * iv.log(2 / iv.mpf(delta))
    assert w.a > distance
    y = iv.exp(-(w - distance) / (2 * lam))
    return 2 * y / 3 - y**2 / 6


def chunks(eps: int, delta: str) -> Any:
    """k of Algorithm 4, before it is rounded up, m = T = 1."""
    least = delta if float(delta) < float(BETA) / 2 else iv.mpf(BETA) / 2
    return 136 * iv.log(4 / iv.mpf(least)) * iv.sqrt(iv.log(2 / iv.mpf(delta))) / eps


def main() -> None:
    for eps, delta, k in ((50, "1e-6", 158), (21, "0.2", 50)):
        assert chunks(eps, delta).a > k - 1 and chunks(eps, delta).b <= k
        # D: k/2 + 1 votes for the first label and k/2 − 1 for the second. D': a tie, which goes to the second label.
        first, second = k // 2 + 1, k // 2 - 1
        assert max(0, first - second - 1) == 1  # step 5 of Algorithm 4 on D, whose answer is the first label
        assert first - 1 == second + 1  # D': the answer is the second label or ⊥
        assert answered(eps, delta, 1).a > iv.mpf(delta).b
        assert answered(eps, delta, 0).b < iv.mpf(delta).a / 2  # at the true distance, which is 0, it is δ/3
    # ⅓δe^{1/2λ} reaches δ between 47 and 48 at δ = 1e-6, and between 20 and 21 at δ = 0.2.
    assert answered(47, "1e-6", 1).b < iv.mpf("1e-6").a and answered(48, "1e-6", 1).a > iv.mpf("1e-6").b
    assert answered(20, "0.2", 1).b < iv.mpf("0.2").a
    print(f"m = T = 1, ε = 50, δ = 1e-6, k = 158: P(S) ≥ {float(answered(50, '1e-6', 1).a):.3e} on D and 0 on D'")


if __name__ == "__main__":
    main()
