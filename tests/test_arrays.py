"""What is drawn, found or looked up sooner is the same."""

import numpy as np
import pytest
from scipy.special import ndtr

from harness.arrays import FEW, SOON, STEPS, binomials, indices_of, order_of, span
from harness.ballots import of_each


@pytest.mark.parametrize("size", [0, 1, FEW, FEW + 1, 1000])
def test_binomial_numbers_drawn_one_by_one_are_those_drawn_together(size: int) -> None:
    """Of few and many trials of each, of chances 0 and 1 too; what is drawn after them is the same as well."""
    n, p = np.resize([20, 10**6, 10**15, 1, 0], size), np.resize([0.3, 1.0, 0.999, 1e-9, 0.5, 0.0], size)
    ours, theirs = np.random.default_rng(7), np.random.default_rng(7)
    drawn, expected = binomials(n, p, ours), theirs.binomial(n, p)
    assert drawn.dtype == expected.dtype
    assert (drawn == expected).all()
    assert ours.bit_generator.state == theirs.bit_generator.state


def test_places_are_those_that_are_true() -> None:
    which = np.array([False, True, True, False, True])
    assert indices_of(which).tolist() == [1, 2, 4]
    assert not len(indices_of(which[:1]))


@pytest.mark.parametrize("size", [0, 1, SOON, SOON + 1, 5000])
@pytest.mark.parametrize("steps", [50, 2**18, 2**53])
def test_numbers_are_ordered_as_by_a_library_that_leaves_equal_ones_as_they_are(size: int, steps: int) -> None:
    """Of few values and of many; on either side of 0 too; in no groups, in few, in more than 16 bits tell apart."""
    rng = np.random.default_rng(size)
    for numbers in (rng.integers(0, steps, size) / steps, rng.integers(0, steps, size) / steps - 0.3):
        assert (order_of(numbers) == numbers.argsort(kind="stable")).all()
        for groups in (1, 20, 4 * STEPS):
            group = rng.integers(0, groups, size)
            assert (order_of(numbers, group) == np.lexsort((numbers, group))).all()


@pytest.mark.parametrize("gaps", [[], [5], [7, 7, 7], [7, 1, 7, 3, 1, 7]])
def test_a_law_found_once_for_what_is_alike_is_that_of_each(gaps: list[int]) -> None:
    gap = np.array(gaps, np.int64)
    assert (of_each(lambda gap: ndtr(-gap / 3), gap) == ndtr(-gap / 3)).all()


@pytest.mark.parametrize("places", [[], [0], [4], [2, 3, 4], [2, 4], [0, 1, 3], [1, 3, 5]])
def test_places_are_a_slice_where_they_are_all_between_two(places: list[int]) -> None:
    of, numbers = np.array(places, dtype=np.intp), np.arange(7)
    part = numbers[span(of)]
    assert part.tolist() == places
    assert (part.base is numbers) == (places in ([0], [4], [2, 3, 4]))
