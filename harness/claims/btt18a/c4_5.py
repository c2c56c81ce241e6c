"""BTT18a Claim 4.5: the error of h_priv on one fresh query, as BTT18 C4.1, with the full version's constants and larger m."""

from harness.claims.btt18.c4_1 import enough_queries, fresh_error_within, least_m, seven_alpha
from harness.claims.engine import Claim, Quote, printed_cutoff


def least_m_full(alpha: float, beta: float) -> float:
    """m ≥ 4 ln(1/(αβ))/α²."""
    return least_m(alpha, beta) / alpha


CLAIMS = (
    Claim(
        "BTT18a:C4.5",
        "BTT18a Claim 4.5",
        "Let β ≤ α and m ≥ 4 ln(1/(αβ))/α². Then with probability at least 1 − 2β over the training set, "
        "err(h_priv) ≤ 3γ + 7α, where h_priv answers a single query, a ⊥ counting as a fair coin.",
        where=(*printed_cutoff("A_subSamp", "BTT18a"), *enough_queries("m ≥ 4 ln(1/(αβ))/α²", least_m_full)),
        decider=fresh_error_within(seven_alpha),
        quote=Quote(
            "BTT18a §4.2 (Claim 4.5)",
            "Let 0 < β ≤ α < 1. Let m ≥ 4 log(1/αβ)/α². Suppose that Θ is (α, β/k, n/k)-(agnostic) PAC learner for the "
            "hypothesis class H. Then, with probability at least 1−2β (over the randomness of the input training set D and "
            "the internal randomness in Algorithm 4), we have err(h_priv; D) ≤ 3γ + 7α = O(γ+α), where γ = min_{h∈H} err(h; "
            "D).",
        ),
    ),
)
