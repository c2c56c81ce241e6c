"""BTT18a Corollary 3.9: the utility of A_OQR at the distance a, on votes, and on queries of any range that are asked online.

The printed a is far more than enough, so no run can make the claim fail: with a* in its place it still holds, and with nine
tenths of that it does not.
"""

from math import log, sqrt

from harness.claims.btt18a.t2_8 import failing
from harness.claims.engine import ANSWERED, Claim, Computed, Condition, Limit, Never, Quote, among, stable_votes

IF_FEW_ARE_UNSTABLE = Never(
    (Limit("stable_failed", 0, of=lambda rows: rows["stable_failed"].where(rows["unstable"] <= rows["T"], 0)),),
    "stable_queries",
)
"""Every query at the distance a or more is answered f(D) where at most T of those asked are nearer; but for a chance of β."""

QUOTE = Quote(
    "BTT18a §3.2 (Corollary 3.9)",
    "For any set of m adaptively chosen queries F = {f_1, ⋯, f_m}, let dist_{f_i}(D) = arg max_k [f_i(D) is k-stable] for each "
    "f_i. Also, define L(α) = {i : dist_{f_i}(D) < α} for α = 32 · log(4mT/min(δ, β)) √(2T log(2/δ))/ε. If |L(α)| ≤ T, then we "
    "have the following w.p. at least 1 − β: ∀i ∉ L(α), Algorithm A_OQR (Algorithm 3) outputs f_i(D).",
)
LEAST = Condition("a* in place of a", ("constants",), lambda first: first["constants"] != "BTT18a")


def _above(eps: float, delta: float, beta: float, m: int, T: float) -> tuple[float, float]:
    """How far a of the corollary is above w, and λ, of Algorithm 3."""
    root = sqrt(T * log(2 / delta)) / eps
    lam = sqrt(32) * root
    return 32 * sqrt(2) * log(4 * m * T / min(delta, beta)) * root - 2 * lam * log(2 * m / delta), lam


CLAIMS = (
    Claim(
        "BTT18a:C3.9",
        "BTT18a Corollary 3.9",
        "With a = 32 ln(4mT/min(δ,β)) √(2T ln(2/δ)) / ε, if at most T of the m queries have a distance to instability below "
        "a, then with probability at least 1 − β A_OQR answers all the others exactly.",
        where=stable_votes("A_OQR", "BTT18", right=1),
        decider=ANSWERED,
        quote=QUOTE,
    ),
    Claim(
        "BTT18a:C3.9-queries",
        "BTT18a Corollary 3.9",
        "The same of queries of any finite or countable range, chosen one after another by the answers so far, by their own "
        "distance to instability on all n examples.",
        where=(
            among("mechanism", "A_OQR"),
            among("constants", "BTT18a"),
            among("k_scale", 1),
        ),
        decider=IF_FEW_ARE_UNSTABLE,
        quote=QUOTE,
    ),
    Claim(
        "BTT18a:C3.9-every",
        "BTT18a Corollary 3.9, which has no restriction on ε, δ and β",
        "The same for ε from 0.01 to 100, δ and β from 1e-10 to 0.2, and m and T from 1: by a union over the m queries.",
        decider=Computed(lambda: failing(_above)),
        of="BTT18a:C3.9",
        quote=QUOTE,
    ),
    Claim(
        "BTT18a:C3.9-least",
        "not in the papers: Corollary 3.9 with a as small as its argument allows",
        "With a* = w + 2λ ln(2m/(3β)) in place of a: if at most T of the m queries, of any range and chosen online, have a "
        "distance below a*, then with probability at least 1 − β all the others are answered exactly.",
        where=(among("mechanism", "A_OQR", "A_subSamp"), LEAST, among("k_scale", 1)),
        decider=IF_FEW_ARE_UNSTABLE,
        nature="ours",
    ),
    Claim(
        "probe:BTT18a:C3.9-least-nine-tenths",
        "not in the papers: that a* is nearly necessary",
        "The same with 0.9 (a* + 1) − 1 in place of a*, of queries at that distance. (False: a* is tight to within a tenth.)",
        where=(
            among("mechanism", "A_OQR", "A_subSamp"),
            among("analyst", "planted"),
            LEAST,
            among("k_scale", 0.9),
        ),
        decider=IF_FEW_ARE_UNSTABLE,
        expected="refuted",
        nature="probe",
        of="BTT18a:C3.9-least",
    ),
)
