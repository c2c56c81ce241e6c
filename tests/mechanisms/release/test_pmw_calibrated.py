"""PMW at its best against the printed algorithm, at numbers that are worked out here, and against dp-accounting.

What it promises is worked out from dp-accounting's share of ε, held against noise that does all the harm it may, and kept to.
"""

from dataclasses import replace
from math import ceil, inf, log, sqrt

import numpy as np
import pytest
from dp_accounting.pld.common import DifferentialPrivacyParameters
from dp_accounting.pld.privacy_loss_distribution import from_privacy_parameters
from scipy import optimize, stats

from harness.covers import Cover, Size
from harness.covers.line import HeavyAtoms
from harness.covers.thresholds import ThresholdQueries
from harness.mechanisms.release import EXAMPLE, Problem, Released, ReleaseRequest, Site, releases
from harness.mechanisms.release.numeric_sparse import PmwNoise, PmwPlan
from harness.mechanisms.release.weights_calibrated import Calibrated
from harness.theory.constants.bcmnuw20 import PRINTED, PROVED
from tests.support.pages import FOLDER
from tests.support.printed_pmw import PrintedSparse, printed_pmw

DELTA, ALPHA, CELLS = 1e-6, 0.2, 60
SHARE, UPDATES, ETA, LEVEL, SPLIT = 0.5, 1.5, 1.5, 0.15, 2.5
SET = PRINTED.changed({"c_share": SHARE, "c_updates": UPDATES, "c_eta": ETA, "c_level": LEVEL, "c_split": SPLIT})
ACCURACY = ALPHA / SHARE
RELEASES = ceil(UPDATES * log(CELLS) / ACCURACY**2)
PROVING = {"c_share": 1.05, "c_updates": 8.5, "c_eta": 1, "c_level": 0.375, "c_split": 25}
COVER: Cover = ThresholdQueries().grid(HeavyAtoms(total=0.6, first=0.3), CELLS)


def site(n: int, trials: int | None = None) -> Site:
    return Site(COVER, n, COVER.private(n, np.random.default_rng(1), trials))


def made(at: Site, eps: float, seed: int = 0) -> Released:
    given = Problem(ReleaseRequest(ALPHA, 0.1, eps, DELTA, SET), at, False, lambda: at)
    return releases()["PMW_calibrated"].release(given, np.random.default_rng(seed))


def promising(**other: float) -> ReleaseRequest:
    """At constants with which something is proved, or some of them others."""
    return ReleaseRequest(ALPHA, 0.1, 1.0, DELTA, PRINTED.changed(PROVING | other))


def off(size: Size, n: int, request: ReleaseRequest) -> float:
    """What is promised of it."""
    error = releases()["PMW_calibrated"].error(size, n, request)
    assert error is not None
    return error


def composed(share: float, releases: int) -> float:
    """The ε of so many mechanisms that are (share, 0)-DP, whatever they are, by dp-accounting."""
    one = from_privacy_parameters(DifferentialPrivacyParameters(share, 0.0), value_discretization_interval=share / 200)
    return float(one.self_compose(releases).get_epsilon_for_delta(DELTA))


@pytest.mark.at_once("400-1.0", "1000000-0.2")
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


def test_what_it_promises_is_worked_out_from_the_share_of_dp_accounting() -> None:
    """The scales t and 5t of noises follow from 2/(nt) + 1/(5nt), and from these how far it may be off."""
    own, size, accuracy = releases()["PMW_calibrated"], Size(CELLS + 1, log(CELLS)), ALPHA / 1.05
    releases_most = ceil(8.5 * log(CELLS) / accuracy**2)
    share = optimize.brentq(lambda each: composed(each, releases_most) - 1, 1e-3, 1e-1, rtol=1e-6)
    needed = own.needed(size, promising())
    assert needed is not None and off(size, needed, promising()) <= ALPHA < off(size, needed - 1, promising())
    for n in (needed, 3 * needed, 10**9):
        scale, third = 2.2 / (n * share), 0.05 / 3
        tests = 2 * scale * log(2 * (CELLS + 1) / third) + scale * log(releases_most / third)
        sample = sqrt(2 * log(2 * (CELLS + 1) / 0.05) / n)
        assert off(size, n, promising()) == pytest.approx(sample + 2 * (0.375 * accuracy + tests), rel=2e-3)
        # Weights come nearer by so much at each update, where all noises are as large as that leaves them; to a hundredth.
        apart = 0.375 * accuracy - tests
        assert 1.01 * releases_most * (accuracy * apart - accuracy**2 / 8) > log(CELLS)
        assert 1.01 * apart > 5 * scale * log(releases_most / third)


