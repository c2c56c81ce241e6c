"""BTT18 Remark 3: with Θ trained to 1/m on a chunk all labels are right, and a learner of consistent labels is enough."""

from harness.claims.btt18.t4_2 import FORMS
from harness.claims.engine import (
    Claim,
    Complexity,
    Needed,
    confident,
    error_within,
    learned,
    learned_consistently,
    needs,
    promising,
    realizable,
)

CLAIMS = (
    Claim(
        "BTT18:R3",
        "BTT18 Remark 3",
        "With PAC learners only, n = Õ(V²/(εα)) suffices in the realizable case: the least n is at most that of the explicit "
        "fixed point.",
        where=promising("A_Priv_pac"),
        decider=Complexity({"alpha": 1, "V": 2, "eps": 1}),
    ),
    Claim(
        "BTT18:R3-error",
        "BTT18 Remark 3",
        "Realizable: with Θ in A_binClas trained to 1/m, m = Õ(V/α), all labels are right, and a learner that needs "
        "consistent labels has err(ĥ) ≤ α with probability at least 1 − 3β.",
        where=(*learned("A_Priv_pac"), realizable(), confident()),
        decider=error_within("alpha"),
    ),
    Claim(
        "BTT18:R3-form",
        "BTT18 Remark 3, n",
        "With Θ trained to 1/m on a chunk, m = Õ(V/α), the explicit fixed point asks for n = Õ(V²/(εα)).",
        decider=needs(
            FORMS["Remark 3"],
            Needed(
                points=learned_consistently,
                order=(1, 1),
                chunk_error=lambda V, alpha: 1 / learned_consistently(V, alpha),
            ),
            **FORMS,
        ),
    ),
)
