"""BTT18 Theorem 4.3: the error of the classifier that A_Priv outputs in the agnostic case, γ > 0, and the n that it takes.

As T4.2, with 3(γ+α) + (γ+α) + 3(γ+α) by Markov's inequality. The printed n has no γ, which enters T = 3((γ+α)m + …). Read with
chunks that are trained to α however large γ is, n grows faster where γ stays and α falls. But the conclusion is err = O(α+γ):
chunks trained to max(α, γ) are enough for it, and then the printed n is enough too. Nothing is known against the theorem.
"""

from math import sqrt

from harness.claims.btt18.t4_2 import ERM, FORMS, OF_ERM, TRIED, by_markov, of_erm
from harness.claims.btt18.t4_2_proved import of_an_erm
from harness.claims.engine import (
    Claim,
    Condition,
    FixedPointN,
    Growth,
    Powers,
    Quote,
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


def coarse(V: int, alpha: float) -> float:
    """max(α, γ)."""
    return max(alpha, GAMMA)


def little_noise() -> Condition:
    """γ ≤ α."""
    return Condition("γ ≤ α", ("gamma", "alpha"), lambda first: bool(first["gamma"] <= first["alpha"]))


PRINTED = Quote(
    "BTT18 §4, p. 8 (Theorem 4.3)",
    "Let 0 < β ≤ α < 1, and m = O((V + log(1/β))/α²). Let T be set as in Theorem 3.5. There exists n = Õ(V^{3/2}/εα^{5/2}) "
    "such that, w.p. ≥ 1 − 3β, the output hypothesis ĥ of (Algorithm 3) satisfies err(ĥ; D) = O(α + γ).",
)

CLAIMS = (
    Claim(
        "BTT18:T4.3",
        "BTT18 Theorem 4.3, and Informal Theorem 1.2",
        "Agnostic, β ≤ α: let Θ be an (α, β, m)-agnostic PAC learner, m = O((V + ln(1/β))/α²), and an (α, β/k, n/k)-agnostic "
        "PAC learner. Then with probability at least 1 − 3β err(ĥ) ≤ 7γ + 15α.",
        where=(*learned("A_Priv"), agnostic(), confident()),
        decider=error_within(fifteen_alpha),
        quote=PRINTED,
    ),
    Claim(
        "BTT18:T4.3-repaired",
        "BTT18 Theorem 4.3, with Claim 4.1 repaired",
        "Agnostic, β from 0.01 to 0.05, δ from 1e-6 to 0.1 and ε from 0.05 to 10, which is where it is tried; β need not be at "
        "most α: as T4.3, with err(ĥ) ≤ 7γ + 7α, as err(h_priv) ≤ 3(γ + α) by Markov's inequality. Not proved, as the labels "
        "of a run are not i.i.d. (T4.2-labels), but not seen to fail.",
        where=(*learned("A_Priv"), agnostic(), TRIED),
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
        nature="repair",
        of="BTT18:T4.2-labels",
        proof=OF_ERM,
    ),
    of_an_erm("4.3", "Agnostic", agnostic(), "3.5γ + 6α", "7γ + 15α", "BTT18:T4.3"),
    Claim(
        "BTT18:T4.3-form",
        "BTT18 Theorem 4.3, n, with chunks trained to α",
        "Agnostic: with chunks trained to α, however large γ is, the explicit fixed point asks for n = Õ(V^(3/2)/(εα^(5/2))). "
        "(The other reading is of chunks trained to max(α, γ): T4.3-form-coarse.)",
        decider=needs(POWERS, FixedPointN(gammas=(GAMMA,)), **FORMS),
        expected="refuted",
        nature="reading",
        of="BTT18:T4.3",
        quote=PRINTED,
        why=(
            "γ enters T = 3((γ+α)m + …) and through it k and n. Where γ stays, α falls and chunks are trained to α, n grows as "
            "1/α³."
        ),
    ),
    Claim(
        "BTT18:T4.3-form-coarse",
        "BTT18 Theorem 4.3, n, with chunks trained to max(α, γ)",
        "Agnostic: with chunks trained to max(α, γ), which is enough for err(ĥ) = O(α+γ), and γ = 0.1 while α falls, the "
        "explicit fixed point asks for n = Õ(V^(3/2)/(εαγ^(3/2))), which is no more than the printed n.",
        decider=needs({**POWERS, "alpha": 1}, FixedPointN(gammas=(GAMMA,), chunk_error=coarse)),
        nature="reading",
        of="BTT18:T4.3",
        quote=PRINTED,
    ),
    Claim(
        "BTT18:T4.3-form-repaired",
        "BTT18 Theorem 4.3, n, with chunks trained to α, repaired",
        "Agnostic: the explicit fixed point asks for n = Õ(V^(3/2)√(α+γ)/(εα³)), whether γ is large or small beside α: "
        "n/√(α+γ) has these powers and no others.",
        decider=needs({**POWERS, "alpha": 3}, FixedPointN(gammas=(GAMMA, 1e-12), over=both), **FORMS),
        nature="repair",
        of="BTT18:T4.3-form",
    ),
    Claim(
        "BTT18:T4.3-n",
        "BTT18 Theorem 4.3, n, by its powers of α and ε",
        "Agnostic: but for logarithms the least n at which A_Priv learns grows as 1/α^(5/2) and as 1/ε, where γ ≤ α, so that γ "
        "does not decide T, and 3B < m at that n. Untested: with so little noise learners need V/α examples a chunk, not V/α², "
        "and n* lies where T is m.",
        where=(*promising("A_Priv", noisy=True), little_noise()),
        decider=Growth(POWERS, rivals=FORMS),
        expected="untested",
        nature="reading",
        of="BTT18:T4.3",
        quote=PRINTED,
    ),
)
