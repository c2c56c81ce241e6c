"""Covers, and dimensions of their classes, against brute force over all labellings."""

from itertools import combinations, product
from math import exp, log, pi

import numpy as np
import pytest
from scipy.optimize import linprog

from harness.arrays import Bools, Ints, Reals
from harness.covers import Cover, Points, QueryClass
from harness.covers.affine_halfspaces import AffineHalfspaceQueries, FiniteCover, Scattered, dichotomies
from harness.covers.cube_stumps import CubeStumpQueries, Mixture, Product, ProductCover
from harness.covers.halfspaces import HalfspaceQueries, Tilted
from harness.covers.interval_unions import IntervalQueries, IntervalUnions
from harness.covers.line import HeavyAtoms
from harness.covers.stumps import StumpQueries
from harness.covers.thresholds import ThresholdQueries


def runs(labels: tuple[int, ...]) -> int:
    """How many runs of 1s there are."""
    return sum(b > a for a, b in zip((0, *labels), labels, strict=False))


def of_line(concept: QueryClass, atoms: int) -> Bools:
    """All labellings of so many points on the line, by brute force."""
    rows = list(product((0, 1), repeat=atoms))
    if isinstance(concept, ThresholdQueries):
        rows = [row for row in rows if runs(row) <= 1 and (not any(row) or row[0])]
    else:
        rows = [row for row in rows if runs(row) <= concept.vc // 2]
    return np.array(rows, np.bool_)


def is_that_of(labellings: Bools, domain: Points, masses: Reals, index: Ints, cover: Cover) -> None:
    """A cover is what brute force makes of public points, the domain's points `index`, by its definition.

    One h̃ of H for each labelling; the range of P(h = 1) over all h with it; and the largest P(h ≠ h̃).
    """
    own = np.array([cover.answers(cover.locate(domain[i : i + 1])) for i in range(len(domain))]).T > 0.5
    ranges = {}
    radius = 0.0
    for key in np.unique(labellings[:, index], axis=0):
        rows = labellings[(labellings[:, index] == key).all(axis=1)]
        (chosen,) = np.flatnonzero((own[:, index] == key).all(axis=1))
        assert (rows == own[chosen]).all(axis=1).any()
        radius = max(radius, float(((rows != own[chosen]) @ masses).max()))
        averages = rows @ masses
        ranges[int(chosen)] = averages.min(), averages.max()
    assert sorted(ranges) == list(range(cover.queries))
    found = list(zip(cover.low, cover.high, strict=True))
    np.testing.assert_allclose(found, [ranges[i] for i in range(cover.queries)], atol=1e-9)
    assert cover.radius == pytest.approx(radius)
    np.testing.assert_allclose(cover.expected, own @ masses, atol=1e-9)
    assert cover.distinct == len(set(index.tolist()))
    assert exp(cover.log_cells) >= len(np.unique(own, axis=1).T) - 1e-9


@pytest.mark.at_once("", "intervals=2")
@pytest.mark.parametrize(
    "concept",
    [ThresholdQueries(), IntervalQueries(), IntervalUnions(), IntervalUnions(intervals=3), IntervalUnions(intervals=4)],
    ids=str,
)
def test_on_the_line_they_are_those_of_brute_force(concept: QueryClass) -> None:
    """D on nine atoms alone, so that H is finite."""
    rng = np.random.default_rng(5)
    marginal = HeavyAtoms(count=9, total=1.0, first=0.05)
    for _ in range(40):
        points = concept.draw(marginal, int(rng.integers(1, 10)), rng)
        index = np.rint((points - 0.05) * 9).astype(int)
        cover = concept.cover(marginal, points)
        is_that_of(of_line(concept, 9), marginal.atoms, np.full(9, 1 / 9), index, cover)


def test_stumps_are_those_of_brute_force_on_a_product_of_atoms() -> None:
    rng = np.random.default_rng(6)
    concept, marginal, k = StumpQueries(d=2), HeavyAtoms(count=5, total=1.0, first=0.1), 5
    places = np.array(list(product(range(k), repeat=2)))
    rows = [places[:, i] < t for i in range(2) for t in range(k + 1)]
    labellings = np.unique(np.array(rows + [~row for row in rows]), axis=0)
    for _ in range(40):
        points = concept.draw(marginal, int(rng.integers(1, 7)), rng)
        index = np.rint((points - 0.1) * 5).astype(int) @ [k, 1]
        is_that_of(labellings, marginal.atoms[places], np.full(25, 1 / 25), index, concept.cover(marginal, points))


@pytest.mark.parametrize(
    "marginal", [Product(bias=0.3), Product(bias=0.1, spread=0.6), Mixture(bias=0.6, other=-0.2, weight=0.3)], ids=str
)
def test_stumps_on_the_cube_are_those_of_brute_force(marginal: Product | Mixture) -> None:
    rng, concept = np.random.default_rng(7), CubeStumpQueries(dimension=5)
    cells = np.array(list(product((False, True), repeat=5)))
    parts = [(1.0, marginal.bias + getattr(marginal, "spread", 0.0) * np.linspace(-1, 1, 5))]
    if isinstance(marginal, Mixture):
        parts = [(marginal.weight, np.full(5, marginal.bias)), (1 - marginal.weight, np.full(5, marginal.other))]
    masses = sum(w * np.prod(np.where(cells, (1 + b) / 2, (1 - b) / 2), axis=1) for w, b in parts)
    for _ in range(40):
        points = concept.draw(marginal, int(rng.integers(1, 6)), rng)
        cover = concept.cover(marginal, points)
        is_that_of(cells.T, cells, np.asarray(masses), points @ (1 << np.arange(4, -1, -1)), cover)
        assert cover.log_cells == pytest.approx(cover.queries * log(2))
        assert isinstance(cover, ProductCover)
        np.testing.assert_allclose(cover.public, points.mean(axis=0)[cover.chosen])


def test_affine_halfspaces_are_those_of_their_definition() -> None:
    rng, marginal = np.random.default_rng(8), Scattered(support=9, heavy=0.4)
    for _ in range(20):
        points = AffineHalfspaceQueries().draw(marginal, int(rng.integers(1, 12)), rng)
        cover = AffineHalfspaceQueries().cover(marginal, points)
        is_that_of(dichotomies(9), np.arange(9), marginal.masses, points, cover)
        assert isinstance(cover, FiniteCover)
        assert len(np.unique(cover.holds, axis=1).T) == cover.holds.shape[1]
        assert cover.log_cells == pytest.approx(log(cover.holds.shape[1]))


@pytest.mark.law
def test_halfspaces_are_what_turning_shows() -> None:
    """At a million angles: ranges by labelling, and the radius by the mass between h and its h̃."""
    rng, concept = np.random.default_rng(9), HalfspaceQueries()
    marginal = Tilted(tilt=0.8)
    angles = np.linspace(0, 2 * pi, 200_001)[:-1]
    for m in (1, 2, 5, 12):
        points = concept.draw(marginal, m, rng)
        cover = concept.cover(marginal, points)
        labels = ((points - angles[:, np.newaxis]) % (2 * pi)) < pi
        keys, group = np.unique(labels, axis=0, return_inverse=True)
        half = marginal.half(angles)
        found = sorted((half[group.ravel() == i].min(), half[group.ravel() == i].max()) for i in range(len(keys)))
        assert len(keys) == cover.queries == 2 * m
        np.testing.assert_allclose(found, sorted(zip(cover.low, cover.high, strict=True)), atol=1e-4)
        folded = np.sort(points % pi)
        gaps = np.diff(np.append(folded, folded[0] + pi)) / pi  # a direction modulo π is uniform
        assert cover.radius == pytest.approx(gaps.max())


def test_the_ways_of_a_line_are_those_of_linear_programs() -> None:
    for support in (1, 2, 3, 6):
        step = 1.32471795724474602596
        points = np.arange(1, support + 1)[:, np.newaxis] * np.array([1 / step, 1 / step**2]) % 1
        by_program = set()
        for labels in product((0, 1), repeat=support):
            signs = np.where(labels, 1.0, -1.0)
            rows = -signs[:, np.newaxis] * np.hstack([points, np.ones((support, 1))])
            if linprog(np.zeros(3), A_ub=rows, b_ub=-np.ones(support), bounds=(None, None)).status == 0:
                by_program.add(labels)
        assert {tuple(map(int, row)) for row in dichotomies(support)} == by_program
    assert len(dichotomies(12)) == 12**2 - 12 + 2


@pytest.mark.law
def test_dimensions_are_those_of_their_definition() -> None:
    """V and p by brute force at small size, of the class on a finite part of its domain."""
    assert shattered(of_line(ThresholdQueries(), 5)) == ThresholdQueries().vc == 1
    assert shattered(of_line(IntervalQueries(), 5)) == IntervalQueries().vc == 2
    assert shattered(of_line(IntervalUnions(), 6)) == IntervalUnions().vc == 4
    assert shattered(dichotomies(7)) == AffineHalfspaceQueries().vc == 3
    assert shattered(of_line(ThresholdQueries(), 5).T) == ThresholdQueries().dual_vc
    assert shattered(of_line(IntervalQueries(), 6).T) == IntervalQueries().dual_vc
    cells = np.array(list(product((False, True), repeat=5)))
    assert shattered(cells.T) == CubeStumpQueries(dimension=5).vc and shattered(cells) == CubeStumpQueries(dimension=5).dual_vc
    angles = np.linspace(0.01, 2 * pi, 40)
    turned = ((angles - np.linspace(0, 2 * pi, 41)[:, np.newaxis]) % (2 * pi)) < pi
    assert shattered(turned) == HalfspaceQueries().vc == 2 == shattered(turned.T) == HalfspaceQueries().dual_vc


def shattered(rows: Bools) -> int:
    """The VC dimension of the rows as sets of columns."""
    best = 0
    for size in range(1, rows.shape[1] + 1):
        if 2**size > len(rows):
            break
        if not any(len(np.unique(rows[:, list(some)], axis=0)) == 2**size for some in combinations(range(rows.shape[1]), size)):
            break
        best = size
    return best
