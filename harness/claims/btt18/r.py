"""BTT18 Remarks 1 to 3: T from an estimate, an ERM, and learners of consistent labels alone.

*Remark 1*: T from a private estimate on half of the examples, with one more β for the estimate. *Remark 2*: if Θ minimises the
empirical risk, fewer public points are enough. *Remark 3*: with Θ trained to 1/m on a chunk all labels are right, and a learner
of consistent labels is enough.

A target of exactly 1/m leaves one wrong label in the mean where all h_j are one hypothesis that errs so much: all m labels are
right with probability (1 − 1/m)^m only. β/3m is enough, and changes n by a constant for each fixed β. Learners that err less
than their bound, as those that are run here, leave fewer wrong.
"""

from collections.abc import Iterator

from harness.claims.btt18.t4 import FORMS, NOISY
from harness.claims.engine import (
    Claim,
    Computed,
    FixedPointN,
    Number,
    Quote,
    Ratio,
    agnostic,
    among,
    learned_consistently,
    learns,
    needs,
    promised,
    realizable,
    suffices,
)

R2 = Quote(
    "BTT18 §4, p. 8 (Remark 2)",
    "In Theorem 4.2, if Θ is an ERM learner, then the value of m can be reduced to Õ(V/α). Hence, the resulting sample "
    "complexity would be n = Õ(V^{3/2}/εα), saving us a factor of 1/√α.",
)

BETA = 0.05


def _some_label_wrong(target: float, allowed: float) -> Iterator[Number]:
    """P(a label is wrong) where all h_j are one hypothesis of error `target`/m, against `allowed`."""
    for m in (2, 10, 1000, 10**6):
        wrong = 1 - (1 - target / m) ** m
        yield Number(f"P(a label of m = {m} is wrong), err(h_j) = {target:.3g}/m, β = {BETA:g}", wrong, allowed)


R3 = Quote(
    "BTT18 §4, p. 8 (Remark 3)",
    "One way to give an efficient construction in the realizable case (with a slightly worse sample complexity) is to use a "
    "PAC learner (rather than an agnostic one) in A_Priv with target accuracy α (and hence, m = Õ(V/α)), but then train the "
    "PAC learner in A_binClas towards a target accuracy 1/m. Hence, the misclassification rate of A_binClas can be driven to "
    "zero. This yields a sample complexity bound n = Õ(V²/εα).",
)


