"""BTT18 Theorems 4.2 and 4.3: the error of the classifier that A_Priv outputs, and the n that it takes.

The proof of Theorem 4.2, of the realizable case, takes the m labels to be i.i.d. from one classifier h_priv. They are not: they
carry the state of the run (T4.2-labels). What holds for a learner that minimises the empirical risk, whatever the labels' law,
is the form with 2T/m (`-erm`): at most T of the m labels are wrong, so on the points as they should be labelled ĥ makes at most
2T mistakes more than the best hypothesis.

The repair has err(h_priv) ≤ 3α by Markov's inequality (C4.1-repaired) in the place of 7α: 3α + α + 3α.

That step is in BTT18a Theorem 4.6 too. ŵ is drawn once and stays until a ⊥. So what is answered tells of ŵ, and of what is
answered next. Two queries whose distance is w show it exactly: the first is answered with probability 1/2, and both with 7/24.
A ⊥ is a fair coin.

Theorem 4.3, of the agnostic case, γ > 0, is as T4.2, with 3(γ+α) + (γ+α) + 3(γ+α) by Markov's inequality. The printed n has no
γ, which enters T = 3((γ+α)m + …). Read with chunks that are trained to α however large γ is, n grows faster where γ stays and α
falls. But the conclusion is err = O(α+γ): chunks trained to max(α, γ) are enough for it, and then the printed n is enough too.
Nothing is known against the theorem.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import sqrt

import pandas as pd

from harness.claims.btt18.t4_erm import for_an_erm, of_an_erm
from harness.claims.engine import (
    Claim,
    Computed,
    Condition,
    FixedPointN,
    Growth,
    Number,
    Powers,
    Quote,
    agnostic,
    error_within,
    learned,
    learns,
    needs,
    promising,
    realizable,
    suffices,
)

POWERS: Powers = {"alpha": 1.5, "V": 1.5, "eps": 1}
NOISY: Powers = {"alpha": 2.5, "V": 1.5, "eps": 1}
FORMS: Mapping[str, Powers] = {
    "Theorem 4.2": POWERS,
    "Theorem 4.3": NOISY,
    "Remark 2": {"alpha": 1, "V": 1.5, "eps": 1},
    "Remark 3": {"alpha": 1, "V": 2, "eps": 1},
    "advanced composition": {"alpha": 2, "V": 1.5, "eps": 1},
}
"""Printed powers of n in 1/α, V and 1/ε: rivals of one another. By composition k is √m/ε, m = Õ(V/α²) and s = Õ(V/α)."""
TRIED = Condition(
    "β from 0.01 to 0.05, δ from 1e-6 to 0.1, ε from 0.05 to 10",
    ("beta", "delta", "eps"),
    lambda first: bool(0.01 <= first["beta"] <= 0.05 and 1e-6 <= first["delta"] <= 0.1 and 0.05 <= first["eps"] <= 10),
)


def by_markov(first: pd.Series) -> float:
    """The error 7(γ + α), from a cell's γ and α."""
    return float(7 * (first["gamma"] + first["alpha"]))


T4_2 = Quote(
    "BTT18 §4, p. 8 (Theorem 4.2)",
    "Let 0 < β ≤ α < 1. Let m be such that Θ is an (α, β, m)-agnostic PAC learner of H, i.e., m = O((V + log(1/β))/α²). Let "
    "the parameter T of A_binClas (Algorithm 2) be set as in Theorem 3.4. There exists n = Õ(V^{3/2}/εα^{3/2}) for the size "
    "of the private dataset such that, w.p. ≥ 1 − 3β, the output hypothesis ĥ of A_Priv (Algorithm 3) satisfies err(ĥ; D) = "
    "O(α).",
)

BOTH_ANSWERED = Fraction(7, 24)
"""E p(u)² over u ~ Lap(1) with p(u) = P(Lap(2) > u): 1/2 less E p(1 − p), and that is 1/3 − 1/8."""


