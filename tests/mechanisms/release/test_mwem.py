"""MWEM, against a plain one on all cells written out, dp-accounting, and what it promises."""

from dataclasses import replace
from math import ceil, log, sqrt

import numpy as np
import pytest
from dp_accounting import GaussianDpEvent, ZCDpEvent
from dp_accounting.rdp import RdpAccountant
from scipy import stats

from harness.arrays import Reals
from harness.covers import Cover, Size
from harness.covers.affine_halfspaces import AffineHalfspaceQueries, Scattered
from harness.covers.cube_stumps import CubeStumpQueries, Product
from harness.covers.interval_unions import IntervalUnions
from harness.covers.line import HeavyAtoms
from harness.covers.parities import Parities, Planted
from harness.covers.stumps import StumpQueries
from harness.mechanisms.release import EXAMPLE, Problem, Site
from harness.mechanisms.release.mwem import Mwem, _promised, later
from harness.mechanisms.release.mwem_public import concentrated, spent

OWN = Mwem()
N = 3000
COVERS: dict[str, Cover] = {
    "unions": IntervalUnions().grid(HeavyAtoms(total=0.4, first=0.1), 8),
    "listed": AffineHalfspaceQueries().grid(Scattered(support=12, heavy=0.4), 12),
    "a product": StumpQueries(d=2).grid(HeavyAtoms(total=0.4), 6),
    "parities": Parities(d=5).grid(Planted(), 1),
    "coordinates": CubeStumpQueries(dimension=7).grid(Product(bias=0.4), 2),
}


