"""BTT18a Theorem 5.4: the privacy of A_SL-Quer. Its w lacks the factor 2 of A_OQR, and what lies at distance 0 is answered.

P(Lap(2λ) − Lap(λ) > w) = ⅔√(δ/4m) − δ/24m at w = λ ln(4m/δ). On two data sets of k odd whose bins differ by one prediction the
answer is the midpoint of another bin, so that this is a δ which one query spends at every ε: more than δ for m < 1/(9δ). A run
has a chance of it with every failed test, which for T + 2 of these is more than δ for m up to (T + 2)²/(9δ). With w twice as
large both are δ/6m, and the epochs compose to less than ε up to ε = 10, for δ up to 0.2.
"""

from collections.abc import Iterator
from functools import partial
from math import inf

import pandas as pd

from harness.claims.btt18a.c3 import by_a_bound_on_runs
from harness.claims.engine import Claim, Computed, Exact, Limit, Number, Quote, among, at_most
from harness.claims.engine.events import TOLERANCE
from harness.theory.constants.btt18a_scores import REPAIRED, ScoreConstants, ScoreTask
from harness.theory.privacy.scores import query_leak, run_leak, score_spent_upper

SIZES = (1, 100, 1000, 10**4, 10**5, 10**6)
CORNERS = tuple(
    (eps, delta, m, T)
    for eps in (0.1, 1.0, 5.0, 10.0)
    for delta in (1e-10, 1e-6, 0.1, 0.2)
    for m, T in ((1, 1.0), (10, 10.0), (10**5, 1.0), (10**5, 1000.0))
)
THEOREM = Quote("BTT18a §5 (Theorem 5.4)", "Algorithm 6 is (ε, δ)-differentially private")


def _upper(rows: pd.DataFrame) -> "pd.Series[float]":
    """What is certified, infinite where nothing is."""
    return rows["spent_upper"].astype(float).fillna(inf)


def queries(constants: ScoreConstants) -> Iterator[Number]:
    """Compares with δ the chance that A_SL-Quer answers a query at distance 0, at some m; it depends on neither ε nor T."""
    for delta in (1e-6, 0.1):
        for m in SIZES:
            leak = query_leak(constants, ScoreTask(m, 1.0, 1.0, delta, 0.05))
            yield Number(f"P(a query at distance 0 is answered), m = {m:,}, δ = {delta:g}", leak, delta)


def corners(constants: ScoreConstants) -> Iterator[Number]:
    """Compares with ε an upper bound on the ε' of a run of A_SL-Quer, and with δ a lower bound on its δ', at some corners."""
    for eps, delta, m, T in CORNERS:
        task, where = ScoreTask(m, T, eps, delta, 0.05), f"ε = {eps:g}, δ = {delta:g}, m = {m:,}, T = {T:g}"
        yield Number(f"ε spent, {where}", score_spent_upper(constants, task, sharp=True), eps)
        yield Number(f"δ leaked, {where}", run_leak(constants, task), delta)


CERTIFIED = by_a_bound_on_runs("min(2m, 2T + 2)")
LEAK = Limit("leak_run", "delta", factor=1 + TOLERANCE)

CLAIMS = (
    Claim(
        "BTT18a:T5.4",
        "BTT18a Theorem 5.4",
        "A_SL-Quer is (ε, δ)-DP.",
        where=(among("mechanism", "BTT18a"),),
        decider=Exact((LEAK,), "soft_label_privacy"),
        expected="refuted",
        quote=THEOREM,
        why=(
            "The offset w = λ ln(4m/δ) lacks the factor 2 of A_OQR, so histograms at distance 0 are answered with a chance "
            "beyond δ. The answer then tells two neighbouring data sets apart."
        ),
    ),
    Claim(
        "BTT18a:T5.4-repaired",
        "BTT18a Theorem 5.4, repaired",
        "With w = 2λ ln(4m/δ), and a loop that runs while c ≤ 2T, A_SL-Quer is (ε, δ)-DP. Certified for ε up to 5, as "
        "BTT18:T3.1, at δ up to 10⁻⁶.",
        where=(among("mechanism", "repaired", "k_tight"), at_most("eps", 5), at_most("delta", 1e-6)),
        decider=Exact(
            (Limit("spent_upper", "eps", of=_upper, reads=("spent_upper",), factor=1 + TOLERANCE), LEAK), "soft_label_privacy"
        ),
        nature="repair",
        of="BTT18a:T5.4",
        proof=CERTIFIED,
    ),
    Claim(
        "BTT18a:T5.4-corners",
        "BTT18a Theorem 5.4, repaired, by a sharper accountant",
        "With w = 2λ ln(4m/δ), and a loop that runs while c ≤ 2T, A_SL-Quer is (ε, δ)-DP for ε up to 10, δ from 10⁻¹⁰ to 0.2 "
        "and T up to 1000. Certified at the corners of that.",
        decider=Computed(partial(corners, REPAIRED)),
        nature="repair",
        of="BTT18a:T5.4",
        proof=CERTIFIED,
    ),
    Claim(
        "BTT18a:T5.4-leak",
        "not in the papers: what the threshold of Theorem 5.4 has to do for one query",
        "With w = 2λ ln(4m/δ) a query whose histograms are at distance 0 is answered by a test with probability at most δ.",
        decider=Computed(partial(queries, REPAIRED)),
        nature="ours",
    ),
)
