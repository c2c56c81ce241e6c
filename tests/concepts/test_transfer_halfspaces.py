"""Halfspaces learned from given labels: their exact error, what is learned, and from how much.

What every class must do is in test_transfer.py. Tests of laws fail on a right implementation with probability below 1e-7 each.
"""

from collections.abc import Callable
from math import cos, pi, sin, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.stats import binom, kstest, multivariate_normal, norm

from harness.arrays import Labels
from harness.ballots import Queries
from harness.concepts import ConceptClass, Distribution, Trainable
from harness.concepts import rotation_invariant as marginals
from harness.concepts.halfspaces import AffineHalfspaces, Gaussian, Halfspaces, Sphere
from tests.support.situations import situation_of

Reals = NDArray[np.float64]
BinomialCounts = Callable[[NDArray[np.int64], int, Reals], None]

SMALL: list[ConceptClass] = [*(Halfspaces(d=d) for d in (1, 2, 3, 4)), *(AffineHalfspaces(d=d) for d in (1, 2, 3))]
LINES = [(0.3, 0.2), (1.2, -0.6), (pi / 2, 0.9), (2.9, 0.05), (0.0, 0.4), (pi, -0.4), (0.7, 1.5)]  # (angle, offset)

every_marginal = pytest.mark.parametrize("distribution", [Sphere(), Gaussian()], ids=["sphere", "gaussian"])
every_small = pytest.mark.parametrize("concept", SMALL, ids=repr)


def sampler_of(
    distribution: Distribution, concept: ConceptClass, s: int = 50, learner: str = "svm", gamma: float = 0.0
) -> Trainable:
    sampler = distribution.at(situation_of(s, learner, concept=concept, gamma=gamma))
    assert isinstance(sampler, Trainable)
    return sampler


def mislabelled(queries: Queries, share: float, rng: np.random.Generator) -> Labels:
    return (queries.target ^ (rng.random(len(queries.target)) < share)).astype(np.int8)


# The error


@pytest.mark.parametrize("marginal", [marginals.SpherePoints(), marginals.NormalPoints()], ids=repr)
@pytest.mark.parametrize("d", [1, 2, 3, 6])
def test_two_halfspaces_disagree_as_often_as_fresh_points_show(
    marginal: marginals.PointLaw, d: int, assert_binomial: BinomialCounts
) -> None:
    """False-failure probability: 1e-9 a case (`conftest.py`)."""
    lines = LINES if d > 1 else [line for line in LINES if line[0] in (0, pi)]
    x = marginal.draw(100_000, d, 1, np.random.default_rng(d))[:, :, 0]
    v = np.array([[cos(angle), sin(angle)][:d] + [0] * (d - 2) for angle, _ in lines])
    differ = (x[:, :1] >= 0) != (x @ v.T >= [offset for _, offset in lines])
    stated = np.array([marginal.disagreement(angle, offset, d) for angle, offset in lines])
    assert_binomial(np.count_nonzero(differ, axis=0), len(x), stated)


@pytest.mark.parametrize(("angle", "offset"), [line for line in LINES if 0 < line[0] < pi])
def test_the_normal_disagreement_is_that_of_the_bivariate_normal(angle: float, offset: float) -> None:
    both = multivariate_normal.cdf([0, offset], cov=[[1, cos(angle)], [cos(angle), 1]], abseps=1e-12)
    expected = 0.5 + norm.cdf(offset) - 2 * both
    assert marginals.NormalPoints().disagreement(angle, offset, 3) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("angle", "offset"), [line for line in LINES if 0 < line[0] < pi])
def test_on_the_sphere_it_is_that_of_one_coordinate_after_the_other(angle: float, offset: float) -> None:
    """In ℝ³ a coordinate is uniform on [−1, 1], and given it the others lie on a circle."""

    def beyond(first: float) -> float:
        """P(x · v ≥ offset | x_1)."""
        across = (offset - cos(angle) * first) / (sin(angle) * sqrt(1 - first**2))
        return float(np.arccos(np.clip(across, -1, 1))) / pi

    kinks = [cos(angle) * offset + sign * sin(angle) * sqrt(max(0, 1 - offset**2)) for sign in (-1, 1)]
    above, below = (
        quad(
            lambda first, low=low: beyond(first + low),
            0,
            1,
            points=sorted(kink - low for kink in kinks if low < kink < low + 1),
        )[0]
        for low in (0, -1)
    )
    assert marginals.SpherePoints().disagreement(angle, offset, 3) == pytest.approx((1 - above + below) / 2, abs=1e-7)


@pytest.mark.parametrize("marginal", [marginals.SpherePoints(), marginals.NormalPoints()], ids=repr)
@pytest.mark.parametrize("d", [2, 3, 5])
def test_extreme_lines_disagree_as_they_must(marginal: marginals.PointLaw, d: int) -> None:
    for angle in (0.0, 1e-9, 0.4, pi / 2, 3.0, pi):
        assert marginal.disagreement(angle, 0.0, d) == pytest.approx(angle / pi, abs=1e-9)
        assert marginal.disagreement(angle, 1e-12, d) == pytest.approx(angle / pi, abs=1e-9)
        assert marginal.disagreement(angle, 40.0, d) == marginal.disagreement(angle, -40.0, d) == pytest.approx(0.5)
        for offset in (0.1, 0.5, 0.999999, 1.0, 2.0):
            near, far = (marginal.disagreement(turn, offset, d) for turn in (angle, pi - angle))
            assert near == pytest.approx(marginal.disagreement(angle, -offset, d), abs=1e-9)
            assert near + far == pytest.approx(1, abs=1e-9)