def plain(table: Reals, averages: Reals, rounds: int, find: float, sigma: float, rng: np.random.Generator) -> Reals:
    """On every cell of X̃. table: (|H̃|, |X̃|), as 0 and 1."""
    weights, found = np.full(table.shape[1], 1 / table.shape[1]), []
    for _ in range(rounds):
        fitted = table @ weights
        query = int(np.argmax(find * np.abs(averages - fitted) + rng.gumbel(size=(1, len(table)))[0]))
        measured = min(1.0, max(0.0, float(averages[query] + rng.normal(0, sigma, 1)[0])))
        weights = weights * np.exp(4 * (measured - fitted[query]) * table[query])
        weights /= weights.sum()
        found.append(fitted)
    return np.asarray(np.mean(found[rounds // 2 :], axis=0))


@pytest.mark.parametrize("name", COVERS)
def test_it_is_what_is_done_on_all_cells(name: str) -> None:
    cover = COVERS[name]
    site = Site(cover, N, cover.private(N, np.random.default_rng(1)))
    done = OWN.release(Problem(EXAMPLE, site, False, lambda: site), np.random.default_rng(2))
    rounds = done.updates
    assert isinstance(rounds, int) and rounds == OWN.rounds(cover, N, EXAMPLE) > 5
    rho = concentrated(EXAMPLE.eps, EXAMPLE.delta)
    find, sigma = sqrt(8 * rho / 2 / rounds) * N / 2, sqrt(rounds / rho) / N
    table = cover.table().astype(float)
    expected = plain(table, site.averages, rounds, find, sigma, np.random.default_rng(2))
    assert done.answers.shape == site.averages.shape and np.abs(done.answers - expected).max() < 1e-12
    assert done.noise == {"sigma": pytest.approx(sigma)}
    assert np.abs(done.answers - site.averages).max() < np.abs(cover.answers(cover.uniform()) - site.averages).max() / 2


def test_what_is_measured_is_cut_off_where_noise_takes_it_below_0_or_above_1() -> None:
    """Of so few points that the noise on a share is above 1: against the plain one, whose weights go the same ways."""
    cover, n = COVERS["unions"], 20
    site = Site(cover, n, cover.private(n, np.random.default_rng(1)))
    done = OWN.release(Problem(EXAMPLE, site, False, lambda: site), np.random.default_rng(2))
    rounds, rho = OWN.rounds(cover, n, EXAMPLE), concentrated(EXAMPLE.eps, EXAMPLE.delta)
    find, sigma = sqrt(8 * rho / 2 / rounds) * n / 2, sqrt(rounds / rho) / n
    assert sigma > 0.3
    expected = plain(cover.table().astype(float), site.averages, rounds, find, sigma, np.random.default_rng(2))
    assert np.abs(done.answers - expected).max() < 1e-12


def test_dp_accounting_says_the_same_of_all_rounds() -> None:
    cover = COVERS["unions"]
    site = Site(cover, N, cover.uniform())
    done = OWN.release(Problem(EXAMPLE, site, False, lambda: site), np.random.default_rng(0))
    rounds, sigma = OWN.rounds(cover, N, EXAMPLE), done.noise["sigma"]
    rho = concentrated(EXAMPLE.eps, EXAMPLE.delta)
    eps0 = 2 * sqrt(4 * rho / rounds) / 2  # Gumbel noise on find·score, of sensitivity find/n, is 2 find/n-DP
    accountant = RdpAccountant()
    for _ in range(rounds):
        accountant.compose(ZCDpEvent(eps0**2 / 8)).compose(GaussianDpEvent(sigma * N))
    assert accountant.get_epsilon(EXAMPLE.delta) == pytest.approx(EXAMPLE.eps, rel=2e-3)
    assert OWN.spent(cover, N, EXAMPLE) == spent(rho, EXAMPLE.delta) == pytest.approx(EXAMPLE.eps, rel=1e-6)


@pytest.mark.parametrize("n", [300, 3000, 10**6])
def test_the_promise_written_a_second_time(n: int) -> None:
    size, rho = Size(700, log(50)), concentrated(EXAMPLE.eps, EXAMPLE.delta)
    rounds = OWN.rounds(size, n, EXAMPLE)
    half = rounds - rounds // 2
    assert half == later(rounds)
    squares = stats.chi2(rounds).isf(0.05 / 4) * (sqrt(rounds / rho) / n) ** 2
    lost = (log(700) + stats.gamma(half).isf(0.05 / 4) / half) / (sqrt(4 * rho / rounds) * n / 2)
    own = 2 * (sqrt((log(50) + 2 * squares) / (2 * half)) + lost)
    assert OWN.error(size, n, EXAMPLE) == pytest.approx(sqrt(2 * log(4 * 700 / 0.05) / n) + own, rel=1e-9)


@pytest.mark.parametrize("alpha", [0.1, 0.2])
def test_of_many_points_there_are_as_many_rounds_as_bring_what_the_start_costs_to_half_of_alpha(alpha: float) -> None:
    """And of fewer points a quarter of those at which the promise is least, of all powers of 2^¼."""
    size, asked, rho = Size(700, log(50)), replace(EXAMPLE, alpha=alpha), concentrated(EXAMPLE.eps, EXAMPLE.delta)
    rounds = OWN.rounds(size, 10**12, asked)
    start = [2 * sqrt(log(50) / (2 * (each / 2))) for each in (rounds, rounds - 1)]
    assert start[0] <= alpha / 2 < start[1]
    promised = {
        count: _promised(count, 700, log(50), 20_000, 0.05, rho) for count in {round(2 ** (i / 4)) for i in range(4, 64)}
    }
    assert OWN.rounds(size, 20_000, asked) == ceil(min(promised, key=lambda count: promised[count]) / 4) < rounds


def test_a_step_comes_nearer_by_what_the_proof_says() -> None:
    """Relative entropy falls by 2d² − 2ν² at least, for any weights, query and noise: 2,000 random ones."""
    rng = np.random.default_rng(5)
    for _ in range(2000):
        cells = int(rng.integers(2, 12))
        true, weights = rng.dirichlet(np.full(cells, 0.5)) + 1e-12, rng.dirichlet(np.full(cells, 0.5)) + 1e-12
        true, weights = true / true.sum(), weights / weights.sum()
        query = rng.random(cells) < 0.5
        d, noise = true[query].sum() - weights[query].sum(), rng.normal(0, 0.3)
        measured = np.clip(true[query].sum() + noise, 0, 1)
        moved = weights * np.exp(4 * (measured - weights[query].sum()) * query)
        moved /= moved.sum()
        nearer = float((true * np.log(moved / weights)).sum())
        assert nearer >= 2 * d**2 - 2 * noise**2 - 1e-9


@pytest.mark.parametrize("name", COVERS)
def test_weights_of_several_trials_are_tilted_as_each_alone(name: str) -> None:
    cover, rng = COVERS[name], np.random.default_rng(6)
    weights = np.array([cover.private(50, rng) * 0.9 + cover.uniform() * 0.1 for _ in range(5)])
    queries, by = rng.integers(cover.queries, size=5), rng.normal(0, 1, 5)
    alone = [cover.tilted(own, int(query), float(move)) for own, query, move in zip(weights, queries, by, strict=True)]
    np.testing.assert_allclose(cover.tilted_each(weights, queries, by), alone, rtol=1e-12)
