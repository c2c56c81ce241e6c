"""PMW against the printed algorithms, decision by decision on the same noise; its noise; and its accounting."""

from dataclasses import replace
from math import ceil, log, sqrt

import numpy as np
import pytest
from scipy import stats

from harness.covers import Cover, QueryClass, Size
from harness.covers.affine_halfspaces import AffineHalfspaceQueries, FiniteCover, Scattered
from harness.covers.cube_stumps import CubeStumpQueries, Product
from harness.covers.halfspaces import HalfspaceQueries, Tilted
from harness.covers.interval_unions import IntervalUnions
from harness.covers.line import HeavyAtoms, Line
from harness.covers.runs import RunsCover
from harness.covers.stumps import StumpQueries
from harness.covers.thresholds import ThresholdQueries
from harness.mechanisms.release import ReleaseRequest, numeric_sparse
from harness.mechanisms.release.numeric_sparse import PmwNoise, PmwPlan, pmw
from harness.mechanisms.release.weights_calibrated import Calibrated
from harness.theory.constants.bcmnuw20 import PRINTED
from harness.theory.privacy.calibration import Calibration
from harness.theory.privacy.composition import compose_pure
from harness.theory.privacy.distance import VALUES
from harness.theory.privacy.witness import strongest_witness
from tests.support.printed_pmw import PrintedSparse, printed_pmw

CASES: dict[str, tuple[QueryClass, object, int]] = {
    "thresholds": (ThresholdQueries(), HeavyAtoms(total=0.5), 40),
    "unions": (IntervalUnions(), Line(), 7),
    "halfspaces": (HalfspaceQueries(), Tilted(), 9),
    "affine": (AffineHalfspaceQueries(), Scattered(support=9, heavy=0.3), 6),
    "cube": (CubeStumpQueries(dimension=7), Product(bias=0.4), 0),
    "stumps": (StumpQueries(d=2), HeavyAtoms(total=0.4), 6),
}


def made(name: str, rng: np.random.Generator) -> Cover:
    query_class, marginal, m = CASES[name]
    if not m:
        return query_class.grid(marginal, 2)
    return query_class.cover(marginal, query_class.draw(marginal, m, rng))


def explicit(cover: Cover) -> tuple[np.ndarray, np.ndarray]:
    """The queries as a matrix on all cells of X̃, and D on these; products are written out."""
    if isinstance(cover, FiniteCover):
        return cover.holds.astype(float), cover.masses
    if isinstance(cover, RunsCover):
        counts = [part.stop - part.start for part in cover.segments]
        rows = np.zeros((cover.queries, int(cover.ends[-1])))
        for row, starts, stops in zip(rows, cover.starts, cover.stops, strict=True):
            for start, stop in zip(starts, stops, strict=True):
                row[start:stop] = 1
        places = np.stack([each.ravel() for each in np.meshgrid(*map(np.arange, counts), indexing="ij")])
        shares = [cover.masses[part] for part in cover.segments]
        on_cells = np.prod([share[at] for share, at in zip(shares, places, strict=True)], axis=0)
        chosen = cover._segment
        own = [rows[i, cover.ends[s] : cover.ends[s + 1]][places[s]] for i, s in enumerate(chosen)]
        return np.array(own), on_cells
    p = cover.queries
    cells = np.array(np.meshgrid(*[[0, 1]] * p, indexing="ij")).reshape(p, -1)
    return cells.astype(float), np.prod(np.where(cells, cover.masses[:, None], 1 - cover.masses[:, None]), axis=0)


def noise(plan: PmwPlan, queries: int, rng: np.random.Generator) -> tuple[PmwNoise, PrintedSparse]:
    """The same for both."""
    tests, thresholds = rng.laplace(0, 2 * plan.test, 2 * queries), rng.laplace(0, plan.test, 2 * queries)
    values, first = rng.laplace(0, plan.value, 2 * queries), float(rng.laplace(0, plan.test))
    ours = PmwNoise(tests, first, lambda own: thresholds[own], lambda own: values[own])
    return ours, PrintedSparse(plan.threshold, plan.c, first, tests, thresholds, values)


# The noise of the tests is so large that both tests of a query exceed now and then, and c so small that runs halt.
PLANS = {
    "quiet": PmwPlan(c=1000, eta=0.3, threshold=0.08, test=0.001, value=0.01),
    "loud": PmwPlan(c=1000, eta=0.2, threshold=0.1, test=0.2, value=0.05),
    "halting": PmwPlan(c=3.5, eta=0.3, threshold=0.05, test=0.1, value=0.02),
}


