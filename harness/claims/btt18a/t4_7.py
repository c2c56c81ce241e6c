"""BTT18a Theorem 4.7: label-private learning in the agnostic case."""

from harness.claims.btt18.t4_3 import POWERS
from harness.claims.engine import Claim, Complexity, Quote, agnostic, confident, error_within, fifteen_alpha, learned, promising

THEOREM = Quote(
    "BTT18a §4.2 (Theorem 4.7)",
    "If n is as in Theorem 4.4, that is, n = Õ(V^{3/2}/α^{5/2}), then, w.p. ≥ 1−3β, the output hypothesis ĥ of A_Priv "
    "(Algorithm 5) satisfies err(ĥ; D) = O(α+γ) (where γ = min_{h∈H} err(h; D)).",
)

CLAIMS = (
    Claim(
        "BTT18a:T4.7",
        "BTT18a Theorem 4.7, and Informal Theorem 1.1",
        "Agnostic: as BTT18a:T4.6, with n = Õ(V^(3/2)/α^(5/2)) and err(ĥ) ≤ 7γ + 15α.",
        where=(*learned("label_private", "BTT18a"), agnostic(), confident()),
        decider=error_within(fifteen_alpha),
        quote=THEOREM,
    ),
    Claim(
        "BTT18a:T4.7-n",
        "BTT18a Theorem 4.7, n",
        "Agnostic, label-private: the least n is at most that of the explicit fixed point, n = Õ(V^(3/2)/α^(5/2)).",
        where=promising("label_private", "BTT18a", noisy=True),
        decider=Complexity(POWERS),
        quote=THEOREM,
    ),
)
