"""A target accuracy of 1/m."""

from harness.claims.engine import Erratum, Quote

ERRATA = Erratum(
    "one-wrong-label-in-the-mean",
    title="Hypotheses trained to 1/m leave a wrong label among m with probability up to 1 − 1/e",
    severity="step false, conclusion stands",
    quotes=(
        Quote(
            "BTT18 §4, p. 8 (Remark 3)",
            "but then train the PAC learner in A_binClas towards a target accuracy 1/m. Hence, the misclassification rate of "
            "A_binClas can be driven to zero.",
        ),
    ),
    why=(
        "At an error of 1/m a hypothesis errs on one of m queries in the mean. A_Priv's PAC learner needs that all m labels "
        "are right, with probability 1 − O(β): it is promised nothing of labels that no hypothesis of the class gives."
    ),
    counterexample=(
        "All k learners output one hypothesis of error exactly 1/m: all votes agree, and where it is wrong the answer is. All "
        "m labels are right with probability (1 − 1/m)^m < 1/e: at m = 1000 a label is wrong with probability 0.632, where 3β "
        "= 0.15."
    ),
    holds=(
        "With a target of β/3m all labels are right but for 2β (T ≥ 1). For each fixed β that changes n by a constant, so "
        "that n = Õ(V²/(εα)) stands; not with a power of ln(1/β) as β falls."
    ),
    answer="1/m stands for a small constant over m.",
    claims=("BTT18:R3-labels",),
    repairs=("BTT18:R3-labels-repaired",),
    script="target_one_over_m",
)
