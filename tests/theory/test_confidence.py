"""The confidence sequence: its exact coverage under peeking, its ends in closed form, and its inversion by brute force."""

from math import lgamma, log, log1p

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.theory.confidence import confidence_sequence, excludes

errors = st.floats(1e-12, 0.5)
centres = st.floats(0.01, 0.99)
trials_and_failures = st.integers(1, 10**6).flatmap(lambda trials: st.tuples(st.just(trials), st.integers(0, trials)))


@pytest.mark.at_once("0.1-0.1")
@pytest.mark.parametrize(("error", "centre"), [(0.1, 0.1), (0.01, 0.5)])
def test_an_interval_looked_at_after_every_trial_ever_misses_with_probability_at_most_the_error(
    error: float, centre: float
) -> None:
    """Exact, by running through all counts of failures: P(p is outside the interval after any of 120 trials) at many p.

    A good part of the error is spent at the centre, which an interval that always holds would not do.
    """
    p = np.append(np.linspace(0.0, 1.0, 101), centre)
    inside = np.ones((1, len(p)))  # P(as many failures, and never missed so far), for each count and p
    for trials in range(1, 121):
        one_more = np.zeros((trials + 1, len(p)))
        one_more[:-1] += inside * (1 - p)
        one_more[1:] += inside * p
        for failures in range(trials + 1):
            lower, upper = confidence_sequence(failures, trials, error, centre)
            one_more[failures, (p < lower) | (p > upper)] = 0
        inside = one_more
    missed = 1 - inside.sum(axis=0)
    assert missed.max() <= error
    assert missed[-1] >= error / 4


@pytest.mark.parametrize("trials", [1, 7, 150, 4000])
@pytest.mark.parametrize("error", [0.05, 1e-9])
@pytest.mark.parametrize("centre", [0.02, 0.5, 0.9])
def test_without_a_failure_the_end_is_closed(trials: int, error: float, centre: float) -> None:
    """The martingale is then ∏ (1 − centre + i)/(1 + i) over (1 − p)^trials, and it equals 1/error at the upper end."""
    predicted = sum(log((1 - centre + i) / (1 + i)) for i in range(trials))
    upper = -np.expm1((log(error) + predicted) / trials)
    assert confidence_sequence(0, trials, error, centre) == pytest.approx((0.0, upper), rel=1e-9)
    assert confidence_sequence(trials, trials, error, 1 - centre) == pytest.approx((1 - upper, 1.0), rel=1e-9)


@pytest.mark.parametrize("error", [0.1, 1e-5])
@pytest.mark.parametrize("centre", [0.1, 0.5])
@pytest.mark.parametrize(
    ("failures", "trials"), [(0, 0), (0, 20), (1, 20), (10, 20), (20, 20), (3, 500), (250, 500), (499, 500)]
)
def test_the_interval_is_where_the_martingale_is_below_its_limit(
    failures: int, trials: int, error: float, centre: float
) -> None:
    """By brute force over a grid of p, with the mixture predicted one trial after the other (Pólya's urn, any order)."""
    mixture = sum(log((centre + i) / (1 + i)) for i in range(failures))
    mixture += sum(log((1 - centre + i) / (1 + failures + i)) for i in range(trials - failures))
    step = 1 / 5000
    grid = np.arange(step / 2, 1, step)
    likelihood = failures * np.log(grid) + (trials - failures) * np.log1p(-grid)
    kept = grid[mixture - likelihood < log(1 / error)]
    lower, upper = confidence_sequence(failures, trials, error, centre)
    assert lower == pytest.approx(kept[0], abs=step)
    assert upper == pytest.approx(kept[-1], abs=step)


@given(trials_and_failures, errors, centres)
def test_the_lower_end_is_no_higher_than_the_martingale_allows(counts: tuple[int, int], error: float, centre: float) -> None:
    """Also where it is far below the spacing of doubles near 1: all digits of an end near 0 count."""
    trials, failures = counts
    lower, _ = confidence_sequence(failures, trials, error, centre)
    if lower:
        mixture = lgamma(centre + failures) - lgamma(centre) - lgamma(1 + trials)
        mixture += lgamma(1 - centre + trials - failures) - lgamma(1 - centre)
        martingale = mixture - failures * log(lower) - ((trials - failures) * log1p(-lower) if lower < 1 else 0.0)
        assert martingale == pytest.approx(log(1 / error), abs=1e-6)


@given(trials_and_failures, errors, centres)
def test_the_interval_holds_the_estimate_and_mirrors_and_widens_with_certainty(
    counts: tuple[int, int], error: float, centre: float
) -> None:
    trials, failures = counts
    lower, upper = confidence_sequence(failures, trials, error, centre)
    assert 0 <= lower <= failures / trials <= upper <= 1
    mirrored = confidence_sequence(trials - failures, trials, error, 1 - centre)
    assert mirrored == pytest.approx((1 - upper, 1 - lower), abs=1e-9)
    surer = confidence_sequence(failures, trials, error / 10, centre)
    assert surer[0] <= lower
    assert surer[1] >= upper


def test_one_failure_in_a_billion_trials_keeps_the_digits_of_a_tiny_end() -> None:
    lower, _ = confidence_sequence(1, 10**9, 1e-9, 0.1)
    assert 1e-21 < lower < 1e-19


def test_no_trials_and_no_error_say_nothing() -> None:
    assert confidence_sequence(0, 0, 0.05) == (0.0, 1.0)
    assert confidence_sequence(3, 50, 0.0) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("failures", "trials", "error", "centre", "complaint"),
    [
        (-1, 5, 0.1, 0.5, "failures must lie between 0 and trials = 5, not -1"),
        (6, 5, 0.1, 0.5, "failures must lie between 0 and trials = 5, not 6"),
        (0, -1, 0.1, 0.5, "failures must lie between 0 and trials = -1, not 0"),
        (1, 5, -0.1, 0.5, "error must lie in"),
        (1, 5, 1.1, 0.5, "error must lie in"),
        (1, 5, float("nan"), 0.5, "error must lie in"),
        (1, 5, 0.1, 0.0, "centre must lie in"),
        (1, 5, 0.1, 1.0, "centre must lie in"),
        (1, 5, 0.1, float("nan"), "centre must lie in"),
    ],
)
def test_nonsense_is_refused(failures: int, trials: int, error: float, centre: float, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        confidence_sequence(failures, trials, error, centre)


@pytest.mark.parametrize("centre", [0.05, 0.5, 0.9])
@pytest.mark.parametrize("error", [1e-12, 0.05])
def test_a_probability_is_excluded_where_it_is_outside_the_interval_that_is_sharpest_there(centre: float, error: float) -> None:
    decided = set[bool]()
    for trials in (1, 7, 40, 300):
        for failures in range(trials + 1):
            lower, upper = confidence_sequence(failures, trials, error, centre=centre)
            decided.add(excludes(centre, failures, trials, error))
            assert excludes(centre, failures, trials, error) == (not lower <= centre <= upper)
    assert decided == {True, False}


def test_any_error_from_none_to_certain_may_be_allowed() -> None:
    """At none all probabilities are left, at 1 hardly any but the share seen."""
    assert confidence_sequence(3, 10, 0.0) == (0.0, 1.0)
    lower, upper = confidence_sequence(3, 10, 1.0)
    assert 0 < lower < 0.3 < upper < 1 and upper - lower < 0.6
    for error in (-0.01, 1.01):
        with pytest.raises(ValueError, match="error must lie in"):
            confidence_sequence(3, 10, error)
