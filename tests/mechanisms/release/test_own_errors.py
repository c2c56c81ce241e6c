"""The error that each way to release averages keeps to, written a second time, and that its noise is what it certifies."""

from dataclasses import replace
from math import log, sqrt
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from scipy.stats import kstwo, norm

from harness.covers import Size
from harness.covers.affine_halfspaces import AffineHalfspaceQueries, Scattered
from harness.covers.cube_stumps import CubeStumpQueries, Product
from harness.mechanisms.release import EXAMPLE, Inequality, Problem, ReleaseRequest, Site, deviations, releases, sampling
from harness.mechanisms.release.mwem_public import ROUNDS, concentrated, started
from harness.theory.constants.bcmnuw20 import REPAIRED
from harness.theory.privacy.composition import advanced_share
from harness.theory.privacy.gaussian import gaussian_eps

ASKED = ReleaseRequest(0.2, 0.04, 0.7, 1e-5, REPAIRED)
PLAIN = Size(300, log(500))
ORDERED = Size(4950, log(100) * 3, directions=3, sums=2)
NAMES = [name for name, each in releases().items() if each.promises]


def certified(moved: float, n: int) -> float:
    """σ at which noise on what a point moves by √moved/n is (ε, δ)-DP: found by bisection of its exact curve."""
    low, high = 1e-12, 1e3
    while high / low > 1 + 1e-12:
        middle = sqrt(low * high)
        low, high = (middle, high) if gaussian_eps(sqrt(moved) / n / middle, ASKED.delta) > ASKED.eps else (low, middle)
    return high


@pytest.mark.parametrize("n", [1, 700, 10**7])
def test_the_error_is_that_of_the_sample_and_of_all_noises(n: int) -> None:
    sample = sqrt(2 * log(4 * 300 / 0.04) / n)
    assert sampling(PLAIN, n, ASKED) == sampling(PLAIN, n, replace(ASKED, sharp=True)) == pytest.approx(sample, rel=1e-12)
    far = norm.isf(0.04 / (4 * 300))  # |N| exceeds it with chance β/(2|H̃|)
    expected = {
        "gaussian_averages": sample + 2 * far * certified(300, n),
        "laplace_averages": sample + 2 * log(2 * 300 / 0.04) / (n * advanced_share(0.7, 300, 1e-5)),
        "exact_averages": sqrt(2 * log(2 * 300 / 0.04) / n),
    }
    for name, error in expected.items():
        assert releases()[name].error(PLAIN, n, ASKED) == pytest.approx(error, rel=1e-9), name
    assert releases()["gaussian_sums"].error(PLAIN, n, ASKED) is releases()["gaussian_tree"].error(PLAIN, n, ASKED) is None


@pytest.mark.parametrize(("name", "moved", "nodes"), [("gaussian_sums", 99, 1), ("gaussian_tree", 2 * 7, 7)])
def test_the_error_on_ordered_cells_is_that_of_their_sums(name: str, moved: int, nodes: int) -> None:
    """Three directions of 100 cells each; an average is made of two sums, each with one noise or one a level."""
    far = norm.isf(0.04 / (4 * 3 * 100)) * sqrt(nodes)
    error = sampling(ORDERED, 9000, ASKED) + 2 * 2 * far * certified(3 * moved, 9000)
    assert releases()[name].error(ORDERED, 9000, ASKED) == pytest.approx(error, rel=1e-9)


@pytest.mark.parametrize(("name", "moved"), [("gaussian_sums", 1), ("gaussian_tree", 2), ("square_root_sums", 1)])
def test_of_two_cells_one_sum_is_noised(name: str, moved: int) -> None:
    """Which a point moves by 1/n, or in a tree two nodes; of a single cell no less is asked."""
    for log_cells in (log(2), 0.0):
        error = sampling(PLAIN, 9000, ASKED) + 2 * norm.isf(0.04 / (4 * 2)) * certified(moved, 9000)
        assert releases()[name].error(Size(300, log_cells, 1, 1), 9000, ASKED) == pytest.approx(error, rel=1e-9)


@pytest.mark.parametrize(("n", "chance"), [(100, 0.5), (300, 0.025), (20_000, 1e-6)])
def test_all_sums_of_a_direction_are_as_near_as_kolmogorov_has_them(n: int, chance: float) -> None:
    """By the exact law of the largest distance of F of n points from F, which shares keep to: no wider bound is at hand."""
    exact = kstwo.isf(chance, n)
    one, three = (deviations(each, n, chance)["DKW"] for each in (Size(n + 1, log(n + 1), 1, 1), ORDERED))
    assert 2 * exact <= one < 2.1 * exact
    assert three == pytest.approx(2 * deviations(Size(n + 1, log(n + 1), 1, 1), n, chance / 3)["DKW"])


