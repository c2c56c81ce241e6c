"""Atoms labelled by majority of given labels: the learner's error, the points that matter, and counts at any n.

What every class must do is in test_transfer.py. Tests of laws fail on a right implementation with probability below 1e-7 each.
"""

from collections.abc import Callable
from math import sqrt

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom, chisquare

from harness.ballots import Queries
from harness.concepts.atoms import AtomsSampler, Hard, missed_law
from harness.concepts.cube_stumps import CubeStumps
from tests.support.situations import situation_of

Reals = NDArray[np.float64]
BinomialCounts = Callable[[NDArray[np.int64], int, Reals], None]


def points(*atoms: int) -> Queries:
    x = np.array(atoms, np.float64)
    return Queries(x, (x == 0).astype(np.int8))


@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_each_rare_atom_gets_the_majority_of_its_labels_and_by_default_the_wrong_one(noise: float) -> None:
    """Atoms 1 to 5: right by two to one, wrong, tied, unseen, right by one; the heavy one is labelled 1 whatever is said."""
    sampler = AtomsSampler(5, 0.1, noise)
    queries, labels = points(1, 1, 1, 2, 3, 3, 5, 0, 0), np.array([0, 1, 0, 1, 0, 1, 0, 0, 0], np.int8)
    hypothesis = sampler.learn(queries, labels)
    assert hypothesis.predict(np.arange(6.0)).tolist() == [1, 0, 1, 1, 1, 0]
    assert hypothesis.error == pytest.approx(0.1 * (3 * (1 - noise) + 2 * noise))
    nothing = sampler.learn(points(), np.empty(0, np.int8))
    assert nothing.predict(np.arange(6.0)).tolist() == [1] * 6
    assert nothing.error == pytest.approx(0.5 * (1 - noise))


@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_public_points_are_those_on_rare_atoms(noise: float, assert_binomial: BinomialCounts) -> None:
    """Their number is binomial, each atom is as likely, labels are flipped on a share η, and order is random."""
    sampler, rng, m, trials = AtomsSampler(4, 0.01, noise), np.random.default_rng(1), 5000, 400
    drawn = [sampler.public(m, 50, 100, rng) for _ in range(trials)]
    assert all(left_out == 0 for _, left_out in drawn)
    x = np.concatenate([queries.points for queries, _ in drawn])
    flipped = np.concatenate([queries.truth != queries.target for queries, _ in drawn])
    assert not any(queries.target.any() for queries, _ in drawn)
    per_atom = np.bincount(x.astype(int), minlength=5)
    assert per_atom[0] == 0
    assert_binomial(per_atom[1:], m * trials, np.full(4, 0.01))
    assert_binomial(np.array([flipped.sum()]), len(x), np.array([noise]))
    numbers = np.array([len(queries.points) for queries, _ in drawn])
    assert abs(numbers.var() / (m * 0.04 * 0.96) - 1) < 6 * sqrt(2 / trials)
    pairs = np.bincount(4 * (x[:-1].astype(int) - 1) + x[1:].astype(int) - 1, minlength=16)  # neighbours are independent
    assert chisquare(pairs).pvalue > 1e-9


def test_what_a_learner_of_the_largest_n_misses_has_the_law_of_a_chunk(assert_binomial: BinomialCounts) -> None:
    """n = 10¹⁵ examples on atoms of mass ln 2/n: error = mass · (number of atoms without an example)."""
    n, trials = 10**15, 4000
    sampler = Hard().at(situation_of(n, "erm", concept=CubeStumps(p=64)))
    assert isinstance(sampler, AtomsSampler)
    rng, missed = np.random.default_rng(2), np.empty(trials, dtype=np.int64)
    for trial in range(trials):
        examples, left_out = sampler.public(n, 1, n, rng)
        assert left_out == 0
        missed[trial] = round(sampler.learn(examples, examples.truth).error / sampler.mass)
    assert_binomial(np.bincount(missed, minlength=7), trials, missed_law(6, sampler.mass, n))


@pytest.mark.parametrize(("mass", "noise", "n"), [(0.05, 0.3, 60), (0.1, 0.45, 200)])
def test_a_learner_on_its_own_noisy_examples_is_wrong_on_an_atom_where_its_majority_is(
    mass: float, noise: float, n: int, assert_binomial: BinomialCounts
) -> None:
    """P(no more right labels than wrong ones), summed over how many examples an atom has."""
    sampler, rng, trials = AtomsSampler(3, mass, noise), np.random.default_rng(3), 20_000
    wrong = np.zeros(3, dtype=np.int64)
    for _ in range(trials):
        examples, _ = sampler.public(n, 1, n, rng)
        wrong += sampler.learn(examples, examples.truth).predict(np.arange(1.0, 4.0))
    hits = np.arange(n + 1)
    chance = float(binom.pmf(hits, n, mass) @ binom.cdf(hits // 2, hits, 1 - noise))
    assert_binomial(wrong, trials, np.full(3, chance))


def test_of_more_examples_than_could_be_drawn_the_least_mistakes_are_a_share_gamma() -> None:
    """n = 10¹⁵ on atoms of a fixed mass: nγ mistakes, within six standard deviations; without noise none."""
    n, rng = 10**15, np.random.default_rng(4)
    sampler = AtomsSampler(6, 0.1, 0.2)
    mistakes, left_out = sampler.least_mistakes(n, rng)
    assert left_out == 0
    assert abs(mistakes - 0.12 * n) < 6 * sqrt(n * 0.12 * 0.88)
    examples, _ = sampler.public(n, 1, n, rng)
    assert len(examples.points) <= 6
    assert sampler.learn(examples, examples.truth).error == pytest.approx(0.12)
    assert AtomsSampler(6, 0.1, 0.0).least_mistakes(n, rng) == (0, 0.0)


@pytest.mark.parametrize("s", [50, 10**6, 10**12])
@pytest.mark.parametrize("share", [1e-3, 0.3])
def test_only_the_hits_that_are_likely_are_looked_at(s: int, share: float) -> None:
    """Else noisy votes would cost as much as there are examples. What is left out has a chance below 1e-17 on either side."""
    hits, err = AtomsSampler(2, share, 0.4)._hits(np.array([s]), share)
    assert len(hits) == len(err) <= 22 * sqrt(s * share * (1 - share)) + 50
    assert binom.cdf(hits[0] - 1, s, share) < 1e-17
    assert binom.sf(hits[-1], s, share) < 1e-17
