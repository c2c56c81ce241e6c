"""BTT18a Theorem 5.4: the privacy of A_SL-Quer. Its w lacks the factor 2 of A_OQR, and what lies at distance 0 is answered.

P(Lap(2λ) − Lap(λ) > w) = ⅔√(δ/4m) − δ/24m at w = λ ln(4m/δ). On two data sets of k odd whose bins differ by one prediction the
answer is the midpoint of another bin, so that this is a δ which one query spends at every ε: more than δ for m < 1/(9δ). A run
has a chance of it with every failed test, which for T + 2 of these is more than δ for m up to (T + 2)²/(9δ). With w twice as
large both are δ/6m, and the epochs compose to less than ε up to ε = 5.
"""

from collections.abc import Iterator
from functools import partial
from math import inf

import pandas as pd

from harness.claims.engine import Claim, Computed, Exact, Limit, Number, among, at_most
from harness.claims.engine.events import TOLERANCE
from harness.theory.constants.btt18a_scores import PRINTED, REPAIRED, ScoreConstants, ScoreTask
from harness.theory.privacy.scores import query_leak

SIZES = (100, 1000, 10**4, 10**5, 10**6)


def _upper(rows: pd.DataFrame) -> "pd.Series[float]":
    """What is certified, infinite where nothing is."""
    return rows["spent_upper"].astype(float).fillna(inf)


def _queries(constants: ScoreConstants) -> Iterator[Number]:
    """What one query leaks, over m; λ, and with it ε and T, cancels."""
    for m in SIZES:
        leak = query_leak(constants, ScoreTask(m, 1.0, 1.0, 1e-6, 0.05))
        yield Number(f"P(a query at distance 0 is answered), m = {m:,}, δ = 1e-06", leak, 1e-6)


LEAK = Limit("leak_run", "delta", factor=1 + TOLERANCE)

CLAIMS = (
    Claim(
        "BTT18a:T5.4",
        "BTT18a Theorem 5.4",
        "A_SL-Quer is (ε, δ)-DP.",
        where=(among("mechanism", "BTT18a"),),
        decider=Exact((LEAK,), "soft_label_privacy"),
        expected="refuted",
        why=(
            "The offset w = λ ln(4m/δ) lacks the factor 2 of A_OQR, so histograms at distance 0 are answered with a chance "
            "beyond δ. The answer then tells two neighbouring data sets apart."
        ),
    ),
    Claim(
        "BTT18a:T5.4-repaired",
        "BTT18a Theorem 5.4, repaired",
        "With w = 2λ ln(4m/δ), and a loop that runs while c ≤ 2T, A_SL-Quer is (ε, δ)-DP. Certified for ε up to 5, as "
        "BTT18:T3.1.",
        where=(among("mechanism", "repaired", "k_tight"), at_most("eps", 5)),
        decider=Exact((Limit("spent_upper", "eps", of=_upper, factor=1 + TOLERANCE), LEAK), "soft_label_privacy"),
        nature="repair",
        of="BTT18a:T5.4",
    ),
    Claim(
        "BTT18a:T5.4-query",
        "BTT18a Theorem 5.4, one query",
        "A query whose histograms are at distance 0 is answered with probability at most δ.",
        decider=Computed(partial(_queries, PRINTED)),
        expected="refuted",
        why="With w = λ ln(4m/δ) the chance is ⅔√(δ/4m) − δ/24m. That is more than δ for every m below 1/(9δ).",
    ),
    Claim(
        "BTT18a:T5.4-query-repaired",
        "BTT18a Theorem 5.4, one query, repaired",
        "With w = 2λ ln(4m/δ) a query whose histograms are at distance 0 is answered by a test with probability at most δ.",
        decider=Computed(partial(_queries, REPAIRED)),
        nature="repair",
        of="BTT18a:T5.4-query",
    ),
)
