"""Lemma 17 as an algorithm: what it releases, and that it needs the rate of labels and the public points."""

from typing import Any

import numpy as np
import pytest

from harness.arrays import Ints, Reals
from harness.covers import Size
from harness.covers.thresholds import ThresholdQueries
from harness.mechanisms.release import Problem, Released, ReleaseRequest
from harness.mechanisms.release.tree import GaussianTree
from harness.theory.confidence import confidence_sequence
from harness.transfer.release_learner import FIXED, Kept, ReleasedOfLabel, ReleaseLearner, chosen
from harness.trials.learner import LearnerCell
from tests.support.same_law import assert_same_law
from tests.support.streams import streams

CELL = LearnerCell.model_validate({"alpha": 0.1, "distribution": {"name": "uniform", "target": 0.3}, "learner": "midpoint"})
CUTS = np.array([0.1, 0.25, FIXED, 0.7])


def drawn(label: int, n: int, rng: np.random.Generator) -> Ints:
    """n points with those of the other label at x₀, one by one, as counts on the cells."""
    x = rng.random(n)
    y = (x <= 0.3) ^ (rng.random(n) < 0.1)
    kept = np.where(y == label, x, FIXED)
    return np.bincount(np.searchsorted(CUTS, kept, side="left"), minlength=len(CUTS) + 1)


@pytest.mark.at_once("0")
@pytest.mark.parametrize("label", [0, 1])
def test_counts_are_those_of_points_drawn_one_by_one(label: int) -> None:
    kept, rng, n = Kept(target=0.3, gamma=0.1, label=label), np.random.default_rng(5), 15
    assert kept.rate == pytest.approx(0.1 + 0.8 * (0.3 if label else 0.7))
    own = [np.rint(n * kept.shares(CUTS, int(rng.binomial(n, kept.rate)), n, rng)) for _ in range(3000)]
    assert_same_law(np.array(own), np.array([drawn(label, n, rng) for _ in range(3000)]))


def exact(label: int) -> ReleasedOfLabel:
    """Exact averages at many cuts, off by no public sample."""
    cuts = np.unique(np.append(np.linspace(0.001, 0.999, 500), FIXED))
    cover = ThresholdQueries().cover(Kept(target=0.3, gamma=0.1, label=label), cuts)
    return ReleasedOfLabel(cuts, cover.expected)


def test_exact_averages_and_the_rate_teach_the_target() -> None:
    rate = Kept(target=0.3, gamma=0.1, label=1).rate
    assert chosen(exact(1), exact(0), rate) == pytest.approx(0.3, abs=0.004)


@pytest.mark.parametrize(("target", "learned"), [(0.0, 0.0), (1.0, 0.999)])
def test_a_target_at_an_end_is_learned(target: float, learned: float) -> None:
    """0 is no cut; beyond the last cut all thresholds are one."""
    cuts = np.unique(np.append(np.linspace(0.001, 0.999, 500), FIXED))
    kept = [Kept(target=target, gamma=0.1, label=label) for label in (0, 1)]
    zeros, ones = (ReleasedOfLabel(cuts, ThresholdQueries().cover(each, cuts).expected) for each in kept)
    assert chosen(ones, zeros, kept[1].rate) == learned


def test_without_the_rate_of_labels_it_fails() -> None:
    """With ½ in its place all that holds x₀ seems better by 1 − 2p."""
    assert chosen(exact(1), exact(0), 0.5) >= FIXED


@pytest.mark.parametrize("label", [0, 1])
def test_below_a_point_lies_all_that_is_up_to_it_but_x0_itself(label: int) -> None:
    kept, x = Kept(target=0.3, gamma=0.1, label=label), np.array([0.0, 0.2, 0.3, FIXED, 0.7, 1.0])
    assert kept.below(x) == pytest.approx(kept.upto(np.nextafter(x, 0)))
    assert kept.upto(x) - kept.below(x) == pytest.approx((1 - kept.rate) * (x == FIXED))
    assert kept.upto(x)[-1] == pytest.approx(1)


class OfNoNumber(ReleaseLearner):
    """Whose releases need one example, so that the rate of labels says how many there must be."""

    class One(GaussianTree):
        def needed(self, size: Size, request: ReleaseRequest) -> int:
            return 1

    mechanism = One()


@pytest.mark.parametrize(("alpha", "beta", "eps"), [(0.1, 0.05, 1.0), (0.04, 0.3, 0.01), (0.3, 1e-6, 20.0)])
def test_the_rate_of_labels_is_within_an_eighth_of_alpha_from_that_n_on(alpha: float, beta: float, eps: float) -> None:
    """Hoeffding's inequality for half of β, and the tail of Laplace noise, on a fifth of ε, for the other."""
    n = OfNoNumber().examples(alpha, beta, eps, 1e-6)
    off = [np.sqrt(np.log(4 / beta) / 2 / number) + np.log(2 / beta) / (0.2 * eps * number) for number in (n, n - 1)]
    assert off[0] <= alpha / 8 < off[1]


@pytest.mark.parametrize("eps", [0.3, 4.0])
def test_two_releases_and_the_rate_share_epsilon_as_two_to_two_to_one(eps: float, monkeypatch: pytest.MonkeyPatch) -> None:
    learner, n, scales = ReleaseLearner(), 10**6, list[float]()
    problem = CELL.model_copy(update={"eps": eps, "delta": 1e-5}).problem

    def recorded(scale: float, size: int, rng: np.random.Generator) -> Reals:
        scales.append(scale)
        return np.zeros(size)

    def released(self: ReleaseLearner, *asked: Any) -> ReleasedOfLabel:
        return exact(asked[1].label)

    monkeypatch.setattr("harness.transfer.release_learner.laplace", recorded)
    monkeypatch.setattr(ReleaseLearner, "released", released)
    request = learner.request(0.1, 0.05, eps, 1e-5)
    assert learner.run(problem, n, streams(1)).error < 0.02
    assert scales == [pytest.approx(5 / (eps * n))]
    assert 2 * request.eps + 1 / (scales[0] * n) == pytest.approx(eps) and 2 * request.delta == 1e-5


def test_a_release_has_all_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the halves of α and β that public points leave."""
    learner, asked = ReleaseLearner(), list[Problem]()
    problem = CELL.model_copy(update={"eps": 4.0, "delta": 1e-5}).problem

    def release(self: GaussianTree, problem: Problem, rng: np.random.Generator) -> Released:
        asked.append(problem)
        return released(self, problem, rng)

    released = GaussianTree.release
    monkeypatch.setattr(GaussianTree, "release", release)
    learner.run(problem, 10**6, streams(1))
    assert [each.request for each in asked] == [learner.request(0.1, 0.05, 4.0, 1e-5)] * 2
    assert all(each.public and each.site.n == 10**6 and each.grid() is each.site for each in asked)


@pytest.mark.law
def test_it_keeps_to_what_it_claims_and_too_few_public_points_do_not() -> None:
    """Both decided by the confidence sequence that claims use, at an error of 1e-6."""

    class Few(ReleaseLearner):
        def public(self, alpha: float, beta: float) -> int:
            return int(0.3 / alpha)

    def failures(learner: ReleaseLearner, n: int) -> int:
        return sum(learner.run(CELL.problem, n, streams(seed)).error > 0.1 for seed in range(120))

    enough, few = ReleaseLearner(), Few()
    assert confidence_sequence(failures(enough, enough.needed(CELL.problem)), 120, 1e-6, centre=0.15)[1] < 0.15
    assert confidence_sequence(failures(few, 10**12), 120, 1e-6, centre=0.15)[0] > 0.15
