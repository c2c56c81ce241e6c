"""BTT18 Remark 3: with Θ trained to 1/m on a chunk all labels are right, and a learner of consistent labels is enough.

A target of exactly 1/m leaves one wrong label in the mean where all h_j are one hypothesis that errs so much: all m labels are
right with probability (1 − 1/m)^m only. β/3m is enough, and changes n by a constant for each fixed β. Learners that err less
than their bound, as those that are run here, leave fewer wrong.
"""

from collections.abc import Iterator

from harness.claims.btt18.t4_2 import FORMS
from harness.claims.engine import (
    Claim,
    Complexity,
    Computed,
    FixedPointN,
    Number,
    Quote,
    confident,
    error_within,
    learned,
    learned_consistently,
    needs,
    promising,
    realizable,
)

BETA = 0.05


def _some_label_wrong(target: float, allowed: float) -> Iterator[Number]:
    """P(a label is wrong) where all h_j are one hypothesis of error `target`/m, against `allowed`."""
    for m in (2, 10, 1000, 10**6):
        wrong = 1 - (1 - target / m) ** m
        yield Number(f"P(a label of m = {m} is wrong), err(h_j) = {target:.3g}/m, β = {BETA:g}", wrong, allowed)


PRINTED = Quote(
    "BTT18 §4, p. 8 (Remark 3)",
    "One way to give an efficient construction in the realizable case (with a slightly worse sample complexity) is to use a "
    "PAC learner (rather than an agnostic one) in A_Priv with target accuracy α (and hence, m = Õ(V/α)), but then train the "
    "PAC learner in A_binClas towards a target accuracy 1/m. Hence, the misclassification rate of A_binClas can be driven to "
    "zero. This yields a sample complexity bound n = Õ(V²/εα).",
)

CLAIMS = (
    Claim(
        "BTT18:R3",
        "BTT18 Remark 3",
        "With PAC learners only, n = Õ(V²/(εα)) suffices in the realizable case: the least n is at most that of the explicit "
        "fixed point.",
        where=promising("A_Priv_pac"),
        decider=Complexity({"alpha": 1, "V": 2, "eps": 1}),
        quote=PRINTED,
    ),
    Claim(
        "BTT18:R3-error",
        "BTT18 Remark 3",
        "Realizable: with Θ in A_binClas trained to 1/m, m = Õ(V/α), all labels are right, and a learner that needs "
        "consistent labels has err(ĥ) ≤ α with probability at least 1 − 3β.",
        where=(*learned("A_Priv_pac"), realizable(), confident()),
        decider=error_within("alpha"),
        of="BTT18:R3",
        quote=PRINTED,
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
        quote=PRINTED,
    ),
    Claim(
        "BTT18:R3-labels",
        "BTT18 Remark 3, its third sentence",
        "With hypotheses of error at most 1/m, A_binClas answers all m queries rightly with probability at least 1 − 3β.",
        decider=Computed(lambda: _some_label_wrong(1.0, 3 * BETA)),
        expected="refuted",
        nature="step",
        of="BTT18:R3",
        quote=PRINTED,
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
