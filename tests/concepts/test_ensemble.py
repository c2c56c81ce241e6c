"""Ensembles whose votes are set directly: what each distribution promises of them."""

import numpy as np
import pytest
from scipy.stats import binomtest

from harness.concepts.ensemble import Agreement, Coin, Split
from tests.support.situations import situation_of

M, K = 200, 3001


@pytest.mark.parametrize("T", [1.0, 7.9, 40.0])
@pytest.mark.parametrize("right", [2 / 3, 0.75, 1.0])
def test_all_but_floor_T_queries_agree_as_asked_and_the_others_are_split(right: float, T: float) -> None:
    sampler, rng = Agreement(right=right).at(situation_of(1, "none", T=T)), np.random.default_rng(1)
    queries = sampler.queries(M, rng)
    votes = sampler.sufficient(queries, K, 1, rng)
    split = queries.points > 0
    assert split.sum() == int(T)
    assert (votes.gap[split] == K % 2).all()
    assert (votes.winner[~split] == queries.truth[~split]).all()
    # As many right votes as the share asks for, and not one to spare.
    assert (K - votes.wrong[~split] >= right * K - 1e-6).all()
    assert (K - votes.wrong[~split] < right * K + 1).all()


def test_two_thirds_of_the_votes_count_as_stable_by_the_lemmas_own_inequality() -> None:
    sampler, rng = Agreement().at(situation_of(1, "none", T=1.0)), np.random.default_rng(2)
    for k in (3, 4, 5, 3000, 3001, 3002, 10**9):
        queries = sampler.queries(M, rng)
        wrong = sampler.sufficient(queries, k, 1, rng).wrong[queries.points == 0]
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


def test_coin_votes_are_right_with_the_given_probability_independently() -> None:
    """False-failure probability: 2e-9; the variance of the counts is that of independent votes, not of shared ones."""
    sampler, rng = Coin(right=0.75).at(situation_of(1, "none", T=1.0)), np.random.default_rng(4)
    wrong = [sampler.sufficient(queries, 1000, 1, rng).wrong[queries.points == 0] for queries in [sampler.queries(M, rng)] * 50]
    counts = np.concatenate(wrong)
    assert binomtest(int(counts.sum()), 1000 * len(counts), 0.25).pvalue > 2e-9
    assert 0.9 < counts.var() / (1000 * 0.25 * 0.75) < 1.1


def test_split_votes_leave_no_gap_whatever_T_is() -> None:
    sampler, rng = Split().at(situation_of(1, "none", T=5.0)), np.random.default_rng(5)
    for k in (10, 11):
        assert (sampler.sufficient(sampler.queries(M, rng), k, 1, rng).gap == k % 2).all()
