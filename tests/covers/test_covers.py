"""What every cover must be, and what each is known by."""

from contextlib import nullcontext
from math import comb, log

import numpy as np
import pytest

from harness.arrays import Reals
from harness.covers import Cover, QueryClass, query_classes
from harness.covers.cube_stumps import CubeStumpQueries, Product, ProductCover, columns
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
