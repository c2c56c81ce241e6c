"""BTT18 Theorem 4.2 and BTT18a Theorem 4.6, proofs: the m labels are not independent draws from (D_X, h_priv).

ŵ = w + Lap(λ) stays until a ⊥. Two queries whose distance is w: with u the threshold's noise over λ, an Exp(1) of either sign,
a query is answered with chance p(u), p = e^{−u/2}/2 for u ≥ 0 and p(−u) = 1 − p(u). ⊥ is a fair coin. Exact fractions.
"""

from fractions import Fraction

HALF = Fraction(1, 2)


def over_positive(rate: Fraction) -> Fraction:
    """∫ e^{−rate·u} e^{−u} du over u ≥ 0."""
    return 1 / (1 + rate)


def main() -> None:
    first = HALF * over_positive(HALF)  # E p(u), given u ≥ 0
    second = HALF**2 * over_positive(Fraction(1))  # E p(u)², given u ≥ 0
    answered = HALF * first + HALF * (1 - first)
    both = HALF * second + HALF * (1 - 2 * first + second)
    assert answered == HALF and both == Fraction(7, 24)
    only_first = answered - both  # then ⊥; after a ⊥ the threshold is drawn anew, so the next is answered with ½ again
    after_bottom = (1 - answered) * answered, (1 - answered) ** 2
    right = both + only_first * HALF + after_bottom[0] * HALF + after_bottom[1] * HALF**2
    first_right = answered + (1 - answered) * HALF
    second_answered = both + after_bottom[0]
    second_right = second_answered + (1 - second_answered) * HALF
    assert first_right == Fraction(3, 4) and second_right == Fraction(37, 48)  # not of one law
    assert right == Fraction(112, 192) and first_right * second_right == Fraction(111, 192)  # and not independent
    print(f"right: the first label with {first_right}, the second with {second_right}, both with {right}, not their product")


if __name__ == "__main__":
    main()
