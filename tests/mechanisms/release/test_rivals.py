"""What one would use in place of PMW: its noise, what it spends, and that its own n is enough."""

from dataclasses import replace
from math import exp, log, sqrt

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import minimize_scalar

from harness.covers import Size
from harness.covers.cube_stumps import CubeStumpQueries, Product
from harness.covers.halfspaces import HalfspaceQueries, Tilted
from harness.covers.interval_unions import IntervalQueries
from harness.covers.line import HeavyAtoms, Line
from harness.covers.runs import RunsCover
from harness.covers.stumps import StumpQueries
from harness.covers.thresholds import ThresholdQueries
from harness.mechanisms.release import Problem, Release, Released, ReleaseRequest, Site, releases
from harness.mechanisms.release.mwem_public import concentrated, spent
from harness.mechanisms.release.noisy import gaussian_sigma
from harness.mechanisms.release.tree import GaussianSums, GaussianTree, levels
from harness.theory.constants.bcmnuw20 import REPAIRED
from harness.theory.privacy.composition import advanced_share
from harness.theory.privacy.gaussian import gaussian_delta, gaussian_eps

ASKED = ReleaseRequest(0.2, 0.05, 1.0, 1e-6, REPAIRED)


def problem(concept: object, marginal: object, m: int, n: int, seed: int, asked: ReleaseRequest = ASKED) -> Problem:
    rng = np.random.default_rng(seed)
    cover = concept.cover(marginal, concept.draw(marginal, m, rng))  # type: ignore[attr-defined]

    def grid() -> Site:
        fixed = concept.grid(marginal, 40)  # type: ignore[attr-defined]
        return Site(fixed, n, fixed.private(n, rng))

    return Problem(asked, Site(cover, n, cover.private(n, rng) if n else None), True, grid)


def made(name: str, asked: Problem, seed: int = 0) -> Released:
    return releases()[name].release(asked, np.random.default_rng([seed, 5]))


def test_gaussian_noise_has_the_deviation_of_its_exact_curve() -> None:
    """Kolmogorov–Smirnov at 1e-8, on averages that are independent of the noise."""
    given = problem(IntervalQueries(), Line(), 60, 10_000, 1)
    done = made("gaussian_averages", given)
    sigma = gaussian_sigma(given.site.cover.queries, 10_000, 1.0, 1e-6)
    assert gaussian_delta(1.0, sqrt(given.site.cover.queries) / 10_000 / sigma) == pytest.approx(1e-6, rel=1e-6)
    assert stats.kstest((done.answers - given.site.averages) / sigma, "norm").pvalue > 1e-8
    assert done.spent == pytest.approx(1.0)


def test_laplace_noise_is_that_of_advanced_composition() -> None:
    given = problem(IntervalQueries(), Line(), 60, 10_000, 2)
    done = made("laplace_averages", given)
    scale = 1 / (10_000 * advanced_share(1.0, given.site.cover.queries, 1e-6))
    assert stats.kstest((done.answers - given.site.averages) / scale, "laplace").pvalue > 1e-8
    assert done.spent is not None and 0.2 < done.spent < 1


def test_the_tree_adds_the_noise_of_its_nodes() -> None:
    """The covariance of its sums is σ² times how many nodes two of them share; 6 standard deviations of 20,000 draws."""
    rng, cells = np.random.default_rng(3), 11
    drawn = np.array([GaussianTree().noise(cells, 1.0, rng) for _ in range(20_000)])

    def nodes(j: int) -> set[tuple[int, int]]:
        return {(level, (j >> level) - 1) for level in range(levels(cells)) if j >> level & 1}

    expected = np.array([[len(nodes(i) & nodes(j)) for j in range(1, cells)] for i in range(1, cells)])
    assert np.abs(np.cov(drawn.T) - expected).max() < 6 * 4 * 2 / 20_000**0.5
    for j in range(1, cells):  # the nodes of a sum are its cells, once each
        covered = [cell for level, at in nodes(j) for cell in range(at << level, (at + 1) << level)]
        assert sorted(covered) == list(range(j))