def test_of_two_inequalities_the_sharper_is_used_and_told() -> None:
    """On thresholds DKW, which counts no queries; on unions of intervals, whose averages are four sums, Hoeffding's."""
    sharp, own = replace(ASKED, sharp=True), releases()["gaussian_histogram"]
    thresholds, unions = Size(301, log(301), 1, 1), Size(1000, log(50), 1, 4)
    sharper: dict[Size, Inequality] = {thresholds: "DKW", unions: "Hoeffding", PLAIN: "Hoeffding"}
    for size, by in sharper.items():
        found = deviations(size, 500, 0.02)
        assert sampling(size, 500, sharp) == min(found.values()) == found[by] and own.sample_by(size, sharp) == by
        assert sampling(size, 500, ASKED) == found["Hoeffding"] and own.sample_by(size, ASKED) == "Hoeffding"
    assert releases()["PMW"].sample_by(PLAIN, sharp) is None
    # Of two sums DKW is the sharper where (2/chance)⁴ < 2|H̃|/chance: here but for a chance β, and not but for β/2.
    between = Size(2 * 50**3, log(50), 1, 2)
    assert releases()["exact_averages"].sample_by(between, sharp) == "DKW" != own.sample_by(between, sharp)


@pytest.mark.parametrize("name", NAMES)
def test_the_n_that_is_needed_is_the_least(name: str) -> None:
    each = releases()[name]
    needed = each.needed(ORDERED, ASKED)
    assert needed is not None and needed > 1
    errors = each.error(ORDERED, needed, ASKED), each.error(ORDERED, needed - 1, ASKED)
    if None not in errors:
        assert errors[0] <= 0.2 < errors[1]  # type: ignore[operator]


def test_what_is_promised_is_asked_of_the_smallest_cover() -> None:
    assert (EXAMPLE.alpha, EXAMPLE.beta, EXAMPLE.eps, EXAMPLE.delta) == (0.1, 0.05, 1.0, 1e-6)
    for name in NAMES:
        assert releases()[name].needed(Size(2, log(2), 1, 1), EXAMPLE) is not None


class Fixed:
    """Numbers that are no noise: `at` for the query that is to be found, and where it stands; 0 for what is measured."""

    def __init__(self, query: int, at: float) -> None:
        self.query, self.at, self.sigmas = query, at, list[float]()

    def random(self, shape: tuple[int, ...]) -> Any:
        """What Gumbel numbers are made of: u, where they are −ln −ln(1 − u)."""
        return -np.expm1(-np.exp(-np.where(np.arange(*shape) == self.query, self.at, 0.0)))

    def normal(self, mean: float, sigma: float) -> float:
        self.sigmas.append(sigma)
        return 0.0


def test_half_of_rho_is_for_finding_and_half_for_measuring() -> None:
    """A find of ε₀ on scores that a point moves by 1/n is ε₀²/8-zCDP, a measurement 1/(2n²σ²). The ε₀ is read off: where the
    query with no difference is found instead of the one with most.
    """
    concept, marginal = CubeStumpQueries(dimension=6), Product(bias=0.3)
    cover = concept.cover(marginal, concept.draw(marginal, 60, np.random.default_rng(0)))
    n = 5000
    averages = cover.answers(started(cover.public)).copy()
    averages[3] = averages[3] + 0.2 if averages[3] < 0.5 else averages[3] - 0.2
    problem = Problem(ASKED, Site(cover, n, None), True, Mock())
    vars(problem.site)["averages"] = averages
    rho = concentrated(ASKED.eps, ASKED.delta)
    find = sqrt(8 * (rho / 2 / ROUNDS)) * n / 2
    for at, moved in ((0.999, True), (1.001, False)):
        rng = Fixed(0, at * find * 0.2)
        done = releases()["mwem_public"].release(problem, rng)  # type: ignore[arg-type]
        assert (abs(done.answers[3] - cover.answers(started(cover.public))[3]) > 1e-3) == moved
        assert len(rng.sigmas) == ROUNDS == done.updates
        assert [1 / (2 * (n * sigma) ** 2) for sigma in rng.sigmas] == pytest.approx([rho / 2 / ROUNDS] * ROUNDS)


def test_a_query_that_is_1_everywhere_moves_no_weights() -> None:
    """Its answer is the sum of the weights, which are a little above 1 at the start, and has no logit."""
    cover = AffineHalfspaceQueries().cover(Scattered(support=3), np.arange(3))
    begun = cover.answers(started(cover.public))
    everywhere = int(cover.table().all(axis=1).argmax())
    assert begun[everywhere] > 1
    problem = Problem(ASKED, Site(cover, 10, None), True, Mock())
    vars(problem.site)["averages"] = np.minimum(begun, 1)
    done = releases()["mwem_public"].release(problem, Fixed(everywhere, 20.0))  # type: ignore[arg-type]
    assert done.answers.tolist() == begun.tolist()


def test_a_query_that_is_1_nowhere_moves_no_weights() -> None:
    """Its answer is 0 to the last digit, which has no logit either."""
    cover = AffineHalfspaceQueries().cover(Scattered(support=3), np.arange(3))
    begun = cover.answers(started(cover.public))
    nowhere = int((~cover.table().any(axis=1)).argmax())
    assert begun[nowhere] == 0
    problem = Problem(ASKED, Site(cover, 10, None), True, Mock())
    vars(problem.site)["averages"] = begun
    done = releases()["mwem_public"].release(problem, Fixed(nowhere, 20.0))  # type: ignore[arg-type]
    assert done.answers.tolist() == begun.tolist()
