"""BTT18a Theorem 2.7: the privacy of A_sparseVec, with sensitivity 1 and λ = √(32 T ln(1/δ))/ε."""

from harness.claims.engine import Claim, Quote, among, at_most, spends_eps

CLAIMS = (
    Claim(
        "BTT18a:T2.7",
        "BTT18a Theorem 2.7",
        "A_sparseVec is (ε, δ)-DP for queries of sensitivity 1.",
        where=(among("mechanism", "sparse_vec"), at_most("eps", 10)),
        decider=spends_eps(),
        quote=Quote("BTT18a §2.1 (Theorem 2.7)", "Algorithm 1 is (ε, δ)-differentially private."),
    ),
)
