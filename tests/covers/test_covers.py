"""Covers against brute force over labellings, and what every cover must be."""

from contextlib import nullcontext
from itertools import combinations, product
from math import comb, exp, log, pi

import numpy as np
import pytest
from scipy.optimize import linprog

from harness.arrays import Bools, Ints, Reals
from harness.covers import Cover, Points, QueryClass, query_classes
from harness.covers.affine_halfspaces import AffineHalfspaceQueries, FiniteCover, Scattered, dichotomies
from harness.covers.cube_stumps import CubeStumpQueries, Mixture, Product, ProductCover, columns
from harness.covers.halfspaces import HalfspaceQueries, Tilted
from harness.covers.interval_unions import IntervalQueries, IntervalUnions
from harness.covers.line import HeavyAtoms, Line, LogUniform
from harness.covers.runs import RunsCover
from harness.covers.stumps import StumpQueries
from harness.covers.thresholds import ThresholdQueries
from harness.covers.windows import Windows

CLASSES = [(each(), name) for each in query_classes().values() for name in each.distributions]
IDS = [f"{concept.name}-{distribution}" for concept, distribution in CLASSES]


def made(concept: QueryClass, distribution: str, m: int, rng: np.random.Generator) -> Cover:
    marginal = concept.distributions[distribution]()
    return concept.cover(marginal, concept.draw(marginal, m, rng))


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


@pytest.mark.parametrize(("concept", "distribution"), CLASSES, ids=IDS)
def test_what_every_cover_is(concept: QueryClass, distribution: str) -> None:
    """Weights are distributions, tilting is what it says, and m points make no more than `sizes` allows."""
    rng = np.random.default_rng(10)
    for m in (1, 2, 9):
        cover = made(concept, distribution, m, rng)
        queries, log_cells, *_ = concept.sizes(m)
        assert cover.queries <= queries and cover.log_cells <= log_cells + 1e-12
        assert 1 <= cover.distinct <= m and 0 <= cover.radius <= 1
        for weights in (cover.masses, cover.public, cover.uniform(), cover.private(1000, rng)):
            answers = cover.answers(weights)
            assert answers.shape == (cover.queries,) and (answers > -1e-12).all() and (answers < 1 + 1e-12).all()
        assert cover.cover_error(cover.expected) == pytest.approx(0, abs=1e-12)
        assert cover.error(cover.expected) <= 2 * cover.radius + 1e-9
        assert (cover.low <= cover.high).all()
        answers = rng.random((3, cover.queries))
        of_each = [max(np.abs(own - end).max() for end in (cover.low, cover.high)) for own in answers]
        assert (cover.error(answers) == 2 * np.array(of_each)).all()
        assert (cover.cover_error(answers) == 2 * np.abs(answers - cover.expected).max(axis=1)).all()
        weights = cover.uniform()
        for query in rng.integers(cover.queries, size=5):
            before = cover.answers(weights)[query]
            weights = cover.tilted(weights, int(query), 0.7)
            after = cover.answers(weights)[query]
            expected = before * np.exp(0.7) / (before * np.exp(0.7) + 1 - before)
            assert after == pytest.approx(expected)


