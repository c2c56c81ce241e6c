"""Parities and random queries, against tables that are written out by their definitions."""

from itertools import product
from math import log, sqrt
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from harness.arrays import Bools
from harness.covers import QueryClass
from harness.covers.affine_halfspaces import AT_ONCE, MOST_NUMBERS, FiniteCover, finite_cover
from harness.covers.parities import Bits, Parities, Planted, Spike, transformed
from harness.covers.random_queries import Heavy, RandomQueries, Ranked, matrix

D = 5
CELLS = np.array([[x >> bit & 1 for bit in range(D)] for x in range(2**D)])
TABLE = np.array([[sum(S >> bit & x >> bit & 1 for bit in range(D)) % 2 == 1 for x in range(2**D)] for S in range(2**D)])


@pytest.mark.parametrize("d", [2, 3, 6, 7])
def test_the_transform_is_its_definition(d: int) -> None:
    values = np.random.default_rng(d).normal(size=(3, 2**d))
    expected = [[sum(v * (-1) ** (S & x).bit_count() for x, v in enumerate(row)) for S in range(2**d)] for row in values]
    np.testing.assert_allclose(transformed(values), expected, atol=1e-12)
    np.testing.assert_allclose(transformed(values[0]), expected[0], atol=1e-12)


def test_means_of_parities_are_those_of_the_distributions() -> None:
    def means(marginal: Planted | Bits | Spike) -> np.ndarray:
        cover = Parities(d=D).grid(marginal, 2)
        assert np.array_equal(cover.table(), TABLE) and cover.low is not None
        assert cover.masses.sum() == pytest.approx(1) and (cover.masses >= 0).all()
        np.testing.assert_allclose(cover.low, TABLE @ cover.masses, atol=1e-12)
        np.testing.assert_allclose(cover.expected, cover.high, atol=1e-12)
        return 1 - 2 * cover.low

    planted = np.zeros(2**D)
    planted[0], planted[-3:] = 1, -0.2
    np.testing.assert_allclose(means(Planted(count=3, bias=-0.2)), planted, atol=1e-12)
    sizes = CELLS.sum(axis=1)
    np.testing.assert_allclose(means(Bits(bias=-0.6)), 0.6**sizes, atol=1e-12)
    np.testing.assert_allclose(np.abs(means(Spike(heavy=0.4)))[1:], 0.4, atol=1e-12)


def test_weights_are_moved_and_points_counted() -> None:
    """Counts of 10⁶ points are within 6 standard deviations of what is expected."""
    cover, rng = Parities(d=D).grid(Planted(), 2), np.random.default_rng(3)
    weights = rng.dirichlet(np.ones(2**D))
    expected = weights * np.where(TABLE[13], np.exp(0.7), 1)
    np.testing.assert_allclose(cover.tilted(weights, 13, 0.7), expected / expected.sum(), atol=1e-14)
    np.testing.assert_allclose(cover.answers(weights, slice(3, 9)), (TABLE @ weights)[3:9], atol=1e-14)
    np.testing.assert_allclose(cover.answers(np.tile(weights, (2, 1)))[1], TABLE @ weights, atol=1e-14)
    assert cover.uniform().sum() == pytest.approx(1) and cover.log_cells == pytest.approx(D * log(2))
    many = cover.private(10**6, rng, 2)
    drawn = cover.locate(Parities(d=D).draw(Planted(), 10**6, rng))
    for shares in (*many, drawn):
        assert (np.abs(shares - cover.masses) < 6 * np.sqrt(cover.masses / 10**6)).all() and shares.sum() == pytest.approx(1)


def test_public_points_make_the_cover_of_brute_force() -> None:
    rng = np.random.default_rng(4)
    cases: tuple[tuple[QueryClass, Any, Bools], ...] = (
        (Parities(d=D), Bits(bias=0.5), TABLE),
        (RandomQueries(count=20, cells=15), Heavy(count=2), matrix(20, 15, 1)),
    )
    for concept, marginal, table in cases:
        points = concept.draw(marginal, 4, rng)
        own = concept.cover(marginal, points)
        masses = concept.grid(marginal, 1).masses
        other = finite_cover(table, masses, points)
        assert isinstance(own, FiniteCover) and np.array_equal(own.holds, other.holds)
        labellings = {tuple(row) for row in table[:, np.unique(points)]}
        assert own.queries == len(labellings) <= concept.sizes(4).queries


def test_random_queries_are_balanced_and_the_same_for_ever() -> None:
    table = matrix(1000, 200, 1)
    assert abs(table.mean() - 0.5) < 6 / 2 / sqrt(table.size)
    assert np.abs(np.corrcoef(table[:50].astype(float)) - np.eye(50)).max() < 6 / sqrt(200)
    assert [int("".join(map(str, row)), 2) for row in matrix(2, 16, 7).astype(int).tolist()] == [35658, 58865]
    assert not np.array_equal(matrix(2, 16, 8), matrix(2, 16, 7))
    cover = RandomQueries(count=1000, cells=200).grid(Ranked(power=1), 1)
    np.testing.assert_allclose(cover.masses * np.arange(1, 201), cover.masses[0])
    np.testing.assert_allclose(cover.low, table @ cover.masses)
    heavy = Heavy(count=5, total=0.6).masses(200)
    assert (
        heavy.sum() == pytest.approx(1) and heavy[:5] == pytest.approx(0.6 / 5 + 0.4 / 200) and heavy[5] == pytest.approx(0.002)
    )


def test_the_dimension_of_parities_is_that_of_brute_force() -> None:
    """Both ways: so many cells are parted in all ways by some S, and none more can be, as there are 2^d of them."""
    basis = [1 << bit for bit in range(D)]
    ways = {tuple(TABLE[S, basis]) for S in range(2**D)}
    assert ways == set(product((False, True), repeat=D)) and Parities(d=D).vc == Parities(d=D).dual_vc == D
    assert np.array_equal(TABLE, TABLE.T)
    assert Parities.of(4, 4).d == 4 and RandomQueries.of(5, None).vc == 5 and RandomQueries.of(None, 6).dual_vc == 6
    assert RandomQueries.of(5, 6) == RandomQueries(count=32, cells=64)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValidationError, match=r"allowed: count·\|bias\| ≤ 1"):
        Planted(count=5, bias=0.3)
    with pytest.raises(ValidationError, match="allowed: count·cells ≤ 16,777,216"):
        RandomQueries(count=10**5, cells=10**4)
    for V, p in ((18, 1), (0, 5), (8, 17), (14, 11)):
        with pytest.raises(ValueError, match="allowed: V from 1 to 17, p from 1 to 16, V \\+ p ≤ 24"):
            RandomQueries.of(V, p)
    assert Parities(d=13).most_bits(5) == np.inf and Parities(d=13).most_bits(0) == 0 and Parities(d=12).most_bits(5) == 5


def test_a_large_cover_answers_part_by_part_as_a_small_one_does() -> None:
    """Whole, in part, in no part, of one trial and of several; and with what is kept as numbers, as the same matrix."""
    concept = RandomQueries(count=3000, cells=1000)
    cover, rng = concept.grid(Heavy(), 1), np.random.default_rng(5)
    assert cover.holds.size > MOST_NUMBERS and AT_ONCE // 1000 < 3000
    numbers, weights = cover.holds.astype(float), rng.dirichlet(np.ones(1000), 3)
    for own in (weights, weights[0]):
        for part in (slice(None), slice(100, 900), slice(3000, None)):
            np.testing.assert_allclose(cover.answers(own, part), own @ numbers[part].T, rtol=1e-12)
