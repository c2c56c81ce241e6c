"""The chance that the last query of a run is answered: against the loop itself, and against the law of a first query."""

import numpy as np
import pytest
from scipy.stats import binomtest

from harness.claims.btt18a.in_a_run import answered_last
from harness.theory.privacy.laplace import difference_tail


def test_the_first_query_meets_a_fresh_threshold() -> None:
    for depth in (0.0, 2.5, 38.0):
        assert answered_last(1, 3.0, 1.0, depth) == pytest.approx(float(difference_tail(depth, 1.0)), rel=1e-9)


@pytest.mark.parametrize(("m", "T", "level"), [(2, 1.0, 0.0), (12, 3.0, 1.0), (30, 20.0, 2.0)])
def test_it_is_how_often_the_loop_answers_the_last(m: int, T: float, level: float) -> None:
    """200 000 runs of the printed loop side by side, at λ = 1; false-failure probability 1e-6 each.

    A threshold that is always fresh would be seen.
    """
    rng, runs = np.random.default_rng(m), 200_000
    threshold, bottoms = rng.laplace(0, 1, runs), np.zeros(runs, dtype=np.int64)
    for value in [level] * (m - 1) + [-2.0]:
        running = bottoms <= T
        top = running & (value + rng.laplace(0, 2, runs) > threshold)
        bottoms += running & ~top
        threshold = np.where(running & ~top, rng.laplace(0, 1, runs), threshold)
    answered = int(top.sum())
    assert binomtest(answered, runs, answered_last(m, T, level, 2.0)).pvalue > 1e-6
    if m == 30:
        assert binomtest(answered, runs, float(difference_tail(2.0, 1.0))).pvalue < 1e-6
