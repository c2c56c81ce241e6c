"""BTT18 Section 5: with a surrogate loss there is no PAC bound, but what a learner errs carries over to what is answered.

Nothing is asked of the learner. B is the most mistakes that any h_j made in the trial. Lemma 3.3 and Theorem 3.2's k say the
rest: at most 3B queries are unstable, and where T is that large all others are answered as the majority has it, but for 2β.
"""

import numpy as np
import pandas as pd

from harness.claims.engine import Claim, Condition, Limit, Probability, Quote, known, times


def _share(rows: pd.DataFrame) -> "pd.Series[float]":
    """Queries misclassified, ⊥ among them, as a share of 3B; 0 where T is below 3B, of which nothing is said."""
    unstable = 3 * rows["max_mistakes"].astype(float)
    share = np.where(rows["misclassified"] > 0, rows["misclassified"] / unstable.where(unstable > 0, 1e-300), 0.0)
    return pd.Series(share, rows.index).where(rows["T"] >= unstable, 0.0)


BLACK_BOX = Condition("a learner of which no PAC bound is known", ("alpha",), lambda first: bool(np.isinf(first["alpha"])))

CLAIMS = (
    Claim(
        "BTT18:S5",
        "BTT18 Section 5, on surrogate losses",
        "With any learner, of whatever loss: where no h_j makes more than B mistakes on the m queries and T is at least 3B, at "
        "most 3B queries are misclassified, ⊥ among them, with probability at least 1 − 2β.",
        where=(BLACK_BOX, known("T"), known("max_mistakes")),
        decider=Probability(
            (Limit("misclassified_of_3B", 1, of=_share, reads=("max_mistakes", "misclassified", "T")),),
            may_fail=times(2, "beta"),
        ),
        nature="reading",
        of="BTT18:T3.2",
        quote=Quote(
            "BTT18 §5, p. 9 (Beyond standard PAC learning with binary loss)",
            "One can still provide meaningful accuracy guarantees since our framework allows for transferring the "
            "classification error guarantee of the underlying non-private learner to a classification error guarantee for the "
            "final private learner.",
        ),
    ),
)
