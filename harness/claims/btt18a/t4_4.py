"""BTT18a Theorem 4.4: how many examples m answers at error α need where γ > 0, from the explicit fixed point.

γ is fixed, so that it dominates as α falls: the printed n drops it, and the repair puts it back.
"""

from math import sqrt

from harness.claims.btt18a.t4_3 import growth
from harness.claims.engine import Claim

GAMMA, ALPHAS = 0.1, (1e-2, 1e-4, 1e-6)

CLAIMS = (
    Claim(
        "BTT18a:T4.4",
        "BTT18a Theorem 4.4",
        ("Agnostic, m ≥ 4 ln(1/(αβ))/α²: n = Õ(V√m/(ε α^(3/2))) suffice. (Drops γ, which enters T = 3((γ+α)m + …).)"),
        decider=growth(lambda V, m, alpha: float(sqrt(m) / alpha**1.5), GAMMA, ALPHAS),
        expected="refuted",
    ),
    Claim(
        "BTT18a:T4.4-repaired",
        "BTT18a Theorem 4.4, repaired",
        "Agnostic, m ≥ 4 ln(1/(αβ))/α²: n = Õ(V√(m(α+γ))/(ε α²)) suffice.",
        decider=growth(lambda V, m, alpha: float(sqrt(m * (alpha + GAMMA)) / alpha**2), GAMMA, ALPHAS),
    ),
)
