"""BTT18 Claim 4.1 and BTT18a Claim 4.5, proofs: 'err(h_j) ≤ α for all j' is false of every h where α < γ.

Two constant classifiers on one point whose label is 1 with probability 2/5: the better one errs with γ = 2/5. With α = 1/10
every learner is an (α, β, n)-learner as soon as it finds that one, and no hypothesis of the class errs as little as α.
"""

from fractions import Fraction


def main() -> None:
    one = Fraction(2, 5)
    errors = {"always 0": one, "always 1": 1 - one}
    gamma, alpha = min(errors.values()), Fraction(1, 10)
    assert not any(error <= alpha for error in errors.values())
    assert any(error <= gamma + alpha for error in errors.values())  # what Definition 2.1 says, and what the proof uses
    print(f"γ = {gamma}, α = {alpha}: the errors {', '.join(map(str, errors.values()))} are above α, the least is within γ + α")


if __name__ == "__main__":
    main()
