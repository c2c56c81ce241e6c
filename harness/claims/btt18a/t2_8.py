"""BTT18a Theorem 2.8: the utility of A_sparseVec on values just above w + a."""

from harness.claims.engine import ANSWERED, Claim, Quote, stable_votes

CLAIMS = (
    Claim(
        "BTT18a:T2.8",
        "BTT18a Theorem 2.8",
        "With a = ln(2mT/β) √(512 T ln(1/δ)) / ε, if at most T of the m values are at most w + a, then with probability at "
        "least 1 − β all the others are answered ⊤.",
        where=stable_votes("A_sparseVec", "BTT18", right=1),
        decider=ANSWERED,
        quote=Quote(
            "BTT18a §2.1 (Theorem 2.8)",
            "For α = log(2mT/β)√(512T log(1/δ))/ε, and any set of m queries q_1, ⋯, q_m, define the set L(α) = {i : q_i(D) ≤ "
            "w+α}. If |L(α)| ≤ T, then we have the following w.p. at least 1−β: ∀i ∉ L(α) Algorithm 1 outputs ⊤.",
        ),
    ),
)
