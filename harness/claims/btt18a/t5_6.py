"""BTT18a Theorem 5.6: queries with d-stable histograms are answered by them.

Three things in it: ⊥ costs 2, so that a loop that runs while c ≤ T halts after T/2 queries whose histograms are both unstable;
(ii) gives queries that are stable on the shifted partition alone its midpoint, but a histogram that is just short of d-stable
passes the first test; and Definition 5.5's max{1, ·} > d makes every histogram d-stable for d < 1, as d is from ε = 359 on at
δ = β = 0.2 and m = T = 1: max{0, top − second − 1} > d is what is tested, and what is taken here.
"""

from harness.claims.btt18a.t5_14 import stable_answered
from harness.claims.engine import Claim, Computed, Condition, Limit, Never, Quote, among
from harness.theory.constants.btt18a_scores import REPAIRED

WITH = (
    "With d = 32 ln(8mT/min(δ,β)) √(4T ln(2/δ)) / ε, if on all but T queries the histogram is d-stable, then w.p. at "
    "least 1 − β"
)
SHORT = Condition(
    "at most T queries without a d-stable histogram", ("short", "T"), lambda first: bool(first["short"] <= first["T"])
)


def stable_at(constants: str) -> tuple[Condition, ...]:
    """The conditions of Theorem 5.6 on a cell: A_SL-Quer with this set of constants, and at most T queries are not stable."""
    return among("mechanism", "A_SL_Quer"), among("constants", constants), SHORT


THEOREM = "BTT18a §5 (Theorem 5.6)"
FIRST = Quote(
    THEOREM,
    "If |G_0(d)| ≥ m−T, then with probability at least 1−β, A_SL-Quer (Algorithm 6) answers all m queries such that the "
    "output scores satisfy i) for ℓ ∈ G_0, ŝ(x_ℓ) = γ/2 · (2 arg max_{v∈[1/γ]} Hist_{S_ℓ}^γ(v) − 1);",
)
SECOND = Quote(THEOREM, "and ii) for ℓ ∈ G_1, ŝ(x_ℓ) = γ · arg max_{v∈[1/γ−1]} Ĥist_{S_ℓ}^γ(v).")
CORNERS = "for ε up to 100 and δ and β up to 0.2"
PASSES = (
    "d is 8λ ln(8mT/min(δ, β)), so that d − w is at least 6λ ln(8mT/min(δ, β)): a histogram at distance d fails a test with "
    "probability at most ⅔e^(1/2λ)(min(δ, β)/8mT)³, which at these ε and δ, where e^(1/2λ) ≤ 62, is below β/100m³. A "
    "threshold that has lasted is likely a lower one, which makes a failure less likely still."
)
ALL = (Limit("first_failed", 0), Limit("unanswered", 0))

CLAIMS = (
    Claim(
        "BTT18a:T5.6",
        "BTT18a Theorem 5.6 (i)",
        f"{WITH} A_SL-Quer, whose loop runs while c ≤ T, answers all queries without halting, those with a d-stable "
        "histogram by its midpoint.",
        where=stable_at("BTT18a"),
        decider=Never(ALL, "soft_labels"),
        expected="refuted",
        quote=FIRST,
        why=(
            "A ⊥ adds 2 to the counter that the loop compares with T. So T/2 queries whose two histograms are both unstable "
            "halt it."
        ),
    ),
    Claim(
        "BTT18a:T5.6-repaired",
        "BTT18a Theorem 5.6 (i), repaired",
        f"{WITH} A_SL-Quer with w = 2λ ln(4m/δ), whose loop runs while c ≤ 2T, answers all queries without halting, those with "
        f"a d-stable histogram by its midpoint, {CORNERS}.",
        where=stable_at("repaired"),
        decider=Never(ALL, "soft_labels"),
        nature="repair",
        of="BTT18a:T5.6",
        proof=f"{PASSES} The T others raise c by 2 each at most, so that it stays at most 2T.",
    ),
    Claim(
        "BTT18a:T5.6-shifted",
        "BTT18a Theorem 5.6 (ii)",
        f"{WITH} each other query with a d-stable shifted histogram is answered by that one's midpoint.",
        where=stable_at("BTT18a"),
        decider=Never((Limit("second_failed", 0),), "soft_labels"),
        expected="refuted",
        quote=SECOND,
        why=(
            "A query just short of d-stable on the first partition passes the first test almost surely. It then gets that "
            "partition's midpoint, not the shifted one's."
        ),
    ),
    Claim(
        "BTT18a:T5.6-shifted-repaired",
        "BTT18a Theorem 5.6 (ii), repaired",
        f"{WITH} each other query with a d-stable shifted histogram is answered by the midpoint of the bin with most "
        f"predictions, on one of the two partitions, {CORNERS}. With w = 2λ ln(4m/δ) and c ≤ 2T.",
        where=stable_at("repaired"),
        decider=Never((Limit("either_failed", 0),), "soft_labels"),
        nature="repair",
        of="BTT18a:T5.6-shifted",
        proof=f"It passes the first test, or comes to the second. {PASSES}",
    ),
    Claim(
        "BTT18a:T5.6-corners",
        "BTT18a Theorem 5.6, repaired, at the corners",
        "With w = 2λ ln(4m/δ), m histograms that are d-stable pass their tests but for a chance of β: for ε from 0.01 to 100, "
        "δ from 1e-10 and β from 1e-10 to 0.2.",
        decider=Computed(lambda: stable_answered(REPAIRED)),
        nature="repair",
        of="BTT18a:T5.6",
        proof=PASSES,
    ),
)