def test_one_point_moves_two_nodes_a_level_of_the_tree() -> None:
    for cells in (2, 3, 8, 9, 100):
        most = 0
        for start, stop in ((0, cells - 1), (cells // 2 - 1, cells // 2)):
            nodes = [{(level, cell >> level) for level in range(levels(cells))} for cell in (start, stop)]
            most = max(most, len(nodes[0] ^ nodes[1]))
        assert most == GaussianTree().moved(cells) == 2 * levels(cells)
        assert 1 << levels(cells) >= cells  # above is the root alone


@pytest.mark.parametrize("name", ["gaussian_sums", "gaussian_tree"])
def test_sums_are_what_is_noised_and_they_rise(name: str) -> None:
    given = problem(ThresholdQueries(), HeavyAtoms(total=0.4), 200, 300, 4)
    done = made(name, given)
    assert (np.diff(done.answers) >= 0).all() and done.answers[0] == 0 and done.answers[-1] <= 1
    assert done.spent == pytest.approx(1.0)
    precise = made(name, problem(ThresholdQueries(), HeavyAtoms(total=0.4), 200, 10**12, 4))
    assert precise.cover.error(precise.answers) == pytest.approx(2 * precise.cover.radius, rel=1e-3)


def test_what_is_spent_on_sums_is_that_of_their_sensitivity() -> None:
    given = problem(ThresholdQueries(), Line(), 100, 1000, 5)
    for name, moved in (("gaussian_sums", 100), ("gaussian_tree", 2 * 7)):
        done = made(name, given)
        assert gaussian_eps(sqrt(moved) / 1000 / done.noise["sigma"], 1e-6) == pytest.approx(1.0)


def test_mwem_finds_what_public_points_miss() -> None:
    """m = 100 public points and 10⁷ private ones: three times less error than the public points alone."""
    errors = {"mwem_public": 0.0, "public_averages": 0.0}
    for seed in range(10):
        given = problem(CubeStumpQueries(dimension=20), Product(bias=0.3), 100, 10**7, seed)
        for name in errors:
            done = made(name, given, seed)
            errors[name] += float(done.cover.cover_error(np.clip(done.answers, 0, 1))) / 10
    assert 3 * errors["mwem_public"] < errors["public_averages"] < 0.5


@pytest.mark.parametrize("eps", [0.1, 1.0, 4.0])
def test_concentrated_privacy_is_converted_both_ways(eps: float) -> None:
    rho = concentrated(eps, 1e-6)
    assert spent(rho, 1e-6) == pytest.approx(eps, rel=1e-6)
    assert rho + 2 * sqrt(rho * np.log(1e6)) >= eps  # the textbook's conversion is never less


LONG = {"mwem": pytest.mark.law}
"""Whose own n asks for thousands of rounds."""


@pytest.mark.at_once("PMW", "laplace_averages", "gaussian_tree", "exact_averages")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=LONG.get(name, ())) for name, each in releases().items() if each.promises]
)
def test_the_n_of_its_own_guarantee_is_enough(name: str) -> None:
    """At α = 0.2, β = 0.05, 150 runs: at most 25 failures, more of which have a chance of 1e-8 at β."""
    release: Release = releases()[name]
    concept, marginal = (
        (HalfspaceQueries(), Tilted()) if release.ordered else (CubeStumpQueries(dimension=30), Product(bias=0.2))
    )
    size = concept.sizes(40)
    n = release.needed(size, ASKED)
    assert n is not None
    less = release.error(size, n - 1, ASKED)
    assert less is None or less > ASKED.alpha >= (release.error(size, n, ASKED) or 0)
    failures = 0
    for seed in range(150):
        done = made(name, problem(concept, marginal, 40, n, seed), seed)
        failures += bool(done.cover.cover_error(np.clip(done.answers, 0, 1)) > ASKED.alpha)
    assert failures <= 25


def test_public_points_count_as_often_as_they_were_drawn() -> None:
    given = problem(ThresholdQueries(), HeavyAtoms(total=0.9), 400, 0, 6)
    done = made("public_averages", given)
    assert done.spent == 0 and done.cover.distinct < 80 and done.cover.error(done.answers) < 0.2


