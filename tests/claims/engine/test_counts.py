"""Intervals for the mean of counts, rare ones too."""

from math import inf, log

import numpy as np
import pytest
from scipy.stats import poisson

from harness.claims.engine.counts import mean_interval


def test_of_no_count_at_all_the_upper_end_is_the_rule_of_three() -> None:
    low, high = mean_interval(0, 1.0, 100, 0.1)
    assert low == 0
    assert high == pytest.approx(log(1 / 0.05) / 100)


@pytest.mark.parametrize("mean", [0.01, 0.3, 4.0, 100.0])
def test_it_is_exact_for_poisson_counts(mean: float) -> None:
    """The chance to miss, summed over all counts, is at most the error; and not below a tenth of it where counts are many."""
    trials, error = 10, 0.02
    totals = np.arange(poisson.isf(1e-12, mean * trials) + 2)
    ends = [mean_interval(float(total), 1.0, trials, error) for total in totals]
    missed = sum(poisson.pmf(t, mean * trials) for t, (low, high) in zip(totals, ends, strict=True) if not low <= mean <= high)
    assert missed <= error
    if mean >= 4:
        assert missed >= error / 10


@pytest.mark.parametrize("total", [1, 5, 400])
@pytest.mark.parametrize("error", [0.3, 0.02, 1e-6])
def test_at_either_end_half_of_the_error_is_the_chance_of_as_many_or_of_as_few(total: int, error: float) -> None:
    low, high = mean_interval(total, 1.0, 10, error)
    assert [poisson.sf(total - 1, 10 * low), poisson.cdf(total, 10 * high)] == pytest.approx([error / 2] * 2, rel=1e-6, abs=0)


def test_counts_that_come_in_clumps_have_wider_intervals() -> None:
    plain, clumped = mean_interval(400, 1.0, 10, 1e-3), mean_interval(400, 9.0, 10, 1e-3)
    assert (clumped[1] - clumped[0]) / (plain[1] - plain[0]) == pytest.approx(3, rel=0.05)
    assert mean_interval(400, 0.2, 10, 1e-3) == plain


def test_with_no_error_allowed_or_no_trial_nothing_is_known() -> None:
    assert mean_interval(5, 1.0, 10, 0.0) == mean_interval(0, 1.0, 0, 0.1) == (0.0, inf)
    assert 1 < mean_interval(5, 1.0, 1, 0.1)[0] < mean_interval(5, 1.0, 1, 0.1)[1] < 20
