"""BTT18 Theorems 4.2 and 4.3 where the learner minimises the empirical risk: what holds, whatever the law of the labels.

What is proved of A_Priv's error: 3.5γ + 6α, so half of what is printed.

The printed 7γ + 15α cannot be challenged by such a learner, for half of it is more than this. The proof looks at the run's own
m labels, which need not be independent (T4.2-labels), and at the h_j beside ĥ: they are hypotheses too, and ĥ fits the labels
no worse than the best of them. Let μ be the share of the h_j that err on a point. A wrong label costs 1 for itself and 1 − μ
for the h_j that differ from it, a right one μ; and labels are wrong only where μ is near a half or more, so either is at most
3.47μ.
"""

import pandas as pd

from harness.claims.engine import Claim, Condition, at_most, error_within, learned

ERM = (
    "If Θ minimises the empirical risk, then with probability at least 1 − 3β err(ĥ) ≤ γ + 2T/m + α, for labels that carry "
    "the state of the run: at most T of them are wrong where T3.2 holds, as at β from 0.03 to 0.2 with T = max(1, 3B)."
)

OF_ERM = (
    "But for 2β at most T of the m labels are wrong (T3.2-ordinary-beta, and at smaller β with the T of T3.2-repaired), so "
    "the best hypothesis disagrees with at most T more labels than with the truth, and ĥ, which minimises, errs at most 2T/m "
    "more often on the m points than it; but for β uniform convergence at m points adds α."
)


def of_erm(first: pd.Series) -> float:
    """The error γ + 2T/m + α, from a cell's columns."""
    return float(first["gamma"] + 2 * first["T"] / first["m"] + first["alpha"])


SHARE = 0.4475
"""Points with fewer wrong votes than this are answered, and rightly, at the printed k."""

COST = (2 - SHARE) / SHARE
"""What such a point can add to the error of ĥ, as a multiple of μ."""

LARGEST_ALPHA, LARGEST_BETA, LEAST_K = 1 / 15, 0.2, 1000


def proved(first: pd.Series) -> float:
    """The error 3.5γ + 6α, from a cell's columns."""
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
    """The claim, in a theorem's place, that A_Priv by an ERM errs at most γ + 2T/m + α but for 3β, T being that of the run."""
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
    """The claim, in a theorem's place, that A_Priv by an ERM errs at most 3.5γ + 6α.

    within, claimed: errors in words, as proved and as printed.
    """
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
