"""The audit's verdict, and the intervals it rests on."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom, binomtest

from harness.audits.measure import lower_end
from harness.claims.engine.agreement import clopper_pearson, least_eps
from harness.claims.registry import claims

P, Q, DELTA = 0.08, 0.08 * np.exp(-2), 1e-6


def rows(p: float, q: float, runs: int = 10_000, trials: int = 20) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "cell": "c",
            "mechanism": "a",
            "trial": range(trials),
            "eps": 1.0,
            "delta": DELTA,
            "runs": runs,
            "hits": round(p * runs),
            "hits_neighbour": round(q * runs),
            "p": P,
            "q": Q,
            "judged": runs,
            "claimed": 2.0,
            "m": 1,
        }
    )


@pytest.mark.parametrize(
    ("p", "q", "runs", "outcome"),
    [
        (P, Q, 10_000, "holds"),
        (P, Q, 10, "undecided"),
        (P * 1.2, Q, 10_000, "refuted"),  # shows more than the theory says
        (P, Q * 1.3, 10_000, "refuted"),  # shows less: the code is not what was computed
    ],
)
def test_counts_decide_against_the_exact_number_both_ways(p: float, q: float, runs: int, outcome: str) -> None:
    verdict = claims()["audit"].decide(rows(p, q, runs), 1e-4)
    assert verdict.outcome == outcome
    assert verdict.bound == pytest.approx(2, rel=1e-4)


@pytest.mark.parametrize(("runs", "challenged"), [(10, False), (20, False), (100, False), (10_000, True)])
def test_what_counts_show_is_the_least_epsilon_of_all_within_both_intervals_each_at_half_the_error(
    runs: int, challenged: bool
) -> None:
    told = rows(P, Q, runs)
    verdict = claims()["audit"].decide(told, 1e-4)
    here, there = (clopper_pearson(int(told[name].sum()), 20 * runs, 5e-5) for name in ("hits", "hits_neighbour"))
    assert verdict.measured == pytest.approx(max(0.0, np.log((here[0] - DELTA) / there[1])), abs=0)
    assert (verdict.challenged, verdict.error) == (challenged, 1e-4)
    assert (verdict.where, verdict.cell, verdict.mechanism) == ("a, ε = 1", "c", "a")
    kept = claims()["audit:kept"].decide(told, 1e-4)
    assert (kept.where, kept.cell, kept.mechanism, kept.stands) == ("a, ε = 1, m = 1", "c", "a", kept.measured)


@pytest.mark.parametrize(("claimed", "outcome"), [(1.4, "refuted"), (2.0, "holds"), (0.0, "refuted"), (10.0, "holds")])
def test_what_is_said_is_refuted_where_any_audit_shows_more(claimed: float, outcome: str) -> None:
    told = rows(P, Q).assign(claimed=claimed)
    told.loc[5:, ["hits", "hits_neighbour"]] = 0  # of most audits nothing is seen
    verdict = claims()["audit:kept"].decide(told, 1e-4)
    assert (verdict.outcome, verdict.bound, verdict.trials) == (outcome, claimed, 20)
    assert verdict.measured == pytest.approx(float(lower_end(800, 10_000, 108, 10_000, DELTA, 5e-6)), rel=0.01)
    assert (verdict.failures, verdict.failed_trial) == ((5, 0) if outcome == "refuted" else (0, None))
    assert verdict.challenged == (claimed < 4) and verdict.error == 1e-4


@pytest.mark.parametrize(("hits", "runs"), [(0, 10), (10, 10), (3, 50), (500, 1000)])
def test_clopper_pearson_is_scipys(hits: int, runs: int) -> None:
    expected = binomtest(hits, runs).proportion_ci(0.99)
    assert clopper_pearson(hits, runs, 0.01) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_the_interval_misses_no_more_often_than_it_says() -> None:
    runs, error = 40, 0.1
    for p in (0.01, 0.3, 0.5, 0.97):
        inside = [low <= p <= high for low, high in (clopper_pearson(hits, runs, error) for hits in range(runs + 1))]
        assert float(binom.pmf(np.arange(runs + 1), runs, p) @ ~np.array(inside)) <= error


@pytest.mark.parametrize(("p", "q", "eps"), [(0.5, 0.25, np.log(2)), (0.1, 0.2, 0.0), (0.2, 0.0, np.inf), (1e-7, 0.0, 0.0)])
def test_what_an_event_asks_for(p: float, q: float, eps: float) -> None:
    assert least_eps(p, q, DELTA) == pytest.approx(eps, abs=1e-5)
