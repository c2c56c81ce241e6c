"""A_sparseVec where it is subtle: types of 10¹⁵ queries, ⊥s of chance 1e-18, and halts in the middle of a type.

Each law is exact, by quadrature over one threshold or in closed form. Tests fail falsely with probability at most 1e-7 each.
"""

from itertools import pairwise
from math import exp, log, sqrt

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import binomtest, chisquare, kstest, nbinom, poisson
from scipy.stats import laplace as laplace_law

from harness.arrays import Ints
from harness.mechanisms.above_threshold import a_sparse_vec
from harness.mechanisms.noise import binomial
from harness.theory.privacy.laplace import tail, upper_quantile
from tests.support.same_law import assert_same_law

HUGE = 10**15


def counts(*numbers: int) -> Ints:
    return np.array(numbers, dtype=np.int64)


# Rare events


RARE = [(HUGE, 1e-18), (HUGE, 1e-15), (HUGE, 3e-14), (10**9, 1e-9), (10**12, 1e-300), (HUGE, 0.0)]


@pytest.mark.parametrize(("n", "p"), RARE)
def test_how_often_a_rare_thing_happens_to_so_many_is_poisson(n: int, p: float) -> None:
    """100,000 draws: their sum and how many are 0. The total variation distance from the binomial law is at most np² a draw."""
    drawn = binomial(np.full(100_000, n), p, np.random.default_rng(1))
    total, none = int(drawn.sum()), int(np.count_nonzero(drawn == 0))
    mean = 100_000 * n * p
    assert poisson.cdf(total, mean) > 2e-8 and poisson.sf(total - 1, mean) > 2e-8
    assert binomtest(none, 100_000, exp(-n * p)).pvalue > 5e-8


