"""Ensembles whose votes are set directly: what each distribution promises of them."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import binom, binomtest, chisquare

from harness.ballots import Queries
from harness.concepts import Sampler
from harness.concepts.ensemble import Agreement, Coin, Split
from tests.support.situations import situation_of

M, K = 200, 3001
Drawn = Callable[[Sampler, int, np.random.Generator], Queries]


def one_by_one(sampler: Sampler, m: int, rng: np.random.Generator) -> Queries:
    return sampler.queries(m, rng)


def by_types(sampler: Sampler, m: int, rng: np.random.Generator) -> Queries:
    return sampler.types(m, K, 1, rng)


every_way = pytest.mark.parametrize("drawn", [one_by_one, by_types], ids=["one by one", "by types"])


@pytest.mark.parametrize("T", [1.0, 7.9, 40.0, 500.0])
@pytest.mark.parametrize("right", [2 / 3, 0.75, 1.0])
@every_way
def test_all_but_floor_T_queries_agree_as_asked_and_the_others_are_split(right: float, T: float, drawn: Drawn) -> None:
    sampler, rng = Agreement(right=right).at(situation_of(1, "none", T=T)), np.random.default_rng(1)
    queries = drawn(sampler, M, rng)
    ballot = sampler.sufficient(queries, K, 1, rng)
    split = ballot.gap == K % 2
    assert ballot.m == M and ballot.number(split) == min(int(T), M)
    assert ballot.number(ballot.truth == 1) == queries.sizes[queries.truth == 1].sum()
    assert (ballot.winner[~split] == ballot.truth[~split]).all()
    # As many right votes as the share asks for, and not one to spare.
    assert (K - ballot.wrong[~split] >= right * K - 1e-6).all()
    assert (K - ballot.wrong[~split] < right * K + 1).all()


def test_two_thirds_of_the_votes_count_as_stable_by_the_lemmas_own_inequality() -> None:
    sampler, rng = Agreement().at(situation_of(1, "none", T=0.0)), np.random.default_rng(2)
    for k in (3, 4, 5, 3000, 3001, 3002, 10**9):
        wrong = sampler.sufficient(sampler.queries(M, rng), k, 1, rng).wrong
        assert (3 * wrong <= k).all()
        assert (3 * (wrong + 1) > k).all()


def test_the_unstable_queries_and_the_labels_are_at_random() -> None:
    """False-failure probability: 4e-9, two exact binomial tests at 2e-9."""
    sampler, rng = Agreement().at(situation_of(1, "none", T=100.0)), np.random.default_rng(3)
    first_half = ones = 0
    for _ in range(200):
        queries = sampler.queries(M, rng)
        first_half += bool(queries.points[0])
        ones += int(queries.truth.sum())
    assert binomtest(first_half, 200, 0.5).pvalue > 2e-9
    assert binomtest(ones, 200 * M, 0.5).pvalue > 2e-9


@pytest.mark.parametrize("k", [1, 30, 1000])
@every_way
def test_coin_votes_are_right_with_the_given_probability_independently(k: int, drawn: Drawn) -> None:
    """Wrong votes are Bin(k, 1/4), query by query. False-failure probability: 1e-6 in all, by chi-squares at 1e-7 for each."""
    sampler, rng = Coin(right=0.75).at(situation_of(1, "none", T=0.0)), np.random.default_rng(4)
    seen = np.zeros(k + 1, dtype=np.int64)
    for _ in range(50):
        ballot = sampler.sufficient(drawn(sampler, M, rng), k, 1, rng)
        assert ballot.m == M
        np.add.at(seen, ballot.wrong, ballot.sizes)
    edges = np.unique(np.searchsorted(np.cumsum(binom.pmf(np.arange(k + 1), k, 0.25)), [0.05, 0.2, 0.4, 0.6, 0.8, 0.95]))
    law = np.diff(np.concatenate([[0], binom.cdf(edges, k, 0.25), [1]]))
    found = np.diff(np.concatenate([[0], np.cumsum(seen)[edges], [50 * M]]))
    likely = law > 0
    assert chisquare(found[likely], 50 * M * law[likely]).pvalue > 1e-7


def test_at_the_largest_m_coin_votes_are_a_few_hundred_types_and_no_query_is_lost() -> None:
    sampler, rng = Coin(right=0.75).at(situation_of(1, "none", T=3.0)), np.random.default_rng(6)
    ballot = sampler.sufficient(sampler.types(10**15, 100, 1, rng), 100, 1, rng)
    assert ballot.m == 10**15 and len(ballot.sizes) < 210
    mean = float(ballot.wrong @ (ballot.sizes / 10**15))
    assert mean == pytest.approx(25, abs=6 * np.sqrt(100 * 0.25 * 0.75 / 10**15))


def test_split_votes_leave_no_gap_whatever_T_is() -> None:
    sampler, rng = Split().at(situation_of(1, "none", T=5.0)), np.random.default_rng(5)
    for k in (10, 11):
        assert (sampler.sufficient(sampler.queries(M, rng), k, 1, rng).gap == k % 2).all()