CLAIMS = (
    Claim(
        "BTT18:R1-asymptotics",
        "BTT18 Remark 1, its last sentence, of the n that A_Priv needs",
        "Estimating γ privately on half of the examples does not change the asymptotics: the least n at which A_Priv learns "
        "with the estimate, over the least n with γ known, has the power 0 in α, where 3B < m at both. Untested: in the sweep "
        "here T is m at both n*, so that nothing hangs on the estimate.",
        where=(among("mechanism", "A_Priv", "A_Priv_estimated"), among("constants", "BTT18"), agnostic(), promised()),
        decider=Ratio("A_Priv_estimated", "A_Priv", parts=(2, 1)),
        expected="untested",
        nature="reading",
        of="BTT18:R1",
        quote=Quote(
            "BTT18 §3, p. 6 (Remark 1)",
            "Furthermore, with a large enough training dataset, the asymptotics of Theorem 3.2 would not change either.",
        ),
    ),
    learns(
        "BTT18:R1",
        "BTT18 Remark 1",
        "T can be set from a private estimate of γ + α on half of the examples: A_Priv on the other half then has "
        "err(ĥ) ≤ 7γ + 15α with probability at least 1 − 4β. Here γ is estimated, by the least empirical risk with Lap(1/ε) "
        "noise on its count, and α follows.",
        by="A_Priv_estimated",
        where=agnostic(),
        betas=4,
        quote=Quote(
            "BTT18 §3, p. 6 (Remark 1)",
            "One simple approach is to set aside half the training dataset, and compute the empirical misclassification rate "
            "with differential privacy to get a sufficiently accurate estimate for γ + α (as in standard validation "
            "techniques [25]), and use it to set T.",
        ),
    ),
    suffices(
        "BTT18:R1-n",
        "BTT18 Remark 1, n",
        "With T from a private estimate on half of the examples, the least n at which A_Priv learns is at most that of the "
        "explicit fixed point, twice that of T4.3 but for the estimate's error.",
        by="A_Priv_estimated",
        powers=NOISY,
        noisy=True,
        nature="reading",
        of="BTT18:R1",
    ),
    suffices(
        "BTT18:R2",
        "BTT18 Remark 2",
        "If Θ is an ERM, m = Õ(V/α) points and n = Õ(V^(3/2)/(εα)) examples suffice: the least n is at most that of the "
        "explicit fixed point.",
        by="A_Priv_erm",
        powers=FORMS["Remark 2"],
        quote=R2,
    ),
    suffices(
        "BTT18:R2-free",
        "BTT18 Remark 2, for the algorithm with any T",
        "With T, and k from it, chosen freely, the least n at which A_Priv learns on m = Õ(V/α) points is at most that of the "
        "explicit fixed point.",
        by="A_Priv_erm_free",
        powers=FORMS["Remark 2"],
        nature="reading",
        of="BTT18:R2",
        quote=R2,
    ),
    learns(
        "BTT18:R2-error",
        "BTT18 Remark 2",
        "In T4.2, if Θ minimises the empirical risk, m = Õ(V/α) points are enough for err(ĥ) ≤ 15α; here the least m from "
        "which Θ learns consistent labels to α.",
        by="A_Priv_erm",
        where=realizable(),
        of="BTT18:R2",
        quote=R2,
    ),
    Claim(
        "BTT18:R2-form",
        "BTT18 Remark 2, n",
        "If Θ is an ERM, m = Õ(V/α), and the explicit fixed point asks for n = Õ(V^(3/2)/(εα)).",
        decider=needs(FORMS["Remark 2"], FixedPointN(points=learned_consistently, order=(1, 1)), **FORMS),
        nature="reading",
        of="BTT18:R2",
        quote=R2,
    ),
    suffices(
        "BTT18:R3",
        "BTT18 Remark 3",
        "With PAC learners only, n = Õ(V²/(εα)) suffices in the realizable case: the least n is at most that of the explicit "
        "fixed point.",
        by="A_Priv_pac",
        powers=FORMS["Remark 3"],
        quote=R3,
    ),
    learns(
        "BTT18:R3-error",
        "BTT18 Remark 3",
        "Realizable: with Θ in A_binClas trained to 1/m, m = Õ(V/α), all labels are right, and a learner that needs "
        "consistent labels has err(ĥ) ≤ α with probability at least 1 − 3β.",
        by="A_Priv_pac",
        where=realizable(),
        within="alpha",
        of="BTT18:R3",
        quote=R3,
    ),
    Claim(
        "BTT18:R3-form",
        "BTT18 Remark 3, n",
        "With Θ trained to 1/m on a chunk, m = Õ(V/α), the explicit fixed point asks for n = Õ(V²/(εα)).",
        decider=needs(
            FORMS["Remark 3"],
            FixedPointN(
                points=learned_consistently,
                order=(1, 1),
                chunk_error=lambda V, alpha: 1 / learned_consistently(V, alpha),
            ),
            **FORMS,
        ),
        nature="reading",
        of="BTT18:R3",
        quote=R3,
    ),
    Claim(
        "BTT18:R3-labels",
        "BTT18 Remark 3, its third sentence",
        "With hypotheses of error at most 1/m, A_binClas answers all m queries rightly with probability at least 1 − 3β.",
        decider=Computed(lambda: _some_label_wrong(1.0, 3 * BETA)),
        expected="refuted",
        nature="step",
        of="BTT18:R3",
        quote=R3,
        why=(
            "One hypothesis of error 1/m, which all k learners may output, is wrong on one of m queries in the mean, and on "
            "none with probability (1 − 1/m)^m < 1/e only. Where it is wrong all votes are, and the answer is."
        ),
    ),
    Claim(
        "BTT18:R3-labels-repaired",
        "BTT18 Remark 3, its third sentence repaired",
        "With hypotheses of error at most β/3m, more than a third of the votes are wrong on none of the m queries with "
        "probability at least 1 − β, so that all labels are right with probability at least 1 − 2β.",
        decider=Computed(lambda: _some_label_wrong(BETA, BETA)),
        nature="repair",
        of="BTT18:R3-labels",
        proof=(
            "By Markov's inequality more than a third of the votes are wrong on mass at most 3·β/3m, and so on none of m "
            "queries but for β. With T ≥ 1 the printed k answers all others rightly but for β (T3.2-k)."
        ),
    ),
)
