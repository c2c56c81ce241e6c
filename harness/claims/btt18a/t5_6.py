"""BTT18a Theorem 5.6: queries with d-stable histograms are answered by them.

Three things in it: ⊥ costs 2, so that a loop that runs while c ≤ T halts after T/2 queries whose histograms are both unstable;
(ii) gives queries that are stable on the shifted partition alone its midpoint, but a histogram that is just short of d-stable
passes the first test; and Definition 5.5's max{1, ·} > d makes every histogram 0-stable: max{0, top − second − 1} > d is what
is tested, and what is taken here.
"""

from harness.claims.engine import Claim, Condition, Limit, Never, among

WITH = (
    "With d = 32 ln(8mT/min(δ,β)) √(4T ln(2/δ)) / ε, if on all but T queries the histogram is d-stable, then w.p. at "
    "least 1 − β"
)
SHORT = Condition(
    "at most T queries without a d-stable histogram", ("short", "T"), lambda first: bool(first["short"] <= first["T"])
)


def at(constants: str) -> tuple[Condition, ...]:
    """A_SL-Quer where the theorem speaks."""
    return among("mechanism", "A_SL_Quer"), among("constants", constants), SHORT


ALL = (Limit("first_failed", 0), Limit("unanswered", 0))

CLAIMS = (
    Claim(
        "BTT18a:T5.6",
        "BTT18a Theorem 5.6 (i)",
        f"{WITH} A_SL-Quer, whose loop runs while c ≤ T, answers all queries without halting, those with a d-stable "
        "histogram by its midpoint.",
        where=at("BTT18a"),
        decider=Never(ALL, "soft_labels"),
        expected="refuted",
        why=(
            "A ⊥ adds 2 to the counter that the loop compares with T. So T/2 queries whose two histograms are both unstable "
            "halt it."
        ),
    ),
    Claim(
        "BTT18a:T5.6-repaired",
        "BTT18a Theorem 5.6 (i), repaired",
        f"{WITH} A_SL-Quer with w = 2λ ln(4m/δ), whose loop runs while c ≤ 2T, answers all queries without halting, those with "
        "a d-stable histogram by its midpoint.",
        where=at("repaired"),
        decider=Never(ALL, "soft_labels"),
        nature="repair",
        of="BTT18a:T5.6",
    ),
    Claim(
        "BTT18a:T5.6-shifted",
        "BTT18a Theorem 5.6 (ii)",
        f"{WITH} each other query with a d-stable shifted histogram is answered by that one's midpoint.",
        where=at("BTT18a"),
        decider=Never((Limit("second_failed", 0),), "soft_labels"),
        expected="refuted",
        why=(
            "A query just short of d-stable on the first partition passes the first test almost surely. It then gets that "
            "partition's midpoint, not the shifted one's."
        ),
    ),
    Claim(
        "BTT18a:T5.6-shifted-repaired",
        "BTT18a Theorem 5.6 (ii), repaired",
        f"{WITH} each other query with a d-stable shifted histogram is answered by the midpoint of the bin with most "
        "predictions, on one of the two partitions. With w = 2λ ln(4m/δ) and c ≤ 2T.",
        where=at("repaired"),
        decider=Never((Limit("either_failed", 0),), "soft_labels"),
        nature="repair",
        of="BTT18a:T5.6-shifted",
    ),
)
