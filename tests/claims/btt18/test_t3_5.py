"""The explicit agnostic rate: the fixed point, against searches by hand."""

import pytest

from harness.claims.btt18.t3_5 import most_at_one, solved


@pytest.mark.parametrize(("n", "gamma"), [(10**18, 1e-15), (10**26, 1e-4), (10**14, 0.4)])
def test_most_queries_at_cutoff_one_are_where_the_cutoff_starts_to_rise(n: int, gamma: float) -> None:
    most = most_at_one(n, gamma)
    assert (solved(most + 1, n, gamma).T or 0) > 1
    assert most == 0 or solved(most, n, gamma).T == 1