@pytest.mark.at_once(
    "svm-0.0-sphere-AffineHalfspaces(d=2)",
    "erm-0.2-sphere-Halfspaces(d=3)",
    "svm-0.0-gaussian-Halfspaces(d=3)",
    "erm-0.2-gaussian-AffineHalfspaces(d=2)",
    "svm-0.0-gaussian-AffineHalfspaces(d=1)",
)
@every_small
@every_marginal
@pytest.mark.parametrize(("learner", "gamma"), [("svm", 0.0), ("erm", 0.2)])
def test_the_error_is_what_fresh_examples_show(
    distribution: Distribution, concept: ConceptClass, learner: str, gamma: float
) -> None:
    sampler, rng = sampler_of(distribution, concept, 50, learner, gamma), np.random.default_rng(concept.vc)
    for size, share in ((1, 0.0), (5, 0.0), (20, 0.3), (100, 0.1)):
        queries = sampler.queries(size, rng)
        hypothesis = sampler.learn(queries, mislabelled(queries, share, rng))
        fresh = sampler.queries(30_000, rng)
        mistakes = int(np.count_nonzero(hypothesis.predict(fresh.points) != fresh.truth))
        low, high = binom.interval(1 - 1e-9, len(fresh.truth), hypothesis.error)
        assert low <= mistakes <= high


# What is learned


@pytest.mark.at_once(
    "gaussian-AffineHalfspaces(d=2)", "sphere-Halfspaces(d=3)", "gaussian-Halfspaces(d=2)", "sphere-AffineHalfspaces(d=1)"
)
@every_small
@every_marginal
def test_the_hard_margin_is_learned_from_consistent_labels_and_the_least_risk_from_others(
    distribution: Distribution, concept: ConceptClass
) -> None:
    svm, erm = (sampler_of(distribution, concept, learner=learner) for learner in ("svm", "erm"))
    rng = np.random.default_rng(concept.vc)
    asked = svm.queries(1000, rng).points
    for _ in range(10):
        queries = svm.queries(40, rng)
        assert np.array_equal(svm.learn(queries, queries.truth).predict(queries.points), queries.truth)
        labels = mislabelled(queries, 0.3, rng)
        one, other = svm.learn(queries, labels), erm.learn(queries, labels)
        assert one.error == other.error
        assert np.array_equal(one.predict(asked), other.predict(asked))


@pytest.mark.law
@pytest.mark.parametrize(
    ("concept", "learner", "gamma"),
    [
        (Halfspaces(d=2), "svm", 0.0),
        (Halfspaces(d=3), "svm", 0.0),
        (AffineHalfspaces(d=2), "svm", 0.0),
        (Halfspaces(d=3), "erm", 0.1),
        (AffineHalfspaces(d=2), "erm", 0.1),
    ],
    ids=repr,
)
def test_a_learner_on_its_own_examples_errs_as_often_as_the_chunks_vote_wrong(
    concept: ConceptClass, learner: str, gamma: float
) -> None:
    """Means of 2000 learners each way: six standard deviations, of the learners and of the queries."""
    k, m, s = 2000, 4000, 25
    sampler, rng = sampler_of(Gaussian(), concept, s, learner, gamma), np.random.default_rng(7)
    own = [sampler.queries(s, rng) for _ in range(k)]
    errors = np.array([sampler.learn(examples, examples.truth).error for examples in own])
    voted = sampler.full(sampler.queries(m, rng), k, s, rng).wrong.mean() / k
    assert abs(errors.mean() - voted) < 6 * sqrt(2 * errors.var() / k + 0.25 / m)


@pytest.mark.law
@every_marginal
def test_among_the_most_examples_the_direction_is_off_by_the_law_of_two_spacings(distribution: Distribution) -> None:
    """n = 10¹⁵: P(error > a) = (1 − 2a)^n, by Kolmogorov and Smirnov."""
    n = 10**15
    learner = "svm" if isinstance(distribution, Sphere) else "erm"
    sampler, rng = sampler_of(distribution, Halfspaces(), n, learner), np.random.default_rng(8)
    errors = np.empty(1000)
    for trial in range(len(errors)):
        examples = sampler.public(n, 1, n, rng)
        assert examples.tv_budget < 1e-15 and examples.sizes.sum() == n
        errors[trial] = sampler.learn(*sampler.placed(examples, examples.labelled(examples.truth, 2), rng)).error
    assert kstest(2 * n * errors, "expon").pvalue > 1e-7


# From how much


@every_marginal
def test_any_labels_are_learned_from_in_up_to_four_coordinates(distribution: Distribution) -> None:
    for concept in SMALL:
        for learner in ("svm", "erm"):
            sampler = sampler_of(distribution, concept, learner=learner)
            assert sampler.most_points == {1: 10**8, 2: 10**8, 3: 4096, 4: 256}[concept.vc]
    for beyond in (Halfspaces(d=5), AffineHalfspaces(d=4)):
        assert not isinstance(distribution.at(situation_of(50, "svm", concept=beyond)), Trainable)


def test_points_come_by_types_in_the_plane_where_angles_are_all_that_counts() -> None:
    def drawn(distribution: Distribution, concept: ConceptClass, learner: str) -> int:
        sampler, rng = sampler_of(distribution, concept, learner=learner), np.random.default_rng(9)
        return len(sampler.public(10_000, 1000, 10**6, rng).points)

    assert drawn(Sphere(), Halfspaces(), "svm") < 100
    assert drawn(Sphere(), Halfspaces(), "erm") < 100
    assert drawn(Gaussian(), Halfspaces(), "erm") < 100
    assert drawn(Gaussian(), Halfspaces(), "svm") == drawn(Sphere(), Halfspaces(d=3), "svm") == 10_000
    assert drawn(Sphere(), AffineHalfspaces(d=1), "svm") == 10_000
