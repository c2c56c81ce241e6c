"""The exact laws of scores against drawing all examples and learning from them; and that wrong laws are told apart."""

from math import comb

import numpy as np
import pytest
from scipy.stats import binom

from harness.arrays import Ints
from harness.scores import TIE, Learner, Sampling, Scorer, bins, histogram, means
from harness.scores.atoms import ScoreAtoms, _places
from harness.scores.bins import bin_law
from harness.scores.means import LabelMeans
from harness.scores.sgd import Sgd
from tests.support.same_law import assert_same_law

ONE = ScoreAtoms(masses=(0.5,), chances=(0.4,))
TWO = ScoreAtoms(masses=(0.5, 0.3), chances=(0.4, 0.7))
ALONE = ScoreAtoms(chances=(0.4,))
EDGES = np.array([0.1, 0.25, 0.5, 0.8])  # where means of few labels lie
TRIALS, K, S = 1500, 4, 6


def counts(instance: ScoreAtoms, learner: Learner, sampling: Sampling, seed: int, k: int = K, s: int = S) -> Ints:
    """Of so many trials of k chunks of s examples, the counts of all intervals, (TRIALS, q (e + 1))."""
    scorer, rng = Scorer(instance, learner, sampling), np.random.default_rng(seed)
    asked = np.tile(EDGES, (scorer.types, 1))
    return np.array([scorer.counts(rng, s, k, asked).ravel() for _ in range(TRIALS)])


@pytest.mark.law
@pytest.mark.parametrize("instance", [ALONE, ONE, TWO], ids=["alone", "one", "two"])
@pytest.mark.parametrize("learner", [LabelMeans(), Sgd(eta=0.5)], ids=["means", "constant"])
def test_the_exact_law_is_that_of_drawing_all_examples(instance: ScoreAtoms, learner: Learner) -> None:
    """Jointly over intervals and atoms; false with probability 1e-9."""
    assert_same_law(counts(instance, learner, "sufficient", 1), counts(instance, learner, "full", 2))


@pytest.mark.law
def test_poisson_is_the_law_of_chunks_of_poisson_size() -> None:
    """False with probability 1e-9."""
    rng, full = np.random.default_rng(2), []
    for _ in range(TRIALS):
        sizes = rng.poisson(S, K)
        scores = [Scorer(TWO, LabelMeans(), "full").predictions(rng, int(s), 1)[0] if s else np.full(2, 0.5) for s in sizes]
        full.append(histogram(np.array(scores), np.tile(EDGES, (2, 1))).ravel())
    assert_same_law(counts(TWO, LabelMeans(), "poisson", 1), np.array(full))


@pytest.mark.law
def test_poisson_is_another_law_than_that_of_whole_chunks() -> None:
    with pytest.raises(AssertionError, match="against"):
        assert_same_law(counts(TWO, LabelMeans(), "poisson", 1, k=1, s=1), counts(TWO, LabelMeans(), "full", 2, k=1, s=1))


