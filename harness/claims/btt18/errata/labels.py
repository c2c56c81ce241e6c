"""Labels of one run are not independent."""

from harness.claims.engine import Erratum, Quote

ERRATA = Erratum(
    "labels-of-one-run-are-not-independent",
    title="The labels that A_Priv learns from are not independent draws from (D_X, h_priv)",
    severity="step false, conclusion open",
    quotes=(
        Quote(
            "BTT18 §4, p. 8 (Theorem 4.2, proof)",
            "Note that each (x̃_t, ŷ_t), t ∈ [m], is drawn independently from (D_X, h_priv).",
        ),
        Quote(
            "BTT18 §4, p. 7 (before Claim 4.1)",
            "Note also that the mapping h_priv is independent of Q; it only depends on the input training set D (in "
            "particular, on h_1, . . . , h_k), and the internal randomness of A_binClas.",
        ),
        Quote(
            "BTT18a §4.2 (Theorem 4.6, proof)",
            "Using the same style of notation as above, note that each (x_t, ŷ_t), t ∈ [m], is drawn independently from (D_X, "
            "h_priv).",
        ),
    ),
    why=(
        "h_priv is no mapping: its threshold ŵ stays until a ⊥ and its counter ends the run. What it answered before tells of "
        "ŵ and so of what it answers next. A PAC learner, agnostic or not, is promised to learn from independent examples, "
        "and nothing else."
    ),
    counterexample=(
        "Two queries whose distance is w, each ⊥ a fair coin. The first is answered with probability 1/2, and both are with "
        "7/24. So the first label is right with probability 3/4, the second with 37/48, and both with 7/12 = 112/192, not "
        "with 111/192."
    ),
    holds=(
        "For a learner that minimises the empirical risk err(ĥ) ≤ γ + 2T/m + α with probability at least 1 − 3β: at most T of "
        "the m labels are wrong where Theorem 3.2 holds, whatever their law. For other learners the argument has a gap; "
        "nothing is known against the conclusion, and no run with one showed any."
    ),
    answer=(
        "The m queries may be answered by m fresh thresholds, or the learner taken to be an ERM; at the printed k nearly "
        "every label is certain."
    ),
    claims=("BTT18:T4.2-labels",),
    repairs=("BTT18:T4.2-erm", "BTT18:T4.3-erm"),
    script="labels_not_independent",
)
