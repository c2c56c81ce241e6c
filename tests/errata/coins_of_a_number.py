"""BTT18a Definition 2.3, with Theorem 3.2: no coin has a say in an inequality of two numbers. Exact."""

from fractions import Fraction


def main() -> None:
    # D has votes (2, 1), and D' (1, 2): f differs, both distances are 0. A_stab answers f where Lap(1/ε) > ln(1/δ)/ε.
    for delta in (Fraction(1, 10**6), Fraction(1, 10)):
        answers = delta / 2  # P(Lap(1/ε) > ln(1/δ)/ε) = ½e^{−ln(1/δ)}, at every ε
        on_d, on_neighbour = answers, Fraction(0)  # of S = {f(D)}: on D' the answer is f(D') or ⊥
        for factor in (1, 10, 10**40):  # e^ε
            assert on_d > factor * on_neighbour
        # The inequality is false, and it is false with probability 1 over whatever coins: they have been summed over.
        assert on_d <= on_neighbour + delta
    print("A_stab on votes (2, 1) and (1, 2): P(S) = δ/2 against 0, which is within δ and not within any e^ε")


if __name__ == "__main__":
    main()
