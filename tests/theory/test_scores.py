"""The constants of soft labels, and what their privacy comes to."""

from math import inf, log, sqrt

import numpy as np
import pytest

from harness.mechanisms.noise import laplace
from harness.theory.constants.btt18a_scores import (
    NEAR,
    PRINTED,
    REPAIRED,
    SCORE_CONSTANTS,
    TIGHT,
    ScoreTask,
    printed_chunks,
    single_chunks,
    stable_distance,
    whole_width,
)
from harness.theory.privacy.scores import query_leak, run_leak, score_spent_lower, score_spent_upper

TASK = ScoreTask(1000, 1.0, 1.0, 1e-6, 0.05)


def test_the_printed_numbers_by_hand() -> None:
    lam = sqrt(64 * log(2e6))
    assert PRINTED.lam(TASK) == pytest.approx(lam) and PRINTED.w(TASK) == pytest.approx(lam * log(4e9))
    assert REPAIRED.w(TASK) == pytest.approx(2 * PRINTED.w(TASK))
    assert PRINTED.k(TASK) == 16706 == REPAIRED.k(TASK)
    assert stable_distance(TASK) == pytest.approx(8 * lam * log(8e9))
    assert single_chunks(2.0, 7.0, 0.1) == pytest.approx(3 * (sqrt(5) * 2 * log(20) + 7))
    assert (PRINTED.cutoff(ScoreTask(9, 2.5, 1, 1e-6, 0.05)), REPAIRED.cutoff(ScoreTask(9, 2.5, 1, 1e-6, 0.05))) == (2, 5)
    assert NEAR * 0.1 * sqrt(50) == pytest.approx(4 * 0.1 * sqrt(2 * 50))  # 4α√(2n') of Lemma 5.8
    assert TIGHT.scaled(0.9).k(TASK) < TIGHT.k(TASK) < PRINTED.k(TASK) / 2


@pytest.mark.parametrize(("width", "bins"), [(0.1, 10), (0.101, 9), (0.34, 2), (0.5, 2), (0.9, 2), (1 / 7, 7)])
def test_a_width_is_taken_up_to_one_over_an_integer(width: float, bins: int) -> None:
    assert whole_width(width) == 1 / bins


def test_no_positive_width_is_none() -> None:
    assert whole_width(0.0) == whole_width(-0.5) == 0 < whole_width(1e-9)


def test_what_leaks_is_how_often_the_code_would_answer() -> None:
    """At δ so large that it shows. A false failure has probability below 1e-7: 5.5 standard deviations."""
    task, runs = ScoreTask(10, 1.0, 1.0, 0.05, 0.05), 200_000
    rng = np.random.default_rng(0)
    for constants in (PRINTED, REPAIRED):
        lam, w = constants.lam(task), constants.w(task)
        hits = int((laplace(2 * lam, runs, rng) > w + laplace(lam, runs, rng)).sum())
        leak = query_leak(constants, task)
        assert abs(hits - runs * leak) < 5.5 * sqrt(runs * leak) + 5
    assert query_leak(PRINTED, task) > 10 * query_leak(REPAIRED, task)


def test_the_printed_threshold_spends_all_of_delta_and_the_repaired_one_does_not() -> None:
    for T in (1.0, 7.0, 100.0):
        for m in (100, 1000, 10**5):
            task = ScoreTask(m, T, 1.0, 1e-6, 0.05)
            assert run_leak(PRINTED, task) > 1e-6 and score_spent_lower(PRINTED, task) == inf == score_spent_upper(
                PRINTED, task
            )
            low, high = score_spent_lower(REPAIRED, task), score_spent_upper(REPAIRED, task)
            assert 0 < low <= high < 1


def test_every_set_says_where_it_is_from() -> None:
    assert all(each.source and each.epochs(TASK) == each.cutoff(TASK) + 2 for each in SCORE_CONSTANTS)


def test_the_number_of_chunks_is_at_least_one_and_before_that_a_real_number() -> None:
    """Of few queries and a large β, where a ratio within the logarithm is small."""
    assert PRINTED.scaled(1e-9).k(TASK) == 1
    few = ScoreTask(1, 1.0, 1.0, 0.2, 0.3)
    assert printed_chunks(few, 0.0, 0.0) == pytest.approx(136 * log(8 / 0.2) * sqrt(2 * log(10)))
    odd = ScoreTask(1, 1.0, 1.0, 0.3, 0.4)
    assert printed_chunks(odd, 0.0, 0.0) == pytest.approx(136 * log(8 / 0.3) * sqrt(2 * log(2 / 0.3)))
