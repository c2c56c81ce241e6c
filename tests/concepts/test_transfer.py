"""Learning from given labels, which every source that is `Trainable` must do alike.

Tests of laws fail on a right implementation with probability below 1e-6 each.
"""

from collections.abc import Iterator
from itertools import product
from math import inf

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom, ks_2samp

from harness.concepts import Situation, Trainable, concepts
from harness.concepts.atoms import AtomsSource
from harness.concepts.votes import Labels, Queries, Votes
from tests.brute_force import least_halfspace_risk

FALSE_FAILURE = 1e-6


def situations() -> Iterator[tuple[str, Situation, str]]:
    """Every class, distribution, learner and two noises whose labels can be transferred."""
    for name, concept in concepts().items():
        for kind, distribution in concept.distributions.items():
            for learner, gamma in product(concept.learners, (0.0, 0.1)):
                situation = Situation(concept(), learner, 400, gamma)
                if concept.synthetic or distribution().refuse(situation) is not None:
                    continue
                if isinstance(distribution().at(situation), Trainable):
                    yield f"{name}-{kind}-{learner}-{gamma}", situation, kind


CASES = {name: (situation, kind) for name, situation, kind in situations()}
every_case = pytest.mark.parametrize(("situation", "kind"), CASES.values(), ids=CASES.keys())


def source_of(situation: Situation, kind: str) -> Trainable:
    source = situation.concept.distributions[kind]().at(situation)
    assert isinstance(source, Trainable)
    return source


def noisy_labels(queries: Queries, count: int, rng: np.random.Generator) -> Labels:
    """Labels, of so many, with so many mistakes that they are no hypothesis'."""
    wrong = rng.random(len(queries.truth)) < 0.3
    shift = rng.integers(1, count, len(wrong), dtype=np.int8)
    return np.where(wrong, (queries.target + shift) % count, queries.target).astype(np.int8)


def test_every_class_that_learns_has_a_case() -> None:
    assert {situation.concept.name for situation, _ in CASES.values()} >= {
        "thresholds",
        "stumps",
        "cube_stumps",
        "halfspaces",
        "affine_halfspaces",
        "intervals",
    }


@every_case
def test_the_error_is_what_fresh_examples_show(situation: Situation, kind: str) -> None:
    """Mistakes on 40,000 fresh examples are binomial with the stated error, for three hypotheses."""
    source, rng = source_of(situation, kind), np.random.default_rng(1)
    for _ in range(3):
        queries = source.queries(30, rng)
        hypothesis = source.learn(queries, noisy_labels(queries, situation.concept.label_count, rng))
        fresh = source.queries(40_000, rng)
        mistakes = int(np.count_nonzero(hypothesis.predict(fresh.points) != fresh.truth))
        low, high = binom.interval(1 - FALSE_FAILURE / len(CASES), len(fresh.truth), hypothesis.error)
        assert low <= mistakes <= high


@every_case
def test_no_hypothesis_has_less_empirical_risk(situation: Situation, kind: str) -> None:
    source, rng = source_of(situation, kind), np.random.default_rng(2)
    for _ in range(5):
        queries = source.queries(9, rng)
        labels = noisy_labels(queries, situation.concept.label_count, rng)
        risk = int(np.count_nonzero(source.learn(queries, labels).predict(queries.points) != labels))
        assert risk == least_risk(situation, kind, queries.points, labels)


def least_risk(situation: Situation, kind: str, points: NDArray[np.float64], labels: Labels) -> int:
    """By brute force over the labellings that the class has of these points."""
    name = situation.concept.name
    if isinstance(source_of(situation, kind), AtomsSource):
        atoms = points.astype(int)
        ones = np.bincount(atoms, labels, atoms.max() + 1)
        zeros = np.bincount(atoms, 1 - labels, atoms.max() + 1)
        return int(np.minimum(ones, zeros)[1:].sum() + zeros[0])
    if name == "thresholds":
        labellings = [points >= t for t in (-inf, *points, inf)]
    elif name == "stumps":
        cuts = [points[:, i] >= t for i in range(points.shape[1]) for t in (*points[:, i], inf)]
        labellings = [*cuts, *(~cut for cut in cuts)]
    elif name == "cube_stumps":
        labellings = [points[:, i] > 0 for i in range(points.shape[1])]
    elif name == "intervals" and kind == "hard":  # 1 or 2, then heavy; of each rare atom the two labels beside it
        labellings = [np.choose(points.astype(int), [2, first, second]) for first in (0, 1) for second in (1, 2)]
    elif name == "intervals":
        x = source_of(situation, kind).features(points)[:, 0]
        cuts = sorted((0.0, *x, 1.1))
        labellings = [(x >= first).astype(int) + (x >= second) for first in cuts for second in cuts if first <= second]
    else:
        lifted = np.pad(points, ((0, 0), (0, situation.concept.vc - points.shape[1])), constant_values=1)
        return least_halfspace_risk((lifted * (2.0 * labels[:, np.newaxis] - 1)).T)
    return min(int(np.count_nonzero(labelling != labels)) for labelling in labellings)


