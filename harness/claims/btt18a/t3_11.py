"""BTT18a Theorem 3.11: the utility of A_subSamp where each vote is right with probability 3/4, on votes and on queries online.

A coin query whose votes fell below 2/3 is not counted as stable, yet it is one the theorem promises: so a trial fails also
where more than T queries are unstable.

The theorem speaks of adaptively chosen queries, and its proof takes the union over m queries that are fixed before the data is
drawn. Where every stable query is answered x_f and the places of the ⊥s are known beforehand, so are the queries, and that is
enough. Where ⊥s fall by chance, the queries after them depend on the data, by no more than what (ε, δ)-DP lets out.
"""

import pandas as pd

from harness.claims.engine import ANSWERED, Claim, Condition, Limit, Never, Quote, among, stable_votes

LIKELY = Condition(
    "a chance of at least 3/4 that a chunk answers x_f",
    ("right",),
    lambda first: bool(pd.notna(first["right"]) and first["right"] >= 0.75),
)

THEOREM = Quote(
    "BTT18a §3.3 (Theorem 3.11)",
    "For k = 136 · log(4mT/min(δ, β/2)) · √(T log(2/δ))/ε, let L̄ ⊆ F be a set of queries s.t. for every f ∈ L̄, there exists "
    "some x_f for which f(D̂) = x_f w.p. at least 3/4 over drawing a dataset D̂ of n/k i.i.d. data samples from D. If |L̄| ≥ "
    "m−T, then w.p. at least 1−β over the randomness of Algorithm A_subSamp (Algorithm 4), we have the following: ∀f ∈ L̄, "
    "Algorithm A_subSamp outputs x_f.",
)

CLAIMS = (
    Claim(
        "BTT18a:T3.11",
        "BTT18a Theorem 3.11",
        "With k = 136 ln(4mT/min(δ,β/2)) √(T ln(2/δ)) / ε, if on at least m − T queries each vote is x_f with probability at "
        "least 3/4, then with probability at least 1 − β all of these are answered x_f.",
        where=stable_votes("A_subSamp", "BTT18a", distribution="coin", right=0.75),
        decider=Never((*ANSWERED.limits, Limit("unstable", "T"))),
        quote=THEOREM,
    ),
    Claim(
        "BTT18a:T3.11-queries",
        "BTT18a Theorem 3.11",
        "The same of queries of any finite or countable range, functions of a chunk of n/k examples that are drawn i.i.d., "
        "chosen one after another and by the answers so far.",
        where=(among("mechanism", "A_subSamp"), among("constants", "BTT18a"), among("k_scale", 1), LIKELY),
        decider=Never((Limit("lost", 0),), "stable_queries"),
        quote=THEOREM,
    ),
)