def _two_queries() -> Iterator[Number]:
    """P(both labels are right) less the product of P(the first is) and P(the second is), which independence makes 0."""
    half = Fraction(1, 2)
    first = half + half * half
    second_answered = BOTH_ANSWERED + half * half  # after a ⊥ the threshold is drawn anew
    second = second_answered + (1 - second_answered) * half
    right = BOTH_ANSWERED + (half - BOTH_ANSWERED) * half + half * half * half + half * half * half**2
    yield Number(
        "P(both right) − P(first right) P(second right), two queries at distance w", float(right - first * second), 0.0
    )
    yield Number("P(second right) − P(first right), two queries at distance w", float(second - first), 0.0)


GAMMA = 0.1


def both(m: int, alpha: float, gamma: float) -> float:
    """√(α+γ), a factor that is divided out of a fixed point's n before the powers of the rest are measured."""
    return sqrt(alpha + gamma)


def coarse(V: int, alpha: float) -> float:
    """A reading of the error that BTT18 Theorem 4.3 trains each chunk's classifier to: max(α, γ), at γ = GAMMA."""
    return max(alpha, GAMMA)


def little_noise() -> Condition:
    """The condition that γ ≤ α."""
    return Condition("γ ≤ α", ("gamma", "alpha"), lambda first: bool(first["gamma"] <= first["alpha"]))


T4_3 = Quote(
    "BTT18 §4, p. 8 (Theorem 4.3)",
    "Let 0 < β ≤ α < 1, and m = O((V + log(1/β))/α²). Let T be set as in Theorem 3.5. There exists n = Õ(V^{3/2}/εα^{5/2}) "
    "such that, w.p. ≥ 1 − 3β, the output hypothesis ĥ of (Algorithm 3) satisfies err(ĥ; D) = O(α + γ).",
)


