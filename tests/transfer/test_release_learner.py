"""Lemma 17 as an algorithm: what it releases, and that it needs the rate of labels and the public points."""

import numpy as np
import pytest

from harness.arrays import Ints
from harness.covers import Size
from harness.covers.thresholds import ThresholdQueries
from harness.mechanisms.release import ReleaseRequest
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
