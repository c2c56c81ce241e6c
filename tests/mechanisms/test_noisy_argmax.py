"""Which label has the largest noisy count, against quadrature by another library, closed forms and draws."""

from itertools import pairwise
from math import exp, sqrt
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import binomtest, expon, laplace, norm, poisson

from harness.mechanisms.noisy_argmax import ExponentialVoteNoise, Laplace, Noise, Normal, alike, losing_law, noisy_argmax

NOISES = {
    "Laplace": (Laplace(3.0), laplace(scale=3.0)),
    "Normal": (Normal(3.0), norm(scale=3.0)),
    "Exponential": (ExponentialVoteNoise(3.0), expon(scale=3.0)),
}
every_noise = pytest.mark.parametrize(("noise", "law"), NOISES.values(), ids=NOISES.keys())

COUNTS = [
    [5, 5, 5],
    [9, 4, 4, 3],
    [0, 7, 7],
    [20, 0, 0, 0, 0],
    [30, 29, 1],
    [0, 60, 12, 12],
    [3, 2, 1, 0, 3, 2, 1],
]


def by_quadrature(counts: list[int], label: int, law: Any) -> float:
    """∫ density(x − ct(label)) Π_other P(ct(other) + noise < x) dx, piece by piece between the counts."""

    def integrand(x: float) -> float:
        others = [law.cdf(x - count) for other, count in enumerate(counts) if other != label]
        return float(law.pdf(x - counts[label]) * np.prod(others))

    ends = sorted({min(counts) - 150.0, *map(float, counts), *(count + 12.0 for count in counts), max(counts) + 150.0})
    return sum(quad(integrand, a, b, epsabs=0, epsrel=1e-10, limit=200)[0] for a, b in pairwise(ends))


@every_noise
def test_densities_and_chances_below_are_those_of_another_library(noise: Noise, law: Any) -> None:
    x = np.array([-90.0, -7.0, -1e-9, 0.0, 1e-9, 0.4, 3.0, 90.0])
    assert noise.density(x) == pytest.approx(law.pdf(x), rel=1e-12) and noise.below(x) == pytest.approx(law.cdf(x), rel=1e-12)


@pytest.mark.law
@every_noise
@pytest.mark.parametrize("counts", COUNTS, ids=str)
def test_the_chance_of_every_other_label_is_what_quadrature_gives(counts: list[int], noise: Noise, law: Any) -> None:
    """Relative to chances down to 1e-9, and the best label has the rest."""
    found, best = losing_law(np.array(counts), noise), counts.index(max(counts))
    assert found[best] == 0
    for label in range(len(counts)):
        if label != best:
            assert found[label] == pytest.approx(by_quadrature(counts, label, law), rel=1e-8)
    assert 1 - found.sum() == pytest.approx(by_quadrature(counts, best, law), rel=1e-8)


@pytest.mark.parametrize("gap", [0, 10, 100, 600, 1500])
def test_of_two_labels_the_chance_has_its_closed_form_far_out(gap: int) -> None:
    """Down to 1e-200: ½(1 + y/2)e^{−y} of Laplace noise, Φ(−gap/√2σ) of normal, ½e^{−y} of exponential, relative to 1e-9."""
    counts = np.array([gap, 0])
    y = gap / 3.0
    assert losing_law(counts, Laplace(3.0))[1] == pytest.approx((1 + y / 2) * exp(-y) / 2, rel=1e-9)
    assert losing_law(counts, ExponentialVoteNoise(3.0))[1] == pytest.approx(exp(-y) / 2, rel=1e-9)
    sigma = 40.0
    assert losing_law(counts, Normal(sigma))[1] == pytest.approx(norm.sf(gap, scale=sqrt(2) * sigma), rel=1e-9)


@every_noise
@pytest.mark.parametrize("gap", [0, 1, 5, 40, 300])
def test_one_noise_overtakes_another_as_often_as_the_label_that_is_behind_wins(gap: int, noise: Noise, law: Any) -> None:
    assert float(noise.overtakes(np.array(gap))) == pytest.approx(losing_law(np.array([gap, 0]), noise)[1], rel=1e-9)


