"""What every registered concept class, distribution and learner must do. A new class is under test by being registered."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic import ValidationError
from scipy.stats import binom

from harness.ballots import Ballot, Queries
from harness.concepts import SAMPLINGS, concepts
from tests.support.cases import LEARNED, Case, distinct
from tests.support.situations import least_s

CASES = LEARNED  # of the others: test_ensemble.py and test_exact_error.py
SAMPLED = {f"{name}-{sampling}": (case, sampling) for name, case in CASES.items() for sampling in case.samplings()}

BOTH = {name: case for name, case in distinct(CASES).items() if SAMPLINGS.keys() <= set(case.samplings())}

every_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
every_sampling = pytest.mark.parametrize(("case", "sampling"), SAMPLED.values(), ids=SAMPLED.keys())


def votes(case: Case, sampling: str, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
    return case.samplings()[sampling].votes(case.sampler(s), queries, k, s, rng)


def keys(points: NDArray[np.float64]) -> list[bytes]:
    return [np.ascontiguousarray(point).tobytes() for point in points]


@pytest.mark.parametrize("name", concepts())
def test_a_class_is_registered_under_its_name_and_has_dimensions_learners_and_distributions(name: str) -> None:
    concept = concepts()[name]()
    assert concept.name == name
    assert concept.vc >= 1
    assert concept.dual_vc >= 1
    assert concept.learners
    assert all(description.strip() for description in concept.learners.values())
    assert concept.distributions


@every_case
def test_a_distribution_is_a_frozen_value_that_refuses_unknown_parameters(case: Case) -> None:
    kind = type(case.distribution)
    assert kind() == case.distribution
    assert hash(kind()) == hash(case.distribution)
    with pytest.raises(ValidationError):
        kind.model_validate({"no such parameter": 1})


@every_case
def test_equal_distributions_at_one_chunk_size_are_one_source(case: Case) -> None:
    sampler, again = case.sampler(case.small), type(case.distribution)().at(case.situation(case.small))
    assert sampler == again
    assert hash(sampler) == hash(again)


@every_sampling
def test_votes_are_counts_of_k_classifiers_at_every_query(case: Case, sampling: str) -> None:
    for k, s in ((1, case.small), (7, case.small), (20, case.small + 300)):
        rng = np.random.default_rng(k)
        queries = case.sampler(s).queries(100, rng)
        ballot = votes(case, sampling, queries, k, s, rng)
        assert ballot.k == k
        assert ballot.counts.dtype == np.int64
        assert ballot.counts.shape[1] == 100
        assert ballot.counts.min() >= 0
        assert (ballot.counts.sum(axis=0) == k).all()
        assert np.array_equal(ballot.truth, queries.truth)


@every_case
def test_a_point_has_one_best_label_and_labels_are_small_integers(case: Case) -> None:
    queries = case.sampler(case.small).queries(1000, np.random.default_rng(2))
    sampling = next(iter(case.samplings()))
    labels = len(votes(case, sampling, queries, 1, case.small, np.random.default_rng(3)).counts)
    assert queries.truth.dtype == queries.target.dtype == np.int8
    assert queries.truth.shape == queries.target.shape == (1000,)
    assert set(queries.truth.tolist()) <= set(range(labels))
    label = dict(zip(keys(queries.points), queries.target.tolist(), strict=True))
    assert [label[point] for point in keys(queries.points)] == queries.target.tolist()


@every_case
def test_the_best_hypothesis_errs_at_rate_gamma(case: Case) -> None:
    """False-failure probability: 1e-9 a case; exact binomial tails."""
    queries = case.sampler(case.small).queries(20_000, np.random.default_rng(4))
    wrong = int(np.count_nonzero(queries.truth != queries.target))
    if case.gamma == 0:
        assert wrong == 0
    else:
        assert 5e-10 < binom.cdf(wrong, 20_000, case.gamma) < 1 - 5e-10


@every_sampling
def test_one_seed_gives_one_set_of_queries_and_votes(case: Case, sampling: str) -> None:
    def drawn(seed: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        rng = np.random.default_rng(seed)
        queries = case.sampler(case.small).queries(200, rng)
        return queries.points, votes(case, sampling, queries, 30, case.small, rng).counts

    for one, other in zip(drawn(5), drawn(5), strict=True):
        assert np.array_equal(one, other)
    assert any(not np.array_equal(one, other) for one, other in zip(drawn(5), drawn(6), strict=True))


@every_sampling
def test_sampling_leaves_the_queries_as_they_were(case: Case, sampling: str) -> None:
    queries = case.sampler(case.small).queries(50, np.random.default_rng(7))
    points, truth = queries.points.copy(), queries.truth.copy()
    votes(case, sampling, queries, 3, case.small, np.random.default_rng(8))
    assert np.array_equal(queries.points, points)
    assert np.array_equal(queries.truth, truth)


def test_where_there_is_one_sampling_only_it_is_itself_the_law() -> None:
    alone = [case for case in CASES.values() if not SAMPLINGS.keys() <= set(case.samplings())]
    assert all("full" in case.samplings() for case in alone)


@pytest.mark.parametrize("case", BOTH.values(), ids=BOTH.keys())
@pytest.mark.parametrize("k", [1, 4])
def test_both_samplings_give_the_votes_on_fixed_queries_one_joint_law(
    case: Case, k: int, assert_same_law: Callable[[NDArray[np.int64], NDArray[np.int64]], None]
) -> None:
    """False-failure probability: 1e-9 a case (`conftest.py`)."""
    rng = np.random.default_rng(k)
    pool = case.sampler(case.small).queries(500, rng)
    _, first = np.unique(pool.points, return_index=True, axis=0)
    chosen = first[:: -(-len(first) // 8)]
    queries = Queries(pool.points[chosen], pool.truth[chosen], pool.target[chosen])
    samples = (
        np.array([votes(case, sampling, queries, k, case.small, rng).counts.ravel() for _ in range(4000)])
        for sampling in SAMPLINGS
    )
    assert_same_law(*samples)


@every_sampling
@pytest.mark.parametrize("q", [0.5, 0.05])
def test_the_pac_bound_holds_at_its_confidence(case: Case, sampling: str, q: float) -> None:
    """err(h) ≤ γ + α(s, q) fails with probability at most q, tested on the errors of one h on m fresh queries.

    If err(h) ≤ γ + α, more than `most` errors have probability at most q/100; so more than `most` errors happen in at most
    Bin(trials, 1.01 q) trials. The exact binomial tail is asked to be above 1e-9; with at most 1000 cases, a right bound fails
    falsely with probability at most 1e-6.
    """
    s, m, trials = least_s(case.distribution, 60, case.learner, case.concept, case.gamma), 2000, 300
    error = case.gamma + case.concept.pac_bound(case.learner, case.gamma)(s, q)
    most = binom.isf(q / 100, m, min(error, 1.0))
    rng = np.random.default_rng(round(100 * q))
    sampler = case.sampler(s)
    exceeded = sum(votes(case, sampling, sampler.queries(m, rng), 1, s, rng).wrong.sum() > most for _ in range(trials))
    assert binom.sf(exceeded - 1, trials, 1.01 * q) > 1e-9


@pytest.mark.parametrize("name", [name for name, concept in concepts().items() if not concept.synthetic])
def test_pac_bounds_fall_with_s_rise_with_confidence_and_cover_any_consistent_learner(name: str) -> None:
    concept = concepts()[name]()
    for learner in concept.learners:
        for gamma in (0.0, 0.1):
            bound, any_learner = concept.pac_bound(learner, gamma), concept.pac_bound(None, gamma)
            for s in (10**3, 10**6, 10**12):
                assert 0 < bound(10 * s, 1e-3) < bound(s, 1e-3)
                assert bound(s, 1e-3) < bound(s, 1e-6)
                assert bound(s, 1e-3) <= any_learner(s, 1e-3)
            assert bound(10**12, 1e-9) < 0.01
