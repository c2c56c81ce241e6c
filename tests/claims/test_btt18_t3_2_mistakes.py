"""The learners' claim on rows made by hand: α = 0.01, m = 10,000, k = 50,000, β = 0.05."""

from math import log, sqrt

import pandas as pd
import pytest
from harness.claims.btt18_t3_2_mistakes import LearnersKeepToAlpha

CLAIM = LearnersKeepToAlpha()
ROW = {
    "cell": "c0ffee",
    "mechanism": "A_binClas",
    "concept": "thresholds",
    "m": 10_000,
    "k": 50_000,
    "alpha": 0.01,
    "gamma": 0.0,
    "beta": 0.05,
    "max_mistakes": 100,
}
ALLOWED = 100 + sqrt(200 * log(10**6)) + log(10**6) / 3


def rows(*changes: dict[str, object]) -> pd.DataFrame:
    return pd.DataFrame([ROW | change for change in changes])


def test_a_trial_fails_where_the_worst_learner_passes_the_bound_of_one_of_error_alpha() -> None:
    """100 mistakes expected, L = ln(k/β) = ln 10⁶: 157.2 allowed."""
    frame = rows({}, {"max_mistakes": 157}, {"max_mistakes": 158}, {"max_mistakes": 10_000})
    assert CLAIM.bound(frame.iloc[0]) == pytest.approx(ALLOWED)
    assert CLAIM.failed(frame).tolist() == [False, False, True, True]


def test_the_learners_may_fail_it_with_beta_and_their_mistakes_with_another() -> None:
    assert CLAIM.claimed(rows({}).iloc[0]) == 0.1


@pytest.mark.parametrize(
    ("change", "applies"),
    [
        ({}, True),
        ({"mechanism": "majority"}, False),
        ({"concept": "exact_error"}, False),
        ({"max_mistakes": None}, False),
        ({"alpha": 1.0}, False),
        ({"alpha": float("inf")}, False),
    ],
)
def test_it_is_about_learners_whose_mistakes_are_known_and_whose_bound_says_something(
    change: dict[str, object], applies: bool
) -> None:
    assert [len(question) for question in CLAIM.questions(rows(change))] == [1] * applies
