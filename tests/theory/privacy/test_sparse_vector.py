"""One sparse-vector epoch: its law against closed forms, brute force and the mechanism itself, and its pure privacy."""

from itertools import pairwise
from math import exp, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.stats import laplace

from harness.theory.privacy.laplace import difference_tail
from harness.theory.privacy.sparse_vector import epoch_eps, first_bottom
from tests.support.given_order import in_order

Reals = NDArray[np.float64]

TABLES = ([0.0], [-25.0, 3.0], [2.0, 0.5, 0.5, -1.0], [1.3] * 12, [6.0, -2.0, 35.0, 1.0, 50.0, -4.0])


@pytest.mark.parametrize("level", [-30.0, -1.0, 0.0, 0.7, 12.0])
def test_a_single_query_is_answered_with_the_tail_of_the_difference(level: float) -> None:
    bottom, none = first_bottom(np.array([level]))
    assert none == pytest.approx(difference_tail(-level, 1.0), rel=1e-11)
    assert bottom == pytest.approx(difference_tail(level, 1.0), rel=1e-11)


@pytest.mark.law
@pytest.mark.parametrize("table", TABLES)
def test_the_law_is_the_one_by_brute_force(table: list[float]) -> None:
    """Query by query with adaptive quadrature and scipy's Laplace distribution."""

    def integrand(u: float, place: int) -> float:
        value = float(laplace.pdf(u))
        for level in table[:place]:
            value *= laplace.sf(u - level, scale=2)
        return value * (laplace.cdf(u - table[place], scale=2) if place < len(table) else 1)

    ends = sorted({-60.0, -10.0, 0.0, 10.0, 60.0, *table})
    expected = [
        sum(quad(integrand, a, b, args=(place,), epsabs=1e-15, epsrel=1e-11)[0] for a, b in pairwise(ends))
        for place in range(len(table) + 1)
    ]
    law = first_bottom(np.array(table))
    assert law == pytest.approx(expected, rel=1e-8, abs=1e-13)
    assert law.sum() == pytest.approx(1, abs=1e-13)


@pytest.mark.law
@pytest.mark.parametrize("table", TABLES)
def test_the_law_is_that_of_the_mechanism(table: list[float]) -> None:
    """A_sparseVec with T = 0 runs for one epoch.

    Hoeffding and a union over j + 1 outcomes of 5 tables: false failure at most 1e-6.
    """
    rng = np.random.default_rng(20240611)
    lam, w, runs = 3.0, 40.0, 10_000
    values = w + lam * np.array(table)
    counts = np.zeros(len(table) + 1)
    for _ in range(runs):
        bottoms = in_order(values, lam, w, 0, rng)
        counts[bottoms[0] if len(bottoms) else -1] += 1
    margin = sqrt(log(2 * len(TABLES) * len(counts) / 1e-6) / (2 * runs))
    assert np.abs(counts / runs - first_bottom(np.array(table))).max() <= margin


tables_with_moves = st.lists(st.tuples(st.floats(-15, 15), st.floats(-1, 1)), min_size=1, max_size=12)


@given(table=tables_with_moves, lam=st.floats(0.5, 100))
def test_an_epoch_never_spends_more_than_its_pure_eps(table: list[tuple[float, float]], lam: float) -> None:
    """Every outcome, every direction of every move up to Δ = 1."""
    levels, moves = np.array(table).T
    p, q = first_bottom(levels), first_bottom(levels + moves / lam)
    assert np.abs(np.log(p / q)).max() <= epoch_eps(1, lam) + 1e-9


def test_the_pure_eps_is_needed() -> None:
    """Many queries that move down and stay ⊤, then one that moves up and is ⊥, reach 2Δ/λ; Δ/λ would not do."""
    lam = 5.0
    levels, moves = np.append(np.full(200, 0.0), 12.0), np.append(np.full(200, -1.0), 1.0)
    p, q = first_bottom(levels)[200], first_bottom(levels + moves / lam)[200]
    assert 0.98 * epoch_eps(1, lam) <= log(p / q) <= epoch_eps(1, lam)


@pytest.mark.parametrize("level", [-2.0, 0.0, 4.0])
def test_tables_that_all_move_the_same_way_spend_half_of_it(level: float) -> None:
    """Moving every distance is moving the threshold, a Laplace mechanism with ε = Δ/λ, of which the outcome is a function."""
    p, q = first_bottom(np.full(40, level)), first_bottom(np.full(40, level + 0.2))
    assert 0.15 < np.abs(np.log(p / q)).max() <= 0.2 + 1e-12
    assert exp(0.2) > (p / q).max()
