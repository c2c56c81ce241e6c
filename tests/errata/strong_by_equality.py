"""BTT18a Lemma 5.13, last sentence: the score is ν' itself, where Definition 5.12 asks for less. Exact."""

from fractions import Fraction


def main() -> None:
    for bins, nu in ((10, Fraction(1, 50)), (50, Fraction(1, 100)), (4, Fraction(0))):
        gamma = Fraction(1, bins)
        reach = (gamma - nu) / 16  # α√(2n'), so that γ = 16α√(2n') + ν
        strong = 8 * reach + nu / 2  # ν'
        first = (2 * 1 - 1) * gamma / 2  # ŝ(x) = (2v* − 1)γ/2 of the leftmost bin, Algorithm 8 step 5
        last = (2 * bins - 1) * gamma / 2
        assert first == strong and last == 1 - strong
        assert not first < strong and not last > 1 - strong
        assert first <= strong and last >= 1 - strong
    print("γ = 1/10, ν = 1/50: ν' = 1/20 and the score is 1/20, not below it; so at every γ")


if __name__ == "__main__":
    main()