@pytest.mark.at_once("thresholds-loud", "halfspaces-quiet", "affine-halting", "cube-loud", "stumps-halting")
@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
@pytest.mark.parametrize("name", CASES)
def test_every_decision_is_that_of_the_printed_algorithm(name: str, plan: PmwPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(8)
    both = halts = updates = 0
    for block in (1, 2, 5, 4096):
        monkeypatch.setattr(numeric_sparse, "BLOCK", block)
        for _ in range(10):
            cover = made(name, rng)
            matrix, cells = explicit(cover)
            ours, printed = noise(plan, cover.queries, rng)
            done = pmw(cover, matrix @ cells, plan, ours)
            answers, updated = printed_pmw(matrix, cells, printed, plan.eta)
            assert done.updated.tolist() == updated
            assert done.halted == printed.halted
            np.testing.assert_allclose(done.answers, answers, atol=1e-12)
            both += printed.count > len(updated)
            halts += printed.halted
            updates += len(updated)
    assert updates > 20
    assert (halts > 0) == (plan.c < 10)
    assert both > 0 or plan.test < 0.1


def test_the_numbers_are_those_that_are_printed() -> None:
    plan = PmwPlan.of(queries=50, log_cells=log(200), n=10**6, accuracy=0.05, beta=0.02, eps=0.7, delta=1e-5)
    c = 4 * log(200) / 0.05**2
    assert plan.c == pytest.approx(c) and plan.eta == 0.025
    threshold = (2 + 32 * sqrt(2)) * sqrt(c * log(2 / 1e-5)) * (log(50) + log(4 * c / 0.02)) / (0.7 * 10**6)
    assert plan.threshold == pytest.approx(threshold)
    for scale, share in ((plan.test, sqrt(512) / (sqrt(512) + 1)), (plan.value, 1 / (sqrt(512) + 1))):
        assert scale == pytest.approx(sqrt(32 * c * log(2 / 1e-5)) / (0.7 * share) / 10**6)


def test_drawn_noise_has_its_scales() -> None:
    """Kolmogorov–Smirnov at 1e-7 each: false with probability 4e-7."""
    plan = PLANS["loud"]
    drawn = PmwNoise.drawn(plan, 20_000, np.random.default_rng(3))
    own = np.arange(20_000)
    firsts = [PmwNoise.drawn(plan, 1, np.random.default_rng([4, i])).first for i in range(4000)]
    for found, scale in (
        (drawn.tests, 2 * plan.test),
        (np.array(firsts), plan.test),
        (drawn.thresholds(own), plan.test),
        (drawn.values(own), plan.value),
    ):
        assert stats.kstest(found, stats.laplace(scale=scale).cdf).pvalue > 1e-7


@pytest.mark.parametrize("eps", [0.1, 1.0, 5.0])
def test_a_run_spends_less_than_it_says(eps: float) -> None:
    """By pure epochs, each of a test and of a value: an independent way is Theorem 3.20 of DR14, which is never less."""
    n = 10**7
    plan = PmwPlan.of(queries=50, log_cells=log(200), n=n, accuracy=0.05, beta=0.02, eps=eps, delta=1e-6)
    share, c = 2 / (n * plan.test) + 1 / (n * plan.value), ceil(plan.c)
    theorem = sqrt(2 * c * log(1e6)) * share + c * share * np.expm1(share)
    assert plan.spent(n, 1e-6) == pytest.approx(compose_pure(share, c, 1e-6))
    assert plan.spent(n, 1e-6) < min(eps, theorem)
    assert replace(plan, test=plan.test / 4).spent(n, 1e-6) > eps


@pytest.mark.parametrize("eps", [0.1, 1.0, 5.0])
@pytest.mark.parametrize("c_updates", [0.01, 0.5, 4.0])
def test_calibrated_noise_spends_all_of_it_and_keeps_the_threshold_and_the_split(eps: float, c_updates: float) -> None:
    """By composition alone: an epoch of tests is 2/(nσ₁)-DP, its value 1/(nσ₂)-DP, and the parts are √c_split : 1 of noise."""
    n, delta, constants = 5000, 1e-6, PRINTED.changed({"c_updates": c_updates, "c_split": 9, "c_level": 0.3, "c_share": 1})
    asked = ReleaseRequest(0.2, 0.1, eps, delta, constants)
    plan = Calibrated().resolved(Size(50, log(20), 1, 1), asked, n)
    releases = ceil(c_updates * log(20) / 0.2**2)
    assert plan.c == pytest.approx(c_updates * log(20) / 0.2**2)
    assert plan.threshold == pytest.approx(0.3 * 0.2)
    assert plan.value / plan.test == pytest.approx(3)
    assert compose_pure(2 / (n * plan.test) + 1 / (n * plan.value), releases, delta) == pytest.approx(eps, rel=1e-7)
    assert eps * (1 - 1e-7) < plan.spent(n, delta) < eps


def test_what_is_shown_is_an_attack_on_as_many_epochs_of_64_tests_and_less_than_is_spent() -> None:
    """By the tests' noise alone, in units of what a point moves them by: 20 on a threshold of 50."""
    n, delta, scale, releases = 1000, 1e-6, 20.0, 3
    plan = PmwPlan(2.5, 0.1, 50 / n, scale / n, 10 / n)
    tests = Calibration("", "", VALUES, lambda *_: scale, lambda *_: 50.0)
    attack = strongest_witness(tests, 1.0, delta, 64 * releases, releases - 1)
    assert attack.n == releases and plan.shown(n, delta) == pytest.approx(attack.eps)
    assert 0.5 * compose_pure(2 / scale, releases, delta) < plan.shown(n, delta) < plan.spent(n, delta)


def test_a_single_cell_of_the_domain_needs_no_noise() -> None:
    cover = AffineHalfspaceQueries().cover(Scattered(support=1), np.zeros(3, np.int64))
    plan = PmwPlan.of(cover.queries, cover.log_cells, 100, 0.1, 0.05, 1.0, 1e-6)
    done = pmw(cover, cover.expected, plan, PmwNoise.drawn(plan, cover.queries, np.random.default_rng(0)))
    assert cover.queries == 2 and cover.error(np.clip(done.answers, 0, 1)) == pytest.approx(0, abs=1e-12)
