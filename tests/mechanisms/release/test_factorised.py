"""Noise by a factorisation, against matrices that are written out, a bound on the norm γ₂ from below, and dp-accounting."""

from dataclasses import replace
from math import log, sqrt

import numpy as np
import pytest
from dp_accounting import GaussianDpEvent
from dp_accounting.pld import PLDAccountant
from scipy.stats import norm

from harness.arrays import Reals
from harness.covers import Cover, Size
from harness.covers.affine_halfspaces import AffineHalfspaceQueries, Scattered
from harness.covers.cube_stumps import CubeStumpQueries, Product
from harness.covers.interval_unions import IntervalQueries, IntervalUnions
from harness.covers.line import Line
from harness.covers.parities import Parities, Planted
from harness.covers.stumps import StumpQueries
from harness.covers.thresholds import ThresholdQueries
from harness.covers.windows import Beside, Windows
from harness.mechanisms.release import EXAMPLE, Problem, Site, releases
from harness.mechanisms.release import factorised as module
from harness.mechanisms.release.factorised import FactorisedAverages, Factors, factors, promises, searched, size_of, split
from harness.mechanisms.release.noisy import gaussian_sigma

OWN = FactorisedAverages()
N = 900
FOUND: dict[str, Cover] = {
    "thresholds": ThresholdQueries().grid(Line(), 40),
    "intervals": IntervalQueries().grid(Line(), 24),
    "unions": IntervalUnions().grid(Line(), 10),
    "affine": AffineHalfspaceQueries().grid(Scattered(support=12), 12),
    "windows": Windows(ring=31, width=7).grid(Beside(), 1),
}
CLOSED: dict[str, tuple[Cover, str]] = {
    "coordinates": (CubeStumpQueries(dimension=9).grid(Product(), 2), "gaussian_averages"),
    "a product": (StumpQueries(d=3).grid(Line(), 30), "square_root_sums"),
    "parities": (Parities(d=6).grid(Planted(), 1), "gaussian_histogram"),
}


@pytest.mark.parametrize("name", FOUND)
def test_the_factors_make_the_matrix_and_move_no_farther(name: str) -> None:
    """Answers less the points' are L z: L from answers without noise but one, R from L, and all pairs of cells."""
    cover = FOUND[name]
    assert searched(cover)
    own, table = factors(cover), cover.table().astype(float)
    centred = table - table.mean(axis=1, keepdims=True)
    right = np.linalg.lstsq(own.left, centred, rcond=1e-9)[0]
    assert np.abs(own.left @ right - centred).max() < 1e-6
    columns = right.T
    apart = sqrt(np.square(columns[:, np.newaxis] - columns).sum(axis=2).max())
    assert apart <= own.moved * (1 + 1e-6)
    assert own.row == pytest.approx(np.sqrt(np.square(own.left).sum(axis=1)).max(), rel=1e-9)
    # γ₂ is at least the sum of singular values over √(rows·columns), and R moves by at least as much as it is long once centred
    least = np.linalg.svd(centred, compute_uv=False).sum() / sqrt(centred.size)
    assert sqrt(2) * 0.99 * least <= own.row * own.moved <= 2 * 1.2 * least