@pytest.mark.law
@every_noise
@pytest.mark.parametrize("counts", COUNTS, ids=str)
@pytest.mark.parametrize("way", ["one by one", "by type"])
def test_labels_win_as_often_as_in_draws_of_the_noise_itself(counts: list[int], noise: Noise, law: Any, way: str) -> None:
    """Of 100,000 queries, with probabilities by quadrature: exact binomial tests at 1e-9 for each of at most 200."""
    m, rng = 100_000, np.random.default_rng(len(counts))
    types, sizes = (m, np.ones(m, dtype=np.int64)) if way == "one by one" else (1, np.array([m]))
    given = noisy_argmax(np.tile(np.array(counts)[:, np.newaxis], types), sizes, noise, rng)
    assert (given.sum(axis=0) == sizes).all()
    drawn = np.bincount((np.array(counts) + law.rvs((m, len(counts)), rng)).argmax(axis=1), minlength=len(counts))
    for label in range(len(counts)):
        chance = by_quadrature(counts, label, law)
        for number in (int(given[label].sum()), int(drawn[label])):
            assert binomtest(number, m, min(chance, 1.0)).pvalue > 1e-9


@every_noise
def test_what_happens_once_in_10_to_the_15_happens_to_a_type_of_as_many(noise: Noise, law: Any) -> None:
    """Losers are Poisson; of 2000 types a sum with mean 2000 n p, exactly tested at 1e-9."""
    counts = np.array([[34, 0], [0, 34]]) if isinstance(noise, Normal) else np.array([[104, 0], [0, 104]])
    p = losing_law(counts[:, 0], noise)[1]
    assert 1e-16 < p < 1e-12
    size = int(1 / p)
    rng = np.random.default_rng(7)
    lost = 0
    for _ in range(1000):
        given = noisy_argmax(counts, np.array([size, size]), noise, rng)
        lost += int(given[1, 0] + given[0, 1])
        assert given.sum(axis=0).tolist() == [size, size]
    assert 1e-9 < poisson.cdf(lost, 2000 * size * p) < 1 - 1e-9


@every_noise
def test_types_of_no_query_get_no_answer(noise: Noise, law: Any) -> None:
    for labels in (2, 4):
        assert not noisy_argmax(np.full((labels, 3), 5), np.zeros(3, dtype=np.int64), noise, np.random.default_rng(1)).any()


@pytest.mark.parametrize("kinds", [1, 4, 40])
def test_types_on_which_the_votes_are_the_same_are_found_by_their_firsts(kinds: int) -> None:
    rng = np.random.default_rng(kinds)
    counts = rng.permutation(200)[:kinds].reshape(1, -1)[:, rng.integers(kinds, size=300)] * np.array([[1], [0], [2]])
    types = np.flatnonzero(rng.random(300) < 0.8)
    groups = {votes: own.tolist() for votes, own in alike(counts, types).items()}
    firsts = list(dict.fromkeys(counts[0, types].tolist()))
    assert list(groups.items()) == [
        ((one, 0, 2 * one), [each for each in types.tolist() if counts[0, each] == one]) for one in firsts
    ]
    assert alike(counts, types[:0]) == {}


@every_noise
def test_many_queries_of_a_type_are_shared_out_as_draws_of_the_noise_are(noise: Noise, law: Any) -> None:
    """Of 20,000 of each of three types and 40,000 draws, differences within 6 of their standard deviations; and of 10¹⁵ queries
    that are hardly in doubt the winner has all, or nearly all.
    """
    counts = np.array([[9, 4, 2], [4, 9, 2], [4, 3, 2], [3, 4, 2]])
    rng, size, drawn = np.random.default_rng(9), 20_000, 40_000
    won = noisy_argmax(counts, np.full(3, size), noise, rng)
    assert won.sum(axis=0).tolist() == [size] * 3
    for type_ in range(3):
        best = (counts[:, type_] + law.rvs((drawn, 4), random_state=rng)).argmax(axis=1)
        shares = np.bincount(best, minlength=4) / drawn
        spread = np.sqrt(shares * (1 - shares) * (1 / size + 1 / drawn))
        assert (np.abs(won[:, type_] / size - shares) < 6 * spread).all()
    sure = noisy_argmax(np.array([[0], [400], [1], [1]]), np.array([10**15]), noise, rng)
    assert sure.sum() == 10**15 and sure[1, 0] > 10**15 - 10
