"""BTT18a Theorems 4.3, 4.4, 4.6 and 4.7: the examples that m answers need, and label-private learning.

*Theorems 4.3 and 4.4*: how many examples m answers at error α need, from the explicit fixed point, where γ = 0 and where γ > 0.
Of Theorem 4.4 two forms of n are printed, with a sign of equality between. The first has √T, and with T = 3((γ+α)m + …) it is
right where ln(k/β) = O(ln(m/β)). The second has √(αm) in its place.

γ stays, so that it is the larger one as α falls: the printed n drops it, and the repair puts it back.

*Theorems 4.6 and 4.7*: label-private learning, by a training set that labels its own other half, in the realizable and in the
agnostic case.
"""

from collections.abc import Mapping
from math import log, sqrt

from harness.claims.btt18.c4_1 import enough_queries
from harness.claims.btt18.t4 import NOISY
from harness.claims.btt18a.c4 import least_m_full
from harness.claims.engine import (
    BETA,
    Claim,
    Condition,
    FixedPointN,
    Limit,
    Powers,
    Probability,
    Quote,
    agnostic,
    learns,
    needs,
    printed_cutoff,
    promised,
    realizable,
    suffices,
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
    """The least m of the hypothesis: a whole number just above 4 ln(1/(αβ))/α², for any V."""
    return int(least_m_full(alpha, BETA)) + 1


def root_m(m: int, alpha: float, gamma: float) -> float:
    """√m, a factor that is divided out of a fixed point's n before the powers of the rest are measured."""
    return sqrt(m)


ENOUGH = (*printed_cutoff("A_subSamp", "BTT18a"), promised(), *enough_queries("m ≥ 4 ln(1/(αβ))/α²", least_m_full))
"""The hypotheses of Theorems 4.3 and 4.4; β ≤ α besides, which their own α and β may or may not meet."""


REALIZABLE = Quote(
    "BTT18a §4.1 (Theorem 4.3)",
    "If n = O((V log(1/α) + log(m/β)) log(mT/min(δ, β)) √(T log(1/δ))/ε / α) = Õ(V√(m/α)), then w.p. ≥ 1−β, the instantiation "
    "of Algorithm 4 classifies at least m−T queries correctly.",
)

GAMMA = 0.1
FIRST = {"alpha": 0, "V": 1, "eps": 1, "m": 0}
"""Powers of n over √T/α² in 1/α, V, 1/ε and m."""

BOTH_FORMS = Quote(
    "BTT18a §4.1 (Theorem 4.4)",
    "If n = O((V + log(m/β)) log(mT/min(δ, β)) √(T log(1/δ))/ε / α²) = Õ(V√m/α^{3/2}), then w.p. ≥ 1−β, the instantiation of "
    "Algorithm 4 classifies at least m−T queries correctly.",
)


def root_m_both(m: int, alpha: float, gamma: float) -> float:
    """√(m(α+γ)), a factor that is divided out of a fixed point's n before the powers of the rest are measured."""
    return sqrt(m * (alpha + gamma))


def root_T(m: int, alpha: float, gamma: float) -> float:
    """√T/α² of the theorem's own T, a factor divided out of a fixed point's n before the powers of the rest are measured."""
    return sqrt(3 * ((alpha + gamma) * m + sqrt(m * log(m / BETA) / 2))) / alpha**2


T4_6 = Quote(
    "BTT18a §4.2 (Theorem 4.6)",
    "If the size of the input private dataset n is as in Theorem 4.3, that is, n = Õ(V^{3/2}/α^{3/2}), then, w.p. ≥ 1−3β, the "
    "output hypothesis ĥ of A_Priv (Algorithm 5) satisfies err(ĥ; D) = O(α).",
)

T4_7 = Quote(
    "BTT18a §4.2 (Theorem 4.7)",
    "If n is as in Theorem 4.4, that is, n = Õ(V^{3/2}/α^{5/2}), then, w.p. ≥ 1−3β, the output hypothesis ĥ of A_Priv "
    "(Algorithm 5) satisfies err(ĥ; D) = O(α+γ) (where γ = min_{h∈H} err(h; D)).",
)


def right(theorem: str, case: str, T: str, where: Condition, quote: Quote) -> Claim:
    """The claim that at least m − T queries are classified correctly, but for a chance of β. T: in words, in this case."""
    return Claim(
        f"BTT18a:T{theorem}-right",
        f"BTT18a Theorem {theorem}, its probability",
        f"{case}, m ≥ 4 ln(1/(αβ))/α²: with T = {T} and n = ks, with probability at least 1 − β A_subSamp classifies at least "
        "m − T queries correctly.",
        where=(*ENOUGH, where),
        decider=Probability((Limit("misclassified", "T", unit=1),)),
        quote=quote,
    )


CLAIMS = (
    Claim(
        "BTT18a:T4.3",
        "BTT18a Theorem 4.3",
        "Realizable, m ≥ 4 ln(1/(αβ))/α²: n = Õ(V√(m/α)/ε) examples suffice for at least m − T right answers.",
        decider=needs(POWERS, FixedPointN(least_points, None, "BTT18a", over=root_m), **FORMS),
        quote=REALIZABLE,
    ),
    right("4.3", "Realizable", "3(αm + √(m ln(m/β)/2))", realizable(), REALIZABLE),
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
    right("4.4", "Agnostic", "3((γ+α)m + √(m ln(m/β)/2))", agnostic(), BOTH_FORMS),
    learns(
        "BTT18a:T4.6",
        "BTT18a Theorem 4.6, and Informal Theorem 1.1",
        "Realizable, β ≤ α: a training set is split in two, one half loses its labels and m = O((V + ln(1/β))/α²) of its "
        "points are labelled by the other. With n = Õ(V^(3/2)/α^(3/2)) the output has err(ĥ) ≤ 15α with probability at "
        "least 1 − 3β.",
        by="label_private",
        where=realizable(),
        constants="BTT18a",
        quote=T4_6,
    ),
    suffices(
        "BTT18a:T4.6-n",
        "BTT18a Theorem 4.6, n",
        "Realizable, label-private: the least n is at most that of the explicit fixed point, n = Õ(V^(3/2)/α^(3/2)).",
        by="label_private",
        powers={"alpha": 1.5, "V": 1.5, "eps": 1},
        constants="BTT18a",
        quote=T4_6,
    ),
    learns(
        "BTT18a:T4.7",
        "BTT18a Theorem 4.7, and Informal Theorem 1.1",
        "Agnostic: as BTT18a:T4.6, with n = Õ(V^(3/2)/α^(5/2)) and err(ĥ) ≤ 7γ + 15α.",
        by="label_private",
        where=agnostic(),
        constants="BTT18a",
        quote=T4_7,
    ),
    suffices(
        "BTT18a:T4.7-n",
        "BTT18a Theorem 4.7, n",
        "Agnostic, label-private: the least n is at most that of the explicit fixed point, n = Õ(V^(3/2)/α^(5/2)).",
        by="label_private",
        powers=NOISY,
        constants="BTT18a",
        noisy=True,
        quote=T4_7,
    ),
)
