"""Exact tests of laws. Each call fails on a right implementation with probability at most FALSE_FAILURE.

There are fewer than 1000 such calls in this room, so all of them together fail falsely with probability below 1e-6.
"""

import numpy as np
import pytest
from scipy.stats import binom

from tests.support import same_law
from tests.support.laws import BinomialCounts, Ints, Reals, SameLaw


@pytest.fixture
def assert_same_law() -> SameLaw:
    """Two samples of i.i.d. vectors, (N, d) each, have one law."""
    return same_law.assert_same_law


@pytest.fixture
def assert_binomial() -> BinomialCounts:
    """counts[i] is a draw from Bin(trials, probabilities[i]), dependent or not: exact tails, Bonferroni over the counts."""

    def check(counts: Ints, trials: int, probabilities: Reals) -> None:
        tails = np.minimum(binom.cdf(counts, trials, probabilities), binom.sf(counts - 1, trials, probabilities))
        worst = int(tails.argmin())
        told = f"{counts[worst]} of {trials}, expected {trials * probabilities[worst]:.1f}"
        assert 2 * tails[worst] > same_law.FALSE_FAILURE / len(tails), told

    return check