CLAIMS = (
    learns(
        "BTT18:T4.2",
        "BTT18 Theorem 4.2, and Informal Theorem 1.2",
        "Realizable, β ≤ α: let Θ be an (α, β, m)-agnostic PAC learner, m = O((V + ln(1/β))/α²), and an (α, β/k, n/k)-PAC "
        "learner, n = Õ(V^(3/2)/(εα^(3/2))). Then with probability at least 1 − 3β A_Priv outputs ĥ with err(ĥ) ≤ 15α.",
        by="A_Priv",
        where=realizable(),
        quote=T4_2,
    ),
    Claim(
        "BTT18:T4.2-repaired",
        "BTT18 Theorem 4.2, with Claim 4.1 repaired",
        "Realizable, β from 0.01 to 0.05, δ from 1e-6 to 0.1 and ε from 0.05 to 10, which is where it is tried; β need not be "
        "at most α: as T4.2, with err(ĥ) ≤ 7α, as err(h_priv) ≤ 3α by Markov's inequality. Its third α is for labels that are "
        "i.i.d., which those of a run are not (T4.2-labels), so it is not proved, but not seen to fail.",
        where=(*learned("A_Priv"), realizable(), TRIED),
        decider=error_within(by_markov),
        nature="repair",
        of="BTT18:T4.2",
    ),
    for_an_erm("4.2", realizable()),
    Claim(
        "BTT18:T4.2-form",
        "BTT18 Theorem 4.2, n",
        "Realizable: the explicit fixed point asks for n = Õ(V^(3/2)/(εα^(3/2))), and for no other power of V, α or ε.",
        decider=needs(POWERS, FixedPointN(), **FORMS),
        nature="reading",
        of="BTT18:T4.2",
        quote=T4_2,
    ),
    Claim(
        "BTT18:T4.2-n",
        "BTT18 Theorem 4.2, n, by its powers of α and ε",
        "Realizable: but for logarithms the least n at which A_Priv learns grows as 1/α^(3/2) and as 1/ε, where 3B < m at that "
        "n; elsewhere T is m and every query is paid for, as by composition. To its theorem's error no more is needed than the "
        "explicit fixed point asks for. (Not by V: for V up to 32 logarithms are most of the exponent.)",
        where=promising("A_Priv"),
        decider=Growth(POWERS, rivals=FORMS),
        nature="reading",
        of="BTT18:T4.2",
        quote=T4_2,
    ),
    suffices(
        "BTT18:T4.2-free",
        "BTT18 Theorem 4.2, n, for the algorithm with any T",
        "Realizable: with T, and k from it, chosen freely, the least n at which A_Priv learns is at most that of the explicit "
        "fixed point, n = Õ(V^(3/2)/(εα^(3/2))).",
        by="A_Priv_free",
        powers=POWERS,
        nature="reading",
        of="BTT18:T4.2",
        quote=T4_2,
    ),
    Claim(
        "BTT18:T4.2-labels",
        "BTT18 Theorem 4.2, proof",
        "The labelled points (x̃_t, ŷ_t) are drawn independently, all from (D_X, h_priv).",
        decider=Computed(_two_queries),
        expected="refuted",
        nature="step",
        of="BTT18:T4.2",
        quote=Quote(
            "BTT18 §4, p. 8 (Theorem 4.2, proof)",
            "Note that each (x̃_t, ŷ_t), t ∈ [m], is drawn independently from (D_X, h_priv).",
        ),
        why=(
            "h_priv has a state: ŵ stays until a ⊥, and c counts. That a query was answered makes a low ŵ likelier, and with "
            "it that the next is answered. An agnostic PAC learner is promised to learn from independent examples only."
        ),
    ),
    of_an_erm("4.2", "Realizable", realizable(), "6α", "15α", "BTT18:T4.2-labels"),
    learns(
        "BTT18:T4.3",
        "BTT18 Theorem 4.3, and Informal Theorem 1.2",
        "Agnostic, β ≤ α: let Θ be an (α, β, m)-agnostic PAC learner, m = O((V + ln(1/β))/α²), and an (α, β/k, n/k)-agnostic "
        "PAC learner. Then with probability at least 1 − 3β err(ĥ) ≤ 7γ + 15α.",
        by="A_Priv",
        where=agnostic(),
        quote=T4_3,
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
    for_an_erm("4.3", agnostic()),
    of_an_erm("4.3", "Agnostic", agnostic(), "3.5γ + 6α", "7γ + 15α", "BTT18:T4.3"),
    Claim(
        "BTT18:T4.3-form",
        "BTT18 Theorem 4.3, n, with chunks trained to α",
        "Agnostic: with chunks trained to α, however large γ is, the explicit fixed point asks for n = Õ(V^(3/2)/(εα^(5/2))). "
        "(The other reading is of chunks trained to max(α, γ): T4.3-form-coarse.)",
        decider=needs(NOISY, FixedPointN(gammas=(GAMMA,)), **FORMS),
        expected="refuted",
        nature="reading",
        of="BTT18:T4.3",
        quote=T4_3,
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
        decider=needs({**NOISY, "alpha": 1}, FixedPointN(gammas=(GAMMA,), chunk_error=coarse)),
        nature="reading",
        of="BTT18:T4.3",
        quote=T4_3,
    ),
    Claim(
        "BTT18:T4.3-form-repaired",
        "BTT18 Theorem 4.3, n, with chunks trained to α, repaired",
        "Agnostic: the explicit fixed point asks for n = Õ(V^(3/2)√(α+γ)/(εα³)), whether γ is large or small beside α: "
        "n/√(α+γ) has these powers and no others.",
        decider=needs({**NOISY, "alpha": 3}, FixedPointN(gammas=(GAMMA, 1e-12), over=both), **FORMS),
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
        decider=Growth(NOISY, rivals=FORMS),
        expected="untested",
        nature="reading",
        of="BTT18:T4.3",
        quote=T4_3,
    ),
)