def test_a_search_ends_where_no_factors_can_be_better(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of windows around a ring all cells are alike, and so are all queries: the first factors are as good as any."""
    tried = list[tuple[int, ...]]()

    def counted(matrix: Reals, rows: Reals, columns: Reals) -> tuple[Reals, Reals, float]:
        tried.append(matrix.shape)
        return split(matrix, rows, columns)

    monkeypatch.setattr(module, "split", counted)
    around = (np.arange(31) - np.arange(31)[:, np.newaxis]) % 31 < 7
    for table, least, most in ((around, 1, 1), (FOUND["thresholds"].table(), 2, 29)):
        tried.clear()
        module._factors.__wrapped__(np.ascontiguousarray(table, dtype=bool).tobytes(), table.shape)
        assert least <= len(tried) <= most


@pytest.mark.at_once("windows", "affine")
@pytest.mark.parametrize("name", FOUND)
def test_answers_have_that_noise_and_dp_accounting_says_the_same_of_it(name: str) -> None:
    """Of 20,000 trials at once: variances within 6 of their standard deviations."""
    cover, rng, trials = FOUND[name], np.random.default_rng(1), 20_000
    shares = cover.private(N, rng)
    site = Site(cover, N, np.tile(shares, (trials, 1)))
    done = OWN.release(Problem(EXAMPLE, site, False, lambda: site), rng)
    own, sigma = factors(cover), done.noise["sigma"]
    expected = sigma**2 * np.square(own.left).sum(axis=1)
    seen = (done.answers - cover.answers(shares)).var(axis=0)
    assert np.abs(seen - expected).max() < 6 * expected.max() * sqrt(2 / trials)
    accountant = PLDAccountant()
    accountant.compose(GaussianDpEvent(sigma * N / own.moved))
    assert done.spent == pytest.approx(1) and accountant.get_epsilon(EXAMPLE.delta) == pytest.approx(1, rel=2e-3)


@pytest.mark.parametrize("name", FOUND)
def test_the_same_numbers_make_the_same_noise_whichever_eigenvectors_there_are(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of another processor: matrices that differ in their last digits, which turns vectors of values that are equal."""
    site = Site(FOUND[name], N, FOUND[name].private(N, np.random.default_rng(1)))
    problem, rng = Problem(EXAMPLE, site, False, lambda: site), np.random.default_rng(3)
    eigh = np.linalg.eigh

    def elsewhere(matrix: Reals) -> tuple[Reals, Reals]:
        values, basis = eigh(matrix + rng.uniform(-1e-15, 1e-15) * np.abs(matrix).max())
        return values, basis * rng.choice([-1, 1], len(values))

    here = OWN.release(problem, np.random.default_rng(2)).answers
    module._factors.cache_clear()
    monkeypatch.setattr(np.linalg, "eigh", elsewhere)
    assert np.abs(OWN.release(problem, np.random.default_rng(2)).answers - here).max() < 1e-9
    module._factors.cache_clear()


@pytest.mark.parametrize("name", CLOSED)
def test_where_none_is_searched_for_it_is_the_best_closed_form(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cover, closed = CLOSED[name]
    monkeypatch.setattr(module, "MOST_WORK", 100)
    site = Site(cover, N, cover.private(N, np.random.default_rng(1)))
    problem = Problem(EXAMPLE, site, False, lambda: site)
    one, other = (each.release(problem, np.random.default_rng(2)) for each in (OWN, releases()[closed]))
    assert np.array_equal(one.answers, other.answers)
    promised = promises(size_of(cover), N, EXAMPLE)
    assert min(promised, key=lambda name: promised[name]) == closed


def test_its_promise_is_the_least_of_the_closed_forms_and_what_is_found_keeps_to_it() -> None:
    for cover in FOUND.values():
        size = size_of(cover)
        promised = OWN.error(size, N, EXAMPLE)
        names = ("gaussian_averages", "gaussian_histogram", "square_root_sums")
        errors = [releases()[name].error(size, N, EXAMPLE) for name in names]
        assert promised == min(error for error in errors if error is not None)
        assert factors(cover).error(size, N, EXAMPLE) <= promised


def test_factors_that_leave_the_averages_as_they_are_promise_what_noise_on_each_of_them_does() -> None:
    """L the identity: a point moves all of 40 averages by at most √40/n; of rows twice as long the noise is twice as large."""
    size = Size(40, log(41), 1, 1)
    once, twice = (Factors(row * np.eye(40), sqrt(40), row).error(size, N, EXAMPLE) for row in (1.0, 2.0))
    assert once == pytest.approx(releases()["gaussian_averages"].error(size, N, EXAMPLE))
    far = norm.isf(EXAMPLE.beta / (4 * 40))
    assert twice - once == pytest.approx(2 * far * gaussian_sigma(40, N, EXAMPLE.eps, EXAMPLE.delta))


@pytest.mark.parametrize(
    ("cover", "size"),
    [
        (ThresholdQueries().grid(Line(), 40), ThresholdQueries().sizes(39)),
        (IntervalQueries().grid(Line(), 12), IntervalQueries().sizes(11)),
        (IntervalUnions().grid(Line(), 10), IntervalUnions().sizes(9)),
        (CubeStumpQueries(dimension=9).grid(Product(), 2), CubeStumpQueries(dimension=9).grid_sizes(2)),
        (StumpQueries(d=3).grid(Line(), 30), StumpQueries(d=3).sizes(29)),
    ],
)
def test_the_size_of_a_cover_is_within_that_of_its_class(cover: Cover, size: Size) -> None:
    own = size_of(cover)
    assert own.directions == size.directions and own.sums <= size.sums
    assert own.queries <= size.queries and own.log_cells <= size.log_cells + 1e-12


def test_a_query_of_no_cells_may_stand_behind_the_last_of_them() -> None:
    cover = IntervalQueries().grid(Line(), 12)
    none, (first, last) = cover.starts >= cover.stops, cover.ends
    ahead, behind = (
        replace(cover, starts=np.where(none, at, cover.starts), stops=np.where(none, at, cover.stops)) for at in (first, last)
    )
    assert none.any() and size_of(ahead) == size_of(behind) == size_of(cover)
