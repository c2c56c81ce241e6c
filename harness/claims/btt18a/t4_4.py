"""BTT18a Theorem 4.4: how many examples m answers at error α need where γ > 0, from the explicit fixed point.

γ stays, so that it is the larger one as α falls: the printed n drops it, and the repair puts it back.
"""

from math import sqrt

from harness.claims.btt18a.t4_3 import AGNOSTIC, ENOUGH, FORMS, RIGHT, least_points, root_m
from harness.claims.engine import Claim, Needed, agnostic, needs

GAMMA = 0.1


def root_m_both(m: int, alpha: float, gamma: float) -> float:
    """√(m(α+γ))."""
    return sqrt(m * (alpha + gamma))


CLAIMS = (
    Claim(
        "BTT18a:T4.4",
        "BTT18a Theorem 4.4",
        "Agnostic, m ≥ 4 ln(1/(αβ))/α²: n = Õ(V√m/(ε α^(3/2))) suffice.",
        decider=needs(AGNOSTIC, Needed(least_points, None, "BTT18a", (GAMMA,), over=root_m), **FORMS),
        expected="refuted",
        why=(
            "γ is dropped, and yet it enters T = 3((γ+α)m + …) and through it n. Where γ stays and α falls, n/√m grows as 1/α²."
        ),
    ),
    Claim(
        "BTT18a:T4.4-repaired",
        "BTT18a Theorem 4.4, repaired",
        "Agnostic, m ≥ 4 ln(1/(αβ))/α²: n = Õ(V√(m(α+γ))/(ε α²)) suffice, whether γ is large or small beside α.",
        decider=needs(
            {**AGNOSTIC, "alpha": 2}, Needed(least_points, None, "BTT18a", (GAMMA, 1e-12), over=root_m_both), **FORMS
        ),
        nature="repair",
        of="BTT18a:T4.4",
    ),
    Claim(
        "BTT18a:T4.4-right",
        "BTT18a Theorem 4.4, its probability",
        "Agnostic, m ≥ 4 ln(1/(αβ))/α²: with T = 3((γ+α)m + √(m ln(m/β)/2)) and n = ks, with probability at least 1 − β "
        "A_subSamp classifies at least m − T queries correctly.",
        where=(*ENOUGH, agnostic()),
        decider=RIGHT,
    ),
)