@pytest.mark.law
def test_the_atoms_of_a_chunk_are_dependent(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many visits to each atom, but drawn apart, is another law, though it is that of each atom alone."""

    def apart(self: ScoreAtoms, sampling: Sampling, rng: np.random.Generator, s: int, k: int) -> Ints:
        return rng.binomial(s, self.masses, (k, len(self.masses)))

    monkeypatch.setattr(ScoreAtoms, "visits", apart)
    with pytest.raises(AssertionError, match="against"):
        assert_same_law(counts(TWO, LabelMeans(), "sufficient", 1, k=1, s=1), counts(TWO, LabelMeans(), "full", 2, k=1, s=1))


@pytest.mark.at_once("one")
@pytest.mark.parametrize("instance", [ONE, TWO], ids=["one", "two"])
def test_a_bin_off_by_one_is_told_apart(instance: ScoreAtoms, monkeypatch: pytest.MonkeyPatch) -> None:
    """A score on an edge counted below it."""
    drawn = counts(instance, LabelMeans(), "full", 2)
    monkeypatch.setattr(bins, "TIE", -TIE)
    monkeypatch.setattr("harness.scores.TIE", -TIE)
    bin_law.cache_clear()
    off = counts(instance, LabelMeans(), "sufficient", 1)
    bin_law.cache_clear()
    with pytest.raises(AssertionError, match="against"):
        assert_same_law(off, drawn)


@pytest.mark.law
def test_a_geometric_sum_with_a_term_too_few_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    learner, sums = Sgd(eta=0.5), Sgd._sums
    monkeypatch.setattr(Sgd, "_sums", lambda self, instance, visits, rng: sums(self, instance, visits - 1, rng))
    with pytest.raises(AssertionError, match="against"):
        assert_same_law(counts(ALONE, learner, "sufficient", 1, s=3), counts(ALONE, learner, "full", 2, s=3))


@pytest.mark.parametrize("edge", [-0.1, 0.0, 0.25, 1 / 3, 0.3, 0.5, 0.9, 1.0, 1.2])
@pytest.mark.parametrize("varied", [False, True])
def test_bins_by_brute_force(edge: float, varied: bool) -> None:
    s, q, p = 12, 0.4, 0.3
    numbers, chances = bins.number_law(s, q, varied)
    below = 0.0
    for n, chance in zip(numbers.tolist(), chances.tolist(), strict=True):
        seen = [comb(n, y) * p**y * (1 - p) ** (n - y) for y in range(n + 1) if y / max(n, 1) < edge - TIE]
        below += chance * ((0.5 < edge) if n == 0 else sum(seen))
    law = bin_law(s, q, p, varied, (edge,))
    assert law is not None
    assert law[0] == pytest.approx(below, abs=1e-12)


def test_bins_at_a_large_size_are_those_of_one_binomial_after_another() -> None:
    """From N to N + 1 by a term, against the cumulative law at every N; errors of rounding do not add up."""
    n = np.arange(10**6, 10**6 + 2000)
    found = bins._cumulated(n, 0.3, 0.3005)
    some = slice(None, None, 199)
    np.testing.assert_allclose(found[some], binom.cdf(np.ceil(0.3005 * n[some]) - 1, n[some], 0.3), atol=1e-11)


def test_sums_too_long_are_drawn_chunk_by_chunk() -> None:
    """At n beyond all sums the law is the same: a share of ones below p is a half."""
    s, edges = 10**15, np.array([[0.4]])
    assert bin_law(s, 0.5, 0.4, False, (0.4,)) is None
    found = Scorer(ONE, LabelMeans(), "sufficient").counts(np.random.default_rng(1), s, 10**5, edges)[0]
    assert found.sum() == 10**5
    assert 1e-10 < binom.cdf(found[0], 10**5, 0.5) < 1 - 1e-10


@pytest.mark.law
def test_what_is_drawn_at_once_does_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(means, "DRAWN", 3)
    assert_same_law(counts(TWO, LabelMeans(), "sufficient", 1), counts(TWO, LabelMeans(), "full", 2))


def test_numbers_are_placed_among_few_ends_and_many_alike() -> None:
    rng = np.random.default_rng(5)
    for count in (1, 16, 17, 300):  # 300 are more than a byte counts
        ends, numbers = np.sort(rng.random(count)), np.append(rng.random((3, 40)), [[0.0] * 40, [1.0] * 40], axis=0)
        assert (_places(ends, numbers) == (numbers[..., np.newaxis] >= ends).sum(axis=-1)).all()


@pytest.mark.parametrize(("s", "q"), [(1, 1e-3), (3, 1e-6), (5, 1.0), (40, 0.3)])
def test_a_window_of_few_examples_holds_all_their_numbers(s: int, q: float) -> None:
    numbers, chances = bins.number_law(s, q, varied=False)
    assert numbers.tolist() == list(range(s if q == 1 else 0, s + 1))
    assert chances == pytest.approx(binom.pmf(numbers, s, q))


def test_between_many_edges_no_chance_is_below_zero() -> None:
    """Neighbouring chances are rounded each on its own, and may differ the wrong way in the last digit."""
    for p in (0.3, 0.5, 0.97):
        law = bin_law(400, 0.5, p, False, tuple(np.linspace(p - 0.3, min(1, p + 0.3), 90).tolist()))
        assert law is not None and law.min() >= 0 and law.sum() == pytest.approx(1)


def test_masses_add_up_to_one_but_for_rounding() -> None:
    assert ScoreAtoms(masses=(0.5, float(np.nextafter(0.5, 1))), chances=(0.5, 0.5)).law[-1] == 0
    with pytest.raises(ValueError, match=r"the masses add up to 1.00001; allowed: at most 1"):
        ScoreAtoms(masses=(0.5, 0.50001), chances=(0.5, 0.5))