@pytest.mark.parametrize(
    "other", [{"c_updates": 4}, {"c_eta": 0.3}, {"c_level": 0.2}, {"c_split": 10**4}, {"c_share": 0.5}], ids=str
)
def test_nothing_is_promised_where_it_may_halt_or_err_more(other: dict[str, float]) -> None:
    """Weights may need more updates than it has, steps be too long, a threshold too low, values too noisy or α' too large."""
    own, size = releases()["PMW_calibrated"], Size(CELLS + 1, log(CELLS))
    many = 10**9 if "c_split" not in other else own.needed(size, promising())
    assert many is not None and off(size, many, promising(**other)) > ALPHA
    assert off(size, 1, promising()) == inf


@pytest.mark.parametrize("name", ["one cell", "two cells", "uneven", "ranked"])
def test_no_noise_within_its_bounds_makes_it_halt_or_err_more_than_is_promised(name: str) -> None:
    """All noises are as large as the union bound leaves them, with signs drawn anew; the run is the printed algorithm's."""
    masses = {
        "one cell": np.eye(CELLS)[17],
        "two cells": (np.eye(CELLS)[5] + np.eye(CELLS)[40]) / 2,
        "uneven": np.random.default_rng(3).dirichlet(np.full(CELLS, 0.05)),
        "ranked": np.arange(1, CELLS + 1.0) ** -2 / (np.arange(1, CELLS + 1.0) ** -2).sum(),
    }[name]
    own, matrix, chance = releases()["PMW_calibrated"], COVER.table().astype(float), 0.05
    needed = own.needed(Size(len(matrix), log(CELLS)), promising())
    assert needed is not None
    plan, worst, updates = Calibrated.resolved(COVER, promising(), needed), 0.0, 0
    off, c, rng = plan.off(len(matrix), log(CELLS), chance), ceil(plan.c), np.random.default_rng(4)
    test, value = 2 * plan.test * log(6 * len(matrix) / chance), plan.value * log(3 * c / chance)
    first = plan.test * log(3 * c / chance)
    for up in (0.0, 0.5, 1.0):
        for _ in range(10):
            tests, thresholds, values = (
                size * np.where(rng.random(2 * len(matrix)) < up, 1, -1) for size in (test, first, value)
            )
            sparse = PrintedSparse(plan.threshold, plan.c, first * (1 - 2 * up), tests, -thresholds, values)
            order = rng.permutation(len(matrix))
            answers, updated = printed_pmw(matrix[order], masses, sparse, plan.eta)
            assert not sparse.halted
            worst, updates = max(worst, float(np.abs(answers - matrix[order] @ masses).max())), updates + len(updated)
    assert updates > 30 and 0.4 * off < worst <= off


def test_as_many_points_as_it_asks_for_are_enough() -> None:
    """In 60 runs; were it off with probability β = 0.1, more than 25 would be with one below 1e-10."""
    own = releases()["PMW_calibrated"]
    needed = own.needed(Size(COVER.queries, COVER.log_cells), promising())
    assert needed is not None
    at = site(needed, 60)
    done = own.release(Problem(promising(), at, False, lambda: at), np.random.default_rng(8))
    assert not np.any(done.halted) and np.all(np.greater(done.updates, 0))  # type: ignore[arg-type]
    assert (COVER.cover_error(done.answers) > ALPHA).sum() <= 25


def test_with_public_points_it_is_run_at_half_of_alpha_as_its_promise_has_it() -> None:
    own, at = releases()["PMW_calibrated"], site(10**6)
    halved, whole = (
        own.release(Problem(promising(), at, public, lambda: at), np.random.default_rng(1)) for public in (True, False)
    )
    assert halved.noise["accuracy"] == pytest.approx(ALPHA / 2 / 1.05) and whole.noise["accuracy"] == pytest.approx(
        ALPHA / 1.05
    )
    assert halved.noise == own.numbers(COVER, 10**6, promising().halved()) and halved.spent == pytest.approx(1.0)


def test_the_page_says_how_many_points_are_proved_to_be_enough() -> None:
    size, asked = Size(201, log(200), 1, 1), ReleaseRequest(0.1, 0.05, 1.0, DELTA, PROVED, sharp=True)
    needed = [releases()["PMW_calibrated"].needed(size, replace(asked, constants=PRINTED.changed(PROVING)))]
    needed += [releases()[name].needed(size, asked) for name in ("PMW", "mwem", "square_root_sums")]
    assert needed == pytest.approx([1.9e6, 4.4e7, 2.8e5, 2600], rel=0.03)
    said = [f"{key}: {value:g}" for key, value in PROVING.items()] + ["1.9·10⁶ points", "4.4·10⁷", "2.8·10⁵", "sums of 2,600"]
    assert all(text in (FOLDER / "averages.md").read_text("utf-8") for text in said)
