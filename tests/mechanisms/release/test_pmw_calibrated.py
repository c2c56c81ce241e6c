"""PMW at its best against the printed algorithm, at numbers that are worked out here, and against dp-accounting."""

from math import ceil, log, sqrt

import numpy as np
import pytest
from dp_accounting.pld.common import DifferentialPrivacyParameters
from dp_accounting.pld.privacy_loss_distribution import from_privacy_parameters
from scipy import stats

from harness.covers import Cover, Size
from harness.covers.line import HeavyAtoms
from harness.covers.thresholds import ThresholdQueries
from harness.mechanisms.release import EXAMPLE, Problem, Released, ReleaseRequest, Site, releases
from harness.mechanisms.release.numeric_sparse import PmwNoise, PmwPlan
from harness.theory.constants.bcmnuw20 import PRINTED
from tests.support.printed_pmw import PrintedSparse, printed_pmw

DELTA, ALPHA, CELLS = 1e-6, 0.2, 60
SHARE, UPDATES, ETA, LEVEL, SPLIT = 0.5, 1.5, 1.5, 0.15, 2.5
SET = PRINTED.changed({"c_share": SHARE, "c_updates": UPDATES, "c_eta": ETA, "c_level": LEVEL, "c_split": SPLIT})
ACCURACY = ALPHA / SHARE
RELEASES = ceil(UPDATES * log(CELLS) / ACCURACY**2)
COVER: Cover = ThresholdQueries().grid(HeavyAtoms(total=0.6, first=0.3), CELLS)


def site(n: int, trials: int | None = None) -> Site:
    return Site(COVER, n, COVER.private(n, np.random.default_rng(1), trials))


def made(at: Site, eps: float, seed: int = 0) -> Released:
    given = Problem(ReleaseRequest(ALPHA, 0.1, eps, DELTA, SET), at, False, lambda: at)
    return releases()["PMW_calibrated"].release(given, np.random.default_rng(seed))


def composed(share: float, releases: int) -> float:
    """The ε of so many mechanisms that are (share, 0)-DP, whatever they are, by dp-accounting."""
    one = from_privacy_parameters(DifferentialPrivacyParameters(share, 0.0), value_discretization_interval=share / 200)
    return float(one.self_compose(releases).get_epsilon_for_delta(DELTA))


@pytest.mark.parametrize("eps", [0.2, 1.0, 3.0])
@pytest.mark.parametrize("n", [400, 3000, 10**6])
def test_a_run_is_the_printed_one_and_spends_what_dp_accounting_says(
    n: int, eps: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its plan is the one that noise is drawn for; its answers are those of the printed algorithm on that noise."""
    runs = list[tuple[PmwPlan, PrintedSparse]]()

    def drawn(plan: PmwPlan, queries: int, rng: np.random.Generator) -> PmwNoise:
        tests, thresholds, values = (rng.laplace(0, scale, 2 * queries) for scale in (2 * plan.test, plan.test, plan.value))
        first = float(rng.laplace(0, plan.test))
        runs.append((plan, PrintedSparse(plan.threshold, plan.c, first, tests, thresholds, values)))
        return PmwNoise(tests, first, lambda own: thresholds[own], lambda own: values[own])

    monkeypatch.setattr(PmwNoise, "drawn", drawn)
    at, matrix, updates, halts = site(n), COVER.table().astype(float), 0, 0
    for seed in range(40):
        done = made(at, eps, seed)
        plan, printed = runs[-1]
        assert at.shares is not None
        answers, updated = printed_pmw(matrix, at.shares, printed, ACCURACY / ETA)
        np.testing.assert_allclose(done.answers, answers, atol=1e-12)
        assert done.updates == len(updated) and done.halted == printed.halted
        updates, halts = updates + len(updated), halts + printed.halted
    assert updates > 40 and (halts > 0) == (n * eps < 2000)
    assert ceil(plan.c) == RELEASES == 39 and plan.c == pytest.approx(UPDATES * log(CELLS) / ACCURACY**2)
    assert [plan.threshold, plan.eta] == pytest.approx([LEVEL * ACCURACY, ACCURACY / ETA])
    assert plan.value / plan.test == pytest.approx(sqrt(SPLIT))
    assert done.noise["sigma"] == plan.value and done.noise["threshold"] == plan.threshold and done.noise["c"] == plan.c
    certified = composed(2 / (n * plan.test) + 1 / (n * plan.value), RELEASES)
    assert certified == pytest.approx(eps, rel=2e-3) and done.spent == pytest.approx(certified, rel=2e-3)


def test_what_is_released_has_laplace_noise_in_each_trial_of_its_own() -> None:
    """Of 3,000 trials at once, with n so large that a query is released for its share alone: Kolmogorov–Smirnov at 1e-8.

    The answer to the first query that is released in a trial is off by Lap(σ) of that trial, whichever query it is.
    """
    n = 10**6
    at = site(n, 3000)
    done = made(at, 1.0)
    released = np.abs(done.answers - COVER.answers(COVER.uniform())) > 1e-12
    first = np.arange(3000), released.argmax(axis=1)
    assert released[first].all()
    off = (done.answers - at.averages)[first]
    assert stats.kstest(off / done.noise["sigma"], "laplace").pvalue > 1e-8
    assert abs(np.corrcoef(off[:-1], off[1:])[0, 1]) < 6 / sqrt(3000)
    assert not np.isin(made(at, 1.0, seed=1).answers[first], done.answers[first]).any()


def test_a_cover_of_one_cell_needs_as_many_points_as_one_of_two() -> None:
    """There is nothing to learn, and the formula would be 0."""
    needed = [releases()["PMW"].needed(Size(300, log(cells)), EXAMPLE) for cells in (1, 2, 3)]
    assert needed[0] == needed[1] < needed[2]  # type: ignore[operator]
