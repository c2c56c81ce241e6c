"""Numbers of trials that come piece by piece: the same as of all at once, to the last digit."""

from itertools import pairwise
from math import inf, isnan, nan

import numpy as np
import pytest

from harness.arrays import Ints, Reals
from harness.sweep.table.samples import Again, Sample

RNG = np.random.default_rng(3)
VALUES = {
    "reals": RNG.standard_normal(5000) * 10.0 ** RNG.integers(-300, 300, 5000),
    "near one another": 0.1 + 1e-15 * RNG.integers(0, 40, 5000),
    "counts": RNG.integers(0, 7, 5000).astype(float),
    "ends": RNG.choice([inf, -inf, 0.0, -0.0, 5e-324, -5e-324, 1.0], 5000),
    "one": np.full(5000, 0.1),
}


PLACES = (0, 1, 2499, 4750, 4998, 4999)


def apart(values: Reals, times: Ints) -> Sample:
    """The same, in pieces that are not held, of which the first is empty."""
    cuts = [0, 0, *range(700, len(values), 700), len(values)]
    return Sample(Again(lambda: ((values[low:high], times[low:high]) for low, high in pairwise(cuts))))


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("counted", [False, True])
def test_what_is_found_of_pieces_is_that_of_all(name: str, counted: bool) -> None:
    values = VALUES[name]
    times = RNG.integers(1, 90, len(values)) if counted else np.ones(len(values), np.int64)
    whole, pieces = Sample([(values, times)]), apart(values, times)
    for place in (*PLACES, whole.trials - 1):
        assert pieces.ranked(place) == whole.ranked(place) == np.sort(np.repeat(values, times))[place]
    assert pieces.trials == whole.trials == times.sum() and pieces.above(0.1) == whole.above(0.1)
    np.testing.assert_equal([pieces.total, pieces.mean, pieces.variance], [whole.total, whole.mean, whole.variance])
    np.testing.assert_equal(pieces.occurring(5000), whole.occurring(5000))
    assert pieces.occurring(0) is None
    if name == "counts" and not counted:
        assert (pieces.total, pieces.ranked(2500)) == (values.sum(), np.partition(values, 2500)[2500])


def test_what_is_no_number_is_last_in_order() -> None:
    values = np.array([inf, nan, 1.0, -nan, -inf])
    of = apart(values, np.ones(5, np.int64))
    assert [of.ranked(place) for place in range(3)] == [-inf, 1.0, inf] and isnan(of.ranked(3)) and isnan(of.ranked(4))


def test_sums_beyond_single_precision_are_sums() -> None:
    """Of numbers that have no nearest one of 24 bits, and of infinite ones."""
    assert Sample.single(np.array([1e300, 1e300, 1.0])).total == 2e300
    assert Sample.single(np.array([inf, 1.0])).mean == inf
    assert isnan(Sample.single(np.array([inf, -inf])).mean)
