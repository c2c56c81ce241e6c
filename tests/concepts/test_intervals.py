"""Interval partitions: dimensions by brute force, the law of the gaps in closed form, votes and mistakes counted by hand."""

from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from math import log
from typing import TYPE_CHECKING

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom, chisquare

from harness.ballots import Queries
from harness.concepts.intervals import Intervals, Uniform
from harness.concepts.intervals.samplers import BLOCK, IntervalSampler
from harness.concepts.partitions import least_risk_gaps
from harness.concepts.thresholds.samplers import LEARNERS
from harness.theory import pac
from tests.support.situations import situation_of

if TYPE_CHECKING:
    from tests.support.laws import BinomialCounts

Reals = NDArray[np.float64]


def sampler_of(labels: int, learner: str, s: int = 10) -> IntervalSampler:
    return Uniform().at(situation_of(s, learner, concept=Intervals(labels=labels)))


def partitions(labels: int, points: int) -> list[tuple[int, ...]]:
    """All that partitions say at so many points in order: what does not fall."""
    return list(combinations_with_replacement(range(labels), points))


def natarajan(labels: int, points: int) -> bool:
    """Whether some pair of labels at each point allows every choice between them."""
    said = set(partitions(labels, points))
    pairs = [(a, b) for a in range(labels) for b in range(a + 1, labels)]
    return any(said.issuperset(product(*chosen)) for chosen in product(pairs, repeat=points))


def graph(labels: int, points: int) -> bool:
    """Whether for some labelling every set of points is where some partition agrees with it."""
    said = partitions(labels, points)
    for labelling in product(range(labels), repeat=points):
        agree = {tuple(one == other for one, other in zip(each, labelling, strict=True)) for each in said}
        if len(agree) == 2**points:
            return True
    return False


def dual_graph(labels: int, hypotheses: int) -> bool:
    """Whether for some hypotheses and one label each every set of these is who says it at some point.

    A point on the line meets the hypotheses' boundaries in some order; so many steps up, each of one hypothesis, are a path.
    """
    steps = [h for h in range(hypotheses) for _ in range(labels - 1)]
    paths = {order for order in product(range(hypotheses), repeat=len(steps)) if sorted(order) == steps}
    for path in paths:
        levels = [tuple(path[:i].count(h) for h in range(hypotheses)) for i in range(len(path) + 1)]
        for label in product(range(labels), repeat=hypotheses):
            if len({tuple(one == other for one, other in zip(level, label, strict=True)) for level in levels}) == 2**hypotheses:
                return True
    return False


@pytest.mark.at_once("2", "3")
@pytest.mark.parametrize("labels", [2, 3, 4])
def test_its_dimensions_are_those_found_by_brute_force(labels: int) -> None:
    concept = Intervals(labels=labels)
    for shatters in (natarajan, graph):
        assert shatters(labels, concept.vc)
        assert not shatters(labels, concept.vc + 1)
    assert dual_graph(labels, concept.dual_vc)
    assert not dual_graph(labels, concept.dual_vc + 1)


def test_a_dimension_gives_the_number_of_labels() -> None:
    assert [Intervals.of_vc(V).labels for V in (1, 2, 99)] == [2, 3, 100]
    assert Intervals().label_count == 3
    with pytest.raises(ValueError, match=r"V = 100 is not attained: .* allowed: 1 to 99"):
        Intervals.of_vc(100)


@pytest.mark.parametrize("q", [0.5, 1e-3, 1e-9])
@pytest.mark.parametrize("s", [40, 10**6, 10**12])
def test_the_pac_bound_is_the_quantile_of_a_sum_of_gaps(s: int, q: float) -> None:
    """P(J gaps sum to more than a) = P(Bin(s, a) < J); for J = 1 that is (1 − a)^s."""
    for labels in (2, 3, 8):
        concept = Intervals(labels=labels)
        extremal, consistent = (concept.pac_bound(learner, 0)(s, q) for learner in ("leftmost", None))
        assert binom.cdf(labels - 2, s, extremal) == pytest.approx(q, rel=1e-6)
        assert binom.cdf(labels - 2, s, consistent) == pytest.approx(q / 2 ** (labels - 1), rel=1e-6)
        # The plain union over the boundaries is no sharper.
        assert extremal <= (labels - 1) * log((labels - 1) / q) / s
    assert Intervals(labels=2).pac_bound("rightmost", 0)(s, q) <= pac.thresholds_extremal(s, q)


@pytest.mark.parametrize("learner", ["leftmost", "rightmost"])
@pytest.mark.parametrize(("labels", "s"), [(2, 30), (3, 12), (3, 10**9), (6, 40), (6, 10**13)])
def test_the_error_of_an_extremal_learner_has_the_law_of_its_bound(
    learner: str, labels: int, s: int, assert_binomial: "BinomialCounts"
) -> None:
    """P(error > a) = P(Bin(s, a) < L − 1) exactly, for a below the width of an interval; empty ones among the cases."""
    blocks = list(sampler_of(labels, learner)._by_extremes(20_000, s, np.random.default_rng([labels, s % 1000])))
    errors = np.abs(np.concatenate(blocks)).sum(axis=1)
    a = min(1 / labels, 5 * labels / s) * np.array([0.05, 0.2, 0.5, 0.99])
    exceeded = np.array([np.count_nonzero(errors > each) for each in a])
    assert_binomial(exceeded, 20_000, np.asarray(binom.cdf(labels - 2, s, a)))


