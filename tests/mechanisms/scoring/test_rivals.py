"""Noisy averages and the noisy median: their laws by brute force, and what they certify by the definition of privacy."""

from math import exp, sqrt
from unittest.mock import Mock

import numpy as np
import pytest
from scipy.stats import ks_2samp, norm

from harness.mechanisms import scoring
from harness.mechanisms.scoring import DRAWN, ScorePlan, ScoreRequest, average, means, scorings
from harness.mechanisms.scoring.means import extremes
from harness.scores import Scorer
from harness.scores.atoms import ScoreAtoms
from harness.scores.means import LabelMeans
from harness.theory.constants.btt18a_scores import REPAIRED, ScoreTask
from harness.theory.privacy.composition import compose_pure

ERROR = 1e-8  # chance that one test of a law fails though the code is right
SCORER = Scorer(ScoreAtoms(), LabelMeans(), "sufficient")


def asked(m: int = 1000, n: int = 10**9, eps: float = 1.0, chunks: int | None = None) -> ScoreRequest:
    task = ScoreTask(m, 1.0, eps, 1e-6, 0.05)
    return ScoreRequest(task, REPAIRED, n, 0.02, SCORER.stability, SCORER.means, chunks=chunks)


@pytest.mark.parametrize("r", [1, 2, 30])
def test_extremes_are_those_of_so_many_normal_numbers(r: int) -> None:
    rng, trials = np.random.default_rng(r), 4000
    least, most = extremes(np.full(trials, r), rng)
    drawn = rng.normal(size=(trials, r))
    assert ks_2samp(most, drawn.max(axis=1)).pvalue > ERROR
    assert ks_2samp(least, drawn.min(axis=1)).pvalue > ERROR
    assert ks_2samp(most - least, drawn.max(axis=1) - drawn.min(axis=1)).pvalue > ERROR
    if r > 1:
        assert ks_2samp(extremes(np.full(trials, r + r // 2), rng)[1], drawn.max(axis=1)).pvalue < 1e-6


def test_extremes_of_a_million_million() -> None:
    least, most = extremes(np.array([10**12, 0]), np.random.default_rng(0))
    assert 6.5 < most[0] < 9 and -9 < least[0] < -6.5 and most[1] == 0


def test_noise_is_added_to_averages_and_cut_off_at_the_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three queries at each of 400 points that have one average: against the least and the largest of 2,000 draws."""
    monkeypatch.setattr(means, "average", lambda *given: np.full(400, 0.1))
    rng, plan = np.random.default_rng(5), ScorePlan(n=9, k=3, s=3, noise={"sigma": 0.2})
    found = scorings()["gaussian_mean"].answer(plan, SCORER, np.full(400, 3), rng, rng)
    drawn = np.clip(0.1 + 0.2 * rng.normal(size=(2000, 3)), 0, 1)
    for ours, plain in ((found.low, drawn.min(axis=1)), (found.high, drawn.max(axis=1))):
        assert ks_2samp(ours, plain, method="asymp").pvalue > ERROR
    assert found.low.min() == 0 and (found.low <= found.high).all()
    monkeypatch.setattr(means, "average", lambda *given: np.full(400, 0.9))
    single = scorings()["gaussian_mean"].answer(plan, SCORER, np.ones(400, np.int64), rng, rng)
    assert single.low.max() == 1 and np.array_equal(single.low, single.high)


def test_averages_of_many_predictions_have_the_mean_and_deviation_of_all() -> None:
    """Against the exact law at q = 1: the average of k means of s labels is a mean of ks labels. False failure below 1e-8."""
    k, s, trials = 4 * DRAWN, 9, 400
    rng = np.random.default_rng(3)
    ours = np.array([average(SCORER, rng, s, k)[0] for _ in range(trials)])
    exact = rng.binomial(k * s, 0.5, 5000) / (k * s)
    assert ks_2samp(ours, exact).pvalue > ERROR
    assert ks_2samp(ours, 0.5 + 1.6 * (exact - 0.5)).pvalue < 1e-3


def test_what_the_gaussian_certifies_is_what_was_asked() -> None:
    plan = scorings()["gaussian_mean"].plan(asked(chunks=500))
    assert plan.spent == pytest.approx(1.0, rel=1e-9)
    mu = sqrt(1000) / (500 * plan.noise["sigma"])  # δ(ε) of one Gaussian of shift μ (Balle, Wang 2018)
    delta = norm.cdf(mu / 2 - 1 / mu) - exp(1) * norm.cdf(-mu / 2 - 1 / mu)
    assert delta == pytest.approx(1e-6, rel=1e-6)
    assert scorings()["mean"].plan(asked()).spent == float("inf")


def test_the_median_is_pure_for_each_query_and_near_the_middle() -> None:
    """Weights of two neighbouring sets of predictions are within e^ε₀ of each other, cell by cell."""
    mechanism = scorings()["median_exponential"]
    plan = mechanism.plan(asked())
    assert plan.spent == pytest.approx(compose_pure(plan.noise["share"], 1000, 1e-6)) and plan.spent <= 1 + 1e-6
    rng = np.random.default_rng(0)
    found = mechanism.answer(plan, SCORER, np.array([1000]), rng, rng)
    assert plan.bound is not None and 0 < found.error(SCORER.means(plan.s)) <= plan.bound
    few = mechanism.plan(asked(chunks=100))
    assert few.bound is None and "not more than" in str(few.reason)


@pytest.mark.parametrize("name", ["median_exponential", "gaussian_mean", "mean"])
def test_in_several_trials_at_once_every_query_has_the_score_of_its_own_point(name: str) -> None:
    """Of three points with far apart means: answers of 5 trials of 30 queries each are within 0.1 of these."""
    scorer, sizes = (
        Scorer(ScoreAtoms(masses=(0.3, 0.3, 0.4), chances=(0.1, 0.8, 0.5)), LabelMeans(), "sufficient"),
        np.full((5, 3), 10),
    )
    plan = scorings()[name].plan(asked(m=30))
    found = scorings()[name].answer(plan, scorer, sizes, *map(np.random.default_rng, (1, 2)))
    for end in (found.low, found.high):
        assert end.shape == (5, 3) and np.abs(end - scorer.means(plan.s)).max() < 0.1


def test_a_bound_that_says_nothing_has_a_reason() -> None:
    for name, mechanism in scorings().items():
        plan = mechanism.plan(asked(n=10**4, eps=0.1))
        assert (plan.bound is None) == (plan.reason is not None), name
    wide = scorings()["A_SL_Quer"].plan(asked(n=10**6))
    assert wide.bound is None and "wide" in str(wide.reason)


@pytest.mark.parametrize("k", [1, 7, DRAWN])
def test_an_average_of_no_more_predictions_than_are_drawn_is_theirs(k: int) -> None:
    one, other = (np.random.default_rng(4) for _ in range(2))
    assert np.array_equal(average(SCORER, one, 9, k), SCORER.predictions(other, 9, k).mean(axis=0))
    assert average(SCORER, one, 9, k, trials=3).shape == (3, SCORER.types)


def test_predictions_beyond_those_that_are_drawn_enter_by_the_variance_of_these(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of nine, three of which are drawn: s², a sum of squares over two."""
    monkeypatch.setattr(scoring, "DRAWN", 3)
    drawn, rng = np.array([[0.1, 0.5], [0.2, 0.9], [0.6, 0.1]]), np.random.default_rng(4)
    scorer = Mock(types=2, predictions=Mock(return_value=drawn), means=Mock(return_value=np.array([0.3, 0.4])))
    spread = np.sqrt(6 * np.square(drawn - drawn.mean(axis=0)).sum(axis=0) / 2) * np.random.default_rng(4).normal(size=2)
    assert average(scorer, rng, 5, 9) == pytest.approx((drawn.sum(axis=0) + 6 * np.array([0.3, 0.4]) + spread) / 9)
