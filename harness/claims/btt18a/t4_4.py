"""BTT18a Theorem 4.4: how many examples m answers at error α need where γ > 0, from the explicit fixed point.

Two forms of n are printed, with a sign of equality between. The first has √T, and with T = 3((γ+α)m + …) it is right where
ln(k/β) = O(ln(m/β)). The second has √(αm) in its place.

γ stays, so that it is the larger one as α falls: the printed n drops it, and the repair puts it back.
"""

from math import log, sqrt

from harness.claims.btt18a.t4_3 import AGNOSTIC, ENOUGH, FORMS, RIGHT, least_points, root_m
from harness.claims.engine import BETA, Claim, FixedPointN, Quote, agnostic, needs

GAMMA = 0.1
FIRST = {"alpha": 0, "V": 1, "eps": 1, "m": 0}
"""Powers of n over √T/α² in 1/α, V, 1/ε and m."""

BOTH_FORMS = Quote(
    "BTT18a §4.1 (Theorem 4.4)",
    "If n = O((V + log(m/β)) log(mT/min(δ, β)) √(T log(1/δ))/ε / α²) = Õ(V√m/α^{3/2}), then w.p. ≥ 1−β, the instantiation of "
    "Algorithm 4 classifies at least m−T queries correctly.",
)


def root_m_both(m: int, alpha: float, gamma: float) -> float:
    """√(m(α+γ))."""
    return sqrt(m * (alpha + gamma))


def root_T(m: int, alpha: float, gamma: float) -> float:
    """√T/α² of the theorem's own T: the first form, but for V and logarithms."""
    return sqrt(3 * ((alpha + gamma) * m + sqrt(m * log(m / BETA) / 2))) / alpha**2


CLAIMS = (
    Claim(
        "BTT18a:T4.4",
        "BTT18a Theorem 4.4",
        "Agnostic, m ≥ 4 ln(1/(αβ))/α²: O((V + ln(m/β)) ln(mT/min(δ, β)) √(T ln(1/δ))/(εα²)) is Õ(V√m/(ε α^(3/2))), the second "
        "of its two forms, whatever γ is.",
        decider=needs(AGNOSTIC, FixedPointN(least_points, None, "BTT18a", (GAMMA,), over=root_m), **FORMS),
        expected="refuted",
        quote=BOTH_FORMS,
        why=(
            "γ is dropped, and yet it enters T = 3((γ+α)m + …) and through it the first form. Where γ stays and α falls, n/√m "
            "grows as 1/α². Where γ = O(α) both forms are right."
        ),
    ),
    Claim(
        "BTT18a:T4.4-first",
        "BTT18a Theorem 4.4, the first of its two forms",
        "Agnostic, m ≥ 4 ln(1/(αβ))/α²: n = Õ(V√T/(εα²)) suffice, T = 3((γ+α)m + √(m ln(m/β)/2)). Decided at γ = 0.1.",
        decider=needs(FIRST, FixedPointN(least_points, None, "BTT18a", (GAMMA,), over=root_T)),
        of="BTT18a:T4.4",
        quote=BOTH_FORMS,
    ),
    Claim(
        "BTT18a:T4.4-repaired",
        "BTT18a Theorem 4.4, repaired",
        "Agnostic, m ≥ 4 ln(1/(αβ))/α²: n = Õ(V√(m(α+γ))/(ε α²)) suffice, whether γ is large or small beside α.",
        decider=needs(
            {**AGNOSTIC, "alpha": 2}, FixedPointN(least_points, None, "BTT18a", (GAMMA, 1e-12), over=root_m_both), **FORMS
        ),
        nature="repair",
        of="BTT18a:T4.4",
        proof=(
            "√(m ln(m/β)/2) is at most a logarithm times αm at that m, so that T = Õ((α+γ)m); k is √T/ε and s is (V + "
            "ln(k/β))/α², each up to logarithms, and n = ks."
        ),
    ),
    Claim(
        "BTT18a:T4.4-right",
        "BTT18a Theorem 4.4, its probability",
        "Agnostic, m ≥ 4 ln(1/(αβ))/α²: with T = 3((γ+α)m + √(m ln(m/β)/2)) and n = ks, with probability at least 1 − β "
        "A_subSamp classifies at least m − T queries correctly.",
        where=(*ENOUGH, agnostic()),
        decider=RIGHT,
        quote=BOTH_FORMS,
    ),
)
