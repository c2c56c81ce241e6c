"""BTT18a Theorem 5.14: every score is near its mean, for a learner that is on-average stable.

γ is taken up to 1/integer, and the bound is γ/2 for the 8α√(2n') + ν/2 that it has at γ = 16α√(2n') + ν. A query on a bin's
edge may pass the first test in the bin next to the one with its mean, which costs another 4α√(2n'). How many queries are not
of ν-weak quality is set by the experiment (hard).
"""

from math import inf

import pandas as pd

from harness.claims.engine import Claim, Condition, Limit, Probability, Quote, among, promised

WEAK = Condition(
    "at most T queries, a fixed number, without ν-weak quality",
    ("unsure", "T", "hard"),
    lambda first: bool(pd.notna(first["hard"]) and first["unsure"] <= first["T"]),
)
CLOSED = among("rule", "closed")


def _error(rows: pd.DataFrame) -> "pd.Series[float]":
    """The error; infinite where a query is ⊥ or not answered."""
    none = (rows["bottoms"] + rows["unanswered"]).astype(float) > 0
    return rows["error"].astype(float).fillna(inf).mask(none, inf)


WITHIN = Probability((Limit("error", "bound", of=_error, trivial=0.5),), "soft_labels", may_fail="beta")
WITH = (
    "Let Θ be α-on-average stable with consistent randomisation, k = 136 ln(8mT/min(β,δ)) √(2T ln(2/δ)) / ε, bins of width "
    "γ ≥ 16α√(2n') + ν, and all but T queries of ν-weak quality. Then w.p. at least 1 − β A_SL-Quer answers all m queries, "
    "without ⊥,"
)


def at(constants: str, k_scale: float = 1.0) -> tuple[Condition, ...]:
    """A_SL-Quer where the theorem's hypotheses are met."""
    return among("mechanism", "A_SL_Quer"), among("constants", constants), among("k_scale", k_scale), CLOSED, promised(), WEAK


THEOREM = Quote(
    "BTT18a §5 (Theorem 5.14)",
    "If |G(ν)| ≥ m−T, then w.p. at least 1−β, A_SL-Quer answers all m queries (without outputting ⊥), and for all ℓ ∈ [m], "
    "the output score ŝ(x_ℓ) satisfies |ŝ(x_ℓ) − E_D̂[h_D̂(x_ℓ)]| ≤ 8α√(2n′) + ν/2.",
)

CLAIMS = (
    Claim(
        "BTT18a:T5.14",
        "BTT18a Theorem 5.14",
        f"{WITH} each within γ/2, which is 8α√(2n') + ν/2, of its mean.",
        where=at("BTT18a"),
        decider=WITHIN,
        expected="refuted",
        quote=THEOREM,
        why=(
            "A query whose mean is just outside a bin may pass the first test inside it, and gets that bin's midpoint. "
            "Predictions lie within 4α√(2n′) of their mean, so the mean may be so much further away than γ/2."
        ),
    ),
    Claim(
        "BTT18a:T5.14-repaired",
        "BTT18a Theorem 5.14, repaired",
        f"{WITH} each within γ/2 + 4α√(2n'), which is 12α√(2n') + ν/2, of its mean. With w = 2λ ln(4m/δ) and c ≤ 2T, for ε "
        "up to 100 and δ and β up to 0.2.",
        where=at("repaired"),
        decider=WITHIN,
        nature="repair",
        of="BTT18a:T5.14",
        proof=(
            "Predictions are beyond 4α√(2n') of their mean with probability at most 1/64 (Steele's and Chebyshev's "
            "inequalities, over coins and data at once), so that a third of k ≥ 1.32 ln(2m/β) are with probability at most "
            "β/2m; the printed k is that large for ε up to 100. Then 2k/3 of them lie in two adjacent bins, those of one "
            "partition at least in one, whose distance is at least k/3 − 1 ≥ w + 6λ ln(8mT/min(β, δ)) − 1. It passes but for "
            "a chance of 62(min(β, δ)/8mT)³ at these ε and δ, a query. What passes has its midpoint within γ/2 of a point "
            "that is within 4α√(2n') of the mean."
        ),
    ),
)
