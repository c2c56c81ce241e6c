"""Queries by types, which every sampler draws alike: all of them are there, few are told apart, and these are shared."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import binom

from harness.ballots import Queries
from harness.concepts import Sampler, Sampling
from tests.support.cases import LEARNED, Case

K = 1000
BY_TYPE = {
    f"{name}-{sampling}": (case, sampling)
    for name, case in LEARNED.items()
    for sampling in case.samplings()
    if sampling != "full"
}
every_case = pytest.mark.parametrize(("case", "sampling"), BY_TYPE.values(), ids=BY_TYPE.keys())


def large(case: Case, sampling: str, s: int = 10**12) -> tuple[Sampler, Sampling]:
    """At a chunk size where most queries are alike; skipped where all must be drawn, or chunks may not be so large."""
    if case.distribution.refuse(case.situation(s)) is not None:
        pytest.skip("such chunks are refused")
    sampler, sample = case.sampler(s), case.samplings()[sampling]
    if sample.singles(sampler, 10**6, K, s) >= 10**6:
        pytest.skip("all queries are drawn")
    return sampler, sample


@every_case
@pytest.mark.parametrize("m", [10**6, *(pytest.param(m, marks=pytest.mark.law) for m in (10**12, 10**15))])
def test_all_queries_are_of_some_type_and_as_many_are_told_apart_as_is_said(case: Case, sampling: str, m: int) -> None:
    """The number of singles is at most ten standard deviations above what `singles` says, and seldom other queries."""
    s = 10**12
    sampler, sample = large(case, sampling)
    queries = sample.queries(sampler, m, K, s, 1, np.random.default_rng(1))
    assert queries.sizes.sum() == m and queries.sizes.min() >= 0
    assert queries.tv_budget < 1e-9
    expected = sample.singles(sampler, m, K, s)
    assert len(queries.truth) <= 2 * expected + 10 * np.sqrt(expected) + 200
    ballot = sample.votes(sampler, queries, K, s, np.random.default_rng(2))
    assert ballot.m == m and ballot.tv_budget < 1e-9
    assert (ballot.counts.sum(axis=0) == K).all()
    # The best hypothesis errs on a share gamma.
    wrong = int(queries.sizes[queries.truth != queries.target].sum())
    assert binom.cdf(wrong, m, case.gamma) > 1e-10 and binom.sf(wrong - 1, m, case.gamma) > 1e-10


def points(queries: Queries) -> set[tuple[bytes, int, int]]:
    """Those that are told apart: their points, truths and best labels."""
    of_one = queries.only((queries.sizes == 1) & (queries.widths == 0))
    told = zip(of_one.points, of_one.truth.tolist(), of_one.target.tolist(), strict=True)
    return {(np.ascontiguousarray(point).tobytes(), truth, target) for point, truth, target in told}


@pytest.mark.parametrize("name", ["thresholds", "intervals", "halfspaces", "stumps"])
@pytest.mark.parametrize("learner", [0, 1, 2])
def test_mechanisms_with_chunks_of_their_own_have_queries_in_common(name: str, learner: int) -> None:
    """What the larger chunks still tell apart, the smaller do too: of one state of the generator, without noise."""
    cases = [case for key, case in LEARNED.items() if key.startswith(f"{name}-") and case.gamma == 0]
    cases = [case for case in cases if "sufficient" in case.samplings() and case.sampler(10**7).singles(10**9, 10, 10**7) > 0]
    case = cases[learner % len(cases)]
    found = []
    for k, s in ((10, 10**9), (10**4, 10**8), (10, 10**7)):
        sampler = case.sampler(s)
        if sampler.singles(10**9, k, s) < 10**9:
            found.append(points(sampler.types(10**9, k, s, np.random.default_rng(3))))
    assert len(found) >= 2
    for fewer, more in pairwise(found):
        assert len(fewer) < len(more) and len(fewer - more) <= 4  # a count far away may be one by chance
