"""The law of A_OQR against the printed loop worked out in probabilities, and how counts decide a two-sided claim."""

from functools import cache
from itertools import combinations, pairwise
from math import exp

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad
from scipy.stats import laplace

from harness.claims.btt18a.a3 import some_stable_bottom
from harness.claims.engine import Law, Outcome
from harness.claims.registry import claims
from tests.support.asked import rows_of
from tests.support.claims import event

CLAIM, EVENT = claims()["BTT18a:A3-law"], event("BTT18a:A3-law")
ROW = {
    "cell": "c0ffee",
    "mechanism": "A_binClas",
    "concept": "ensemble",
    "distribution": "agreement",
    "distribution_parameters": '{"right": 1.0}',
    "constants": "k_tight",
    "m": 10,
    "T": 2.5,
    "eps": 20.0,
    "delta": 1e-3,
    "k": 55,
    "lam": 999.0,
    "w": 999.0,
    "vacuous": False,
}
"""λ = √(32·2.5·ln 2000)/20 = 1.23296 and w = 2λ ln 20,000 = 24.4212, whatever the row itself says of them."""


@cache
def passed_by_one_threshold(queries: int, level: float) -> float:
    """E[P(level + Lap(2) > u)^queries] over u ~ Lap(1), by adaptive quadrature."""

    def density(u: float) -> float:
        return float(laplace.sf(u - level, scale=2) ** queries) * exp(-abs(u)) / 2

    return float(sum(quad(density, *ends)[0] for ends in ((-40, 0), (0, level), (level, level + 40))))


@pytest.mark.parametrize(("m", "T"), [(1, 0), (7, 0), (6, 1), (7, 3), (6, 5)])
@pytest.mark.parametrize("level", [0.5, 3.0, 8.0])
def test_the_closed_form_is_the_mean_over_all_places_of_the_split_queries(m: int, T: int, level: float) -> None:
    products = []
    for places in combinations(range(m), T):
        ends = [-1, *places, m]
        epochs = [later - earlier - 1 for earlier, later in pairwise(ends)]
        products.append(np.prod([passed_by_one_threshold(queries, level) for queries in epochs]))
    assert some_stable_bottom(m, T, level) == pytest.approx(1 - np.mean(products), abs=1e-9)


def rows(failures: int, trials: int, **changes: object) -> pd.DataFrame:
    failed = [3] * failures + [0] * (trials - failures)
    return pd.DataFrame(
        {"trial": range(trials), "stable_failed": failed} | {key: [value] * trials for key, value in (ROW | changes).items()}
    )


def test_its_number_is_that_of_the_printed_constants_and_of_the_votes_cast() -> None:
    """At k = 55, level (54 − 24.4212)/1.23296 = 23.9901; one vote fewer is another number."""
    assert EVENT.bound(rows(0, 1).iloc[0]) == pytest.approx(some_stable_bottom(10, 2, 23.9901), rel=1e-4)
    assert EVENT.bound(rows(0, 1, k=40).iloc[0]) == pytest.approx(some_stable_bottom(10, 2, 11.8243), rel=1e-4)


@pytest.mark.parametrize(
    ("change", "applies"),
    [
        ({}, True),
        ({"mechanism": "A_OQR"}, True),
        ({"mechanism": "A_sparseVec"}, False),
        ({"distribution": "coin"}, False),
        ({"distribution_parameters": '{"right": 0.75}'}, False),
        ({"concept": "thresholds", "distribution": "uniform", "distribution_parameters": "{}"}, False),
        ({"T": 10.0}, False),
    ],
)
def test_it_is_about_unanimous_votes_under_the_printed_noise(change: dict[str, object], applies: bool) -> None:
    assert [len(rows_of(question)) for question in CLAIM.questions(rows(0, 3, **change))] == [3] * applies


@pytest.mark.parametrize(
    ("failures", "trials", "outcome"),
    [
        (5, 10, "undecided"),
        (400, 1000, "undecided"),
        (3200, 8000, "holds"),
        (0, 300, "refuted"),
        (300, 300, "refuted"),
        (2880, 8000, "refuted"),
        (3520, 8000, "refuted"),
    ],
)
def test_counts_decide_it_from_both_sides(failures: int, trials: int, outcome: Outcome) -> None:
    """Against a probability of 0.4 at error 1e-3: less is as false as more, and too few trials say nothing."""
    verdict = Law(EVENT.limits, may_fail=0.4).decide("PAPER:T1", rows(failures, trials), 1e-3)
    assert (verdict.outcome, verdict.failures, verdict.trials, verdict.bound) == (outcome, failures, trials, 0.4)


@pytest.mark.parametrize("certain", [0.0, 1.0])
def test_a_number_at_the_end_of_the_range_is_decided_like_any_other(certain: float) -> None:
    law = Law(EVENT.limits, may_fail=certain)
    assert law.decide("PAPER:T1", rows(1000 * int(certain), 1000), 1e-3).outcome == "holds"
    assert law.decide("PAPER:T1", rows(500, 1000), 1e-3).outcome == "refuted"
