"""BTT18 Remark 3: hypotheses trained to a target accuracy of 1/m leave some of the m labels wrong with probability 1 − 1/e.

All k hypotheses are one, of error exactly 1/m, which an (1/m, β/k, n/k)-learner may output: every vote is unanimous, so that
what it gets wrong is answered wrong. The chance that none of m queries is: (1 − 1/m)^m < 1/e. Exact fractions.
"""

from fractions import Fraction


def all_right(m: int, error: Fraction) -> Fraction:
    return (1 - error) ** m


def main() -> None:
    for m in (1, 2, 10, 100, 1000):
        wrong = 1 - all_right(m, Fraction(1, m))
        assert wrong > Fraction(63, 100) > 3 * Fraction(1, 20)  # 1 − 1/e, against 3β at β = 1/20
        beta = Fraction(1, 20)
        assert 1 - all_right(m, beta / m) <= beta  # with a target of β/m, or β/3m where more than a third may be wrong
    print(f"target 1/m: a wrong label of m = 1000 with probability {float(wrong):.4f}, where 3β = 0.15; at β/m with at most β")


if __name__ == "__main__":
    main()