@pytest.mark.parametrize("n", [2, 3, 50])
@pytest.mark.parametrize("p", [0.999e-8, 1.001e-8, 0.02, 0.5, 1 - 1e-9, 1.0])
def test_any_number_is_binomial_whichever_way_it_is_drawn(n: int, p: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exact tests of the sum; balls into boxes too, at chances where balls meet in a box."""
    size = 200_000
    for rare in (1e-8, 0.6):
        monkeypatch.setattr("harness.mechanisms.noise.RARE", rare)
        few = size if p < 1e-3 or p > rare else 20_000
        drawn = binomial(np.full(few, n), p, np.random.default_rng(2))
        assert drawn.min() >= 0 and drawn.max() <= n
        assert binomtest(int(drawn.sum()), few * n, p).pvalue > 2e-9
        none = int(np.count_nonzero(drawn == 0))
        assert binomtest(none, few, (1 - p) ** n).pvalue > 2e-9


def test_numbers_and_chances_are_drawn_place_by_place() -> None:
    n, p = counts(0, 1, 5, HUGE, HUGE, 1, 7), np.array([0.5, 1.0, 1.0, 1e-40, 1.0, 0.0, 0.0])
    assert binomial(n, p, np.random.default_rng(3)).tolist() == [0, 1, 5, 0, HUGE, 0, 0]
    assert binomial(counts(), np.empty(0), np.random.default_rng(3)).tolist() == []


@pytest.mark.parametrize("x", [-700.0, -40.0, -1e-3, 0.0, 1e-3, 5.0, 40.0, 700.0])
def test_the_tail_and_its_quantile_are_scipys_and_each_other_s_inverse(x: float) -> None:
    assert float(tail(np.array(x))) == pytest.approx(laplace_law.sf(x), rel=1e-13)
    if x > -30:  # below, a chance of nearly 1 has lost its digits
        assert float(upper_quantile(np.array(laplace_law.sf(x)))) == pytest.approx(x, rel=1e-9, abs=1e-12)


# A type of 10¹⁵


def no_bottom(distance: float, n: int, lam: float = 1.0) -> float:
    """P(none of n queries at a distance above w is ⊥) = E(1 − P(Lap(2λ) ≤ ŵ − w − distance))^n."""

    def given(noise: float) -> float:
        return exp(n * float(np.log1p(-laplace_law.cdf(noise - distance, scale=2 * lam)))) * laplace_law.pdf(noise, scale=lam)

    ends = (-60 * lam, -5 * lam, 0, 5 * lam, 20 * lam, 60 * lam)
    return sum(quad(given, a, b, epsabs=1e-14, limit=200)[0] for a, b in pairwise(ends))


@pytest.mark.parametrize("p", [1e-18, 1e-16, 1e-15, 1e-14])
def test_of_10_to_the_15_queries_none_is_bottom_as_often_as_it_should_be(p: float) -> None:
    """At a distance where a query is ⊥ with chance p under ŵ = w."""
    distance, runs, rng = -2 * log(2 * p), 4_000, np.random.default_rng(4)
    streams = [a_sparse_vec(np.array([distance, 1e4]), counts(HUGE, HUGE), 1.0, 0.0, 1e9, rng) for _ in range(runs)]
    none = sum(not stream.bottoms.any() for stream in streams)
    assert binomtest(none, runs, no_bottom(distance, HUGE)).pvalue > 1e-8
    assert not any(stream.unanswered.any() or stream.bottoms[1] for stream in streams)


def test_the_mean_number_of_bottoms_is_that_of_one_threshold_where_they_are_rare() -> None:
    """At 1e-17 hardly ever two thresholds matter: E c = n E p(ŵ), but for a share of a hundredth, and a ⊥ is one in 75 runs."""
    distance, runs, rng = -2 * log(2e-17), 20_000, np.random.default_rng(5)
    values, sizes = np.array([distance]), counts(HUGE)
    total = sum(int(a_sparse_vec(values, sizes, 1.0, 0.0, 1e9, rng).bottoms[0]) for _ in range(runs))
    mean = runs * HUGE * (2 / 3 * exp(-distance / 2) - exp(-distance) / 6)
    assert 200 < mean < 300
    # Of one threshold the number is Poisson, and thresholds vary: the variance is at most 1.1 times the mean.
    assert abs(total - mean) < 6 * sqrt(1.1 * mean) + 0.02 * mean


def test_where_the_first_bottom_falls_among_10_to_the_15_queries_has_its_exact_law() -> None:
    """T = 0. P(it is not among the first j) = E(1 − p(ŵ))^j: the place is compared with that, by Kolmogorov and Smirnov."""
    distance, rng = -2 * log(2e-13), np.random.default_rng(6)
    values, sizes = np.array([distance]), counts(HUGE)
    places = []
    for _ in range(800):
        stream = a_sparse_vec(values, sizes, 1.0, 0.0, 0.0, rng)
        places.append(HUGE - int(stream.unanswered[0]))
    at = np.unique(np.geomspace(1e8, 1e15, 200).astype(np.int64))
    chance = np.array([1 - no_bottom(distance, int(j)) for j in at])
    seen = np.searchsorted(np.sort(places), at, side="right") / 800
    assert np.abs(seen - chance).max() < sqrt(log(2 / 1e-8) / 1600)
    assert 0.9 < chance[-1]


# Halts


def test_T_reached_in_the_middle_of_a_type_leaves_a_fair_share_of_every_other() -> None:
    """10¹² sure ⊥s among twice as many sure answers, T = 9: those answered before the tenth ⊥ are negative binomial."""
    rng, n = np.random.default_rng(7), 10**12
    values, sizes = np.array([-1e9, 1e9, 1e9]), counts(n, n, n)
    streams = [a_sparse_vec(values, sizes, 1.0, 0.0, 9.0, rng) for _ in range(1000)]
    assert all(stream.bottoms.tolist() == [10, 0, 0] and stream.unanswered[0] == n - 10 for stream in streams)
    passed = np.array([n - stream.unanswered[1:] for stream in streams])
    edges = np.array([5, 9, 13, 17, 21, 25, 30, 37])
    law = np.diff(np.concatenate([[0], nbinom.cdf(edges, 10, 1 / 3), [1]]))
    found = np.diff(np.concatenate([[0], [np.count_nonzero(passed.sum(axis=1) <= edge) for edge in edges], [1000]]))
    assert chisquare(found, 1000 * law).pvalue > 1e-8
    assert binomtest(int(passed[:, 0].sum()), int(passed.sum()), 0.5).pvalue > 1e-8


@pytest.mark.parametrize("sizes", [(30,), (10, 20), (1,) * 30], ids=str)
def test_all_queries_are_answered_where_the_last_bottom_is_the_last_query(sizes: tuple[int, ...]) -> None:
    """30 sure ⊥s: T = 29 lets the last one out and leaves none unanswered, T = 28 leaves one."""
    values, rng = np.full(len(sizes), -1e9), np.random.default_rng(8)
    for T, left in ((29.0, 0), (29.5, 0), (28.0, 1), (28.9, 1), (30.0, 0), (1e9, 0)):
        stream = a_sparse_vec(values, counts(*sizes), 1.0, 0.0, T, rng)
        assert (stream.bottoms.sum(), stream.unanswered.sum()) == (30 - left, left)


@pytest.mark.parametrize(("bottoms", "others"), [(1, 1), (2, 3), (3, 1), (1, 6)])
def test_a_halt_just_after_the_last_sure_bottom_is_none_as_often_as_that_is_the_last_query(bottoms: int, others: int) -> None:
    """T + 1 = the number of sure ⊥s: the last of these is the last of all with probability (their share)."""
    rng, runs = np.random.default_rng(9), 4000
    values, sizes = np.array([-1e9, 1e9]), counts(bottoms, others)
    streams = [a_sparse_vec(values, sizes, 1.0, 0.0, bottoms - 1, rng) for _ in range(runs)]
    assert all(stream.bottoms.tolist() == [bottoms, 0] and stream.unanswered[0] == 0 for stream in streams)
    left = np.array([stream.unanswered[1] for stream in streams])
    assert binomtest(int(np.count_nonzero(left == 0)), runs, bottoms / (bottoms + others)).pvalue > 1e-8


def test_a_run_in_many_parts_has_the_law_of_one_in_one_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """A type of close calls comes a few candidates at a time, or all at once: ⊥s and places of the halt, by two samples."""
    values, sizes = np.array([3.0, 1.0, 20.0]), counts(300, 10, 30)
    samples = []
    for block in (4, 1 << 20):
        monkeypatch.setattr("harness.mechanisms.above_threshold.BLOCK", block)
        rng = np.random.default_rng(block)
        streams = [a_sparse_vec(values, sizes, 1.0, 0.0, 15.0, rng) for _ in range(600)]
        samples.append(np.array([[*stream.bottoms[:2], *stream.unanswered] for stream in streams]))
    assert_same_law(*samples)


def test_places_of_the_bottoms_of_one_type_are_uniform() -> None:
    """T = 0 and one sure ⊥ among 999 answers: it stands anywhere."""
    rng = np.random.default_rng(10)
    left = [a_sparse_vec(np.array([1e9, -1e9]), counts(999, 1), 1.0, 0.0, 0.0, rng).unanswered[0] for _ in range(3000)]
    assert kstest((np.array(left) + rng.random(3000)) / 1000, "uniform").pvalue > 1e-8
