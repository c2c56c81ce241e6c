"""How small k may be for scores: where 2k/3 predictions share a bin, of either partition, the query is answered.

With d* = w + 2λ ln(2m/(3β)) at w = 2λ ln(4m/δ), k = 3(d* + 1) suffices; nine tenths of it do not. Of its two tests a query
needs one, so that the union is over m of them, and not 2m.
"""

from harness.claims.engine import Claim, Condition, Limit, Never, among

SPLIT = Condition("at most T queries without 2k/3 in a bin", ("split", "T"), lambda first: bool(first["split"] <= first["T"]))


def at(k_scale: float) -> tuple[Condition, ...]:
    """Scores that are set directly, at a share of k."""
    return (
        among("mechanism", "A_SL_Quer"),
        among("constants", "k_tight"),
        among("learner", "agreement"),
        among("k_scale", k_scale),
        SPLIT,
    )


ANSWERED = Never((Limit("agreed_failed", 0),), "soft_labels")
SAYS = (
    "of w = 2λ ln(4m/δ) and d* = w + 2λ ln(2m/(3β)): if on all but T queries a bin of either partition has 2k/3 of the "
    "predictions, then w.p. at least 1 − β all of these are answered"
)

CLAIMS = (
    Claim(
        "BTT18a:T5.14-k",
        "not in the papers: Theorem 5.14 with k as small as its argument allows",
        f"k = 3(d* + 1) suffices, {SAYS}.",
        where=at(1.0),
        decider=ANSWERED,
        nature="ours",
    ),
    Claim(
        "probe:BTT18a:T5.14-k-nine-tenths",
        "BTT18a Theorem 5.14, its k, made as small as it can be",
        f"0.9 of that k suffice, {SAYS}. (False: it is tight to within a tenth.)",
        where=at(0.9),
        decider=ANSWERED,
        expected="refuted",
        nature="probe",
        of="BTT18a:T5.14-k",
    ),
)
