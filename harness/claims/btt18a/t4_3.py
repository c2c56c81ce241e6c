"""BTT18a Theorem 4.3: how many examples m answers at error α need where γ = 0, from the explicit fixed point."""

from collections.abc import Mapping
from math import sqrt

from harness.claims.btt18.c4_1 import enough_queries
from harness.claims.btt18a.c4_5 import least_m_full
from harness.claims.engine import (
    BETA,
    Claim,
    FixedPointN,
    Limit,
    Powers,
    Probability,
    Quote,
    needs,
    printed_cutoff,
    promised,
    realizable,
)

POWERS: Powers = {"alpha": 1 / 2, "V": 1, "eps": 1, "m": 0}
AGNOSTIC: Powers = {"alpha": 3 / 2, "V": 1, "eps": 1, "m": 0}
FORMS: Mapping[str, Powers] = {
    "Theorem 4.3": POWERS,
    "Theorem 4.4": AGNOSTIC,
    "Theorem 4.4, repaired": {"alpha": 2, "V": 1, "eps": 1, "m": 0},
    "advanced composition": {"alpha": 1, "V": 1, "eps": 1, "m": 0},
}
"""Powers of n/√m in 1/α, V, 1/ε and m: rivals of one another. By composition k is √m/ε, and s = Õ(V/α)."""


def least_points(V: int, alpha: float) -> int:
    """m, just above 4 ln(1/(αβ))/α²."""
    return int(least_m_full(alpha, BETA)) + 1


def root_m(m: int, alpha: float, gamma: float) -> float:
    """√m."""
    return sqrt(m)


ENOUGH = (*printed_cutoff("A_subSamp", "BTT18a"), promised(), *enough_queries("m ≥ 4 ln(1/(αβ))/α²", least_m_full))
"""The hypotheses of Theorems 4.3 and 4.4; β ≤ α besides, which their own α and β may or may not meet."""

RIGHT = Probability((Limit("misclassified", "T", unit=1),))
"""At least m − T queries are classified correctly, but for a chance of β."""

REALIZABLE = Quote(
    "BTT18a §4.1 (Theorem 4.3)",
    "If n = O((V log(1/α) + log(m/β)) log(mT/min(δ, β)) √(T log(1/δ))/ε / α) = Õ(V√(m/α)), then w.p. ≥ 1−β, the instantiation "
    "of Algorithm 4 classifies at least m−T queries correctly.",
)

CLAIMS = (
    Claim(
        "BTT18a:T4.3",
        "BTT18a Theorem 4.3",
        "Realizable, m ≥ 4 ln(1/(αβ))/α²: n = Õ(V√(m/α)/ε) examples suffice for at least m − T right answers.",
        decider=needs(POWERS, FixedPointN(least_points, None, "BTT18a", over=root_m), **FORMS),
        quote=REALIZABLE,
    ),
    Claim(
        "BTT18a:T4.3-right",
        "BTT18a Theorem 4.3, its probability",
        "Realizable, m ≥ 4 ln(1/(αβ))/α²: with T = 3(αm + √(m ln(m/β)/2)) and n = ks, with probability at least 1 − β "
        "A_subSamp classifies at least m − T queries correctly.",
        where=(*ENOUGH, realizable()),
        decider=RIGHT,
        quote=REALIZABLE,
    ),
)
