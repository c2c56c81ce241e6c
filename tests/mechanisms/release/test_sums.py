"""Noise on cumulative sums and on trees of ordered cells: which sums it is on, and that almost none leaves the averages."""

import numpy as np
import pytest

from harness.covers.line import HeavyAtoms
from harness.covers.runs import RunsCover
from harness.covers.stumps import StumpQueries
from harness.mechanisms.release import EXAMPLE, Problem, Site, releases
from harness.mechanisms.release.tree import GaussianTree, levels

NAMES = ("gaussian_sums", "gaussian_tree", "private_grid")


def problem(n: int, trials: int | None) -> tuple[Problem, RunsCover]:
    """Of stumps in three coordinates, each with cells of its own, the points of one trial or of several."""
    cover = StumpQueries(d=3).grid(HeavyAtoms(total=0.4, first=0.03), 9)
    site = Site(cover, n, cover.private(500, np.random.default_rng(1), trials))
    return Problem(EXAMPLE, site, False, lambda: site), cover


@pytest.mark.parametrize("trials", [None, 3])
@pytest.mark.parametrize("name", NAMES)
def test_of_so_many_points_that_there_is_no_noise_averages_are_those_of_the_points(name: str, trials: int | None) -> None:
    """In every coordinate, of which each has its own sums."""
    asked, cover = problem(10**13, trials)
    assert len(cover.segments) == 3
    released = releases()[name].release(asked, np.random.default_rng(2))
    np.testing.assert_allclose(released.answers, asked.site.averages, atol=1e-9)
    assert released.spent == pytest.approx(EXAMPLE.eps, rel=1e-3)


@pytest.mark.parametrize("name", NAMES)
def test_of_few_points_all_averages_of_every_coordinate_are_noisy(name: str) -> None:
    asked, cover = problem(40, None)
    answers = releases()[name].release(asked, np.random.default_rng(3)).answers
    off = np.abs(answers - asked.site.averages)
    inner = [(cover.starts[:, 0] >= each.start) & (cover.stops[:, 0] <= each.stop) for each in cover.segments]
    assert all(off[of].max() > 0.01 for of in inner) and (answers >= 0).all() and (answers <= 1 + 1e-12).all()


@pytest.mark.parametrize("cells", [2, 3, 8, 13])
def test_a_sum_of_the_first_cells_has_the_noise_of_a_node_for_each_power_of_two_in_their_number(cells: int) -> None:
    """Against nodes written out: that at a level covers 2^level cells, from a multiple of that on."""
    summed = GaussianTree().noise(cells, 1.5, np.random.default_rng(4))
    rng, nodes = np.random.default_rng(4), {}
    for level in range(levels(cells)):
        for place, value in enumerate(rng.normal(0, 1.5, (cells >> level) + 1)):
            nodes[level, place] = value
    assert levels(cells) == {2: 1, 3: 2, 8: 3, 13: 4}[cells]
    for first in range(1, cells):
        expected, begin = 0.0, 0
        for level in reversed(range(levels(cells))):
            if first - begin >= 1 << level:
                expected += nodes[level, begin >> level]
                begin += 1 << level
        assert begin == first and summed[first - 1] == pytest.approx(expected)
