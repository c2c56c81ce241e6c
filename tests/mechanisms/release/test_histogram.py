"""Noise on the cells' histogram, against covers that are written out, and dp-accounting."""

from math import exp, inf, log, sqrt

import numpy as np
import pytest
from dp_accounting import GaussianDpEvent
from dp_accounting.pld import PLDAccountant
from scipy import stats

from harness.covers import Cover, Size
from harness.covers.affine_halfspaces import AffineHalfspaceQueries, Scattered
from harness.covers.cube_stumps import CubeStumpQueries, Product
from harness.covers.interval_unions import IntervalQueries
from harness.covers.line import HeavyAtoms
from harness.covers.stumps import StumpQueries
from harness.mechanisms.release import EXAMPLE, Problem, Site, releases
from harness.mechanisms.release.histogram import histograms

OWN = releases()["gaussian_histogram"]
N = 900
COVERS: dict[str, tuple[Cover, int]] = {
    "one": (IntervalQueries().grid(HeavyAtoms(total=0.4), 9), 1),
    "listed": (AffineHalfspaceQueries().grid(Scattered(support=12), 12), 1),
    "a product": (StumpQueries(d=3).grid(HeavyAtoms(total=0.4), 6), 3),
    "coordinates": (CubeStumpQueries(dimension=7).grid(Product(bias=0.2), 2), 7),
}


def ends(cover: Cover) -> list[np.ndarray]:
    """Of the cells of every histogram, the answers for all points in one cell: of one histogram at a time, the others even."""
    if cover.separate:
        corners = np.eye(cover.queries) / 2
        return [np.array([0.5 + corner, 0.5 - corner]) for corner in corners]
    even, found = cover.uniform(), []
    bounds = getattr(cover, "segments", [slice(0, len(even))])
    for segment in bounds:
        rows = np.tile(even, (segment.stop - segment.start, 1))
        rows[:, segment] = np.eye(segment.stop - segment.start)
        found.append(rows)
    return found


@pytest.mark.at_once("coordinates", "one")
@pytest.mark.parametrize("name", COVERS)
def test_answers_have_the_noise_of_their_cells(name: str) -> None:
    """Of 40,000 trials at once: each variance is within 6 of its standard deviations, σ²√(2/40,000)."""
    cover, count = COVERS[name]
    rng, trials = np.random.default_rng(1), 40_000
    shares = np.tile(cover.private(N, rng), (trials, 1))
    site = Site(cover, N, shares)
    done = OWN.release(Problem(EXAMPLE, site, False, lambda: site), rng)
    sigma = done.noise["sigma"]
    expected = np.zeros(cover.queries)
    for rows in ends(cover):
        holds = cover.answers(rows)
        cells = len(holds)
        moved = np.ptp(holds, axis=0) > 0
        ones = np.isclose(holds, holds.max(axis=0)).sum(axis=0)
        expected += np.where(moved, sigma**2 * ones * (cells - ones) / cells, 0)
    seen = (done.answers - cover.answers(shares[0])).var(axis=0)
    assert np.abs(seen - expected).max() < 6 * expected.max() * sqrt(2 / trials)
    assert np.abs(done.answers.mean(axis=0) - cover.answers(shares[0])).max() < 6 * sqrt(expected.max() / trials)
    assert histograms(cover) == count
    accountant = PLDAccountant()
    accountant.compose(GaussianDpEvent(sigma * N / sqrt(2 * count)))
    assert done.spent == pytest.approx(1) and accountant.get_epsilon(EXAMPLE.delta) == pytest.approx(1, rel=1e-3)


def test_its_promise_is_that_of_the_largest_variance() -> None:
    far = float(stats.norm.isf(0.05 / (4 * 300)))
    for size, count in ((Size(300, log(500)), 1), (Size(300, 3 * log(500), directions=3, sums=1), 3)):
        accountant = PLDAccountant()
        sigma = 1.0
        accountant.compose(GaussianDpEvent(sigma * N / sqrt(2 * count)))
        asked = EXAMPLE.__class__(0.1, 0.05, accountant.get_epsilon(1e-6), 1e-6, EXAMPLE.constants)
        error = sqrt(2 * log(4 * 300 / 0.05) / N) + 2 * far * sqrt(500 / 4)
        assert OWN.error(size, N, asked) == pytest.approx(error, rel=1e-3)
    assert OWN.error(Size(60, 60 * log(2)), N, EXAMPLE) == inf and OWN.needed(Size(60, 60 * log(2)), EXAMPLE) is None


@pytest.mark.parametrize("dimension", [1, 2, 3, 8])
def test_what_is_promised_of_all_cells_of_the_cube_holds_of_its_coordinates(dimension: int) -> None:
    """The noise of a coordinate, with all of them noised, is no more than that of a histogram of 2^p cells."""
    cover = CubeStumpQueries(dimension=dimension).grid(Product(), 2)
    site = Site(cover, N, cover.uniform())
    sigma = OWN.release(Problem(EXAMPLE, site, False, lambda: site), np.random.default_rng(0)).noise["sigma"]
    assert sigma / sqrt(2) <= sigma / sqrt(dimension) * sqrt(exp(cover.log_cells)) / 2 + 1e-12


def test_of_more_than_a_million_million_cells_nothing_is_promised() -> None:
    last, beyond = (OWN.error(Size(5, log(cells)), 10**9, EXAMPLE) for cells in (10**12, 10**12 + 1))
    assert last is not None and 0 < last < inf == beyond
