"""What a file hands in as a part of a room that it is not of is refused."""

from collections.abc import Callable

import numpy as np
import pytest

from harness import covers, scores
from harness.covers.cube_stumps import Product
from harness.covers.line import HeavyAtoms, Line, LogUniform
from harness.covers.parities import Parities, Planted
from harness.covers.random_queries import RandomQueries
from harness.covers.windows import Windows
from harness.theory.constants.bcmnuw20 import missed_by_any

ROOMS = [(covers, "QueryClass"), (scores, "Instance"), (scores, "Learner")]


@pytest.mark.parametrize(("room", "base"), ROOMS, ids=[base for _, base in ROOMS])
def test_what_is_no_part_of_its_room_is_refused(room: object, base: str) -> None:
    """A class of something else, and what is no class at all; not a class of its own."""
    refuse: Callable[[object], None] = room.refuse_incomplete  # type: ignore[attr-defined]
    refuse(getattr(room, base))
    for other in (int, 3, base, None):
        with pytest.raises(ValueError, match="allowed: "):
            refuse(other)


@pytest.mark.parametrize("ring", [8, 12, 16, 23])
def test_the_widest_window_of_a_ring_is_the_one_that_is_told(ring: int) -> None:
    with pytest.raises(ValueError, match="goes round a ring") as refused:
        Windows(ring=ring, width=ring)
    most = int(str(refused.value).partition("allowed: 2 to ")[2].partition(",")[0])
    assert Windows(ring=ring, width=most).width == most
    with pytest.raises(ValueError, match="goes round a ring"):
        Windows(ring=ring, width=most + 1)


@pytest.mark.parametrize(
    ("fits", "exceeds", "said"),
    [
        (lambda: RandomQueries.of(17, 7), lambda: RandomQueries.of(18, 1), "V from 1 to 17"),
        (lambda: RandomQueries.of(8, 16), lambda: RandomQueries.of(1, 17), "p from 1 to 16"),
        (lambda: RandomQueries.of(1, 1), lambda: RandomQueries.of(0, 1), "V from 1 to 17"),
        (lambda: RandomQueries.of(17, 1), lambda: RandomQueries.of(17, 0), "p from 1 to 16"),
        (lambda: RandomQueries.of(12, 12), lambda: RandomQueries.of(13, 12), "V \\+ p ≤ 24"),
        (
            lambda: RandomQueries(count=2**12, cells=2**12),
            lambda: RandomQueries(count=2**12 + 1, cells=2**12),
            "16,781,312 entries would be drawn; allowed: count·cells ≤ 16,777,216",
        ),
        (lambda: Planted(count=2, bias=-0.5), lambda: Planted(count=3, bias=-0.34), "3 parities of mean -0.34 may have"),
        (lambda: Product(bias=-0.6, spread=0.4), lambda: Product(bias=-0.6, spread=0.5), "means would reach 1.1"),
    ],
)
def test_a_class_or_distribution_is_there_up_to_what_is_told(
    fits: Callable[[], object], exceeds: Callable[[], object], said: str
) -> None:
    fits()
    with pytest.raises(ValueError, match=said):
        exceeds()


def test_a_class_of_queries_has_the_dimension_that_is_asked_for_or_the_nearest_that_there_is() -> None:
    for V, has in ((0, 1), (1, 1), (9, 9), (15, 15), (16, 15)):
        assert RandomQueries.of_vc(V).vc == has
    for p, has in ((0, 1), (1, 1), (9, 9), (13, 13), (14, 13)):
        assert RandomQueries.of_dual(p).dual_vc == has
    made = RandomQueries.of(5, 7)
    assert (made.count, made.cells) == (2**5, 2**7)
    for d, has in ((1, 2), (2, 2), (17, 17), (18, 17)):
        assert Parities.of_vc(d).d == Parities.of_dual(d).d == has


@pytest.mark.parametrize("name", covers.query_classes())
def test_hardly_any_sample_misses_all_mass(name: str) -> None:
    """However few the points: no gap is larger than all, and two queries that always differ differ on one of them."""
    of = covers.query_classes()[name]()
    for m, alpha in ((40, 1.0), (10**6, 1.0), (10**6, 1 - 1e-15)):
        assert 0 <= of.missed(m, alpha) < 1e-3 or of.missed(m, alpha) == pytest.approx(missed_by_any(m, alpha, of.vc))
    assert of.missed(1, 1e-9) == 1


def test_below_all_mass_of_a_line_there_is_none_and_above_it_all() -> None:
    for line in (Line(), LogUniform(scale=5.0), HeavyAtoms(total=0.3)):
        x = np.array([-1.0, 0.0, 1e-9, 1.0, 2.0])
        for mass in (line.upto(x), line.below(x)):
            assert mass[:2].tolist() == [0, 0] and 0 <= mass[2] < 1e-8 and mass[3:] == pytest.approx(1)


@pytest.mark.parametrize("name", covers.query_classes())
def test_several_trials_are_tilted_each_as_one_alone(name: str) -> None:
    of, rng = covers.query_classes()[name](), np.random.default_rng(1)
    marginal = next(iter(of.distributions.values()))()
    for cover in (of.cover(marginal, of.draw(marginal, 6, rng)), of.grid(marginal, 5)):
        weights, queries, by = cover.private(100, rng, 3), rng.integers(cover.queries, size=3), np.array([0.5, -1.0, 2.0])
        weights = (weights + cover.uniform()) / 2  # no cell without any
        alone = [cover.tilted(*each) for each in zip(weights, queries.tolist(), by.tolist(), strict=True)]
        np.testing.assert_allclose(cover.tilted_each(weights, queries, by), alone, rtol=1e-12)
