"""Learning from given labels, which every sampler that is `Trainable` must do alike.

Tests of laws fail on a right implementation with probability below 1e-6 each.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from math import inf

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom, ks_2samp, kstest
from scipy.stats import gamma as gamma_law

from harness.arrays import Ints, Labels
from harness.ballots import Ballot, Queries
from harness.concepts import Calm, Hypothesis, Situation, Trainable, concepts
from harness.concepts.atoms import AtomsSampler
from tests.support.brute_force import least_halfspace_risk
from tests.support.situations import least_s

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


def sampler_of(situation: Situation, kind: str) -> Trainable:
    sampler = situation.concept.distributions[kind]().at(situation)
    assert isinstance(sampler, Trainable)
    return sampler


def distinct(cases: dict[str, tuple[Situation, str]]) -> dict[str, tuple[Situation, str]]:
    """The first case of each sampler: a few atoms, for one, are seen by many a class and learner, and are learned alike."""
    found: dict[tuple[Trainable, int, int], str] = {}
    for name, (situation, kind) in cases.items():
        found.setdefault((sampler_of(situation, kind), situation.s, situation.concept.label_count), name)
    return {name: cases[name] for name in found.values()}


DISTINCT = distinct(CASES)
THINNED = distinct(
    {
        name: (replace(situation, s=4000), kind)  # with fewer, noise makes all points matter
        for name, (situation, kind) in CASES.items()
        if type(sampler_of(situation, kind)).public is not Trainable.public
    }
)
every_distinct_case = pytest.mark.parametrize(("situation", "kind"), DISTINCT.values(), ids=DISTINCT.keys())
every_thinned_case = pytest.mark.parametrize(("situation", "kind"), THINNED.values(), ids=THINNED.keys())


@pytest.fixture
def at_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Points come by types however few there are."""
    monkeypatch.setattr("harness.concepts.least_risk.FEW_POINTS", 0)


def learned(sampler: Trainable, points: Queries, given: Ints, rng: np.random.Generator) -> Hypothesis:
    return sampler.learn(*sampler.placed(points, given, rng))


def learned_from_its_own(sampler: Trainable, n: int, count: int, rng: np.random.Generator) -> tuple[Hypothesis, Queries]:
    """What a learner makes of n examples of its own, by types."""
    examples = sampler.public(n, 1, n, rng)
    return learned(sampler, examples, examples.labelled(examples.truth, count), rng), examples


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
    sampler, rng = sampler_of(situation, kind), np.random.default_rng(1)
    for points in (3, 10, 30):
        queries = sampler.queries(points, rng)
        hypothesis = sampler.learn(queries, noisy_labels(queries, situation.concept.label_count, rng))
        fresh = sampler.queries(40_000, rng)
        mistakes = int(np.count_nonzero(hypothesis.predict(fresh.points) != fresh.truth))
        low, high = binom.interval(1 - FALSE_FAILURE / len(CASES), len(fresh.truth), hypothesis.error)
        assert low <= mistakes <= high


@every_case
def test_no_hypothesis_has_less_empirical_risk(situation: Situation, kind: str) -> None:
    sampler, rng = sampler_of(situation, kind), np.random.default_rng(2)
    for _ in range(5):
        queries = sampler.queries(9, rng)
        labels = noisy_labels(queries, situation.concept.label_count, rng)
        risk = int(np.count_nonzero(sampler.learn(queries, labels).predict(queries.points) != labels))
        assert risk == least_risk(situation, kind, queries.points, labels)


def least_risk(situation: Situation, kind: str, points: NDArray[np.float64], labels: Labels) -> int:
    """By brute force over the labellings that the class has of these points."""
    name = situation.concept.name
    if isinstance(sampler_of(situation, kind), AtomsSampler):
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
        x = sampler_of(situation, kind).features(points)[:, 0]
        cuts = sorted((0.0, *x, 1.1))
        labellings = [(x >= first).astype(int) + (x >= second) for first in cuts for second in cuts if first <= second]
    else:
        lifted = np.pad(points, ((0, 0), (0, situation.concept.vc - points.shape[1])), constant_values=1)
        return least_halfspace_risk((lifted * (2.0 * labels[:, np.newaxis] - 1)).T)
    return min(int(np.count_nonzero(labelling != labels)) for labelling in labellings)