def test_private_points_alone_are_on_the_grid() -> None:
    done = made("private_grid", problem(ThresholdQueries(), Line(), 7, 10**8, 7))
    assert done.cover.queries == 40 and done.cover.error(done.answers) == pytest.approx(2 / 40, rel=0.01)
    cube = made("private_grid", problem(CubeStumpQueries(dimension=9), Product(), 2, 10**8, 8))
    assert cube.cover.queries == 9 and cube.spent == pytest.approx(1.0)


def test_calibrated_weights_on_private_points_alone_are_those_on_public_ones() -> None:
    """With all of α and β, as no half of them is for a cover."""
    cover = ThresholdQueries().grid(HeavyAtoms(total=0.4), 30)
    site = Site(cover, 10**6, cover.private(10**6, np.random.default_rng(1)))
    given = Problem(ASKED, site, False, lambda: site)
    own, halved = made("PMW_calibrated", given), Problem(ASKED.halved(), site, False, lambda: site)
    public = made("A_PAP_calibrated", Problem(ReleaseRequest(0.4, 0.1, 1.0, 1e-6, REPAIRED), site, True, lambda: site))
    assert np.array_equal(own.answers, public.answers) and own.noise == public.noise
    assert own.spent == pytest.approx(1.0) and made("PMW_calibrated", halved).noise["accuracy"] == own.noise["accuracy"] / 2


def test_every_inner_sum_of_every_segment_is_noised_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same number in place of noise on each: sums up to a cell inside a segment are that much larger, no others."""
    monkeypatch.setattr(GaussianSums, "noise", lambda self, cells, sigma, rng: np.full(cells - 1, 0.01))
    given = problem(StumpQueries(d=3), Line(), 20, 400, 9)
    cover, shares = given.site.cover, given.site.shares
    assert isinstance(cover, RunsCover) and len(cover.segments) == 3 and shares is not None
    expected = cover.sums(np.asarray(shares))
    inner = np.ones(len(expected), np.bool_)
    for position, segment in enumerate(cover.segments):
        inner[[segment.start + position, segment.stop + position]] = False
    assert made("gaussian_sums", given).answers == pytest.approx(cover.of_sums(np.minimum(expected + 0.01 * inner, 1)))


@pytest.mark.parametrize("rho", [1e-6, 1e-3, 1.0, 50.0, 3000.0])
def test_concentrated_privacy_is_converted_at_the_best_of_all_orders(rho: float) -> None:
    """Canonne, Kamath, Steinke 2020, Proposition 12: ρα + ln((α − 1)/α) + ln(1/(αδ))/(α − 1), at the α that makes it least."""

    def converted(log_rise: float) -> float:
        order = 1 + exp(log_rise)
        return rho * order + log((order - 1) / order) - log(order * 1e-6) / (order - 1)

    least = minimize_scalar(converted, bracket=(-0.5 * log(rho), 1 - 0.5 * log(rho)))
    assert spent(rho, 1e-6) == pytest.approx(float(least.fun), rel=1e-3)


@pytest.mark.parametrize("name", ["gaussian_sums", "gaussian_tree", "gaussian_histogram", "private_grid", "mwem"])
def test_the_noise_on_a_cover_is_known_beforehand_and_of_a_size_alone_it_is_not(name: str) -> None:
    """And what it spends; on the cover that a release is made on, which of mwem is one without public points."""
    given, own = replace(problem(ThresholdQueries(), Line(), 30, 2000, 7), public=False), releases()[name]
    done = made(name, given)
    numbers, size = own.numbers(done.cover, 2000, ASKED), Size(31, log(30), 1, 1)
    assert numbers is not None and numbers == done.noise and numbers["sigma"] > 0
    assert own.spent(done.cover, 2000, ASKED) == done.spent == pytest.approx(1.0, rel=1e-6)
    assert own.numbers(size, 2000, ASKED) is None
    assert own.spent(size, 2000, ASKED) == (done.spent if name == "mwem" else None)
