"""BTT18a Theorem 3.6, proof: in a run a query at distance 0 is answered with more than the δ/2m of Lemma 3.8. Exact."""

from fractions import Fraction

M, DELTA = 100, Fraction(1, 10**6)
HALF = Fraction(1, 2)
THETA = DELTA / (2 * M)  # e^{−w/2λ} at w = 2λ ln(2m/δ)


def answered_last() -> Fraction:
    """P(the last of M queries, at distance 0, is answered) where the M − 1 before it are at distance w, and T = M.

    With T = M the loop does not end early. u is the threshold's noise over λ, t = e^{u/2}: its measure is t dt below 1 and
    dt/t³ above. A query at w passes with chance 1 − t/2, or 1/2t above 1; one at distance 0 with θ/2t for t > θ (what lies
    below θ is left out, which makes the result smaller). A new threshold is drawn after each ⊥: a renewal process.
    """

    def lasts(i: int) -> Fraction:  # P(an epoch answers i queries at w) = E[S^i]
        # ∫₀¹ (1 − t/2)^i t dt with r = 1 − t/2, and ∫₁^∞ (2t)^{−i} dt/t³
        low = 4 * ((1 - HALF ** (i + 1)) / (i + 1) - (1 - HALF ** (i + 2)) / (i + 2))
        return low + HALF**i / (i + 2)

    def reaches(i: int) -> Fraction:  # at least E[S^i · passes at 0], over θ
        low = ((1 - THETA / 2) ** (i + 1) - HALF ** (i + 1)) * 2 / (i + 1)  # ∫_θ^1 (1 − t/2)^i dt
        return (low + HALF**i / (i + 3)) / 2

    survival = [lasts(i) for i in range(M)]
    begins = [Fraction(1)]  # P(an epoch begins with query j)
    for j in range(1, M):
        begins.append(sum((begins[j - i] * (survival[i - 1] - survival[i]) for i in range(1, j + 1)), Fraction(0)))
    return THETA * sum((begins[M - 1 - i] * reaches(i) for i in range(M)), Fraction(0))


def main() -> None:
    fresh = Fraction(2, 3) * THETA - THETA**2 / 6
    assert fresh < DELTA / (2 * M)  # Lemma 3.8 of a threshold that is drawn afresh
    chance = answered_last()
    assert chance > Fraction(17, 10) * DELTA / (2 * M)
    # What the proof needs is the whole run, at most one chance an epoch: min(m, T + 1) · ⅔ · δ/2m ≤ δ/3.
    assert M * fresh <= DELTA / 3
    ratios = float(chance / THETA), float(fresh / THETA)
    print(f"m = T = 100, δ = 1e-6: the last query is answered w.p. {ratios[0]:.3f} δ/2m, a first one w.p. {ratios[1]:.3f} δ/2m")


if __name__ == "__main__":
    main()
