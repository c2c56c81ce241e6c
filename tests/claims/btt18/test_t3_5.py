"""The explicit agnostic rate: what is refuted, and the fixed point that repairs it, against sums and searches by hand."""

import pytest

from harness.claims.btt18.t3_5 import most_at_one, small_m, solved


def test_one_flipped_label_among_few_queries_refutes_part_one() -> None:
    """What is allowed is below one error in m, so the chance is that of any flip at all."""
    for number, (m, gamma) in zip(small_m(), ((1, 0.01), (10, 1e-3), (50, 1e-3)), strict=True):
        assert number.measured == pytest.approx(1 - (1 - gamma) ** m)
        assert number.bound < number.measured / 9


@pytest.mark.parametrize(("n", "gamma"), [(10**18, 1e-15), (10**26, 1e-4), (10**14, 0.4)])
def test_most_queries_at_cutoff_one_are_where_the_cutoff_starts_to_rise(n: int, gamma: float) -> None:
    most = most_at_one(n, gamma)
    assert (solved(most + 1, n, gamma).T or 0) > 1
    assert most == 0 or solved(most, n, gamma).T == 1
