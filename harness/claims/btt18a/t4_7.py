"""BTT18a Theorem 4.7: label-private learning in the agnostic case."""

from harness.claims.btt18.t4_3 import POWERS
from harness.claims.engine import Claim, Complexity, agnostic, confident, error_within, fifteen_alpha, learned, promising

CLAIMS = (
    Claim(
        "BTT18a:T4.7",
        "BTT18a Theorem 4.7, and Informal Theorem 1.1",
        "Agnostic: as BTT18a:T4.6, with n = Õ(V^(3/2)/α^(5/2)) and err(ĥ) ≤ 7γ + 15α.",
        where=(*learned("label_private", "BTT18a"), agnostic(), confident()),
        decider=error_within(fifteen_alpha),
    ),
    Claim(
        "BTT18a:T4.7-n",
        "BTT18a Theorem 4.7, n",
        "Agnostic, label-private: the least n is at most that of the explicit fixed point, n = Õ(V^(3/2)/α^(5/2)).",
        where=promising("label_private", "BTT18a", noisy=True),
        decider=Complexity(POWERS),
    ),
)
