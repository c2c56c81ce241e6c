"""BTT18a Theorem 4.3: how many examples m answers at error α need where γ = 0, from the explicit fixed point."""

from collections.abc import Callable
from functools import partial
from math import sqrt

from harness.claims.btt18a.c4_5 import least_m_full
from harness.claims.engine import BETA, Claim, Computed, Growth
from harness.theory import pac
from harness.theory.parameters import PacBound


def thresholds(V: int, agnostic: bool) -> PacBound:
    """The PAC bound of thresholds, of VC dimension 1."""
    return partial(pac.vc_agnostic, V=V) if agnostic else pac.thresholds_consistent


def growth(
    form: Callable[[int, int, float], float], gamma: float = 0.0, alphas: tuple[float, ...] = (1e-2, 1e-3, 1e-4)
) -> Computed:
    """n of the fixed point over a form, at V = 1 and m just above 4 ln(1/(αβ))/α²."""
    return Computed(
        Growth(
            form,
            points=lambda V, alpha: int(least_m_full(alpha, BETA)) + 1,
            constants="BTT18a",
            gamma=gamma,
            alphas=alphas,
            dimensions=(1,),
            pac_bound=thresholds,
        )
    )


CLAIMS = (
    Claim(
        "BTT18a:T4.3",
        "BTT18a Theorem 4.3",
        "Realizable, m ≥ 4 ln(1/(αβ))/α²: n = Õ(V√(m/α)/ε) examples suffice for at least m − T right answers.",
        decider=growth(lambda V, m, alpha: sqrt(m / alpha)),
    ),
)