def monotone_blocks(labels: int, k: int, rng: np.random.Generator) -> Iterator[Reals]:
    """Learned boundaries that stray far and cross the target's, as offsets from these."""
    cuts = np.arange(1, labels) / labels
    for size in (k // 3, k - k // 3):
        yield np.sort(rng.random((size, labels - 1)), axis=1) ** rng.choice([0.5, 1, 2]) - cuts


@pytest.mark.parametrize("labels", [2, 3, 5])
@pytest.mark.parametrize("m", [1, 2, 400])
def test_votes_and_the_most_mistakes_are_those_counted_by_hand(labels: int, m: int) -> None:
    sampler, k = sampler_of(labels, "midpoint"), 30
    queries = sampler.queries(m, np.random.default_rng(1))
    votes = sampler._votes(queries, k, monotone_blocks(labels, k, np.random.default_rng(2)))
    x = sampler.features(queries.points)[:, 0]
    learned = np.concatenate(list(monotone_blocks(labels, k, np.random.default_rng(2)))) + np.arange(1, labels) / labels
    said = (learned[:, :, np.newaxis] <= x).sum(axis=1)
    assert votes.counts.tolist() == [(said == label).sum(axis=0).tolist() for label in range(labels)]
    assert votes.max_mistakes == (said != queries.truth).sum(axis=1).max()


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize(("s", "block"), [(6, 7), (50, 49), (200, 64), (20, 1 << 16)])
def test_full_sampling_learns_from_all_examples_of_each_chunk(
    learner: str, s: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the drawn examples themselves, also where a chunk comes in parts or leaves an interval empty."""
    monkeypatch.setattr("harness.concepts.intervals.samplers.BLOCK", block)
    k, drawn = 25, list[Reals]()

    class Recorder:
        rng = np.random.default_rng(3)

        def random(self, shape: tuple[int, int]) -> Reals:
            drawn.append(self.rng.random(shape))
            return drawn[-1]

    sampler = sampler_of(4, learner)
    learned = np.concatenate(list(sampler._by_examples(k, s, Recorder())))  # type: ignore[arg-type]
    chunks = np.concatenate([part.ravel() for part in drawn]).reshape(k, s)
    cuts = np.array([0.25, 0.5, 0.75])
    for chunk, found in zip(chunks, learned, strict=True):
        for cut, offset in zip(cuts, found, strict=True):
            x_l, x_r = max([0.0, *chunk[chunk < cut]]), min([1.0, *chunk[chunk >= cut]])
            expected = LEARNERS[learner](np.array(x_l), np.array(x_r))
            assert offset == pytest.approx(float(expected) - cut, abs=1e-15)
    assert max(part.size for part in drawn) <= block


def test_queries_are_uniform_and_labelled_by_the_target(assert_binomial: "BinomialCounts") -> None:
    sampler = sampler_of(5, "leftmost")
    queries = sampler.queries(50_000, np.random.default_rng(4))
    x = sampler.features(queries.points)[:, 0]
    assert (queries.truth == np.floor(5 * x)).mean() > 1 - 1e-4  # but for rounding at a boundary
    bins = np.bincount((x * 60).astype(int), minlength=60)
    assert_binomial(bins, 50_000, np.full(60, 1 / 60))


def test_votes_far_nearer_to_a_boundary_than_doubles_beside_it_are_exact(assert_binomial: "BinomialCounts") -> None:
    """At s = 10¹⁶ a leftmost boundary is farther than a from the target's w.p. (1 − a)^s = e^−as: e^−1 and e^−0.3."""
    s, k = 10**16, 100_000
    queries = Queries(np.array([[1.0, -1e-16], [2.0, -3e-17]]), np.array([0, 1], dtype=np.int8))
    votes = sampler_of(3, "leftmost").sufficient(queries, k, s, np.random.default_rng(5))
    assert_binomial(np.array([votes.counts[1, 0], votes.counts[2, 1]]), k, np.exp([-1.0, -0.3]))


@pytest.mark.parametrize("sampling", ["sufficient", "full"])
def test_memory_does_not_grow_with_the_number_of_chunks(sampling: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No block of learned boundaries is larger than BLOCK."""
    monkeypatch.setattr("harness.concepts.intervals.samplers.BLOCK", 600)
    sampler = sampler_of(3, "midpoint")
    draw = sampler._by_extremes if sampling == "sufficient" else sampler._by_examples
    sizes = [block.size for block in draw(1003, 20, np.random.default_rng(6))]
    assert sum(sizes) == 2 * 1003
    assert max(sizes) <= 600


@pytest.mark.parametrize("side", [-1, 1])
def test_the_partition_of_least_risk_is_that_of_brute_force(side: int) -> None:
    """All placements of 3 boundaries among 7 points with random labels 0 to 3: the least risk, and the tie that is farthest."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        labels = rng.integers(0, 4, (1, 7), dtype=np.int8)
        (found,) = least_risk_gaps(labels, 4, side)
        risks = {
            cuts: int(np.count_nonzero(np.searchsorted(np.array(cuts), np.arange(7), side="right") != labels[0]))
            for cuts in combinations_with_replacement(range(8), 3)
        }
        best = [cuts[::-1] for cuts, risk in risks.items() if risk == min(risks.values())]
        assert tuple(found[::-1]) == (min(best) if side < 0 else max(best))


def test_noisy_labels_are_one_of_the_others_with_probability_gamma() -> None:
    sampler = Uniform().at(situation_of(100, "leftmost", concept=Intervals(labels=4), gamma=0.3))
    queries = sampler.queries(200_000, np.random.default_rng(1))
    shift = (queries.truth - queries.target) % 4
    counts = np.bincount(shift, minlength=4)
    assert chisquare(counts, 200_000 * np.array([0.7, 0.1, 0.1, 0.1])).pvalue > 1e-6


def test_noisy_chunks_beyond_what_is_held_are_refused() -> None:
    refusal = Uniform().refuse(situation_of(10**6, "leftmost", concept=Intervals(), gamma=0.1))
    assert refusal is not None
    assert refusal.parameter == "gamma"
    assert Uniform().refuse(situation_of(10**6, "leftmost", concept=Intervals())) is None


@pytest.mark.parametrize(
    ("learner", "below", "above"), [("leftmost", 0.0, 0.6), ("midpoint", 0.2, 0.8), ("rightmost", 0.4, 1.0)]
)
def test_a_gap_beside_no_example_ends_with_the_interval(learner: str, below: float, above: float) -> None:
    """Of two examples with one label, at 0.4 and 0.6, the boundary is before the first or beyond the last."""
    sampler, x = sampler_of(2, learner), np.array([[0.4, 0.6]])
    found = [float(sampler._between(x, np.array([[label, label]], dtype=np.int8))[0, 0]) for label in (1, 0)]
    assert found == pytest.approx([below, above], abs=1e-12)


def test_labels_are_flipped_at_most_so_often_that_their_own_is_the_likeliest() -> None:
    """At nine tenths of where another one would be as likely; and a chunk is held whole where they are."""
    for labels, most in ((2, 0.45), (4, 0.675)):
        for gamma, fits in ((most - 1e-9, True), (most + 1e-9, False)):
            refused = Uniform().refuse(situation_of(100, "leftmost", concept=Intervals(labels=labels), gamma=gamma))
            assert (refused is None) == fits
            assert refused is None or (refused.parameter == "gamma" and f"gamma ≤ {most:g}" in refused.message)
    for s, fits in ((BLOCK, True), (BLOCK + 1, False)):
        assert (Uniform().refuse(situation_of(s, "leftmost", concept=Intervals(), gamma=0.1)) is None) == fits


@pytest.mark.parametrize(("learner", "end"), [("leftmost", 0.0), ("rightmost", 1.0)])
def test_of_a_single_example_every_boundary_is_beside_it_or_at_an_end(learner: str, end: float) -> None:
    """All intervals but one are empty: a boundary goes on through them to the example, or to the end of [0, 1]."""
    (learned,) = sampler_of(4, learner)._by_extremes(200, 1, np.random.default_rng(5))
    places, cuts = learned + np.array([0.25, 0.5, 0.75]), np.array([0.25, 0.5, 0.75])
    for chunk in places:
        inner = chunk[~np.isclose(chunk, end)]
        example = float(inner.mean()) if len(inner) else end
        beside = (cuts > example if learner == "leftmost" else cuts <= example) & (len(inner) > 0)
        assert chunk == pytest.approx(np.where(beside, example, end), abs=1e-12)
    assert len({int((~np.isclose(chunk, end)).sum()) for chunk in places}) == 4


@pytest.mark.parametrize(
    ("learner", "errs"),
    [("leftmost", (0.5, 0.1, 0.1)), ("midpoint", (0.3, 0.0, 0.3)), ("rightmost", (0.1, 0.1, 0.5))],
)
def test_from_two_points_a_boundary_is_learned_before_between_or_beyond_them(learner: str, errs: tuple[float, ...]) -> None:
    """At 0.4 and 0.6, beside the target's boundary: both labelled 1, each as it is, or both 0."""
    points = Queries(np.array([[1.0, -0.1], [1.0, 0.1]]), np.array([0, 1], np.int8))
    for labels, error in zip(([1, 1], [0, 1], [0, 0]), errs, strict=True):
        learned = sampler_of(2, learner).learn(points, np.array(labels, np.int8))
        assert learned.error == pytest.approx(error, abs=1e-12) and learned.predict(points.points).tolist() == labels
