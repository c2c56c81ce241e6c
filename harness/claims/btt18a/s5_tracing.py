"""BTT18a Section 5, the comparison with the lower bound of Dwork, Smith, Steinke, Ullman and Vadhan 2015, as it is run.

The tracing attack sees A_SL-Quer's answers to p ≥ n² queries and knows every query's chance. On queries of ν-weak quality
answers are the midpoint of one bin or of another, whatever single rows are: scores of rows are those of fresh ones. On spread
queries A_SL-Quer halts after a few.
"""

import pandas as pd

from harness.claims.engine import Claim, Condition, Limit, Never, Probability, among

MANY = Condition("p ≥ n²", ("times",), lambda first: bool(first["times"] >= 1))
ENOUGH = Condition("n rows for the k chunks", ("n", "chunks"), lambda first: bool(first["n"] >= first["chunks"]))
CERTIFIED = Condition(
    "constants with a certified ε′ ≤ ε",
    ("spent", "eps"),
    lambda first: bool(pd.notna(first["spent"]) and first["spent"] <= first["eps"]),
)
PRIVATE = among("mechanism", "A_SL_Quer")
NAMED = Never((Limit("named_private", 0),), "tracing_scores", may_fail="bound")
SAYS = "some private row is named with chance at most e^ε/n + 1/4"

OWN = "not in the papers: "

CLAIMS = (
    Claim(
        "BTT18a:S5-tracing",
        f"{OWN}the comparison of BTT18a Section 5 with the lower bound of DSSUV 2015, run",
        f"Of A_SL-Quer's answers to p ≥ n² queries, of weak quality or spread, at (ε, 1/4n): {SAYS}.",
        where=(PRIVATE, MANY, CERTIFIED),
        decider=NAMED,
        nature="ours",
        of="BTT18a:S5-lower-bound",
    ),
    Claim(
        "BTT18a:S5-tracing-answers",
        f"{OWN}the comparison of BTT18a Section 5 with the lower bound of DSSUV 2015, by Theorem 5.14",
        "With n ≥ k, chunks of one row, and p ≥ n² queries of ν-weak quality, w.p. at least 1 − β A_SL-Quer answers all, "
        "none of them by ⊥, within 8α√2 + ν/2, α² = 2ν(1 − ν), and what rounding 1/γ and the repaired proof add.",
        where=(PRIVATE, MANY, ENOUGH, among("biases", "weak"), among("constants", "repaired", "k_tight")),
        decider=Probability(
            (Limit("error", "within", trivial=0.5), Limit("unanswered", 0), Limit("bottoms", 0)), "tracing_scores"
        ),
        nature="ours",
        of="BTT18a:S5-lower-bound",
    ),
    Claim(
        "probe:BTT18a:S5-tracing-averages",
        f"{OWN}the comparison of BTT18a Section 5 with the lower bound of DSSUV 2015, of averages",
        f"Of the averages of all rows, on the same queries: {SAYS}. (False, on queries of weak quality too: the attack names "
        "every row. What it cannot touch are A_SL-Quer's answers, and not these queries.)",
        where=(among("mechanism", "mean"), MANY),
        decider=NAMED,
        expected="refuted",
        nature="probe",
        of="BTT18a:S5-tracing",
    ),
    Claim(
        "probe:BTT18a:S5-tracing-spread",
        f"{OWN}the comparison of BTT18a Section 5 with the lower bound of DSSUV 2015, without weak quality",
        "On spread queries A_SL-Quer answers p ≥ n² of them as well. (False: it halts after a few.)",
        where=(PRIVATE, MANY, ENOUGH, among("biases", "spread")),
        decider=Probability((Limit("unanswered", 0),), "tracing_scores"),
        expected="refuted",
        nature="probe",
        of="BTT18a:S5-tracing",
    ),
)
