"""The p-value of two samples against that of all permutations, and against exact tests where there are some."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import hypergeom, rankdata

from harness.report.two_sample import two_sample


def exact(fresh: list[float], reference: list[float]) -> float:
    """The two-sided permutation p-value of the rank sum, by enumeration."""
    ranks = rankdata([*fresh, *reference])
    sums = np.array([ranks[list(chosen)].sum() for chosen in combinations(range(len(ranks)), len(fresh))])
    seen = ranks[: len(fresh)].sum()
    return min(1.0, 2 * float(min((sums >= seen).mean(), (sums <= seen).mean())))


few = st.lists(st.sampled_from([0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 50.0, np.inf]), min_size=1, max_size=6)


@given(few, few)
def test_the_p_value_is_never_below_that_of_all_permutations(fresh: list[float], reference: list[float]) -> None:
    p, larger = two_sample(np.array(fresh), np.array(reference))
    assert p >= exact(fresh, reference) * (1 - 1e-6)
    other, smaller = two_sample(np.array(reference), np.array(fresh))
    assert p == pytest.approx(other, rel=1e-6)
    assert not (larger and smaller)


@pytest.mark.parametrize(("sizes"), [(3, 3), (2, 9), (40, 60), (256, 256)])
def test_it_is_the_exact_one_where_the_samples_do_not_overlap(sizes: tuple[int, int]) -> None:
    fresh, reference = np.linspace(2, 3, sizes[0]), np.linspace(0, 1, sizes[1])
    p, larger = two_sample(fresh, reference)
    assert larger
    assert p == pytest.approx(2 * hypergeom.pmf(sizes[0], sum(sizes), sizes[0], sizes[0]), rel=1e-3)


@pytest.mark.parametrize("hits", [20, 30, 60, 120])
def test_on_zeros_and_ones_it_is_within_a_factor_of_30_of_fishers(hits: int) -> None:
    fresh, reference = np.arange(150) < hits, np.zeros(150)
    fisher = 2 * hypergeom.sf(hits - 1, 300, hits, 150)
    p, _ = two_sample(fresh.astype(float), reference)
    assert fisher <= p <= 30 * fisher