@every_distinct_case
def test_a_learner_on_the_examples_of_a_chunk_votes_as_a_chunk(
    situation: Situation, kind: str, assert_same_law: Callable[[NDArray[np.int64], NDArray[np.int64]], None]
) -> None:
    """The labels of up to eight points, jointly. False-failure probability: 1e-9 a case (`conftest.py`)."""
    distribution = situation.concept.distributions[kind]()
    s = least_s(distribution, 5, situation.learner, situation.concept, situation.gamma)
    sampler, rng = sampler_of(replace(situation, s=s), kind), np.random.default_rng(3)
    pool = sampler.queries(500, rng)
    _, first = np.unique(pool.points, return_index=True, axis=0)
    chosen = first[:: -(-len(first) // 8)]
    queries = Queries(pool.points[chosen], pool.truth[chosen], pool.target[chosen])
    own = []
    for _ in range(1500):
        examples = sampler.queries(s, rng)
        own.append(sampler.learn(examples, examples.truth).predict(queries.points))
    votes = [sampler.full(queries, 1, s, rng).counts.argmax(axis=0) for _ in range(1500)]
    assert_same_law(np.array(own, dtype=np.int64), np.array(votes))


@every_thinned_case
@pytest.mark.usefixtures("at_any_size")
def test_a_learner_s_own_examples_by_types_teach_it_what_all_of_them_do(situation: Situation, kind: str) -> None:
    sampler, s, rng = sampler_of(situation, kind), situation.s, np.random.default_rng(8)
    errors: list[list[float]] = [[], []]
    types = 0
    for _ in range(300):
        own, few = learned_from_its_own(sampler, s, situation.concept.label_count, rng)
        assert few.tv_budget < 1e-9
        assert few.sizes.sum() == s
        types += len(few.truth)
        all_drawn = sampler.queries(s, rng)
        errors[0].append(own.error)
        errors[1].append(sampler.learn(all_drawn, all_drawn.truth).error)
    assert types < 300 * s
    assert ks_2samp(errors[0], errors[1]).pvalue > FALSE_FAILURE / len(CASES)


@pytest.mark.parametrize(("name", "boundaries"), [("thresholds", 1), ("intervals", 2)])
def test_the_error_of_consistent_learners_has_its_closed_law_to_the_last_digit(name: str, boundaries: int) -> None:
    """Gaps beside boundaries are independent, n times a gap is Exp(1), and a middle is half of the difference of two of them.

    At n = 10¹⁵ errors are but a few spacings of the numbers near a boundary, so they have to come from offsets.
    """
    concept, n = concepts()[name](), 10**15
    for learner in concept.learners:
        sampler, rng = sampler_of(Situation(concept, learner, n), "uniform"), np.random.default_rng(9)
        errors = [n * learned_from_its_own(sampler, n, concept.label_count, rng)[0].error for _ in range(5000)]
        scale = 0.5 if learner == "midpoint" else 1.0
        assert kstest(errors, gamma_law(boundaries, scale=scale).cdf).pvalue > FALSE_FAILURE / 10


def private_labels(ballot: Ballot, calm: Calm, rng: np.random.Generator) -> Ints:
    """How many of each type get each label, (labels, types).

    One in two has a label at random where more than a share calm.dissent of the votes do not agree; elsewhere up to four in a
    thousand, fewer the more agree: as from a mechanism with noise, so that there are wrong labels far away from the target.
    """
    labels, agree = len(ballot.counts), ballot.gap / ballot.k - (1 - 2 * calm.dissent)
    chance = np.where(agree >= 0, 0.004 * np.exp(-3 * agree), 0.5)
    if not calm.exposed:  # what is counted is answered alike
        chance = np.where(agree >= 0, 0.001, 0.5)
    lost = rng.binomial(ballot.sizes, chance * (1 if ballot.exposure is None else ballot.exposure))
    given, some = np.zeros((labels, len(lost)), np.int64), np.flatnonzero(lost)
    given[:, some] = rng.multinomial(lost[some], np.full(labels, 1 / labels)).T
    given[ballot.winner, np.arange(len(lost))] += ballot.sizes - lost
    return given


@every_thinned_case
@pytest.mark.parametrize("calm", [Calm(), Calm(0.4), Calm(0.3, 0.004)], ids=str)
@pytest.mark.usefixtures("at_any_size")
def test_points_by_types_teach_what_all_of_them_do(situation: Situation, kind: str, calm: Calm) -> None:
    """What is learned from 20,000 points with private labels, of all drawn and by types: its error, and how many are wrong."""
    sampler, m, k, s = sampler_of(situation, kind), 20_000, 6_000, situation.s
    assert "sufficient" in situation.concept.distributions[kind]().samplings(situation.concept, situation.learner)
    found: list[list[tuple[float, int]]] = [[], []]
    rng = np.random.default_rng(4)
    for _ in range(150):
        few = sampler.public(m, k, s, rng, calm)
        assert few.tv_budget < 1e-9
        assert few.sizes.sum() == m and len(few.truth) < m
        for queries, told in zip((few, sampler.queries(m, rng)), found, strict=True):
            given = private_labels(sampler.sufficient(queries, k, s, rng), calm, rng)
            error = learned(sampler, queries, given, rng).error
            told.append((error, m - int(given[queries.target, np.arange(len(queries.target))].sum())))
    for one, other in zip(*(zip(*each, strict=True) for each in found), strict=True):
        assert ks_2samp(one, other, method="asymp").pvalue > FALSE_FAILURE / len(CASES)


@every_thinned_case
def test_a_learner_that_is_given_more_examples_than_could_be_drawn(situation: Situation, kind: str) -> None:
    """At n = 10¹² and 10¹⁵ the error is near the best, where points come by types."""
    for n in (10**12, 10**15):
        sampler = sampler_of(replace(situation, s=n), kind)
        own, examples = learned_from_its_own(sampler, n, situation.concept.label_count, np.random.default_rng(5))
        assert examples.sizes.sum() == n and examples.tv_budget < 1e-9
        assert 0 <= own.error - situation.gamma < 1e-5


@every_distinct_case
def test_the_least_mistakes_have_one_law_whether_points_come_by_types_or_not(situation: Situation, kind: str) -> None:
    sampler, n, rng = sampler_of(situation, kind), 6_000, np.random.default_rng(6)
    if type(sampler).least_mistakes is Trainable.least_mistakes:
        return
    quick = [sampler.least_mistakes(n, rng)[0] for _ in range(200)]
    plain = [Trainable.least_mistakes(sampler, n, rng)[0] for _ in range(200)]
    assert ks_2samp(quick, plain).pvalue > FALSE_FAILURE / len(CASES)
    if situation.gamma == 0:
        assert not any(quick)
