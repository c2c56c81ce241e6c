"""BTT18a Theorem 4.3: its k is said to be Algorithm 4's, and has β where that has β/2. In intervals."""

from mpmath import iv

iv.dps = 30


def main() -> None:
    for delta, beta in ((0.1, 1e-3), (1e-6, 1e-7)):  # min(δ, ·) is β's, or the two would agree
        inner = [iv.log(iv.mpf(4) * 100 * 10 / min(delta, each)) for each in (beta / 2, beta)]
        algorithm, theorem = (136 * each * iv.sqrt(10 * iv.log(iv.mpf(2) / delta)) for each in inner)
        assert (algorithm - theorem).a > 60  # chunks, at ε = 1
    both = [iv.log(iv.mpf(4000) / min(1e-6, each)) for each in (0.05, 0.025)]
    assert both[0].a == both[1].a  # where δ ≤ β/2 they are the same
    print("m = 100, T = 10, ε = 1, δ = 0.1, β = 1e-3: k of Algorithm 4 and k of Theorem 4.3 differ by more than 60 chunks")


if __name__ == "__main__":
    main()
