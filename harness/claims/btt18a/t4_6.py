"""BTT18a Theorem 4.6: label-private learning, by a training set that labels its own other half, in the realizable case."""

from harness.claims.engine import (
    Claim,
    Complexity,
    Quote,
    confident,
    error_within,
    fifteen_alpha,
    learned,
    promising,
    realizable,
)

THEOREM = Quote(
    "BTT18a §4.2 (Theorem 4.6)",
    "If the size of the input private dataset n is as in Theorem 4.3, that is, n = Õ(V^{3/2}/α^{3/2}), then, w.p. ≥ 1−3β, the "
    "output hypothesis ĥ of A_Priv (Algorithm 5) satisfies err(ĥ; D) = O(α).",
)

CLAIMS = (
    Claim(
        "BTT18a:T4.6",
        "BTT18a Theorem 4.6, and Informal Theorem 1.1",
        "Realizable, β ≤ α: a training set is split in two, one half loses its labels and m = O((V + ln(1/β))/α²) of its "
        "points are labelled by the other. With n = Õ(V^(3/2)/α^(3/2)) the output has err(ĥ) ≤ 15α with probability at "
        "least 1 − 3β.",
        where=(*learned("label_private", "BTT18a"), realizable(), confident()),
        decider=error_within(fifteen_alpha),
        quote=THEOREM,
    ),
    Claim(
        "BTT18a:T4.6-n",
        "BTT18a Theorem 4.6, n",
        "Realizable, label-private: the least n is at most that of the explicit fixed point, n = Õ(V^(3/2)/α^(3/2)).",
        where=promising("label_private", "BTT18a"),
        decider=Complexity({"alpha": 1.5, "V": 1.5, "eps": 1}),
        quote=THEOREM,
    ),
)
