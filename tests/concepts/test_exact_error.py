"""Hypotheses of error exactly 1/s: their mistakes on the queries."""

from collections import Counter, defaultdict
from itertools import product

import numpy as np
import pytest
from scipy.stats import binomtest, chisquare

from harness.concepts.exact_error import LEARNERS, Regions, mistakes
from tests.support.situations import situation_of

M, S, K = 60, 5, 40


@pytest.mark.parametrize("learner", LEARNERS)
def test_every_hypothesis_errs_on_mass_exactly_one_over_s(learner: str) -> None:
    """False-failure probability: 2e-9; for identical hypotheses one vote a query is tested, as they share it."""
    sampler, rng = Regions().at(situation_of(S, learner)), np.random.default_rng(1)
    votes = [sampler.sufficient(sampler.queries(M, rng), K, S, rng) for _ in range(400)]
    each = K if learner == "independent" else 1
    wrong = sum(int(vote.wrong.sum()) for vote in votes) * each // K
    assert binomtest(wrong, 400 * M * each, 1 / S).pvalue > 2e-9


def test_identical_hypotheses_err_together() -> None:
    sampler, rng = Regions().at(situation_of(S, "identical")), np.random.default_rng(2)
    votes = sampler.sufficient(sampler.queries(M, rng), K, S, rng)
    assert set(votes.wrong.tolist()) == {0, K}
    assert votes.max_mistakes == np.count_nonzero(votes.wrong)


@pytest.mark.law
def test_the_most_mistakes_of_independent_hypotheses_have_the_law_of_a_binomial_maximum() -> None:
    """P(max_j ≤ b) = P(Bin(m, α) ≤ b)^k. False-failure probability: 2e-9, an exact binomial test at the median."""
    from scipy.stats import binom

    sampler, rng = Regions().at(situation_of(S, "independent")), np.random.default_rng(3)
    most = [int(np.max(sampler.sufficient(sampler.queries(M, rng), K, S, rng).max_mistakes or 0)) for _ in range(1000)]
    median = int(np.median(most))
    chance = float(binom.cdf(median, M, 1 / S) ** K)
    assert binomtest(sum(each <= median for each in most), 1000, chance).pvalue > 2e-9


@pytest.mark.at_once("5-1")
@pytest.mark.parametrize(("m", "k"), [(2, 3), (3, 2), (5, 1)])
def test_mistakes_on_queries_and_the_most_of_any_have_the_law_of_all_tables(m: int, k: int) -> None:
    """Against the sum over all 2^(km) tables. False-failure probability: 3e-8 in all, by a chi-square of 3,000 draws each."""
    law = defaultdict[tuple[int, ...], float](float)
    for entries in product((False, True), repeat=k * m):
        table = np.reshape(entries, (k, m))
        law[*table.sum(axis=0).tolist(), table.sum(axis=1).max()] += 0.4 ** sum(entries) * 0.6 ** (k * m - sum(entries))
    rng, draws = np.random.default_rng([m, k]), Counter[tuple[int, ...]]()
    for _ in range(3000):
        wrong, most = mistakes(m, k, 0.4, rng)
        draws[*wrong.tolist(), most] += 1
    assert set(draws) <= set(law)
    assert chisquare([draws[each] for each in law], [3000 * chance for chance in law.values()]).pvalue > 1e-8
