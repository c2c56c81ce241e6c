"""BTT18a Theorem 4.3: how many examples m answers at error α need where γ = 0, from the explicit fixed point."""

from collections.abc import Mapping
from math import sqrt

from harness.claims.btt18a.c4_5 import least_m_full
from harness.claims.engine import BETA, Claim, Needed, Powers, needs

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


CLAIMS = (
    Claim(
        "BTT18a:T4.3",
        "BTT18a Theorem 4.3",
        "Realizable, m ≥ 4 ln(1/(αβ))/α²: n = Õ(V√(m/α)/ε) examples suffice for at least m − T right answers.",
        decider=needs(POWERS, Needed(least_points, None, "BTT18a", over=root_m), **FORMS),
    ),
)
