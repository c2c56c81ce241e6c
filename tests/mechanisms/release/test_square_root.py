"""The square root of cumulative sums, against matrices that are written out, and dp-accounting."""

from math import sqrt

import numpy as np
import pytest
from dp_accounting import GaussianDpEvent
from dp_accounting.pld import PLDAccountant
from scipy.linalg import sqrtm

from harness.arrays import Reals
from harness.covers import Size
from harness.covers.interval_unions import IntervalQueries
from harness.covers.line import HeavyAtoms
from harness.covers.stumps import StumpQueries
from harness.mechanisms.release import EXAMPLE, Problem, Site, releases
from harness.mechanisms.release.square_root import SquareRootSums, factor

OWN = SquareRootSums()


def written_out(sums: int) -> Reals:
    """L, from the first column of the square root that scipy finds of a lower triangle with other numbers on its diagonal."""
    near = np.tril(np.ones((sums, sums))) + np.diag(np.linspace(0, 1e-3, sums))  # scipy needs different eigenvalues
    return np.asarray(sqrtm(near)).real


@pytest.mark.parametrize("sums", [1, 2, 3, 8, 39, 100])
def test_the_factor_is_a_square_root_of_the_cumulative_sums(sums: int) -> None:
    column = factor(sums)
    root = np.array([[column[i - j] if i >= j else 0.0 for j in range(sums)] for i in range(sums)])
    assert np.abs(root @ root - np.tril(np.ones((sums, sums)))).max() < 1e-12
    if sums <= 8:
        assert np.abs(root - written_out(sums)).max() < 0.01
    # of all pairs of cells, of which the last is in no sum
    columns = np.hstack([root, np.zeros((sums, 1))]).T
    apart = np.square(columns[:, np.newaxis] - columns).sum(axis=2).max()
    assert apart <= OWN.moved(sums + 1) <= apart * (1 + 1e-8)
    assert OWN.nodes(sums + 1) == pytest.approx(np.square(root).sum(axis=1).max(), rel=1e-12)


@pytest.mark.law
def test_noise_is_correlated_as_the_factor_says() -> None:
    """20,000 draws: covariances of at most 2.2 are within 6 standard deviations, of at most 2.2·√(2/20,000) each."""
    rng, cells = np.random.default_rng(3), 12
    drawn = np.array([OWN.noise(cells, 1.0, rng) for _ in range(20_000)])
    column = factor(cells - 1)
    root = np.array([[column[i - j] if i >= j else 0.0 for j in range(cells - 1)] for i in range(cells - 1)])
    assert np.abs(np.cov(drawn.T) - root @ root.T).max() < 6 * 2.2 * sqrt(2 / 20_000)


@pytest.mark.parametrize("concept", [IntervalQueries(), StumpQueries(d=3)], ids=["one segment", "three"])
def test_dp_accounting_says_the_same_of_its_noise(concept: IntervalQueries | StumpQueries) -> None:
    """With how far a point moves L x found by brute force."""
    marginal, n, rng = HeavyAtoms(total=0.4), 800, np.random.default_rng(4)
    cover = concept.grid(marginal, 30)
    site = Site(cover, n, cover.private(n, rng))
    done = OWN.release(Problem(EXAMPLE, site, False, lambda: site), rng)
    moved = 0.0
    for segment in cover.segments:
        sums = segment.stop - segment.start - 1
        root = np.array([[factor(sums)[i - j] if i >= j else 0.0 for j in range(sums)] for i in range(sums)])
        columns = np.hstack([root, np.zeros((sums, 1))]).T
        moved += np.square(columns[:, np.newaxis] - columns).sum(axis=2).max()
    accountant = PLDAccountant()
    accountant.compose(GaussianDpEvent(done.noise["sigma"] * n / sqrt(moved)))
    assert done.spent == pytest.approx(EXAMPLE.eps)
    assert EXAMPLE.eps == pytest.approx(accountant.get_epsilon(EXAMPLE.delta), rel=1e-3)


def test_it_takes_about_half_the_points_of_a_tree() -> None:
    for cells in (40, 200, 10**5):
        size = Size(cells, np.log(cells), directions=1, sums=1)
        own, tree, none = (
            releases()[name].needed(size, EXAMPLE) for name in ("square_root_sums", "gaussian_tree", "exact_averages")
        )
        assert own is not None and tree is not None and none is not None
        assert none < own < 0.6 * tree


def test_a_single_cell_is_as_one_sum() -> None:
    assert OWN.moved(1) == OWN.moved(2) == OWN.nodes(1) == OWN.nodes(2) == 1
