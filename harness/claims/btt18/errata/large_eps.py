"""Theorem 3.1 and its like at an ε far above 1."""

from harness.claims.engine import Erratum, Quote

ERRATA = Erratum(
    "noise-for-an-eps-below-one",
    title="The noise is that of a composition theorem for ε < 1, and no theorem says so",
    severity="condition not stated",
    quotes=(
        Quote("BTT18 §3, p. 5 (Theorem 3.1)", "Algorithm A_binClas (Algorithm 2) is (ε, δ)-DP."),
        Quote("BTT18 §3, p. 5 (Algorithm 2, step 1)", "c ← 0, λ ← √(32T log(2/δ))/ε"),
        Quote("BTT18a §2.1 (Theorem 2.7)", "Algorithm 1 is (ε, δ)-differentially private."),
        Quote(
            "BTT18a §3.2 (Theorem 3.6)",
            "If for all functions f ∈ F, the distance to instability function is dist_f(D) = arg max_k [f(D) is k-stable], "
            "then Algorithm 3 is (ε, δ)-differentially private.",
        ),
    ),
    why=(
        "√(32 T ln(1/δ))/ε comes from advanced composition with its second term dropped (DR14 Corollary 3.21), which is for ε "
        "below 1. Over T epochs what an observer learns has a mean that grows as T/λ², that is as ε², and passes ε."
    ),
    counterexample=(
        "δ = 0.2, T = 10,000. Each epoch asks three queries at distances near w until one is ⊥, and closes with queries at "
        "distance 0; one voter moves the three distances by 2, up and down in turn. At ε = 200 the log-likelihood ratio of "
        "all epochs has mean 251 and standard deviation 22: with probability above 0.8 it is above 206, so that P(S) − e^ε "
        "P'(S) > 0.8 > δ for the event S that it is. With distances that move by 1 the same is seen of Theorems 2.7 and 3.6 "
        "at ε = 900."
    ),
    holds=(
        "For ε up to 5 the printed constants are certified (δ from 10⁻¹⁰ to 0.2, m from 1 to 10⁷, T from 1 to 10⁵). The "
        "epochs show no more than ε at any ε up to 100 that was tried (δ up to 0.2, T from 100 to 10⁵); with k even the tie "
        "of one query does, from ε = 21 on at δ = 0.2 and from ε = 48 on at δ = 10⁻⁶, which is the cause of one vote and two "
        "seen at large ε. For any ε it is enough to solve the composition theorem itself for λ, with the true distance."
    ),
    answer="ε is a small constant throughout, as it is in all of differential privacy, and constants are not optimised.",
    claims=("BTT18:T3.1-any-eps",),
    repairs=(),
    script="large_eps",
)
