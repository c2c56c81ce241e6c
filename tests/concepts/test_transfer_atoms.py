"""Atoms labelled by majority of given labels: the learner's error, the points that matter, and counts at any n.

What every class must do is in test_transfer.py. Tests of laws fail on a right implementation with probability below 1e-7 each.
"""

from collections.abc import Callable
from math import sqrt

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from harness.ballots import Queries
from harness.concepts import Hypothesis
from harness.concepts.atoms import AtomsSampler, Hard
from harness.concepts.cube_stumps import CubeStumps
from harness.covers.missed_atoms import missed_law
from tests.support.situations import situation_of

Reals = NDArray[np.float64]
BinomialCounts = Callable[[NDArray[np.int64], int, Reals], None]


def points(*atoms: int) -> Queries:
    x = np.array(atoms, np.float64)
    return Queries(x, (x == 0).astype(np.int8))


def own(sampler: AtomsSampler, examples: Queries, rng: np.random.Generator) -> Hypothesis:
    """What is learned from the examples' own labels."""
    return sampler.learn(*sampler.placed(examples, examples.labelled(examples.truth, 2), rng))


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
def test_public_points_are_the_atoms_with_their_numbers(noise: float, assert_binomial: BinomialCounts) -> None:
    """Each atom's number is binomial, and labels are flipped on a share η of the rare ones."""
    sampler, rng, m, trials = AtomsSampler(4, 0.01, noise), np.random.default_rng(1), 5000, 400
    drawn = [sampler.public(m, 50, 100, rng) for _ in range(trials)]
    assert all(queries.tv_budget == 0 and queries.sizes.sum() == m for queries in drawn)
    numbers = np.array([np.bincount(queries.points.astype(int), queries.sizes, minlength=5) for queries in drawn]).astype(
        np.int64
    )
    flipped = sum(int(queries.sizes[queries.truth != queries.target].sum()) for queries in drawn)
    assert all(np.array_equal(queries.target, queries.points == 0) for queries in drawn)
    per_atom = numbers.sum(axis=0)
    assert_binomial(per_atom, m * trials, np.array([0.96, *[0.01] * 4]))
    assert_binomial(np.array([flipped]), per_atom[1:].sum(), np.array([noise]))
    rare = numbers[:, 1:].sum(axis=1)
    assert abs(rare.var() / (m * 0.04 * 0.96) - 1) < 6 * sqrt(2 / trials)


@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_points_placed_on_atoms_teach_what_all_of_them_do(noise: float) -> None:
    """Any numbers of labels 0 and 1 on each type, ties and none among them; exactly, by going through all points."""
    sampler, rng = AtomsSampler(3, 0.1, noise), np.random.default_rng(5)
    for _ in range(300):
        queries = sampler.public(40, 5, 10, rng)
        given = np.array([rng.binomial(queries.sizes, 0.5), np.zeros(len(queries.truth), dtype=np.int64)])
        given[1] = queries.sizes - given[0]
        of_each = [(atom, label, given[label, i]) for i, atom in enumerate(queries.points) for label in (0, 1)]
        atoms, labels = (np.repeat([each[j] for each in of_each], [each[2] for each in of_each]) for j in (0, 1))
        all_of_them = sampler.learn(points(*atoms.astype(int)), labels.astype(np.int8))
        placed, told = sampler.placed(queries, given, rng)
        few = sampler.learn(placed, told)
        assert few.error == all_of_them.error
        assert few.predict(np.arange(4.0)).tolist() == all_of_them.predict(np.arange(4.0)).tolist()
        # Whether the labels are those of one hypothesis is the same too.
        consistent = np.array_equal(all_of_them.predict(atoms), labels)
        assert np.array_equal(few.predict(placed.points), told) == consistent


@pytest.mark.law
def test_what_a_learner_of_the_largest_n_misses_has_the_law_of_a_chunk(assert_binomial: BinomialCounts) -> None:
    """n = 10¹⁵ examples on atoms of mass ln 2/n: error = mass · (number of atoms without an example)."""
    n, trials = 10**15, 4000
    sampler = Hard().at(situation_of(n, "erm", concept=CubeStumps(p=64)))
    assert isinstance(sampler, AtomsSampler)
    rng, missed = np.random.default_rng(2), np.empty(trials, dtype=np.int64)
    for trial in range(trials):
        examples = sampler.public(n, 1, n, rng)
        assert examples.tv_budget == 0
        missed[trial] = round(own(sampler, examples, rng).error / sampler.mass)
    assert_binomial(np.bincount(missed, minlength=7), trials, missed_law(6, sampler.mass, n))


@pytest.mark.law
@pytest.mark.parametrize(("mass", "noise", "n"), [(0.05, 0.3, 60), (0.1, 0.45, 200)])
def test_a_learner_on_its_own_noisy_examples_is_wrong_on_an_atom_where_its_majority_is(
    mass: float, noise: float, n: int, assert_binomial: BinomialCounts
) -> None:
    """P(no more right labels than wrong ones), summed over how many examples an atom has."""
    sampler, rng, trials = AtomsSampler(3, mass, noise), np.random.default_rng(3), 20_000
    wrong = np.zeros(3, dtype=np.int64)
    for _ in range(trials):
        wrong += own(sampler, sampler.public(n, 1, n, rng), rng).predict(np.arange(1.0, 4.0))
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
    examples = sampler.public(n, 1, n, rng)
    assert len(examples.points) == 13 and examples.sizes.sum() == n
    assert own(sampler, examples, rng).error == pytest.approx(0.12)
    assert AtomsSampler(6, 0.1, 0.0).least_mistakes(n, rng) == (0, 0.0)


@pytest.mark.at_once("0.3-1000000", "0.001-1000000000000")
@pytest.mark.parametrize("s", [50, 10**6, 10**12])
@pytest.mark.parametrize("share", [1e-3, 0.3])
def test_only_the_hits_that_are_likely_are_looked_at(s: int, share: float) -> None:
    """Else noisy votes would cost as much as there are examples. What is left out has a chance below 1e-17 on either side."""
    hits, err = AtomsSampler(2, share, 0.4)._hits(np.array([s]), share)
    assert len(hits) == len(err) <= 22 * sqrt(s * share * (1 - share)) + 50
    assert binom.cdf(hits[0] - 1, s, share) < 1e-17
    assert binom.sf(hits[-1], s, share) < 1e-17
