"""BTT18 Theorem 4.3: the error of the classifier that A_Priv outputs in the agnostic case, γ > 0, and the n that it takes.

As T4.2, with 3(γ+α) + (γ+α) + 3(γ+α) by Markov's inequality. The printed n drops γ, which enters T = 3((γ+α)m + …): it is false
where γ stays while α falls.
"""

from math import sqrt

from harness.claims.btt18.t4_2 import ERM, FORMS, by_markov, of_erm
from harness.claims.engine import (
    Claim,
    Complexity,
    Needed,
    Powers,
    agnostic,
    confident,
    error_within,
    fifteen_alpha,
    learned,
    needs,
    promising,
)

POWERS: Powers = {"alpha": 2.5, "V": 1.5, "eps": 1}
GAMMA = 0.1


def both(m: int, alpha: float, gamma: float) -> float:
    """√(α+γ)."""
    return sqrt(alpha + gamma)


CLAIMS = (
    Claim(
        "BTT18:T4.3",
        "BTT18 Theorem 4.3, and Informal Theorem 1.2",
        "Agnostic, β ≤ α: let Θ be an (α, β, m)-agnostic PAC learner, m = O((V + ln(1/β))/α²), and an (α, β/k, n/k)-agnostic "
        "PAC learner. Then with probability at least 1 − 3β err(ĥ) ≤ 7γ + 15α.",
        where=(*learned("A_Priv"), agnostic(), confident()),
        decider=error_within(fifteen_alpha),
    ),
    Claim(
        "BTT18:T4.3-repaired",
        "BTT18 Theorem 4.3, with Claim 4.1 repaired",
        "Agnostic, any β: as T4.3, with err(ĥ) ≤ 7γ + 7α, as err(h_priv) ≤ 3(γ + α) by Markov's inequality.",
        where=(*learned("A_Priv"), agnostic()),
        decider=error_within(by_markov),
        nature="repair",
        of="BTT18:T4.3",
    ),
    Claim(
        "BTT18:T4.3-erm",
        "BTT18 Theorem 4.3, for an ERM and labels that are not i.i.d.",
        ERM,
        where=(*learned("A_Priv"), agnostic()),
        decider=error_within(of_erm),
    ),
    Claim(
        "BTT18:T4.3-form",
        "BTT18 Theorem 4.3, n",
        "Agnostic: the explicit fixed point asks for n = Õ(V^(3/2)/(εα^(5/2))).",
        decider=needs(POWERS, Needed(gammas=(GAMMA,)), **FORMS),
        expected="refuted",
        why=(
            "γ is dropped, and yet it enters T = 3((γ+α)m + …) and through it k and n. Where γ stays and α falls, n grows as "
            "1/α³."
        ),
    ),
    Claim(
        "BTT18:T4.3-form-repaired",
        "BTT18 Theorem 4.3, n, repaired",
        "Agnostic: the explicit fixed point asks for n = Õ(V^(3/2)√(α+γ)/(εα³)), whether γ is large or small beside α: "
        "n/√(α+γ) has these powers and no others.",
        decider=needs({**POWERS, "alpha": 3}, Needed(gammas=(GAMMA, 1e-12), over=both), **FORMS),
        nature="repair",
        of="BTT18:T4.3-form",
    ),
    Claim(
        "BTT18:T4.3-n",
        "BTT18 Theorem 4.3, n",
        "Agnostic: the least n at which A_Priv learns is at most that of the explicit fixed point, n = Õ(V^(3/2)/(εα^(5/2))).",
        where=promising("A_Priv", noisy=True),
        decider=Complexity(POWERS),
    ),
)