@every_case
def test_a_learner_on_its_own_examples_has_the_law_of_a_chunk(situation: Situation, kind: str) -> None:
    """How often one learner on 400 examples is wrong on one query in the place of the target's boundary."""
    source, s = source_of(situation, kind), situation.s
    if type(source).public is Trainable.public:
        return
    rng, errors, votes = np.random.default_rng(3), [], []
    for _ in range(600):
        examples, _ = source.public(s, 1, s, rng)
        errors.append(source.learn(examples, examples.truth).error)
        whole = source.queries(s, rng)
        votes.append(source.learn(whole, whole.truth).error)
    assert ks_2samp(errors, votes).pvalue > FALSE_FAILURE / len(CASES)


def private_labels(votes: Votes, queries: Queries, rng: np.random.Generator) -> Labels:
    """As a mechanism gives them: the winner's where four fifths agree, else a fair coin."""
    coins = rng.integers(0, len(votes.counts), len(queries.truth), dtype=np.int8)
    return np.where(votes.gap > 0.6 * votes.k, votes.winner, coins).astype(np.int8)


@every_case
def test_leaving_points_out_does_not_change_what_is_learned(situation: Situation, kind: str) -> None:
    """The error of what is learned from 20,000 points with private labels, of all points and of those that matter."""
    s = 4000 if situation.gamma else 400  # with fewer, noise makes all points matter
    if type(source_of(situation, kind)).public is Trainable.public:
        return
    source, m, k = source_of(Situation(situation.concept, situation.learner, s, situation.gamma), kind), 20_000, 6_000
    if "sufficient" not in situation.concept.distributions[kind]().samplings(situation.concept, situation.learner):
        pytest.fail("votes for private labels need a sampler")
    thinned: list[float] = []
    whole: list[float] = []
    rng, budget = np.random.default_rng(4), 0.0
    for _ in range(150):
        few, budget = source.public(m, k, s, rng)
        every = source.queries(m, rng)
        for queries, errors in ((few, thinned), (every, whole)):
            labels = private_labels(source.sufficient(queries, k, s, rng), queries, rng)
            errors.append(source.learn(queries, labels).error)
    assert budget < 1e-9
    assert ks_2samp(thinned, whole).pvalue > FALSE_FAILURE / len(CASES)


@every_case
def test_a_learner_that_is_given_more_examples_than_could_be_drawn(situation: Situation, kind: str) -> None:
    """At n = 10¹² the error is near the best, where the sampler leaves points out."""
    source = source_of(Situation(situation.concept, situation.learner, 10**12, situation.gamma), kind)
    if type(source).public is Trainable.public:
        return
    examples, left_out = source.public(10**12, 1, 10**12, np.random.default_rng(5))
    error = source.learn(examples, examples.truth).error
    assert left_out < 1e-9
    assert 0 <= error - situation.gamma < 1e-5


@every_case
def test_the_least_mistakes_have_one_law_whether_points_are_left_out_or_not(situation: Situation, kind: str) -> None:
    source, n, rng = source_of(situation, kind), 6_000, np.random.default_rng(6)
    if type(source).least_mistakes is Trainable.least_mistakes:
        return
    quick = [source.least_mistakes(n, rng)[0] for _ in range(200)]
    plain = [Trainable.least_mistakes(source, n, rng)[0] for _ in range(200)]
    assert ks_2samp(quick, plain).pvalue > FALSE_FAILURE / len(CASES)
    if situation.gamma == 0:
        assert not any(quick)