@pytest.mark.at_once(  # one distribution for each class
    "windows-beside",
    "thresholds-uniform",
    "affine_halfspaces-scattered",
    "intervals-uniform",
    "interval_unions-uniform",
    "stumps-log_uniform",
    "halfspaces-tilted",
    "random_queries-ranked",
    "parities-spike",
    "cube_stumps-product",
)
@pytest.mark.parametrize(("concept", "distribution"), CLASSES, ids=IDS)
def test_private_points_counted_are_private_points_drawn(concept: QueryClass, distribution: str) -> None:
    """The means and the deviations of averages, by both ways; each of 10 comparisons is false with chance below 1e-8."""
    rng = np.random.default_rng(11)
    marginal = concept.distributions[distribution]()
    cover = concept.cover(marginal, concept.draw(marginal, 6, rng))
    n, times = 40, 3000
    counted = np.array([cover.answers(cover.private(n, rng)) for _ in range(times)])
    drawn = np.array([cover.answers(cover.locate(concept.draw(marginal, n, rng))) for _ in range(times)])
    for query in {0, cover.queries // 3, cover.queries // 2, 2 * cover.queries // 3, cover.queries - 1}:
        q = cover.expected[query]
        spread = max(1e-12, (q * (1 - q) / n) ** 0.5)
        for found in (counted, drawn):
            assert abs(found[:, query].mean() - q) < 6 * spread / times**0.5 + 1e-12
            if not (distribution == "mixture" or q * (1 - q) < 1e-9):
                assert abs(found[:, query].std() / spread - 1) < 0.2
    apart = np.abs(counted.std(axis=0) - drawn.std(axis=0))
    assert (apart < 0.25 * (drawn.std(axis=0) + 1e-12)).all()


def test_heavy_atoms_are_counted_once_and_their_gaps_are_exact() -> None:
    concept, marginal = ThresholdQueries(), HeavyAtoms(total=0.5, first=0.25)
    points = np.array([0.25, 0.25, 0.25, 0.75])
    cover = concept.cover(marginal, points)
    assert cover.distinct == 2 and cover.queries == 3 and cover.log_cells == log(3)
    np.testing.assert_allclose(cover.masses, [0.625, 0.25, 0.125])
    np.testing.assert_allclose(cover.public, [0.75, 0.25, 0.0])
    np.testing.assert_allclose(cover.low, [0, 0.625, 0.875])
    np.testing.assert_allclose(cover.high, [0.125, 0.875, 1])
    assert cover.radius == pytest.approx(0.25)
    assert cover.error(np.array([0.0, 0.625, 0.875])) == pytest.approx(0.5)


def test_an_atom_of_mass_one() -> None:
    marginal = HeavyAtoms(total=1.0)
    cover = ThresholdQueries().cover(marginal, ThresholdQueries().draw(marginal, 50, np.random.default_rng(0)))
    assert cover.distinct == 1 and cover.radius == 0
    np.testing.assert_allclose(cover.masses, [1, 0])
    assert cover.error(cover.answers(cover.private(10, np.random.default_rng(0)))) == 0


def test_columns_that_agree_have_one_number() -> None:
    rng = np.random.default_rng(1)
    for m in (1, 8, 63, 64, 65, 200):
        bits = rng.random((m, 300)) < 0.5
        bits[:, 7] = bits[:, 3]
        bits[:-1, 9] = bits[:-1, 4]
        bits[-1, 9] = ~bits[-1, 4]
        group = columns(bits)
        keys = [column.tobytes() for column in bits.T]
        assert group[7] == group[3] and group[9] != group[4]
        assert len(set(keys)) == len(set(group)) == len(set(zip(keys, group, strict=True)))


@pytest.mark.law
@pytest.mark.parametrize(("concept", "distribution"), CLASSES, ids=IDS)
def test_a_sample_misses_a_radius_no_more_often_than_is_said(concept: QueryClass, distribution: str) -> None:
    """And averages are off no more often. At 400 samples; 6 standard deviations of what is allowed: false below 1e-8."""
    rng = np.random.default_rng(12)
    marginal, m, times = concept.distributions[distribution](), 25, 300
    covers = [concept.cover(marginal, concept.draw(marginal, m, rng)) for _ in range(times)]
    radii = np.array([cover.radius for cover in covers])
    for at in (0.1, 0.2, 0.3, 0.5):
        allowed = concept.missed(m, at)
        assert (radii > at).mean() <= allowed + 6 * (allowed * (1 - min(1, allowed)) / times) ** 0.5 + 1e-12
    errors = np.array([cover.error(cover.answers(cover.public)) for cover in covers])
    for alpha in (0.3, 0.5, 0.8):
        allowed = min(1.0, concept.deviation(m, alpha))
        assert (errors > alpha).mean() <= allowed + 6 * (allowed * (1 - allowed) / times) ** 0.5 + 1e-12


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


@pytest.mark.parametrize(("intervals", "sets"), [(1, 2), (2, 4), (3, 4), (4, 5)])
def test_so_many_unions_have_all_patterns(intervals: int, sets: int) -> None:
    """Along a balanced Gray code each begins and ends at most so often; one more would need 2^(sets + 1) regions."""
    patterns, most = 2**sets, 2 * intervals

    def balanced(path: list[int], flips: list[int]) -> bool:
        if len(path) == patterns:
            return all(flips[i] + (path[-1] >> i & 1) <= most for i in range(sets))
        for i in range(sets):
            after = path[-1] ^ (1 << i)
            if after not in path and flips[i] < most:
                flips[i] += 1
                if balanced([*path, after], flips):
                    return True
                flips[i] -= 1
        return False

    assert balanced([0], [0] * sets) and 2 * patterns > most * (sets + 1) + 1
    assert IntervalUnions(intervals=intervals).dual_vc == sets


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


def test_fixed_grids_know_nothing_of_the_data() -> None:
    uniform, narrow = ThresholdQueries().grid(Line(), 40), ThresholdQueries().grid(LogUniform(scale=30.0), 40)
    assert isinstance(uniform, RunsCover) and isinstance(narrow, RunsCover)
    assert uniform.queries == narrow.queries == 40
    assert uniform.radius == pytest.approx(1 / 40) and narrow.radius > 0.8
    assert CubeStumpQueries(dimension=12).grid(Product(), 2).radius == 0


def test_numbers_of_labellings() -> None:
    assert IntervalUnions().sizes(6)[0] == 1 + comb(7, 2) + comb(7, 4)
    assert IntervalQueries().sizes(6)[0] == 1 + comb(7, 2)
    rng = np.random.default_rng(2)
    for concept, marginal in (
        (IntervalQueries(), Line()),
        (IntervalUnions(), Line()),
        (ThresholdQueries(), Line()),
        (StumpQueries(d=1), Line()),
    ):
        assert concept.cover(marginal, concept.draw(marginal, 6, rng)).queries == concept.sizes(6)[0]


@pytest.mark.parametrize("marginal", [Line(), LogUniform(scale=5.0), HeavyAtoms(count=3, total=0.6, first=0.1)], ids=str)
def test_distributions_on_the_line_are_what_they_draw(marginal: Line) -> None:
    """P(X ≤ x) and P(X < x) of 100,000 points, within 6 standard deviations."""
    drawn: Reals = marginal.draw(100_000, np.random.default_rng(3))
    at = np.concatenate([np.linspace(0.01, 0.99, 9), marginal.atoms if isinstance(marginal, HeavyAtoms) else [0.5]])
    for x, upto, below in zip(at, marginal.upto(at), marginal.below(at), strict=True):
        assert abs((drawn <= x).mean() - upto) < 0.01 and abs((drawn < x).mean() - below) < 0.01


@pytest.mark.parametrize(("concept", "distribution"), CLASSES, ids=IDS)
def test_points_are_located_where_they_made_the_cover_and_none_are_nowhere(concept: QueryClass, distribution: str) -> None:
    marginal = concept.distributions[distribution]()
    points = concept.draw(marginal, 30, np.random.default_rng(1))
    cover = concept.cover(marginal, points)
    assert cover.locate(points) == pytest.approx(cover.public, abs=1e-12)
    if not isinstance(cover, ProductCover):  # whose weights are averages
        assert cover.locate(points[:0]).tolist() == [0.0] * len(cover.public)


@pytest.mark.parametrize(("concept", "distribution"), CLASSES, ids=IDS)
def test_points_are_located_as_the_public_ones_were_counted(concept: QueryClass, distribution: str) -> None:
    """Those that made a cover have its own shares; on a grid and of no points there is one number a cell too."""
    marginal, rng = concept.distributions[distribution](), np.random.default_rng(8)
    points = concept.draw(marginal, 30, rng)
    cover, grid = concept.cover(marginal, points), concept.grid(marginal, 8)
    assert cover.locate(points) == pytest.approx(cover.public)
    few = concept.draw(marginal, 2, rng)
    assert np.shape(grid.locate(few)) == np.shape(grid.masses)
    assert len({cover, grid, cover}) == 2  # told apart as objects, not number by number


@pytest.mark.parametrize("concept", query_classes().values(), ids=list(query_classes()))
def test_a_class_that_is_made_for_a_dimension_has_it_or_there_is_only_one(concept: type[QueryClass]) -> None:
    """Of any dimension, of any even one, or the same whatever is asked for."""
    sizes = list(range(2, 9))
    even, any_size = [V + V % 2 for V in sizes], ("cube_stumps", "parities", "random_queries")
    expected = {"interval_unions": even} | dict.fromkeys(any_size, sizes)
    assert [concept.of_vc(V).vc for V in sizes] == expected.get(concept.name, [concept().vc] * len(sizes))


def test_what_has_no_room_says_where_it_would_end() -> None:
    with pytest.raises(ValueError, match=r"the last atom would be at 1.16667; allowed: below 1"):
        HeavyAtoms(count=3, first=0.5)
    for ring, width, fits in ((12, 5, True), (11, 5, False), (12, 4, False), (10, 4, False)):  # half way, common divisors
        with nullcontext() if fits else pytest.raises(ValueError, match=f"a width of {width} goes round a ring of {ring}"):
            Windows(ring=ring, width=width)
