"""What becomes of one query, against sums over all counts and against the loop itself."""

from functools import partial
from unittest.mock import Mock

import numpy as np
import pytest
from scipy.stats import binom, laplace

from harness.claims.btt18.single_query import FINE, _counts, misclassified
from harness.theory import pac
from harness.theory.constants import constants
from harness.theory.fixed_point import CutoffPlan, plan_for_n
from harness.theory.parameters import Task


def plan(n: int, m: int = 1000) -> CutoffPlan:
    return plan_for_n(constants()["BTT18"], Task(m, 1.0, 1e-6, 0.05, 0.0, partial(pac.finite, size=4)), n)


def by_hand(share: float, flips: float, at: CutoffPlan) -> float:
    """P(dist + 2λX > w + λY) by quadrature over Y, to 1e-5, summed over every count."""
    counts, y = np.arange(at.k + 1), laplace.ppf((np.arange(2000) + 0.5) / 2000)
    weights = binom.pmf(counts, at.k, share)
    wrong, weight = counts[weights > 1e-14], weights[weights > 1e-14]
    dist = np.maximum(0, np.abs(at.k - 2 * wrong) - 1)
    passes = laplace.sf((at.w + at.lam * y - dist[:, None]) / (2 * at.lam)).mean(axis=1)
    return float(weight @ (1 - passes + passes * np.where(2 * wrong < at.k, flips, 1 - flips)))


def test_it_is_the_sum_over_all_counts() -> None:
    at, queries = plan(10**12), [(0.5, 0.0), (0.484, 0.0), (0.48, 0.3), (0.52, 0.45), (0.3, 0.2), (0.9, 0.1)]
    by_hands = [by_hand(share, flips, at) for share, flips in queries]
    shares, flips = np.array(queries).T
    assert misclassified(shares, flips, at) == pytest.approx(by_hands, abs=2e-5)


def test_of_very_many_chunks_some_counts_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    at = plan(10**9, 10**6)
    shares = 0.5 - at.w / at.k * np.array([0.6, 0.5, 0.49, 0.4])
    some = misclassified(shares, np.full(4, 0.1), at)
    assert at.k**0.5 / 2 > 2 * FINE  # so many that counts are left out
    monkeypatch.setattr("harness.claims.btt18.single_query.FINE", 10**9)
    assert misclassified(shares, np.full(4, 0.1), at) == pytest.approx(some, abs=1e-6)


def test_far_from_the_threshold_a_query_is_answered_as_most_votes_say() -> None:
    at = plan(10**12)
    sure = misclassified(np.array([0.0, 1.0]), np.full(2, 0.25), at)
    assert sure.tolist() == [0.25, 0.75]
    near, halved = misclassified(np.array([0.45, 0.5]), np.zeros(2), at)
    assert near < 1e-9 and halved > 1 - 1e-6


@pytest.mark.parametrize("deviation", [10.0, 100.0, 223.0, 5000.0])
def test_counts_are_as_far_apart_as_a_sixty_fourth_of_a_deviation(deviation: float) -> None:
    apart = np.unique(np.diff(_counts(10**9, 0.3, deviation)))
    assert len(apart) == 1 and (apart[0] == 1 or apart[0] <= deviation / 64 < apart[0] + 1) and deviation / 64 < apart[0] + 1


@pytest.mark.parametrize("far", [4.0, 6.0, 8.0, 8.5])
def test_a_chance_of_bottom_is_seen_as_far_as_votes_reach(far: float) -> None:
    """With next to no noise a query is ⊥ where its gap is at most w, so many deviations below the mean."""
    k, share = 20_000, 0.3
    deviation = np.sqrt(k * share * (1 - share))
    w = k * (1 - 2 * share) - 2 * far * deviation
    at = Mock(k=k, w=w, lam=1e-4)
    found = misclassified(np.array([share, 1 - share]), np.array([0.0, 0.0]), at)
    bottom = binom.sf(np.ceil((k - w - 1) / 2) - 1, k, share)  # of so many wrong votes the distance is at most w
    assert found[0] == pytest.approx(bottom, rel=1e-6, abs=0) and 0 < bottom < 1e-4
    assert found[1] == pytest.approx(1)
