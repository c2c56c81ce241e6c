"""Thresholds with random classification noise: the law of the least risk, its two samplers and what they leave out.

False-failure probability: 1e-9 for each statistical case (`conftest.py`).
"""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from harness.ballots import Queries
from harness.concepts import noisy_thresholds as noisy
from harness.concepts.thresholds import Thresholds, Uniform
from harness.concepts.thresholds.samplers import LEARNERS, MISSED
from tests.support.situations import situation_of

Ints = NDArray[np.int64]
Reals = NDArray[np.float64]
SameLaw = Callable[[Ints, Ints], None]
BinomialCounts = Callable[[Ints, int, Reals], None]

every_learner = pytest.mark.parametrize("learner", LEARNERS)
every_eta = pytest.mark.parametrize("eta", [1e-6, 0.01, 0.1, 0.25, 0.4, 0.45])


def at_offsets(offsets: Reals, rng: np.random.Generator, gamma: float = 0.3) -> Queries:
    """Queries there, some with the wrong label."""
    return Queries(offsets, (offsets >= 0).astype(np.int8)).flipped(gamma, rng)


# Where the least risk lies


def by_heights(eta: float, size: int) -> Reals:
    """P(number j on the side of ties) summed over heights: the walk back to the target stays at or above the minimum, ends h
    above it with probability height[h], and on the other side never falls below it again.
    """
    fall = eta / (1 - eta)
    height = np.zeros(size + 1)
    height[0] = 1
    law = np.empty(size)
    for j in range(size):
        law[j] = (1 - 2 * eta) * height @ (1 - fall ** np.arange(1, size + 2))
        height = eta * np.append(0, height[:-1]) + (1 - eta) * np.append(height[1:], 0)
    return law


@every_eta
def test_the_law_of_the_gap_is_what_summing_over_heights_gives(eta: float) -> None:
    law = noisy.gap_law(eta, 1e-18)
    size = min(len(law), 400)
    assert law[:size] == pytest.approx(by_heights(eta, size), rel=1e-9, abs=1e-18)


@pytest.mark.law
@pytest.mark.parametrize("eta", [0.05, 0.2, 0.3])
@pytest.mark.parametrize("side", [-1, 1])
def test_the_law_of_the_gap_is_that_of_drawn_walks(eta: float, side: int, assert_binomial: BinomialCounts) -> None:
    """300 examples a side: the least risk is farther with probability below 1e-10 at η = 0.3."""
    rng, k, size = np.random.default_rng(1), 20_000, 300
    away = np.cumsum(np.where(rng.random((2, k, size)) < eta, -1, 1), axis=2)
    risk = np.concatenate([away[0, :, ::-1], np.zeros((k, 1)), away[1]], axis=1)
    number = (risk.argmin(axis=1) if side < 0 else 2 * size - risk[:, ::-1].argmin(axis=1)) - size
    law = noisy.gap_law(eta, MISSED)[:12]
    at = np.bincount(np.clip(side * number, -size, size) + size, minlength=2 * size + 1)
    assert_binomial(at[size : size + 12], k, law)
    assert_binomial(at[size - 12 : size][::-1], k, eta / (1 - eta) * law)


@every_eta
@pytest.mark.parametrize("missed", [0.5, 1e-3, 1e-9, 1e-18])
def test_gaps_out_of_reach_have_at_most_the_stated_probability(eta: float, missed: float) -> None:
    left_out = 1 - noisy.gap_law(eta, missed).sum() / (1 - eta)
    assert -1e-12 < left_out <= missed + 1e-12


@every_eta
@pytest.mark.parametrize("missed", [0.5, 1e-3, 1e-9, 1e-18])
@pytest.mark.parametrize("s", [20_000, 10**12])
def test_there_are_examples_enough_within_the_radius(eta: float, missed: float, s: int) -> None:
    within = noisy.radius(eta, missed, s)
    if within < 1:
        assert binom.cdf(noisy.reach(eta, missed), s, within) <= missed


@pytest.mark.parametrize("s", [50, 10**6, 10**13])
def test_the_number_of_examples_within_a_distance_is_binomial(s: int) -> None:
    a = np.array([0.0, 1e-3, 0.5, 3.0, 20.0]) / s
    expected = binom.pmf(np.arange(41), s, a[:, np.newaxis])
    assert noisy.counts_within(a, s, 40) == pytest.approx(expected, rel=1e-9, abs=1e-300)


# One threshold


