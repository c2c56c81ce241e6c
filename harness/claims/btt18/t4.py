"""BTT18 Theorems 4.2 and 4.3: the error of the classifier that A_Priv outputs, and the n that it takes.

The proof of Theorem 4.2, of the realizable case, takes the m labels to be i.i.d. from one classifier h_priv. They are not: they
carry the state of the run (T4.2-labels). What holds for a learner that minimises the empirical risk, whatever the labels' law,
is the form with 2T/m (`-erm`): at most T of the m labels are wrong, so on the points as they should be labelled ĥ makes at most
2T mistakes more than the best hypothesis.

The repair has err(h_priv) ≤ 3α by Markov's inequality (C4.1-repaired) in the place of 7α: 3α + α + 3α.

That step is in BTT18a Theorem 4.6 too. ŵ is drawn once and stays until a ⊥. So what is answered tells of ŵ, and of what is
answered next. Two queries whose distance is w show it exactly: the first is answered with probability 1/2, and both with 7/24.
A ⊥ is a fair coin.

What is proved of A_Priv's error where its learner minimises the empirical risk: 3.5γ + 6α, so half of what is printed.

The printed 7γ + 15α cannot be challenged by such a learner, for half of it is more than this. The proof looks at the run's own
m labels, which need not be independent (T4.2-labels), and at the h_j beside ĥ: they are hypotheses too, and ĥ fits the labels
no worse than the best of them. Let μ be the share of the h_j that err on a point. A wrong label costs 1 for itself and 1 − μ
for the h_j that differ from it, a right one μ; and labels are wrong only where μ is near a half or more, so either is at most
3.47μ.

Theorem 4.3, of the agnostic case, γ > 0, is as T4.2, with 3(γ+α) + (γ+α) + 3(γ+α) by Markov's inequality. The printed n has no
γ, which enters T = 3((γ+α)m + …). Read with chunks that are trained to α however large γ is, n grows faster where γ stays and α
falls. But the conclusion is err = O(α+γ): chunks trained to max(α, γ) are enough for it, and then the printed n is enough too.
Nothing is known against the theorem.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import sqrt

import pandas as pd

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
    at_most,
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
ERM = (
    "If Θ minimises the empirical risk, then with probability at least 1 − 3β err(ĥ) ≤ γ + 2T/m + α, for labels that carry "
    "the state of the run: at most T of them are wrong where T3.2 holds, as at β from 0.03 to 0.2 with T = max(1, 3B)."
)

OF_ERM = (
    "But for 2β at most T of the m labels are wrong (T3.2-ordinary-beta, and at smaller β with the T of T3.2-repaired), so "
    "the best hypothesis disagrees with at most T more labels than with the truth, and ĥ, which minimises, errs at most 2T/m "
    "more often on the m points than it; but for β uniform convergence at m points adds α."
)


TRIED = Condition(
    "β from 0.01 to 0.05, δ from 1e-6 to 0.1, ε from 0.05 to 10",
    ("beta", "delta", "eps"),
    lambda first: bool(0.01 <= first["beta"] <= 0.05 and 1e-6 <= first["delta"] <= 0.1 and 0.05 <= first["eps"] <= 10),
)


def by_markov(first: pd.Series) -> float:
    """7(γ + α)."""
    return float(7 * (first["gamma"] + first["alpha"]))


def of_erm(first: pd.Series) -> float:
    """γ + 2T/m + α."""
    return float(first["gamma"] + 2 * first["T"] / first["m"] + first["alpha"])


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


SHARE = 0.4475
"""Points with fewer wrong votes than this are answered, and rightly, at the printed k."""

COST = (2 - SHARE) / SHARE
"""What such a point can add to the error of ĥ, as a multiple of μ."""

LARGEST_ALPHA, LARGEST_BETA, LEAST_K = 1 / 15, 0.2, 1000


def proved(first: pd.Series) -> float:
    """3.5γ + 6α."""
    return float(3.5 * first["gamma"] + 6 * first["alpha"])


WHERE = (
    *learned("A_Priv"),
    Condition("alpha ≤ 1/15, beyond which 15α says nothing", ("alpha",), lambda first: bool(first["alpha"] <= LARGEST_ALPHA)),
    at_most("beta", LARGEST_BETA),
    Condition("n as it asks for it, so that chunks err α", ("n", "needed"), lambda first: bool(first["n"] == first["needed"])),
    Condition(f"k ≥ {LEAST_K}", ("k",), lambda first: bool(first["k"] >= LEAST_K)),
)
WORDS = (
    "for every δ < 1, β ≤ 0.2, α ≤ 1/15, k ≥ 1000 and the n of the fixed point, and labels that carry the state of the run. "
    "Let Θ output hypotheses of H, on the m points one of least empirical risk, and let m be such that uniform convergence "
    "makes that an (α, β, m)-agnostic learner: what ĥ can err beyond its share of the m points, and an average of m draws "
    "beyond its mean, are together at most α, the latter α/2. Then with probability at least 1 − 3β err(ĥ) ≤ "
)
PROOF = (
    "Let Λ = ln(4mT/min(δ, β/2)), so that k = 48.08 λΛ and w ≤ 2λΛ. (1) No h_j errs on more than γ + α: but for β. (2) No "
    "noise on a distance is below −2λΛ, and none on a threshold above λΛ: but for (m + ½) e^(−Λ) ≤ β/5. Then a gap above "
    "5λΛ + 1, which is 0.105 k, is answered by its majority; so where μ < 0.4475 the label is right. (3) The mean of μ over "
    "the m points is at most γ + 1.5α, and below 1.34(γ + α) but for 0.14β: by Hoeffding m ≥ 2 ln(2/β)/α², so Chernoff's "
    "exponent is at least 0.0522·30 ln(2/β). So fewer than 1.34(γ + α)m/0.4475 < 3(γ + α)m ≤ T points can be ⊥, and it does "
    "not halt. (4) On the m points ĥ differs from the labels no more than the h_j do in the mean, so it errs on no more "
    "than Σ(wrong label) + Σ(share of h_j that differ from the label) ≤ 3.47 Σμ ≤ 3.47(γ + 1.5α)m. (5) But for β it errs at "
    "most α/2 more often on a fresh example: in all 3.47γ + 5.71α, but for β(1 + 1/5 + 0.14 + 1)."
)


def for_an_erm(theorem: str, where: Condition) -> Claim:
    """What holds of an ERM in the place of a theorem, in its case, with the T of a run."""
    return Claim(
        f"BTT18:T{theorem}-erm",
        f"BTT18 Theorem {theorem}, for an ERM and labels that are not i.i.d.",
        ERM,
        where=(*learned("A_Priv"), where),
        decider=error_within(of_erm),
        nature="repair",
        of="BTT18:T4.2-labels",
        proof=OF_ERM,
    )


def of_an_erm(theorem: str, case: str, where: Condition, within: str, claimed: str, of: str) -> Claim:
    """What is proved in the place of a theorem, in its case. within, claimed: the errors, as proved and as printed."""
    return Claim(
        f"BTT18:T{theorem}-proved",
        f"BTT18 Theorem {theorem}, for an ERM, with what is proved here",
        f"{case}, {WORDS}{within}. So no such learner can be seen to break half of {claimed}.",
        where=(*WHERE, where),
        decider=error_within(proved),
        nature="repair",
        of=of,
        proof=PROOF,
    )


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
