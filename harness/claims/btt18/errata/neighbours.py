"""Neighbours by one example more or less, and any split."""

from harness.claims.engine import Erratum, Quote

ERRATA = Erratum(
    "a-split-must-keep-its-chunks",
    title="With |D Δ D'| = 1 and an arbitrary split one example may change every chunk",
    severity="condition not stated",
    quotes=(
        Quote(
            "BTT18 §2, p. 4 (Definition 2.2)",
            "A (randomized) algorithm M with input domain U* and output range R is (ε, δ)-differentially private (DP) if for "
            "all pairs of datasets D, D' ∈ U* s.t. |D Δ D'| = 1, and every measurable S ⊆ R, we have that: Pr(M(D) ∈ S) ≤ e^ε "
            "· Pr(M(D') ∈ S) + δ",
        ),
        Quote(
            "BTT18 §3, p. 5 (Algorithm 2, step 3)",
            "Arbitrarily split D into k non-overlapping chunks of size n/k. Call them D_1, ···, D_k",
        ),
        Quote("BTT18 §3, p. 5 (Theorem 3.1)", "Algorithm A_binClas (Algorithm 2) is (ε, δ)-DP."),
        Quote(
            "BTT18a §3.3 (Algorithm 4, step 2)",
            "Arbitrarily split D into k non-overlapping chunks of size n/k. Call them D_1, ···, D_k",
        ),
        Quote(
            "BTT18a §5 (Algorithm 7, step 1)",
            "Split the dataset D into k non-overlapping chunks D̂_1, ···, D̂_k each of size n' ≜ n/k.",
        ),
    ),
    why=(
        "The privacy argument needs that one example changes one chunk. Neighbours of which one has an example more have no "
        "common size, and of a split nothing is asked: cut by the order of the examples, one that is left out moves all that "
        "follow by a place. (That n and n − 1 are both multiples of k cannot be.)"
    ),
    counterexample=(
        "D has the examples (i, i mod 2), i = 0, …, 2k, D' lacks the first. Both are cut, in the order of i, into k chunks of "
        "two. Θ answers with the label of the first example of its chunk. On D all k votes are 0, on D' all are 1. At ε = 1, "
        "δ = 10⁻⁶, m = T = 1 the query is answered but for 10⁻⁹: P(0) is near 1 on D and 0 on D', at every ε."
    ),
    holds=(
        "The theorem as the accountant certifies it, where one example changes one chunk: neighbours by replacing one example "
        "in its place; or examples added and left out, with each example's chunk chosen on its own (by a hash of it, or at "
        "random) and not by the others."
    ),
    answer=(
        "The split is by fixed positions and neighbours differ in one of them; this is how subsample-and-aggregate is always "
        "meant."
    ),
    claims=("BTT18:T3.1-any-split",),
    repairs=(),
    script="split_by_index",
)
