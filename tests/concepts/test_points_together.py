"""Public points of several trials: each trial is voted on and learned from as if it were alone.

Tests of laws fail on a right implementation with probability below 1e-6 each.
"""

import numpy as np
import pytest
from scipy.stats import beta, kstest

from harness.ballots import Queries
from harness.concepts import Situation, Trainable
from harness.concepts.atoms import AtomsSampler
from harness.concepts.committee import Committee, Misled
from harness.concepts.intervals.rare_atoms import IntervalAtomsSampler
from harness.concepts.least_risk import _extremes
from harness.concepts.thresholds.hard import HardSampler
from tests.support.cases import EVERY, Case, distinct

TRAINABLE = {name: case for name, case in distinct(EVERY).items() if isinstance(case.sampler(4000), Trainable)}
COMMITTEE = Misled(parts=5, lure=0.95).at(Situation(Committee(), "erm", 20, 0.05, alpha=0.05))
IN_PLACE: dict[str, Trainable] = {
    "atoms": AtomsSampler(3, 0.1, 0.2),
    "hard": HardSampler(target=0.5, learner="midpoint", rare=0.4, heavy=0.6, mass=0.3),
    "interval atoms": IntervalAtomsSampler(5, AtomsSampler(4, 0.1, 0.0)),
    "committee": COMMITTEE,
}
"""Whose points have one place a type, so that what is learned of given labels is no matter of chance."""


def labelled(queries: Queries, labels: int, rng: np.random.Generator) -> np.ndarray:
    """How many of a type have each label, at random, (labels, types)."""
    return np.array([rng.multinomial(size, np.full(labels, 1 / labels)) for size in queries.sizes], np.int64).T


@pytest.mark.parametrize("name", TRAINABLE)
def test_points_of_no_number_of_trials_are_those_of_one(name: str) -> None:
    case: Case = TRAINABLE[name]
    sampler = case.sampler(4000)
    assert isinstance(sampler, Trainable)
    points = sampler.public(5000, 40, 4000, np.random.default_rng(1))
    assert points.trials == 1 and points.trial is None and points.sizes.sum() == 5000


@pytest.mark.parametrize("name", IN_PLACE)
@pytest.mark.parametrize("m", [1, 3, 40, 2000])
def test_each_trial_is_learned_from_alone(name: str, m: int) -> None:
    """Also where no point of the last trial is on the last atom."""
    sampler, rng = IN_PLACE[name], np.random.default_rng(m)
    labels = 5 if name == "interval atoms" else 2
    for _ in range(20):
        queries = sampler.public(m, 7, 20, rng, trials=6)
        given = labelled(queries, labels, rng)
        found = sampler.errors(queries, given, rng)
        alone = [sampler.learn(*sampler.placed(*each, rng)).error for each in queries.by_trial(given)]
        assert found == pytest.approx(alone, abs=1e-12)


def test_members_make_their_mistakes_in_each_trial() -> None:
    queries = COMMITTEE.public(200, 7, 20, np.random.default_rng(1), trials=4)
    votes = COMMITTEE.sufficient(queries, 7, 20, np.random.default_rng(2))
    no_labels = np.zeros((2, len(queries.truth)), np.int64)
    alone = [COMMITTEE.sufficient(each, 7, 20, np.random.default_rng(2)) for each, _ in queries.by_trial(no_labels)]
    most = [each.max_mistakes for each in alone]
    assert np.asarray(votes.max_mistakes).tolist() == most and len(set(most)) > 1


@pytest.mark.parametrize("size", [1, 2, 3, 50])
def test_the_first_and_the_last_of_uniform_points_are_order_statistics(size: int) -> None:
    """And what is between them, as a share of all that is beyond the first: Kolmogorov–Smirnov at 1e-7, 4,000 times."""
    places, which, number = _extremes(np.full(4000, size), np.random.default_rng(size))
    assert len(places) == (4000 if size == 1 else 8000) and np.bincount(which, number).tolist() == [size] * 4000
    first, last = places[:4000], places[4000:]
    assert kstest(first, beta(1, size).cdf).pvalue > 1e-7
    if size > 1:
        assert kstest(last, beta(size, 1).cdf).pvalue > 1e-7
        assert kstest((last - first) / (1 - first), beta(size - 1, 1).cdf).pvalue > 1e-7