@every_learner
@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("s", [600, 10**13])
def test_hardly_any_noise_is_no_noise(learner: str, side: int, s: int) -> None:
    a = np.array([0.0, 1e-6, 0.3, 1.0, 5.0, 30.0]) / s
    clean, nearly = (Uniform().at(situation_of(s, learner, gamma=gamma)) for gamma in (0.0, 1e-12))
    assert nearly.exceeds(a, side, s) == pytest.approx(clean.exceeds(a, side, s), abs=1e-11)


@every_learner
@pytest.mark.parametrize("gamma", [0.01, 0.2, 0.4])
@pytest.mark.parametrize("missed", [1e-2, 1e-4, 1e-8])
def test_a_larger_budget_moves_the_law_by_no_more_than_it(
    learner: str, gamma: float, missed: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    s = 10**6
    a, sampler = np.append(0, np.geomspace(0.01, 3000, 200)) / s, Uniform().at(situation_of(s, learner, gamma=gamma))
    exact = [sampler.exceeds(a, side, s) for side in (-1, 1)]
    assert exact[0][0] + exact[1][0] == pytest.approx(1, abs=1e-12)
    monkeypatch.setattr("harness.concepts.thresholds.samplers.MISSED", missed)
    left_out = [law - sampler.exceeds(a, side, s) for law, side in zip(exact, (-1, 1), strict=True)]
    assert 0 < left_out[0][0] + left_out[1][0] <= missed
    assert all((np.abs(part) <= missed).all() for part in left_out)


@pytest.mark.law
@every_learner
@pytest.mark.parametrize(("gamma", "s"), [(0.02, 300), (0.1, 300), (0.35, 6000)])
def test_votes_of_drawn_chunks_have_the_law_of_one_threshold(
    learner: str, gamma: float, s: int, assert_binomial: BinomialCounts
) -> None:
    """The numbers of thresholds beyond each query, and in each gap between two, in full sampling."""
    k, sampler = 20_000 if s < 1000 else 2000, Uniform(target=0.4).at(situation_of(s, learner, gamma=gamma))
    distances = np.array([0.01, 0.2, 1.0, 3.0, 6.0, 12.0]) / s
    for side in (1, -1):
        rng = np.random.default_rng([s, side + 1])
        queries = at_offsets(side * distances, rng)
        ones = sampler.full(queries, k, s, rng).counts[1]
        beyond = k - ones if side > 0 else ones
        law = sampler.exceeds(distances, side, s)
        assert_binomial(beyond, k, law)
        assert_binomial(beyond[:-1] - beyond[1:], k, law[:-1] - law[1:])


# Samplings


def learned_from(x: Reals, labels: NDArray[np.bool_], learner: str) -> float:
    """Empirical risk minimisation from the definition: every gap between the examples is tried."""
    ends = [0.0, *sorted(x.tolist()), 1.0]
    risks = [np.count_nonzero((x > (a + b) / 2) != labels) for a, b in pairwise(ends)]
    best = [gap for gap, risk in enumerate(risks) if risk == min(risks)]
    gap = best[-1 if learner == "rightmost" else 0]
    at: dict[str, float] = {"leftmost": ends[gap], "rightmost": ends[gap + 1], "midpoint": (ends[gap] + ends[gap + 1]) / 2}
    return at[learner]


@every_learner
@pytest.mark.parametrize(
    ("s", "eta"),
    [
        (1, 0.3),
        (2, 0.4),
        (7, 0.3),
        (10, 1.0),
        (11, 1.0),
        (20, 0.1),
        (20, 0.45),
        pytest.param(180, 1.0, marks=pytest.mark.law),
        pytest.param(181, 1.0, marks=pytest.mark.law),
    ],
)
def test_full_sampling_minimises_the_empirical_risk(learner: str, s: int, eta: float) -> None:
    target, side = 0.3, 1 if learner == "rightmost" else -1
    x = np.sort(np.random.default_rng(s).random((300, s)))
    labels = (x >= target) ^ (np.random.default_rng(2).random(x.shape) < eta)
    gaps = noisy.least_risk_gaps(x, target, eta, side, np.random.default_rng(2))
    learned = LEARNERS[learner](*gaps)
    assert learned == pytest.approx([learned_from(*chunk, learner) for chunk in zip(x, labels, strict=True)], abs=1e-15)


@pytest.mark.parametrize("k", [1, 2, 30])
def test_the_most_mistakes_are_those_of_the_worst_threshold(k: int) -> None:
    rng = np.random.default_rng(k)
    for spread in (0.0, 0.05, 1.0):
        queries = at_offsets(rng.random(50) - 0.5, rng)
        learned = spread * (rng.random(k) - 0.5)
        labels = queries.points >= learned[:, np.newaxis]
        worst = np.count_nonzero(labels != queries.truth, axis=1).max()
        assert noisy.most_mistakes(labels.sum(axis=0), k, queries) == worst


def assert_samplings_agree(learner: str, gamma: float, s: int, k: int, assert_same_law: SameLaw) -> None:
    sampler, rng = Uniform(target=0.45).at(situation_of(s, learner, gamma=gamma)), np.random.default_rng([s, k])
    queries = at_offsets(np.array([-3.0, 0.2, 5.0, -0.1, 1.0, -1.0, 2.5, -8.0, 40.0]) / s, rng)
    samples = []
    for draw in (sampler.sufficient, sampler.full):
        ballots = [draw(queries, k, s, rng) for _ in range(1500)]
        assert {ballot.tv_budget for ballot in ballots} == {3 * MISSED * k if draw == sampler.sufficient else 0.0}
        samples.append(np.array([np.append(ballot.counts[1], ballot.max_mistakes or 0) for ballot in ballots]))
    assert_same_law(*samples)


@pytest.mark.law
@every_learner
@pytest.mark.parametrize(("gamma", "s"), [(0.01, 300), (0.1, 700), (0.25, 1500)])
@pytest.mark.parametrize("k", [1, 6])
def test_both_samplings_have_one_joint_law_of_votes_and_most_mistakes(
    learner: str, gamma: float, s: int, k: int, assert_same_law: SameLaw
) -> None:
    assert_samplings_agree(learner, gamma, s, k, assert_same_law)


@pytest.mark.law
@every_learner
def test_thresholds_beyond_the_usual_radius_are_found_in_a_second_look(
    learner: str, assert_same_law: SameLaw, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second look is due once in 10¹⁸ chunks; a radius of 1.5/s makes it the rule."""
    kind = type(Uniform().at(situation_of(700, learner, gamma=0.1)))
    reach = kind.reach
    monkeypatch.setattr(kind, "reach", lambda self, k, s: (noisy.radius(self.gamma, MISSED, s), reach(self, k, s)[1]))
    monkeypatch.setattr(kind, "usual_reach", lambda self, k, s: 1.5 / s)
    assert_samplings_agree(learner, 0.1, 700, 6, assert_same_law)


@pytest.mark.parametrize(("target", "s"), [(0.5, 200), (0.02, 2000)])
def test_where_the_ends_matter_sampling_is_full_and_exact(target: float, s: int) -> None:
    sampler = Uniform(target=target).at(situation_of(s, "midpoint", gamma=0.1))
    queries = sampler.queries(1000, np.random.default_rng(1))
    one, other = (draw(queries, 50, s, np.random.default_rng(2)) for draw in (sampler.sufficient, sampler.full))
    assert np.array_equal(one.counts, other.counts)
    assert one.tv_budget == 0


@pytest.mark.at_once("midpoint")
@every_learner
def test_at_the_largest_n_wrong_votes_are_binomial(learner: str, assert_binomial: BinomialCounts) -> None:
    k, trials, gamma = 100_000, 200, 0.1
    s = 10**15 // k
    sampler, rng = Uniform().at(situation_of(s, learner, gamma=gamma)), np.random.default_rng(6)
    distances = np.array([0.001, 0.3, 1.0, 3.0, 9.0]) / s
    for side in (1, -1):
        queries = Queries(side * distances, np.full(5, side > 0, dtype=np.int8))
        wrong = sum(sampler.sufficient(queries, k, s, rng).wrong for _ in range(trials))
        assert_binomial(np.asarray(wrong), trials * k, sampler.exceeds(distances, side, s))


# Parameters


@pytest.mark.parametrize(
    ("target", "gamma", "key"), [(0.5, 0.46, "gamma"), (0.5, 0.5, "gamma"), (0.5, 0.9, "gamma"), (0.009, 0.1, "distribution")]
)
def test_noise_without_a_sampler_is_refused(target: float, gamma: float, key: str) -> None:
    refused = Uniform(target=target).refuse(situation_of(1000, gamma=gamma))
    assert refused is not None
    assert refused.parameter == key
    assert "allowed: 0" in refused.message
    assert Uniform(target=target).refuse(situation_of(1000)) is None


def test_under_noise_every_learner_has_the_agnostic_bound() -> None:
    bounds = {Thresholds().pac_bound(learner, 0.1)(10**6, 0.01) for learner in (None, *LEARNERS)}
    assert len(bounds) == 1
    assert bounds.pop() == pytest.approx(2 * np.sqrt(2 * np.log(400) / 10**6))
