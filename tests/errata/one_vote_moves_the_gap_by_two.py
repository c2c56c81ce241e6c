"""BTT18 Algorithm 2, line 6: one changed example moves ct(top) − ct(second) − 1 by 2, so one A_stab with it is not (ε, δ)-DP.

k = 101 votes of two labels. One voter changes: 57 against 44 becomes 56 against 45, a printed distance of 12 becomes 10.
ε = 1, δ = 1e-6, Γ = ln(1/δ)/ε. The event is that the label is given. Intervals throughout.
"""

from typing import Any

from mpmath import iv


def printed(top: int, second: int) -> int:
    """Algorithm 2, line 6."""
    return max(0, top - second - 1)


def halved(top: int, second: int) -> int:
    """⌈gap/2⌉ − 1: how many voters can change, whichever they are, before another one changes the winner."""
    return max(0, (top - second + 1) // 2 - 1)


def answered(distance: int, eps: int, delta: str) -> Any:
    """P(distance + Lap(1/ε) > ln(1/δ)/ε), where the distance is below the threshold."""
    threshold = iv.log(1 / iv.mpf(delta)) / eps
    assert distance < threshold
    return iv.exp(-eps * (threshold - distance)) / 2


def main() -> None:
    before, after = (57, 44), (56, 45)
    assert sum(before) == sum(after) == 101
    moved = printed(*before) - printed(*after)
    assert moved == 2 and abs(halved(*before) - halved(*after)) <= 1
    eps, delta = 1, "1e-6"
    more, less = answered(printed(*before), eps, delta), answered(printed(*after), eps, delta)
    excess = more - iv.exp(eps) * less
    assert excess > 1000 * iv.mpf(delta), excess
    lam = iv.sqrt(32 * iv.log(10)) / 25  # a whole run at ε = 25, δ = 0.2, m = T = 1: 43 of 84 votes, a gap of 2, beside a tie
    y = iv.exp(-(2 * lam * iv.log(10) - printed(43, 41)) / (2 * lam))
    assert 2 * y / 3 - y**2 / 6 > iv.mpf("0.25")  # the chance of the label, which the tie may never give
    shown = f"P = {float(more.mid):.4f}, P' = {float(less.mid):.4f}, P − e^ε P' = {float(excess.mid):.4f} at δ = {delta}"
    print(f"one vote moves the printed distance by {moved}: {shown}")


if __name__ == "__main__":
    main()
