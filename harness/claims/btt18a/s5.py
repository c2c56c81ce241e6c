"""BTT18a Section 5, the comparison with the lower bound of Dwork, Smith, Steinke, Ullman and Vadhan 2015.

Their attack takes queries whose true answers come from a γ-strong distribution, one that puts at least γ(b − a) on every
interval [a, b] of answers. Theorem 5.14 is about queries whose answers, the means of scores, are within ν of 0 or 1, all but T
of m. So on [ν, 1 − ν] they have mass at most T/m: γ ≤ (T/m)/(1 − 2ν), and 0 where all are. In the text's own example the
answers are p(1|x) = Φ(x√8/c), and none lies between Φ(−√8) and Φ(√8). That the attack does not apply is all that follows, and
not that no other one does.

*As it is run*, the tracing attack sees A_SL-Quer's answers to p ≥ n² queries and knows every query's chance. On queries of
ν-weak quality answers are the midpoint of one bin or of another, whatever single rows are: scores of rows are those of fresh
ones. On spread queries A_SL-Quer halts after a few.
"""

from collections.abc import Iterator
from math import sqrt

import numpy as np
import pandas as pd
from scipy.special import ndtr

from harness.arrays import Reals
from harness.claims.engine import Claim, Computed, Condition, Limit, Never, Number, Probability, Quote, among
from harness.scores.beyond_c import FAR

POINTS = 4001


def strength(answers: Reals) -> float:
    """The largest γ such that each sixteenth [a, b] of [0, 1] holds at least a share γ(b − a) of these answers."""
    ends = np.linspace(0, 1, 17)
    below = np.searchsorted(np.sort(answers), ends) / len(answers)
    below[-1] = 1.0
    return float(np.diff(below).min() / (ends[1] - ends[0]))


def example(hard: int) -> Reals:
    """The answers p(1|x) of BTT18a Section 5's example for x on a grid, followed by `hard` answers spread over [0, 1]."""
    x = np.linspace(1, FAR, POINTS // 2)
    answers: Reals = ndtr(np.concatenate([-x, x]) * sqrt(8))
    return np.concatenate([answers, (np.arange(hard) + 0.5) / max(hard, 1)])


def _strengths() -> Iterator[Number]:
    yield Number("γ of the answers, the text's example", strength(example(0)), 0.0)
    for hard in (16, 160):
        answers, nu = example(hard), 0.02
        most = hard / len(answers) / (1 - 2 * nu)
        yield Number(f"γ of the answers, the example and T = {hard} queries spread over [0, 1]", strength(answers), most)


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
        "BTT18a:S5-lower-bound",
        "BTT18a Section 5, comparison with the lower bound of DSSUV 2015",
        "Where all queries are of ν-weak quality their answers are not γ-strong for any γ > 0, and where T of m are not, for "
        "none above (T/m)/(1 − 2ν): so that lower bound does not speak of them. Shown on the text's example.",
        decider=Computed(_strengths),
        quote=Quote(
            "BTT18a §5 (Comparison with the lower bound in DSS+ 15)",
            "the attack in the lower bound of DSS+ (15) requires that the true answers of Ω(n²/γ²) queries (predicates) must "
            "arise from a “γ-strong” distribution: a notion that captures how well-spread a distribution is (where γ "
            "determines the degree of the ‘spread’). Interestingly, the weak quality condition in our result implies that all "
            "but T queries are not γ-strong for any γ > 0. Hence, the aforementioned lower bound does not apply to our "
            "setting.",
        ),
    ),
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
