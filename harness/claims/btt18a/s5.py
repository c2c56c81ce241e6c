"""BTT18a Section 5, the comparison with the lower bound of Dwork, Smith, Steinke, Ullman and Vadhan 2015.

Their attack takes queries whose true answers come from a γ-strong distribution, one that puts at least γ(b − a) on every
interval [a, b] of answers. Theorem 5.14 is about queries whose answers, the means of scores, are within ν of 0 or 1, all but T
of m. So on [ν, 1 − ν] they have mass at most T/m: γ ≤ (T/m)/(1 − 2ν), and 0 where all are. In the text's own example the
answers are p(1|x) = Φ(x√8/c), and none lies between Φ(−√8) and Φ(√8). That the attack does not apply is all that follows, and
not that no other one does.
"""

from collections.abc import Iterator
from math import sqrt

import numpy as np
from scipy.special import ndtr

from harness.arrays import Reals
from harness.claims.engine import Claim, Computed, Number, Quote
from harness.concepts.scores.beyond_c import FAR

POINTS = 4001


def strength(answers: Reals) -> float:
    """The largest γ of which a distribution is γ-strong, that is uniform over these answers: over intervals from one sixteenth
    on."""
    ends = np.linspace(0, 1, 17)
    below = np.searchsorted(np.sort(answers), ends) / len(answers)
    below[-1] = 1.0
    return float(np.diff(below).min() / (ends[1] - ends[0]))


def example(hard: int) -> Reals:
    """p(1|x) of points of the example on a grid, and so many answers besides, spread over [0, 1]."""
    x = np.linspace(1, FAR, POINTS // 2)
    answers: Reals = ndtr(np.concatenate([-x, x]) * sqrt(8))
    return np.concatenate([answers, (np.arange(hard) + 0.5) / max(hard, 1)])


def _strengths() -> Iterator[Number]:
    yield Number("γ of the answers, the text's example", strength(example(0)), 0.0)
    for hard in (16, 160):
        answers, nu = example(hard), 0.02
        most = hard / len(answers) / (1 - 2 * nu)
        yield Number(f"γ of the answers, the example and T = {hard} queries spread over [0, 1]", strength(answers), most)


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
)
