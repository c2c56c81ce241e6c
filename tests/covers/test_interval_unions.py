"""Unions of intervals, by the dimension or the dual dimension that is asked for."""

import pytest

from harness.covers.interval_unions import IntervalUnions


@pytest.mark.parametrize(("V", "p", "intervals"), [(2, None, 1), (6, None, 3), (None, 4, 2), (4, 4, 2), (2, 2, 1)])
def test_so_many_intervals_have_twice_that_dimension_which_decides_where_both_are_asked_for(
    V: int | None, p: int | None, intervals: int
) -> None:
    made = IntervalUnions.of(V, p)
    assert made.intervals == intervals and made.vc == 2 * intervals
    most = [k for k in range(20) if 2**k <= 2 * intervals * k + 1]  # so many sets make at most 2·intervals·k + 1 regions
    assert made.dual_vc == max(most)


def test_a_dual_dimension_that_no_union_has_and_two_that_are_not_of_one_are_refused() -> None:
    for V, p in ((None, 3), (6, 2)):
        with pytest.raises(ValueError, match="allowed"):
            IntervalUnions.of(V, p)
