"""The proof's bounds on the mistakes: on rows made by hand, and by the laws they are about."""

from math import ceil, log, sqrt

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from harness.claims.engine.events import EventSeen
from harness.claims.registry import claims
from tests.support.claims import event

PRINTED, REPAIRED, LEARNERS = "BTT18:T3.2-B", "BTT18:T3.2-B-repaired", "BTT18:T3.2-learners"
GOOD = {
    "cell": "c0ffee",
    "concept": "exact_error",
    "mechanism": "A_binClas",
    "vacuous": True,
    "trial": 0,
    "m": 10_000,
    "k": 100,
    "beta": 0.05,
    "gamma": 0.0,
    "alpha": 0.01,
    "max_mistakes": 100,
}
L = log(10_000 / 0.05)
CHERNOFF, BERNSTEIN = 100 + sqrt(100 * L / 2), 100 + sqrt(2 * 100 * L) + L / 3


def rows(**columns: object) -> pd.DataFrame:
    """One row, or as many as a column has values."""
    length = max([len(value) for value in columns.values() if isinstance(value, list)], default=1)
    return pd.DataFrame(GOOD | columns, index=range(length))


@pytest.mark.parametrize(("name", "most"), [(PRINTED, CHERNOFF), (REPAIRED, BERNSTEIN)])
def test_a_trial_fails_where_some_hypothesis_errs_more_than_the_bound(name: str, most: float) -> None:
    frame = rows(max_mistakes=[0, int(most), ceil(most), 10_000])
    assert event(name).bound(frame.iloc[0]) == pytest.approx(most)
    assert EventSeen.of(event(name), frame).failed.tolist() == [False, False, True, True]
    assert [event(name).of_trial(frame.iloc[[i]])[0].broken for i in range(4)] == [False, False, True, True]


@pytest.mark.parametrize("beta", [0.05, 1e-6])
@pytest.mark.parametrize(("m", "alpha", "k"), [(100, 0.01, 10), (10_000, 0.01, 10), (10_000, 0.5, 10), (1000, 0.1, 10**9)])
def test_the_repaired_bound_holds_for_k_independent_hypotheses_by_the_binomial_law(
    m: int, alpha: float, k: int, beta: float
) -> None:
    most = event(REPAIRED).bound(rows(m=m, alpha=alpha, k=k, beta=beta).iloc[0])
    assert most is not None
    one = binom.sf(int(most), m, alpha)
    assert -np.expm1(k * np.log1p(-one)) <= beta


def test_the_printed_bound_fails_even_for_one_hypothesis_by_the_binomial_law() -> None:
    """About (β/m)^(1/4) in place of β/m."""
    one = binom.sf(int(CHERNOFF), 10_000, 0.01)
    assert 0.1 * (0.05 / 10_000) ** 0.25 < one < (0.05 / 10_000) ** 0.25
    assert -np.expm1(100 * np.log1p(-one)) > 0.05


@pytest.mark.parametrize(
    ("changes", "asked"), [({}, 1), ({"concept": "thresholds"}, 0), ({"mechanism": "majority"}, 0)], ids=str
)
def test_the_bounds_are_decided_on_hypotheses_of_exact_error(changes: dict[str, object], asked: int) -> None:
    for name in (PRINTED, REPAIRED):
        assert len(list(claims()[name].questions(rows(**changes)))) == asked


def test_a_trial_of_learners_fails_where_the_worst_passes_the_bound_of_one_of_error_alpha() -> None:
    """100 mistakes expected, L = ln(k/β) = ln 10⁶: 157.2 allowed."""
    frame = rows(concept="thresholds", k=50_000, max_mistakes=[100, 157, 158, 10_000])
    assert event(LEARNERS).bound(frame.iloc[0]) == pytest.approx(100 + sqrt(200 * log(10**6)) + log(10**6) / 3)
    assert EventSeen.of(event(LEARNERS), frame).failed.tolist() == [False, False, True, True]


def test_the_learners_may_fail_it_with_beta_and_their_mistakes_with_another() -> None:
    assert event(LEARNERS).allowed(rows().iloc[0]) == 0.1


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({}, ""),
        ({"mechanism": "majority"}, "mechanism is majority and BTT18 Theorem 3.2 is about mechanism = A_binClas"),
        ({"concept": "exact_error"}, "concept is exact_error and BTT18 Theorem 3.2 is about hypotheses that are learned"),
        ({"max_mistakes": None}, "max_mistakes is None and BTT18 Theorem 3.2 is about trials that measure max_mistakes"),
        ({"alpha": 1.0}, "alpha is 1 and BTT18 Theorem 3.2 is about alpha < 1"),
        ({"alpha": float("inf")}, "alpha is inf and BTT18 Theorem 3.2 is about alpha < 1"),
    ],
)
def test_it_is_about_learners_whose_mistakes_are_known_and_whose_bound_says_something(
    change: dict[str, object], why: str
) -> None:
    frame = rows(**{"concept": "thresholds"} | change)
    assert [len(question.rows) for question in claims()[LEARNERS].questions(frame)] == [1] * (not why)
    assert claims()[LEARNERS].unmet([frame.iloc[0]]) == why
